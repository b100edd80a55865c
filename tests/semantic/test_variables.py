"""Variables of expressions: bound where they stand, typed by what is given, refused where nothing is given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.semantic.model import Dimension, Measure, Model, Segment
from backedge.semantic.spec import By, Filter, Spec, Value
from tests.semantic.asking import compiled, defect, rows, view

SALES = replace(
    view(
        "sales",
        "id:number shop amount:number",
        Measure("total", "sum", "amount * {{variables.rate}}"),
        Measure("large", "count", filters=("amount > {{params.least}}",)),
        Measure("weighed", "custom", "SUM(amount) * {{variables.rate}}"),
        Measure("ratio", "number", "{{total}} / {{variables.rate}}"),
        primary="sale(id)",
        extra=(Dimension("kind", "string", "CASE WHEN shop = {{variables.home}} THEN 'home' ELSE 'away' END"),),
    ),
    segments=(Segment("at_home", "shop = {{variables.home}}"),),
)
MODEL = Model((SALES,))
TABLES = {"sales": "SELECT * FROM (VALUES (1, 'A', 10), (2, 'A', 20), (3, 'B', 5)) t(id, shop, amount)"}


def given(**values: Value) -> tuple[tuple[str, Value], ...]:
    return tuple(values.items())


@pytest.mark.parametrize(
    ("measure", "values", "right"),
    [
        ("total", given(rate=2), 70),
        ("large", given(least=5), 2),
        ("weighed", given(rate=3), 105),
        ("ratio", given(rate=2), 35),
    ],
)
def test_a_variable_stands_in_a_measure(measure: str, values: tuple[tuple[str, Value], ...], right: int) -> None:
    assert rows(TABLES, MODEL, Spec((f"sales.{measure}",), variables=values)) == [(right,)]


def test_a_variable_stands_in_dimensions_and_segments_and_is_bound_once() -> None:
    spec = Spec(
        ("sales.total",),
        (By("sales.kind"),),
        (Filter("sales.amount", "gt", (1,)),),
        segments=("sales.at_home",),
        variables=given(home="A", rate=2),
    )
    assert rows(TABLES, MODEL, spec) == [("home", 60)]
    assert sorted(map(str, compiled(MODEL, spec).params)) == ["1", "2", "A"]


def test_text_in_a_variable_stays_a_value() -> None:
    evil = "A' OR 1=1 --"
    spec = Spec(("sales.total",), segments=("sales.at_home",), variables=given(home=evil, rate=1))
    assert rows(TABLES, MODEL, spec) == [(None,)]
    assert evil not in compiled(MODEL, spec).sql


def test_a_variable_that_is_not_given_is_refused() -> None:
    found = defect(MODEL, Spec(("sales.total",), variables=given(rat=2)))
    assert (found.kind, found.where, found.near) == ("missing_parameter", "variables.rate", ("rat",))


def test_a_variable_that_no_part_needs_is_not_bound() -> None:
    assert compiled(MODEL, Spec(by=(By("sales.shop"),), variables=given(rate=2))).params == ()


@pytest.mark.parametrize("expr", ["'{{variables.rate}}'", "amount{{variables.rate}}"])
def test_a_variable_inside_quotes_or_a_name_is_refused(expr: str) -> None:
    model = Model((replace(SALES, measures=(Measure("m", "sum", expr),)),))
    assert defect(model, Spec(("sales.m",), variables=given(rate=1))).kind == "bad_expression"
