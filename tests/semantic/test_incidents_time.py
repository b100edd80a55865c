"""Wrong answers about periods that users of other tools really met: small inputs and the right value."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from backedge.ask.grounding.dates import read_period
from backedge.ask.grounding.periods import Reckoning
from backedge.ask.grounding.words import tokenise
from backedge.semantic.model import Measure, Model
from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import By, Filter, Spec
from backedge.semantic.timed import Shift, Span, Window
from tests.semantic.asking import Rows, compiled, rows, view

TOTAL = Measure("total", "sum", "n")
MODEL = Model(
    (
        view(
            "events",
            "ts:datetime day:date n:number",
            Measure("count", "count"),
            TOTAL,
            Measure("year_ago", "custom", shift=Shift("total", Span(months=12))),
            Measure("growth", "number", "{{total}} - {{year_ago}}"),
            Measure("year_long", "sum", "n", window=Window(trailing=12)),
        ),
    )
)


def events(*moments: str) -> dict[str, str]:
    values = ", ".join(f"(TIMESTAMP '{at}', TIMESTAMP '{at}'::DATE, 1)" for at in moments)
    return {"events": f"SELECT * FROM (VALUES {values}) t(ts, day, n)"}


def counted(moments: tuple[str, ...], **request: object) -> Rows:
    spec = spec_from_json({"measures": ["events.count"], **request})
    assert isinstance(spec, Spec), spec
    return rows(events(*moments), MODEL, spec)


def said(words: str, today: date) -> tuple[date | None, date | None] | None:
    found = read_period(tokenise(words), 0, Reckoning(today))
    return found and (found[0].start, found[0].end)


def test_the_last_two_months_end_with_the_last_second_of_their_last_day() -> None:
    period = said("last 2 months", date(2021, 9, 17))
    assert period == (date(2021, 7, 1), date(2021, 9, 1))
    edges = events("2021-06-30 23:59:59", "2021-07-01", "2021-08-31 23:59:59", "2021-09-01")
    assert rows(edges, MODEL, Spec(("events.count",), (), (Filter("events.ts", "in_range", period),))) == [(2,)]


def test_twenty_three_hours_are_not_a_day() -> None:
    moments = ("2021-09-16 10:59:59", "2021-09-16 11:00:00", "2021-09-17 09:59:59", "2021-09-17 10:00:00")
    between = {"dimension": "events.ts", "date_range": ["2021-09-16T11:00:00", "2021-09-17T10:00:00"]}
    assert counted(moments, time_dimensions=[between]) == [(2,)]
    assert said("last 23 hours", date(2021, 9, 17)) is None


def test_the_last_day_of_a_range_in_a_zone_ahead_is_whole() -> None:
    moments = ("2025-05-09 15:59:59", "2025-05-09 16:00:00", "2025-05-16 15:59:59", "2025-05-16 16:00:00")
    between = {"dimension": "events.ts", "date_range": ["2025-05-10", "2025-05-16"]}
    assert counted(moments, time_dimensions=[between], timezone="Asia/Shanghai") == [(2,)]


@pytest.mark.parametrize(
    ("words", "today", "start", "end"),
    [
        ("last month", date(2026, 7, 14), date(2026, 6, 1), date(2026, 7, 1)),
        ("last month", date(2022, 9, 27), date(2022, 8, 1), date(2022, 9, 1)),
        ("last 1 month", date(2022, 9, 27), date(2022, 8, 1), date(2022, 9, 1)),
        ("last 7 days", date(2024, 5, 15), date(2024, 5, 8), date(2024, 5, 15)),
    ],
)
def test_last_is_the_whole_period_before_this_one(words: str, today: date, start: date, end: date) -> None:
    assert said(words, today) == (start, end)


def test_a_week_that_a_range_cuts_is_said_to_be_cut() -> None:
    days = tuple(str(date(2024, 10, 28) + timedelta(days=n)) for n in range(30))
    spec = Spec(
        ("events.count",),
        (By("events.day", "week"),),
        (Filter("events.day", "in_range", ("2024-11-03", "2024-11-24")),),
    )
    sunday = Spec(spec.measures, spec.by, spec.where, week_start="sunday")
    assert rows(events(*days), MODEL, sunday) == [(date(2024, 11, d), 7) for d in (3, 10, 17)]
    assert compiled(MODEL, sunday).notes == ()
    monday = [(date(2024, 10, 28), 1), *((date(2024, 11, d), n) for d, n in ((4, 7), (11, 7), (18, 6)))]
    assert rows(events(*days), MODEL, spec) == monday
    assert compiled(MODEL, spec).notes == (
        "the week of 2024-10-28 is cut: only from 2024-11-03",
        "the week of 2024-11-18 is cut: only until before 2024-11-24",
    )


def test_a_day_that_a_moment_cuts_is_said_to_be_cut_and_the_first_year_has_none_before() -> None:
    def notes(grain: str, *bounds: str) -> tuple[str, ...]:
        range_ = {"dimension": "events.ts", "granularity": grain, "date_range": list(bounds)}
        spec = spec_from_json({"measures": ["events.count"], "time_dimensions": [range_], "week_start": "sunday"})
        assert isinstance(spec, Spec), spec
        return compiled(MODEL, spec).notes

    assert notes("day", "2024-05-01T10:00:00", "2024-05-02") == (
        "the day of 2024-05-01 is cut: only from 2024-05-01 10:00:00",
    )
    assert notes("week", "0001-01-01", "2024-05-04") == ()


def test_the_day_that_stands_for_never_is_asked_for_like_any_other() -> None:
    spec = Spec(("events.count",), (By("events.day", "year"),), (Filter("events.day", "equals", ("9999-12-31",)),))
    assert rows(events("9999-12-31"), MODEL, spec) == [(date(9999, 1, 1), 1)]


def test_one_month_is_one_number_however_it_is_asked_for() -> None:
    moments = ("2024-03-31 23:59:59", "2024-04-01", "2024-04-15 12:00:00", "2024-04-30 23:59:59", "2024-05-01")
    ts = "events.ts"
    words = [said(w, date(2024, 5, 15)) for w in ("last month", "previous month", "April 2024")]
    asked = [Spec(("events.count",), (), (Filter(ts, "in_range", p or ()),)) for p in words]
    assert [rows(events(*moments), MODEL, spec) for spec in asked] == [[(3,)]] * 3
    april = {"dimension": ts, "date_range": ["2024-04-01", "2024-04-30"]}
    assert counted(moments, time_dimensions=[april]) == [(3,)]
    assert counted(moments, dimensions=["events.ts.month"])[1] == (datetime(2024, 4, 1), 3)
    assert counted(moments, time_dimensions=[{**april, "granularity": "month"}]) == [(datetime(2024, 4, 1), 3)]


@pytest.mark.parametrize("given", [["2024-05-01", "2024-05-01"], ["2024-05-01"]])
def test_a_range_of_one_day_is_that_day(given: list[str]) -> None:
    moments = ("2024-04-30 23:59:59", "2024-05-01", "2024-05-01 23:59:59", "2024-05-02")
    assert counted(moments, time_dimensions=[{"dimension": "events.ts", "date_range": given}]) == [(2,)]


def test_measures_of_several_stages_over_ten_years_are_those_of_direct_sql() -> None:
    days = "GENERATE_SERIES(DATE '2014-01-01', DATE '2023-12-31', INTERVAL 1 DAY)"
    table = f"SELECT d AS ts, d::DATE AS day, DAY(d) * MONTH(d) + YEAR(d) AS n FROM (SELECT UNNEST({days}) AS d)"
    asked = Spec(("events.growth", "events.year_long", "events.total"), (By("events.day", "month"),))
    found = rows({"events": table}, MODEL, asked)
    every = [date(2014, 1, 1) + timedelta(days=n) for n in range(3652)]

    def total(first: int, last: int) -> int:
        inside = (d for d in every if first <= d.year * 12 + d.month - 1 <= last)
        return sum(d.day * d.month + d.year for d in inside)

    months = range(2014 * 12, 2024 * 12)
    right = [
        (total(m, m) - total(m - 12, m - 12) if m >= 2015 * 12 else None, total(m - 11, m), total(m, m)) for m in months
    ]
    assert [row[1:] for row in found[:120]] == right
