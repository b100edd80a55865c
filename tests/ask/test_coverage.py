"""What is said of periods that are not over, or that the data covers only in part."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backedge.ask.extent import extents, found_extents, in_zone
from backedge.ask.grounding.coverage import covered, period_words, same_span
from backedge.ask.partial import Remarks, partial_periods
from backedge.query.table import Column, Table
from backedge.semantic.model import Dimension, Model, View
from backedge.semantic.spec import AnyOf, By, Filter, Grain, OutputColumn, Spec

TODAY = date(2026, 11, 30)
KNOWN = (date(2022, 1, 3), date(2026, 11, 17))


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (date(2026, 11, 1), date(2026, 12, 1), "November so far: data to 17 November 2026"),
        (date(2026, 10, 1), date(2026, 11, 1), ""),
        (date(2026, 11, 1), date(2026, 11, 29), "November in part: data to 17 November 2026"),
        (date(2026, 11, 1), date(2026, 11, 18), ""),
        (date(2022, 1, 1), date(2023, 1, 1), "November in part: data from 3 January 2022"),
        (date(2022, 1, 3), date(2023, 1, 1), ""),
        (date(2022, 1, 1), date(2027, 1, 1), "November so far: data from 3 January 2022 to 17 November 2026"),
    ],
)
def test_what_is_missing_of_a_period_is_said(start: date, end: date, said: str) -> None:
    found = covered(start, end, KNOWN, TODAY)
    assert found is not None
    assert (found.says("November"), found.whole) == (said, not said)


def test_a_day_that_is_not_over_is_no_whole_day() -> None:
    found = covered(TODAY, date(2026, 12, 1), (TODAY, TODAY), TODAY)
    assert found is not None
    assert found.says("today") == "today so far: data to 30 November 2026"


def test_a_period_without_any_data_is_not_covered() -> None:
    assert covered(date(2021, 1, 1), date(2022, 1, 3), KNOWN, TODAY) is None
    assert covered(date(2026, 11, 18), date(2026, 12, 1), KNOWN, TODAY) is None


@pytest.mark.parametrize(("step", "whole"), [(1, False), (7, False), (28, True), (31, True)])
def test_of_monthly_data_no_day_is_missing_behind_the_first(step: int, whole: bool) -> None:
    found = covered(date(2026, 9, 1), date(2026, 10, 1), (date(2025, 1, 1), date(2026, 9, 3)), TODAY, step)
    assert found is not None
    assert found.whole is whole


def test_the_like_span_of_another_period_has_the_same_days_of_the_month() -> None:
    november = covered(date(2026, 11, 1), date(2026, 12, 1), KNOWN, TODAY)
    assert november is not None
    assert same_span(november, date(2026, 10, 1)) == (date(2026, 10, 1), date(2026, 10, 18))
    year = covered(date(2024, 1, 1), date(2025, 1, 1), (KNOWN[0], date(2024, 3, 1)), date(2024, 3, 2))
    assert year is not None
    assert same_span(year, date(2023, 1, 1)) == (date(2023, 1, 1), date(2023, 3, 2))
    march = covered(date(2024, 3, 1), date(2024, 4, 1), (KNOWN[0], date(2024, 3, 30)), date(2024, 3, 31))
    assert march is not None
    assert same_span(march, date(2024, 2, 1)) == (date(2024, 2, 1), date(2024, 2, 29))


DAYS = st.dates(date(2000, 1, 1), date(2040, 1, 1))


@given(DAYS, DAYS, DAYS, DAYS, DAYS)
def test_what_is_covered_lies_within_the_period_and_the_data(a: date, b: date, c: date, d: date, today: date) -> None:
    (start, end), (first, last) = sorted((a, b)), sorted((c, d))
    found = covered(start, end, (first, last), today) if start < end else None
    if found:
        assert max(start, first) == found.first <= found.last == min(last, date.fromordinal(end.toordinal() - 1))
        assert found.whole == (first <= start and last >= date.fromordinal(end.toordinal() - 1) and end <= today)


def test_periods_are_called_by_their_calendar_names() -> None:
    assert period_words(date(2024, 1, 1), date(2025, 1, 1)) == "2024"
    assert period_words(date(2024, 4, 1), date(2024, 7, 1)) == "Q2 2024"
    assert period_words(date(2024, 5, 1), date(2024, 6, 1)) == "May 2024"
    assert period_words(date(2024, 5, 1), date(2024, 8, 1)) == "1 May 2024 to 31 July 2024"
    assert period_words(date(2024, 5, 3), date(2024, 5, 4)) == "3 May 2024"


EXTENT = (("v.at", *KNOWN, 1),)


def said(*where: Any, grain: Grain | None = None, rows: tuple[date, ...] = (), known: Any = EXTENT) -> Remarks:
    total = OutputColumn("total", "v.total", "measure", "sum")
    at = OutputColumn("at", "v.at", "dimension", "date", grain)
    columns = (at, total) if grain else (total,)
    kinds = [Column(name=c.name, type="", kind="date" if c is at else "integer") for c in columns]
    cells = tuple((day, 1) for day in rows) if grain else ((1,),)
    spec = Spec(("v.total",), (By("v.at", grain),) if grain else (), where)
    return partial_periods(spec, columns, Table(columns=tuple(kinds), rows=cells), known, TODAY)


def in_range(start: date | str, end: date | str) -> Filter:
    return Filter("v.at", "in_range", (start, end))


YEAR = in_range(date(2026, 1, 1), date(2027, 1, 1))
LAST = in_range(date(2025, 1, 1), date(2026, 1, 1))


def test_a_period_asked_for_that_is_not_over_is_spoken_of() -> None:
    assert said(YEAR).spoken == ("2026 so far: data to 17 November 2026",)
    assert said(in_range("2026-01-01", "2027-01-01")) == said(YEAR)
    assert said(Filter("v.at", "gte", (date(2026, 1, 1),)), Filter("v.at", "lt", (date(2027, 1, 1),))) == said(YEAR)
    assert said(AnyOf((LAST, YEAR))).spoken == said(YEAR).spoken
    assert said(LAST) == Remarks()
    assert said() == Remarks()


def test_of_a_series_the_groups_are_spoken_of_and_the_period_is_noted() -> None:
    months = (date(2026, 10, 1), date(2026, 11, 1))
    found = said(YEAR, grain="month", rows=months)
    assert found.spoken == ("November 2026 is not over: data to 17 November 2026",)
    assert found.noted == (*found.spoken, "2026 so far: data to 17 November 2026")
    first = said(grain="month", rows=(date(2022, 1, 1), date(2022, 2, 1)))
    assert first.spoken == ("January 2022 in part: data from 3 January 2022",)
    assert said(grain="day", rows=(TODAY,), known=(("v.at", KNOWN[0], TODAY, 1),)).spoken == ("2026-11-30 is not over",)


def test_a_group_that_the_question_cuts_is_only_as_long_as_it_asks() -> None:
    asked = in_range(date(2026, 11, 1), date(2026, 11, 11))
    assert said(asked, grain="month", rows=(date(2026, 11, 1),)) == Remarks()


def test_what_is_open_says_where_the_data_ends() -> None:
    since = said(Filter("v.at", "gte", (date(2020, 1, 1),)))
    assert since.spoken == ("the data of at goes to 17 November 2026",)
    assert since.noted == (*since.spoken, "the data of at begins on 3 January 2022")
    assert said(Filter("v.at", "lt", (date(2024, 1, 1),))).spoken == ()
    assert said(Filter("v.at", "gte", (date(2020, 1, 1),)), known=(("v.at", KNOWN[0], TODAY, 1),)).spoken == ()


def test_a_day_that_stands_for_never_is_no_bug() -> None:
    never = date(9999, 12, 1)
    assert said(grain="month", rows=(never,), known=(("v.at", KNOWN[0], date(9999, 12, 31), 1),)) == Remarks()


MODEL = Model((View("v", dimensions=(Dimension("at", "datetime", "at"), Dimension("on", "date", "on"))),))


def test_the_days_of_every_date_of_the_question_are_looked_up_in_its_zone_and_topic() -> None:
    spec = Spec(("v.n",), (By("v.at", "month"),), (Filter("v.on", "gte", ("2024-01-01",)),), topic="t", timezone="UTC")
    probes = extents(MODEL, spec)
    assert [(p.purpose, p.member) for p in probes] == [
        ("first", "v.at"), ("last", "v.at"), ("first", "v.on"), ("last", "v.on"),
    ]  # fmt: skip
    assert {(p.spec.topic, p.spec.timezone) for p in probes} == {("t", "UTC")}
    assert extents(MODEL, Spec(("v.n",))) == ()


def test_extents_are_the_outermost_days_and_how_far_apart_days_lie() -> None:
    first, last, *_ = extents(MODEL, Spec(("v.n",), (By("v.at", "month"),)))

    def cells(*days: date) -> Table:
        return Table(columns=(Column(name="at", type="", kind="date"),), rows=tuple((day,) for day in days))

    weekly = {first: cells(date(2024, 1, 5), date(2024, 1, 12)), last: cells(datetime(2024, 3, 8, 0), date(2024, 3, 1))}
    assert found_extents(weekly) == (("v.at", date(2024, 1, 5), date(2024, 3, 8), 7),)
    assert found_extents({first: cells(), last: cells()}) == ()
    assert found_extents({first: cells(date(2024, 1, 5))}) == ()


def test_moments_are_asked_for_on_the_clocks_of_the_question_and_dates_as_they_are() -> None:
    moments = Spec(("v.n",), (By("v.at", "month"),))
    assert in_zone(moments, MODEL, "Europe/Paris").timezone == "Europe/Paris"
    assert in_zone(moments, MODEL, "UTC") is moments
    assert in_zone(Spec(("v.n",), (By("v.on", "month"),)), MODEL, "Europe/Paris").timezone == ""
    assert in_zone(Spec(("v.n",)), MODEL, "Europe/Paris").timezone == ""
