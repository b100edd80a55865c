"""Every kind of measure: what it counts, at which grain, and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.semantic.model import Dimension, Measure, MeasureType, Model, View
from backedge.semantic.spec import By, Spec
from tests.semantic.asking import compiled, defect, rows, view

TABLES = {
    "sales": "SELECT * FROM (VALUES (1, 'a', 4), (2, 'a', NULL), (3, 'b', 10), (4, NULL, 4)) t(id, shop, amount)",
    "lines": "SELECT * FROM (VALUES (1, 1, 2), (2, 1, 3), (3, 2, 5)) t(id, sale_id, qty)",
}
LINES = view(
    "lines",
    "id:number sale_id:number qty:number",
    primary="line(id)",
    foreign="sale(sale_id)",
)


def sales(*measures: Measure) -> Model:
    return Model(
        (
            view("sales", "id:number shop amount:number", *measures, primary="sale(id)"),
            LINES,
        )
    )


def value(measure: Measure) -> object:
    ((found,),) = rows(TABLES, sales(measure), Spec((f"sales.{measure.name}",)))
    return found


@pytest.mark.parametrize(
    ("type_", "expr", "right"),
    [
        ("count", "", 4),
        ("count", "amount", 3),
        ("sum", "amount", 18),
        ("average", "amount", 6.0),
        ("min", "amount", 4),
        ("max", "amount", 10),
        ("median", "amount", 4.0),
        ("count_distinct", "amount", 2),
        ("count_distinct_approx", "amount", 2),
        ("count_distinct", "", 4),
        ("sum", "{{amount}} * 2", 36),
        ("sum", "{{sales.amount}} + 0", 18),
        ("sum", "${TABLE}.amount", 18),
        ("sum", "{{TABLE}}.amount", 18),
        ("sum", "sales.amount", 18),
        ("custom", "SUM(amount) / COUNT(DISTINCT shop)", 9.0),
        ("number", "SUM(amount) - COUNT(*)", 14),
        ("custom", "SUM(amount) / SUM(amount - amount)", None),
        ("sum", "{{line.qty}}", 10),
    ],
)
def test_a_measure_gives(type_: MeasureType, expr: str, right: object) -> None:
    assert value(Measure("m", type_, expr)) == right


@pytest.mark.parametrize(
    ("type_", "expr", "right"),
    [
        ("count", "", 2),
        ("count", "amount", 1),
        ("sum", "amount", 4),
        ("average", "amount", 4.0),
        ("count_distinct", "", 2),
        ("custom", "SUM(amount) / COUNT(*)", 2.0),
        ("sum", "{{lines.qty}}", 10),
    ],
)
def test_measure_filters_choose_rows(type_: MeasureType, expr: str, right: object) -> None:
    assert value(Measure("m", type_, expr, filters=("shop = 'a'", "{{id}} < 4"))) == right


def test_a_number_is_computed_from_totals_each_at_its_own_grain() -> None:
    per_line = Measure("per_line", "number", "{{total}} / {{lines.n}}")
    model = sales(Measure("total", "sum", "amount"), per_line)
    lines = replace(LINES, measures=(Measure("n", "count"),))
    assert rows(TABLES, Model((model.views[0], lines)), Spec(("sales.per_line",))) == [(6.0,)]


def test_a_number_may_hold_aggregates_beside_measures() -> None:
    share = Measure("share", "number", "MAX(amount) * 100 / {{total}}")
    assert rows(TABLES, sales(Measure("total", "sum", "amount"), share), Spec(("sales.share",)))[0][0] == pytest.approx(
        1000 / 18
    )


@pytest.mark.parametrize(
    ("measure", "reason"),
    [
        (Measure("m", "sum", "SUM(amount)"), "aggregates already"),
        (Measure("m", "sum"), "needs an expression"),
        (Measure("m", "sum", "{{amuont}}"), "names no dimension"),
        (Measure("m", "custom", "amount + 1"), "aggregates nothing"),
        (Measure("m", "custom", "amount / SUM(amount)"), "outside an aggregate"),
        (Measure("m", "custom", "SUM(SUM(amount)) OVER ()"), "window function"),
        (Measure("m", "number", "{{m}} + 1"), "refers to itself"),
        (Measure("m", "number", "SUM({{other}})"), "aggregated already"),
        (Measure("m", "number", "{{other}} / {{amount}}"), "dimension beside measures"),
        (
            Measure("m", "number", "{{other}} + 1", filters=("id = 1",)),
            "no rows to act on",
        ),
        (Measure("m", "sum", "(SELECT MAX(amount) FROM sales)"), "sub-query"),
        (Measure("m", "sum", "amount; DROP TABLE sales"), "not one duckdb expression"),
        (Measure("m", "sum", "amount FROM sales"), "not one duckdb expression"),
        (Measure("m", "sum", "'{{amount}}'"), "inside quotes"),
        (Measure("m", "sum", "lines.qty"), "another table"),
        (Measure("m", "sum", "amount + ?"), "placeholder"),
        (Measure("m", "count", filters=("SUM(amount) > 1",)), "cannot aggregate"),
    ],
)
def test_an_expression_is_refused_with_its_reason(measure: Measure, reason: str) -> None:
    found = defect(sales(measure, Measure("other", "sum", "amount")), Spec(("sales.m",)))
    assert found.kind == "bad_expression"
    assert reason in found.message
    assert found.where.startswith("sales.m")


def test_an_expression_over_two_levels_is_refused() -> None:
    found = defect(sales(Measure("m", "sum", "amount * {{line.qty}}")), Spec(("sales.m",)))
    assert found.kind == "mixed_levels"


def test_an_expression_may_read_a_view_above() -> None:
    lines = replace(LINES, measures=(Measure("worth", "sum", "qty * {{sale.amount}}"),))
    assert rows(TABLES, Model((sales().views[0], lines)), Spec(("lines.worth",))) == [(20,)]


def test_unsupported_constructs_are_refused_by_name() -> None:
    rolling = Measure("m", "sum", "amount", unsupported=("rolling_window",), at="sales.view.yml:9")
    found = defect(sales(rolling), Spec(("sales.m",)))
    assert found.kind == "not_supported"
    assert "rolling_window (sales.view.yml:9)" in found.message


def test_dimensions_that_refer_to_each_other_are_refused() -> None:
    circle = (Dimension("a", "string", "{{b}}"), Dimension("b", "string", "{{a}}"))
    found = defect(Model((view("t", extra=circle),)), Spec(by=(By("t.a"),)))
    assert found.kind == "bad_expression"
    assert "t.a -> t.b -> t.a" in found.message


def test_a_bridge_needs_a_primary_key() -> None:
    model = Model(
        (
            view("facts", "place", Measure("n", "count"), foreign="place(place)"),
            view("places", "place", primary="place(place)"),
            view("visits", "place kind", foreign="place(place)"),
        )
    )
    found = defect(model, Spec(("facts.n",), (By("visits.kind"),)))
    assert (found.kind, found.where) == ("needs_primary_key", "facts")
    found = defect(Model((view("t", "a", Measure("n", "count_distinct")),)), Spec(("t.n",)))
    assert found.kind == "needs_primary_key"


def test_a_view_of_its_own_sql_and_one_named_like_a_keyword_are_read() -> None:
    query = View(
        "order",
        sql="SELECT id, amount FROM sales WHERE amount > 4",
        measures=(Measure("sum", "sum", "amount"),),
    )
    assert rows(TABLES, Model((query,)), Spec(("order.sum",))) == [(10,)]
    assert compiled(Model((query,)), Spec(("order.sum",))).tables == ("sales",)


@pytest.mark.parametrize("table", ["oxymart.csv", "main.sales", "my table", "select"])
def test_a_table_is_named_as_the_view_names_it(table: str) -> None:
    name = "sales" if table == "main.sales" else table
    model = Model((view("t", "order", Measure("n", "count"), table=table),))
    assert rows({name: 'SELECT 1 AS "order"'}, model, Spec(("t.n",), (By("t.order"),))) == [(1, 1)]
    assert compiled(model, Spec(("t.n",))).tables == (table,)
