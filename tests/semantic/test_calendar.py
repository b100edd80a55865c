"""Gaps, time zones, first days of weeks and fiscal years: what a question's calendar does to its periods."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import duckdb
import pytest

from backedge.semantic.model import Measure, Model, Topic
from backedge.semantic.spec import By, Filter, Spec
from backedge.semantic.timed import Calendar
from tests.semantic.asking import Rows, compiled, defect, rows, view

EVENTS = view(
    "events",
    "id:number ts:datetime day:date kind n:number",
    Measure("count", "count"),
    Measure("total", "sum", "n"),
    Measure("sure", "sum", "n", fill_nulls_with=0),
)
MODEL = Model((EVENTS,))
DAILY = {
    "events": """SELECT n AS id, d::TIMESTAMP AS ts, d::DATE AS day, 'a' AS kind, 1 AS n
        FROM (SELECT UNNEST(GENERATE_SERIES(DATE '2023-12-30', DATE '2024-01-10', INTERVAL 1 DAY)) AS d, 1 AS n)"""
}
GAPS = {
    "events": """SELECT * FROM (VALUES (1, TIMESTAMP '2024-01-10 08:00:00', DATE '2024-01-10', 'a', 1),
        (2, TIMESTAMP '2024-03-10 08:00:00', DATE '2024-03-10', 'b', 2)) t(id, ts, day, kind, n)"""
}
FILLED = By("events.day", "month", fill=True)


def starts(found: Rows) -> list[object]:
    return [row[0] for row in found]


def test_weeks_start_on_the_day_that_is_asked_for() -> None:
    by = (By("events.day", "week"),)
    sunday = rows(DAILY, MODEL, Spec(("events.count",), by, week_start="sunday"))
    assert sunday == [(date(2023, 12, 24), 1), (date(2023, 12, 31), 7), (date(2024, 1, 7), 4)]
    monday = rows(DAILY, MODEL, Spec(("events.count",), by))
    assert monday == [(date(2023, 12, 25), 2), (date(2024, 1, 1), 7), (date(2024, 1, 8), 3)]


def test_a_project_a_topic_and_a_question_say_it_the_later_wins() -> None:
    by, topic = (By("events.day", "week"),), Topic("t", views=("events",), calendar=Calendar(week_start=2))
    project = Model((EVENTS,), calendar=Calendar(week_start=6))
    both = Model((EVENTS,), (topic,), calendar=Calendar(week_start=6))
    assert rows(DAILY, project, Spec(("events.count",), by))[0] == (date(2023, 12, 24), 1)
    assert rows(DAILY, both, Spec(("events.count",), by))[0] == (date(2023, 12, 27), 4)
    assert rows(DAILY, both, Spec(("events.count",), by, topic="t", week_start="monday"))[0] == (date(2023, 12, 25), 2)


def test_topics_with_different_calendars_are_asked_about() -> None:
    topics = tuple(Topic(f"t{n}", views=("events",), calendar=Calendar(week_start=n)) for n in (0, 6))
    model = Model((EVENTS,), topics)
    assert defect(model, Spec(("events.count",), (By("events.day", "week"),))).kind == "ambiguous_topic"
    assert compiled(model, Spec(("events.count",), (By("events.day", "month"),)))
    assert compiled(model, Spec(("events.count",), (By("events.day", "week"),), week_start="sunday"))


def test_fiscal_periods_start_in_the_fiscal_month() -> None:
    at = {"events": "SELECT 1 AS id, NULL::TIMESTAMP AS ts, DATE '2024-03-31' AS day, 'a' AS kind, 1 AS n"}
    by = (By("events.day", "fiscal_year"), By("events.day", "fiscal_quarter"))
    assert rows(at, MODEL, Spec(by=by, fiscal_year_start="april")) == [(date(2023, 4, 1), date(2024, 1, 1))]
    assert rows(at, MODEL, Spec(by=by, fiscal_year_start="2")) == [(date(2024, 2, 1), date(2024, 2, 1))]


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        (Spec(by=(By("events.day", "fiscal_year"),)), "unknown_grain"),
        (Spec(by=(By("events.day", "week"),), week_start="sonday"), "bad_value"),
        (Spec(by=(By("events.day", "week"),), fiscal_year_start="13"), "bad_value"),
        (Spec(by=(By("events.day"),), timezone="Europe/Pariss"), "bad_value"),
    ],
)
def test_a_calendar_that_is_none_is_refused(spec: Spec, kind: str) -> None:
    found = defect(MODEL, spec)
    assert (found.kind, bool(found.hint)) == (kind, True)


def test_every_period_between_first_and_last_has_a_row() -> None:
    found = rows(GAPS, MODEL, Spec(("events.count", "events.total", "events.sure"), (FILLED,)))
    assert found == [(date(2024, 1, 1), 1, 1, 1), (date(2024, 2, 1), 0, None, 0), (date(2024, 3, 1), 1, 2, 2)]


def test_bounds_of_the_question_are_filled_to() -> None:
    where = (Filter("events.day", "in_range", (date(2023, 12, 5), date(2024, 2, 10))),)
    found = rows(GAPS, MODEL, Spec(("events.count",), (FILLED,), where))
    assert found == [(date(2023, 12, 1), 0), (date(2024, 1, 1), 1), (date(2024, 2, 1), 0)]


def test_every_group_is_filled() -> None:
    found = rows(GAPS, MODEL, Spec(("events.count",), (FILLED, By("events.kind"))))
    assert [(day.month, kind, n) for day, kind, n in found] == [  # type: ignore[attr-defined]
        *((1, "a", 1), (1, "b", 0), (2, "a", 0), (2, "b", 0), (3, "a", 0), (3, "b", 1))
    ]


def test_where_nothing_is_there_nothing_is_filled() -> None:
    where = (
        Filter("events.day", "in_range", (date(2024, 1, 1), date(2024, 3, 1))),
        Filter("events.kind", "equals", ("z",)),
    )
    assert rows(GAPS, MODEL, Spec(("events.count",), (FILLED,), where)) == []
    assert rows(GAPS, MODEL, Spec(("events.count",), (FILLED,), where[1:])) == []


def test_filling_by_two_dates_or_too_many_periods_is_refused() -> None:
    assert defect(MODEL, Spec(("events.count",), (FILLED, By("events.ts", "month")))).kind == "needs_time_grouping"
    assert defect(MODEL, Spec(("events.count",), (By("events.kind", fill=True),))).kind == "needs_time_grouping"
    seconds = By("events.ts", "second", fill=True)
    where = (Filter("events.ts", "in_range", (date(2023, 1, 1), date(2024, 1, 1))),)
    found = defect(MODEL, Spec(("events.count",), (seconds,), where))
    assert (found.kind, "31,535,999" in found.message) == ("bad_value", True)


def test_a_listing_has_no_gaps_to_fill() -> None:
    assert defect(MODEL, Spec(by=(FILLED,), listing=True)).kind == "bad_value"


def test_weeks_and_fiscal_years_are_filled_from_their_own_start() -> None:
    weekly = Spec(("events.count",), (By("events.day", "week", fill=True),), week_start="sunday")
    found = starts(rows(GAPS, MODEL, weekly))
    assert found == [date(2024, 1, 7) + timedelta(weeks=n) for n in range(10)]
    yearly = Spec(("events.count",), (By("events.day", "fiscal_year", fill=True),), fiscal_year_start="march")
    assert rows(GAPS, MODEL, yearly) == [(date(2023, 3, 1), 1), (date(2024, 3, 1), 1)]


MOMENTS = ("2020-04-20 05:59:59", "2020-04-20 06:00:00", "2020-04-22 05:59:59", "2020-04-22 06:00:00")


def moments(type_: str) -> dict[str, str]:
    values = ", ".join(f"({i}, {type_} '{at}{'+00' if type_ != 'TIMESTAMP' else ''}')" for i, at in enumerate(MOMENTS))
    return {"events": f"SELECT id, ts, DATE '2020-04-20' AS day, 'a' AS kind, 1 AS n FROM (VALUES {values}) t(id, ts)"}


@pytest.mark.parametrize("type_", ["TIMESTAMP", "TIMESTAMPTZ"])
@pytest.mark.parametrize("session", ["UTC", "Asia/Tokyo"])
def test_days_of_a_time_zone_begin_at_its_midnight_whatever_the_session_says(type_: str, session: str) -> None:
    where = (Filter("events.ts", "in_range", (date(2020, 4, 20), date(2020, 4, 22))),)
    spec = Spec(("events.count",), (By("events.ts", "day"),), where, timezone="America/Denver")
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE events AS {moments(type_)['events']}")
        connection.execute(f"SET timezone = '{session}'")
        result = compiled(MODEL, spec)
        found = connection.execute(result.sql, list(result.params)).fetchall()
    assert found == [(datetime(2020, 4, 20), 1), (datetime(2020, 4, 21), 1)]


def test_a_time_zone_leaves_dates_as_they_are() -> None:
    spec = Spec(("events.count",), (By("events.day", "day"),), timezone="America/Denver")
    assert rows(moments("TIMESTAMP"), MODEL, spec) == [(date(2020, 4, 20), 4)]


def test_a_month_in_a_zone_ahead_holds_its_first_hours() -> None:
    july = {"events": "SELECT 1 AS id, TIMESTAMP '2023-06-30 22:30:00' AS ts, NULL::DATE AS day, 'a' AS kind, 1 AS n"}
    where = (Filter("events.ts", "in_range", (date(2023, 7, 1), date(2023, 8, 1))),)
    assert rows(july, MODEL, Spec(("events.count",), (), where, timezone="Etc/GMT-2")) == [(1,)]
    assert rows(july, MODEL, Spec(("events.count",), (), where)) == [(0,)]


def test_keys_are_not_moved_to_the_zone_where_two_hours_are_one() -> None:
    fold = "VALUES (TIMESTAMP '2023-11-05 05:30:00', 1), (TIMESTAMP '2023-11-05 06:30:00', 2)"
    tables = {"a": f"SELECT * FROM ({fold}) t(ts, n)", "b": f"SELECT * FROM ({fold}) t(ts, m)"}
    a = view("a", "ts:datetime", Measure("count", "count"), foreign="x(ts)")
    b = view("b", "ts:datetime m:number", primary="x(ts)")
    found = rows(tables, Model((a, b)), Spec(("a.count",), (By("b.m"),), timezone="America/New_York"))
    assert found == [(1, 1), (2, 1)]


def test_a_database_without_time_zones_refuses_them() -> None:
    spec = Spec(("events.count",), (By("events.ts", "day"),), timezone="America/Denver")
    assert defect(MODEL, spec, "sqlite").kind == "not_supported"
    assert compiled(MODEL, Spec(("events.count",), (By("events.ts", "day"),), timezone="UTC"), "sqlite")
