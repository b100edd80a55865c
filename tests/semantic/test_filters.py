"""Filters: typed values, whole days, text without wildcards, NULLs, and conditions on measures."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from backedge.semantic.model import Dimension, Measure, Model, Segment, View
from backedge.semantic.spec import (
    All,
    AnyOf,
    By,
    Condition,
    Filter,
    Operator,
    Order,
    Spec,
    Value,
)
from tests.semantic.asking import compiled, defect, defects, rows, view

EVENTS = View(
    name="events",
    table="events",
    dimensions=(
        Dimension("id", "number", "id"),
        Dimension("name", "string", "name"),
        Dimension("day", "date", "happened"),
        Dimension("happened", "datetime", "happened"),
        Dimension("good", "boolean", "good"),
        Dimension("place", "geo", "name"),
    ),
    measures=(
        Measure("n", "count"),
        Measure("total", "sum", "id"),
        Measure("last", "max", "{{day}}"),
    ),
    segments=(Segment("early", "{{id}} < 3"),),
)
MODEL = Model((EVENTS,))
TABLES = {
    "events": """SELECT * FROM (VALUES
        (1, '50%', TIMESTAMP '2024-01-31 00:00:00', true), (2, '50 A', TIMESTAMP '2024-01-31 23:59:59', false),
        (3, 'a_b', TIMESTAMP '2024-02-01 00:00:00', NULL), (4, 'AxB!', TIMESTAMP '2024-02-01 12:00:00', true),
        (5, NULL, NULL, true)) t(id, name, happened, good)"""
}


def ids(*where: Condition, segments: tuple[str, ...] = ()) -> list[object]:
    return [r[0] for r in rows(TABLES, MODEL, Spec(by=(By("events.id"),), where=where, segments=segments))]


@pytest.mark.parametrize(
    ("field", "op", "values", "right"),
    [
        ("name", "contains", ("50%",), [1]),
        ("name", "contains", ("A_",), [3]),
        ("name", "contains", ("!",), [4]),
        ("name", "starts_with", ("A",), [3, 4]),
        ("name", "ends_with", ("b", "A"), [2, 3]),
        ("name", "not_contains", ("50",), [3, 4, 5]),
        ("name", "in", ("a_b", None), [3, 5]),
        ("name", "not_in", ("a_b", None), [1, 2, 4]),
        ("name", "equals", (None,), [5]),
        ("name", "not_set", (), [5]),
        ("day", "equals", ("2024-01-31",), [1, 2]),
        ("day", "in_range", ("2024-01-31", "2024-02-01"), [1, 2]),
        ("day", "lte", (date(2024, 1, 31),), [1, 2]),
        ("day", "not_in_range", ("2024-01-31", "2024-02-01"), [3, 4, 5]),
        ("happened", "equals", ("2024-01-31",), [1, 2]),
        ("happened", "equals", ("2024-02-01T12:00:00",), [4]),
        ("happened", "not_equals", ("2024-01-31",), [3, 4, 5]),
        ("happened", "lte", ("2024-01-31",), [1, 2]),
        ("happened", "gt", ("2024-01-31",), [3, 4]),
        ("happened", "gte", (datetime(2024, 2, 1, 12),), [4]),
        ("happened", "in_range", ("2024-01-31", "2024-02-01"), [1, 2]),
        ("good", "equals", ("True",), [1, 4, 5]),
        ("id", "in", ("2", 3), [2, 3]),
        ("id", "in_range", (2, 4), [2, 3]),
    ],
)
def test_a_filter_keeps(field: str, op: Operator, values: tuple[Value, ...], right: list[int]) -> None:
    assert ids(Filter(f"events.{field}", op, values)) == right


def test_values_are_bound_and_never_written() -> None:
    result = compiled(
        MODEL,
        Spec(
            ("events.n",),
            where=(Filter("events.name", "equals", ("'; DROP TABLE x; --",)),),
        ),
    )
    assert "DROP" not in result.sql
    assert result.params == ("'; DROP TABLE x; --",)
    assert "$1" in result.sql


@pytest.mark.parametrize(
    ("field", "op", "values", "kind"),
    [
        ("id", "equals", ("abc",), "bad_value"),
        ("id", "equals", (True,), "bad_value"),
        ("id", "gt", (float("nan"),), "bad_value"),
        ("good", "equals", ("yes",), "bad_value"),
        ("day", "equals", ("last week",), "bad_value"),
        ("day", "equals", ("2024-02-30",), "bad_value"),
        ("day", "equals", ("2024-02-01T12:00",), "bad_value"),
        ("day", "in_range", ("2024-02-01",), "bad_value"),
        ("day", "in_range", ("2024-02-02", "2024-02-01"), "bad_value"),
        ("happened", "lte", ("9999-12-31",), "bad_value"),
        ("name", "equals", (), "bad_value"),
        ("name", "set", ("x",), "bad_value"),
        ("name", "equals", (1.5,), "bad_value"),
        ("id", "gt", (None,), "bad_value"),
        ("id", "contains", ("1",), "type_mismatch"),
        ("name", "in_range", ("a", "b"), "type_mismatch"),
        ("good", "gt", (True,), "type_mismatch"),
        ("place", "lt", ("a",), "type_mismatch"),
        ("n", "contains", ("1",), "type_mismatch"),
        ("n", "gt", ("many",), "bad_value"),
        ("name", "last_week", ("a",), "unknown_operator"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(field: str, op: Operator, values: tuple[Value, ...], kind: str) -> None:
    found = defect(MODEL, Spec(("events.n",), where=(Filter(f"events.{field}", op, values),)))
    assert (found.kind, found.where) == (kind, f"events.{field}")
    assert found.hint


def test_a_range_keeps_its_microseconds_in_order() -> None:
    same = (datetime(2024, 1, 1, 0, 0, 0, 2), datetime(2024, 1, 1, 0, 0, 0, 1))
    assert (
        defect(
            MODEL,
            Spec(("events.n",), where=(Filter("events.happened", "in_range", same),)),
        ).kind
        == "bad_value"
    )


def test_conditions_on_measures_choose_groups() -> None:
    spec = Spec(("events.n",), (By("events.day"),), (Filter("events.n", "gt", (1,)),))
    assert rows(TABLES, MODEL, spec) == [(date(2024, 1, 31), 2), (date(2024, 2, 1), 2)]
    hidden = Spec(
        ("events.n",),
        (By("events.day"),),
        (Filter("events.last", "gte", ("2024-02-01",)),),
    )
    assert rows(TABLES, MODEL, hidden) == [(date(2024, 2, 1), 2)]


def test_an_or_of_a_measure_and_a_grouping_is_decided_on_groups() -> None:
    either = AnyOf((Filter("events.total", "gt", (6,)), Filter("events.day", "not_set")))
    spec = Spec(("events.total",), (By("events.day"),), (either,))
    assert rows(TABLES, MODEL, spec) == [(date(2024, 2, 1), 7), (None, 5)]


def test_an_or_of_a_measure_and_what_is_no_grouping_is_refused() -> None:
    either = AnyOf((Filter("events.total", "gt", (6,)), Filter("events.name", "not_set")))
    found = defect(MODEL, Spec(("events.total",), (By("events.day"),), (either,)))
    assert (found.kind, found.where) == ("mixed_condition", "events.name")
    month = Spec(
        ("events.n",),
        (By("events.day", "month"),),
        (AnyOf((either.of[0], Filter("events.day", "set"))),),
    )
    assert defect(MODEL, month).kind == "mixed_condition"


def test_segments_are_conditions() -> None:
    assert ids(segments=("events.early",)) == [1, 2]
    assert ids(Filter("events.good", "equals", (True,)), segments=("events.early",)) == [1]


def test_an_or_across_two_views_below_looks_at_both() -> None:
    model = Model(
        (
            view("people", "id:number", Measure("n", "count"), primary="person(id)"),
            view("cats", "owner:number name", foreign="person(owner)"),
            view("dogs", "owner:number name", foreign="person(owner)"),
        )
    )
    tables = {
        "people": "SELECT * FROM (VALUES (1), (2), (3)) t(id)",
        "cats": "SELECT * FROM (VALUES (1, 'Tom'), (1, 'Tim')) t(owner, name)",
        "dogs": "SELECT * FROM (VALUES (2, 'Rex'), (1, 'Rex'), (3, 'Max')) t(owner, name)",
    }
    either = AnyOf(
        (
            Filter("cats.name", "equals", ("Tom",)),
            Filter("dogs.name", "equals", ("Rex",)),
        )
    )
    assert rows(tables, model, Spec(("people.n",), where=(either,))) == [(2,)]
    nothing = (
        Filter("cats.name", "not_set"),
        Filter("dogs.name", "not_equals", ("Rex",)),
    )
    assert rows(tables, model, Spec(("people.n",), where=nothing)) == [(1,)]


def test_order_limit_and_offset() -> None:
    by = (By("events.day", "month"),)
    spec = Spec(
        ("events.total", "events.n"),
        by,
        order=(Order("total", desc=True),),
        limit=1,
        offset=1,
    )
    assert rows(TABLES, MODEL, spec) == [(None, 5, 1)]
    for name in ("events.day.month", "events.day", "day", "day_month"):
        first = Spec(("events.n",), by, order=(Order(name, desc=True),), limit=1)
        assert rows(TABLES, MODEL, first) == [(date(2024, 2, 1), 2)]
    assert rows(TABLES, MODEL, Spec(by=by, offset=2)) == [(None,)]


def test_equal_rows_come_in_the_order_of_their_groupings() -> None:
    spec = Spec(("events.n",), (By("events.id"),), order=(Order("n"),), limit=2)
    assert rows(TABLES, MODEL, spec) == [(1, 1), (2, 1)]


def test_everything_wrong_is_told_at_once() -> None:
    spec = Spec(
        measures=("events.totl", "sum"),
        by=(By("events.name", "month"), By("events.day", "hour"), By("events.n")),
        where=(All((Filter("event.id", "equals", (1,)),)), AnyOf(())),
        segments=("events.erly",),
        limit=-1,
    )
    found = defects(MODEL, spec)
    assert [d.kind for d in found] == [
        "type_mismatch",
        "type_mismatch",
        "unknown_member",
        "unknown_member",
        "unknown_member",
        "unknown_member",
        "bad_value",
        "unknown_member",
        "bad_value",
    ]
    near = {d.where: d.near for d in found}
    assert near["events.totl"][0] == "events.total"
    assert near["event.id"][0] == "events.id"
    assert near["events.erly"] == ("events.early",)


def test_an_order_by_what_is_not_asked_for_is_refused() -> None:
    found = defect(MODEL, Spec(("events.n",), order=(Order("total"),)))
    assert (found.kind, found.near) == ("unknown_order", ("events.n",))


def test_nothing_asked_is_refused() -> None:
    assert defect(MODEL, Spec()).kind == "empty_spec"


def test_filters_are_said_in_words() -> None:
    either = AnyOf(
        (
            Filter("events.id", "equals", (1,)),
            Filter("events.name", "not_in", ("a", "b")),
        )
    )
    spec = Spec(
        ("events.n",),
        where=(either, Filter("events.day", "in_range", ("2024-01-01", "2024-02-01"))),
    )
    assert compiled(MODEL, spec).filters == (
        "events.id = 1 or events.name not in a, b",
        "events.day from 2024-01-01 until before 2024-02-01",
    )
