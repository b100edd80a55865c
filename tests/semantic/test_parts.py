"""A measure beside its part, and the first rows of each group: against the same worked out by hand, on random data."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from itertools import groupby

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from backedge.semantic.model import Measure, Model, Segment
from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import AnyOf, By, Comparison, Filter, Order, Spec
from backedge.semantic.timed import NonAdditive
from tests.semantic.asking import Rows, compiled, defect, rows, view
from tests.semantic.oracle import answer
from tests.semantic.shop import SHOP, Data, fill, rows_of
from tests.semantic.test_oracle import dimension_filters, groupings, shops, trees

HEALTH = list(HealthCheck)
PARTS = ("orders.count", "orders.total", "items.qty_total", "customers.count")
SALES = view(
    "sales",
    "id:number shop day:date amount:number",
    Measure("total", "sum", "amount"),
    Measure("count", "count"),
    Measure("mean", "average", "amount"),
    Measure("stock", "sum", "amount", non_additive=NonAdditive("day")),
    primary="sale(id)",
)
MODEL = Model((SALES,))
TABLES = {
    "sales": """SELECT * FROM (VALUES (1, 'A', DATE '2024-01-01', 30), (2, 'A', DATE '2024-02-01', 10),
        (3, 'B', DATE '2024-01-05', 50), (4, 'B', DATE '2024-02-05', 10), (5, 'C', DATE '2024-02-05', 10),
        (6, 'C', DATE '2024-01-06', 2)) t(id, shop, day, amount)"""
}
OF_A = (Filter("sales.shop", "equals", ("A",)),)


def test_a_part_is_of_the_whole_and_the_question_restricts_both() -> None:
    assert rows(TABLES, MODEL, Spec(("sales.total",), part=OF_A)) == [(112, 40, pytest.approx(40 / 1.12))]
    january = (Filter("sales.day", "lt", ("2024-02-01",)),)
    assert rows(TABLES, MODEL, Spec(("sales.count",), where=january, part=OF_A)) == [(3, 1, pytest.approx(100 / 3))]


def test_a_group_without_any_of_the_part_has_none_of_it() -> None:
    spec = Spec(("sales.count", "sales.total"), (By("sales.shop"),), part=OF_A)
    assert rows(TABLES, MODEL, spec) == [
        ("A", 2, 40, 2, 100.0, 40, 100.0),
        ("B", 2, 60, 0, 0.0, None, None),
        ("C", 2, 12, 0, 0.0, None, None),
    ]


def test_a_share_has_columns_that_say_so_and_may_order_the_rows() -> None:
    spec = Spec(("sales.count",), (By("sales.shop"),), order=(Order("sales.count.percent"),), part=OF_A)
    assert [c.name for c in compiled(MODEL, spec).columns] == ["shop", "count", "count_part", "count_percent"]
    assert [row[0] for row in rows(TABLES, MODEL, spec)] == ["B", "C", "A"]


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        (Spec(("sales.mean",), part=OF_A), "not_additive"),
        (Spec(("sales.stock",), part=OF_A), "not_additive"),
        (Spec(("sales.total",), part=OF_A, compare=Comparison()), "bad_value"),
        (Spec(("sales.total",), (By("sales.shop"),), part=OF_A, motif="rank"), "bad_value"),
        (Spec((), (By("sales.shop"),), part=OF_A), "bad_value"),
        (Spec(("sales.total",), part=(Filter("sales.count", "gt", (1,)),)), "bad_value"),
        (Spec(("sales.total",), part=(Filter("sales.shp", "equals", ("A",)),)), "unknown_member"),
    ],
)  # fmt: skip
def test_a_share_that_has_no_meaning_is_refused(spec: Spec, kind: str) -> None:
    assert defect(MODEL, spec).kind == kind


def test_a_segment_may_be_the_part() -> None:
    model = Model((replace(SALES, segments=(Segment("big", "amount > 20"),)),))
    assert rows(TABLES, model, Spec(("sales.count",), part=(Filter("sales.big", "set"),))) == [
        (6, 2, pytest.approx(100 / 3))
    ]


def test_the_first_rows_are_taken_within_each_group() -> None:
    by = (By("sales.day", "month"), By("sales.shop"))
    spec = Spec(("sales.total",), by, order=(Order("sales.total", True),), limit=1, per=("sales.day.month",))
    found = [(str(month)[:7], shop, total) for month, shop, total in rows(TABLES, MODEL, spec)]
    assert found == [("2024-01", "B", 50), ("2024-02", "A", 10)]
    later = [(str(month)[:7], shop) for month, shop, _ in rows(TABLES, MODEL, replace(spec, offset=1))]
    assert later == [("2024-01", "A"), ("2024-02", "B")]


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        (Spec(("sales.total",), (By("sales.shop"),), limit=1, per=("sales.shop",)), "bad_value"),
        (Spec(("sales.total",), (By("sales.shop"),), order=(Order("total"),), per=("sales.shop",)), "bad_value"),
        (Spec(("sales.total",), (By("sales.shop"),), order=(Order("total"),), limit=1, per=("day",)), "unknown_order"),
    ],
)
def test_what_cannot_be_taken_of_each_group_is_refused(spec: Spec, kind: str) -> None:
    assert defect(MODEL, spec).kind == kind


def test_a_request_may_ask_for_both() -> None:
    part = [{"field": "sales.shop", "op": "equals", "values": ["A"]}]
    asked = {"measures": ["sales.count"], "dimensions": ["sales.shop"], "part": part, "per": ["sales.shop"]}
    asked |= {"order": [{"field": "sales.count"}], "limit": 1}
    spec = Spec(("sales.count",), (By("sales.shop"),), order=(Order("sales.count"),), limit=1, part=OF_A)
    assert spec_from_json(asked) == replace(spec, per=("sales.shop",))


@pytest.mark.parametrize("dialect", ["postgres", "snowflake", "bigquery", "databricks", "trino"])
def test_other_dialects_number_the_rows_of_each_group(dialect: str) -> None:
    by = (By("sales.shop"), By("sales.id"))
    spec = Spec(("sales.total",), by, order=(Order("sales.total", True),), limit=2, part=OF_A, per=("sales.shop",))
    assert "ROW_NUMBER() OVER (PARTITION BY" in compiled(MODEL, spec, dialect).sql


def test_sqlite_takes_the_same_rows() -> None:
    by = (By("sales.shop"), By("sales.id"))
    spec = Spec(("sales.total",), by, order=(Order("sales.total", True),), limit=1, part=OF_A, per=("sales.shop",))
    query = compiled(MODEL, spec, "sqlite")
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE sales (id INTEGER, shop TEXT, day TEXT, amount INTEGER)")
        lines = [(1, "A", "2024-01-01", 30), (2, "A", "2024-02-01", 10), (3, "B", "2024-01-05", 50)]
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?)", lines)
        found = connection.execute(query.sql, query.params).fetchall()
    assert found == [("A", 1, 30, 30, 100.0), ("B", 3, 50, None, None)]


def answered(data: Data, spec: Spec) -> Rows:
    result = compiled(SHOP, spec)
    with duckdb.connect(config={"disabled_optimizers": "statistics_propagation"}) as connection:
        fill(connection, data)
        return rows_of(connection, result.sql, result.params)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=HEALTH)
@given(shops, st.sampled_from(PARTS), st.lists(groupings, max_size=1), st.lists(trees, max_size=1), dimension_filters)
def test_a_part_is_what_the_question_gives_with_its_conditions(
    data: Data, measure: str, by: list[By], where: list[AnyOf], part: Filter
) -> None:
    spec = Spec((measure,), tuple(by), tuple(where))
    whole = answer(data, spec)
    parts = {row[:-1]: row[-1] for row in answer(data, replace(spec, where=(*where, part)))}
    nothing = None if measure.endswith("total") else 0
    wanted = {(*row, parts.get(row[:-1], nothing)) for row in whole}
    found = answered(data, replace(spec, part=(part,)))
    assert {row[:-1] for row in found} == wanted
    for *_, of, some, percent in found:
        known = isinstance(of, int) and isinstance(some, int) and of
        assert percent == (pytest.approx(100 * int(str(some)) / int(str(of))) if known else None)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=HEALTH)
@given(shops, st.sampled_from(PARTS), st.lists(groupings, min_size=2, max_size=2, unique=True), st.integers(1, 2))
def test_the_first_rows_of_each_group_are_those_of_the_whole_answer(
    data: Data, measure: str, by: list[By], limit: int
) -> None:
    spec = Spec((measure,), tuple(by), order=(Order(measure, True),))
    every = answered(data, spec)  # in the order of the question, then of the groups
    taken = []
    for _, same in groupby(sorted(every, key=lambda row: (row[0] is None, row[0])), key=lambda row: row[0]):
        taken += list(same)[:limit]
    assert answered(data, replace(spec, limit=limit, per=(by[0].name,))) == taken
