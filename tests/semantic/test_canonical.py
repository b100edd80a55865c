"""The canonical text: equal for two questions that give the same value, whatever the members are called."""

from __future__ import annotations

from dataclasses import replace

from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Dimension, Measure, Model, View
from backedge.semantic.spec import By, Compiled, Filter, Order, Spec

A = View(
    name="oxymart",
    table="oxymart.csv",
    datasource="local",
    dimensions=(
        Dimension("store_id", "number", "Store"),
        Dimension("day", "date", "Date"),
    ),
    measures=(
        Measure("total_sales", "sum", "Weekly_Sales"),
        Measure("mean", "average", "Weekly_Sales"),
    ),
)
B = replace(
    A,
    name="economy",
    dimensions=(Dimension("day", "date", "Date"), Dimension("shop", "number", "Store")),
    measures=(Measure("revenue", "sum", "Weekly_Sales"),),
)
MODEL = Model((A, B))
ONE = Spec(("oxymart.total_sales",), (By("oxymart.store_id"),))
TWO = Spec(("economy.revenue",), (By("economy.shop"),))


def canonical(model: Model, spec: Spec) -> str:
    result = compile_spec(model, spec)
    assert isinstance(result, Compiled), result
    return result.canonical


def test_the_same_sum_declared_in_two_views_is_one_reading() -> None:
    assert canonical(MODEL, ONE) == canonical(MODEL, TWO)
    top = [replace(s, order=(Order(s.measures[0], desc=True),), limit=5) for s in (ONE, TWO)]
    assert canonical(MODEL, top[0]) == canonical(MODEL, top[1])


def test_every_difference_that_may_change_the_value_shows() -> None:
    other_table = Model((A, replace(B, table="other.csv")))
    other_database = Model((A, replace(B, datasource="other")))
    filtered = Model((A, replace(B, measures=(replace(B.measures[0], filters=("x = 1",)),))))
    texts = [
        canonical(MODEL, TWO),
        canonical(other_table, TWO),
        canonical(other_database, TWO),
        canonical(filtered, TWO),
        canonical(MODEL, replace(ONE, measures=("oxymart.mean",))),
        canonical(MODEL, replace(ONE, by=(By("oxymart.day"),))),
        canonical(MODEL, replace(ONE, by=(By("oxymart.day", "month"),))),
        canonical(MODEL, replace(ONE, limit=5)),
        canonical(MODEL, replace(ONE, where=(Filter("oxymart.store_id", "equals", (1,)),))),
        canonical(MODEL, replace(ONE, where=(Filter("oxymart.store_id", "equals", (2,)),))),
    ]
    assert len(set(texts)) == len(texts)


def test_text_that_differs_in_case_alone_is_not_the_same() -> None:
    upper = Model((replace(A, measures=(Measure("m", "count", filters=("x = 'A'",)),)),))
    both = replace(
        A,
        measures=(
            *upper.views[0].measures,
            Measure("n", "count", filters=("x = 'a'",)),
        ),
    )
    result = compile_spec(Model((both,)), Spec(("oxymart.m", "oxymart.n")))
    assert isinstance(result, Compiled)
    assert "'A'" in result.sql
    assert "'a'" in result.sql


def test_columns_carry_member_type_and_grain() -> None:
    result = compile_spec(MODEL, Spec(("oxymart.mean",), (By("oxymart.day", "month"),)))
    assert isinstance(result, Compiled)
    assert [(c.name, c.member, c.kind, c.type, c.grain) for c in result.columns] == [
        ("day_month", "oxymart.day", "dimension", "date", "month"),
        ("mean", "oxymart.mean", "measure", "number", None),
    ]
    assert (result.tables, result.datasource, result.dialect) == (
        ("oxymart.csv",),
        "local",
        "duckdb",
    )
