"""Wrong answers that users of other semantic layers really met: small inputs and the right value."""

from __future__ import annotations

from decimal import Decimal

from backedge.semantic.model import Dimension, Measure, Model
from backedge.semantic.spec import All, AnyOf, By, Filter, Order, Spec
from tests.semantic.asking import compiled, rows, view

COUNT = Measure("count", "count")


def total(column: str) -> Measure:
    return Measure("total", "sum", column)


ORDERS = view("orders", "id:number region", COUNT, total("amount"), primary="order(id)")
LINES = view(
    "lines",
    "id:number order_id:number mode",
    COUNT,
    total("qty"),
    primary="line(id)",
    foreign="order(order_id)",
)
SALES = Model((ORDERS, LINES))
SALES_TABLES = {
    "orders": "SELECT * FROM (VALUES (1, 'NA', 100), (2, 'NA', 200), (4, 'EMEA', 400)) t(id, region, amount)",
    "lines": """SELECT * FROM (VALUES (1, 1, 'AIR', 1), (2, 1, 'AIR', 1), (3, 1, 'SEA', 1), (4, 2, 'SEA', 1),
        (5, 2, 'SEA', 1), (6, 4, 'AIR', 1)) t(id, order_id, mode, qty)""",
}


def test_totals_of_two_levels_without_a_dimension_are_each_right() -> None:
    spec = Spec(measures=("orders.total", "lines.total"))
    assert rows(SALES_TABLES, SALES, spec) == [(700, 6)]


def test_order_totals_beside_line_counts_are_not_multiplied_by_lines() -> None:
    spec = Spec(measures=("orders.total", "lines.count"), by=(By("orders.region"),))
    assert rows(SALES_TABLES, SALES, spec) == [("EMEA", 400, 1), ("NA", 300, 5)]


def test_an_order_counts_once_for_every_mode_below_it() -> None:
    spec = Spec(measures=("orders.total",), by=(By("lines.mode"),))
    assert rows(SALES_TABLES, SALES, spec) == [("AIR", 500), ("SEA", 300)]


def test_a_filter_below_keeps_an_order_once() -> None:
    spec = Spec(measures=("orders.total",), where=(Filter("lines.mode", "equals", ("SEA",)),))
    assert rows(SALES_TABLES, SALES, spec) == [(300,)]
    assert "EXISTS" in compiled(SALES, spec).sql


def test_a_grouping_and_a_filter_below_look_at_the_same_row() -> None:
    spec = Spec(
        ("orders.total",),
        (By("lines.mode"),),
        (Filter("lines.mode", "equals", ("AIR",)),),
    )
    assert rows(SALES_TABLES, SALES, spec) == [("AIR", 500)]


def test_every_filter_reaches_every_measure() -> None:
    spec = Spec(
        ("orders.total", "lines.count"),
        where=(Filter("lines.mode", "equals", ("SEA",)),),
    )
    assert rows(SALES_TABLES, SALES, spec) == [(300, 3)]


def test_stock_is_not_counted_once_for_each_sale() -> None:
    products = view(
        "products",
        "id region",
        Measure("on_hand", "sum", "stock"),
        primary="product(id)",
    )
    sales = view(
        "sales",
        "id product_id",
        COUNT,
        primary="sale(id)",
        foreign="product(product_id)",
    )
    tables = {
        "products": "SELECT * FROM (VALUES ('p1', 'north', 100), ('p2', 'north', 110)) t(id, region, stock)",
        "sales": "SELECT * FROM (VALUES (1, 'p1'), (2, 'p1')) t(id, product_id)",
    }
    spec = Spec(("products.on_hand", "sales.count"), (By("products.region"),))
    assert rows(tables, Model((products, sales)), spec) == [("north", 210, 2)]


def test_two_children_of_one_parent_do_not_multiply_it() -> None:
    fact = view("fact", "id:number", total("amount"), primary="fact(id)")
    a = view("child_a", "kind fact_id:number", COUNT, foreign="fact(fact_id)")
    b = view("child_b", "kind fact_id:number", COUNT, foreign="fact(fact_id)")
    tables = {
        "fact": "SELECT 1 AS id, 10 AS amount",
        "child_a": "SELECT * FROM (VALUES ('x', 1), ('x', 1)) t(kind, fact_id)",
        "child_b": "SELECT * FROM (VALUES ('y', 1), ('y', 1)) t(kind, fact_id)",
    }
    model = Model((fact, a, b))
    by = (By("child_a.kind"), By("child_b.kind"))
    assert rows(tables, model, Spec(("fact.total",), by)) == [("x", "y", 10)]
    assert rows(tables, model, Spec(("fact.total", "child_a.count", "child_b.count"))) == [(10, 2, 2)]


def test_rows_without_a_match_keep_their_own_group() -> None:
    fact = view(
        "fact",
        "id:number dim_id:number",
        COUNT,
        primary="fact(id)",
        foreign="dim(dim_id)",
    )
    dim = view("dim", "id:number name", primary="dim(id)")
    tables = {
        "fact": "SELECT * FROM (VALUES (1, 10), (2, 10), (3, 99)) t(id, dim_id)",
        "dim": "SELECT 10 AS id, 'ten' AS name",
    }
    model = Model((fact, dim))
    assert rows(tables, model, Spec(("fact.count",))) == [(3,)]
    assert rows(tables, model, Spec(("fact.count",), (By("dim.name"),))) == [
        ("ten", 2),
        (None, 1),
    ]


def test_an_amount_is_counted_once_beside_three_rows_of_hours() -> None:
    months = view("months", "month", Measure("amount", "sum", "amount"), primary="month(month)")
    per_hour = Measure("per_hour", "number", "{{months.amount}} / {{spent}}")
    hours = view(
        "hours",
        "id:number month",
        Measure("spent", "sum", "h"),
        per_hour,
        foreign="month(month)",
    )
    tables = {
        "months": "SELECT '2024-01' AS month, 900 AS amount",
        "hours": "SELECT * FROM (VALUES (1, '2024-01', 1), (2, '2024-01', 1), (3, '2024-01', 1)) t(id, month, h)",
    }
    assert rows(tables, Model((months, hours)), Spec(("hours.per_hour",), (By("months.month"),))) == [
        ("2024-01", 300.0)
    ]


def test_a_store_without_orders_has_none() -> None:
    stores = view("stores", "id:number name", COUNT, primary="store(id)")
    orders = view("orders", "id:number store_id:number", COUNT, foreign="store(store_id)")
    tables = {
        "stores": "SELECT * FROM (VALUES (1, 'full'), (2, 'empty')) t(id, name)",
        "orders": "SELECT 7 AS id, 1 AS store_id",
    }
    spec = Spec(("stores.count", "orders.count"), (By("stores.name"),))
    assert rows(tables, Model((stores, orders)), spec) == [
        ("empty", 1, 0),
        ("full", 1, 1),
    ]


def test_is_not_keeps_rows_without_a_value_and_says_so() -> None:
    model = Model((view("t", "name", COUNT),))
    tables = {"t": "SELECT * FROM (VALUES ('blah'), ('bloop'), ('bark'), (NULL)) t(name)"}
    spec = Spec(by=(By("t.name"),), where=(Filter("t.name", "not_equals", ("blah",)),))
    assert rows(tables, model, spec) == [("bark",), ("bloop",), (None,)]
    assert compiled(model, spec).notes == ("rows without t.name pass the filter t.name is not blah",)


def test_a_filtered_count_keeps_its_filter_under_a_fan_out_and_or_keeps_its_parentheses() -> None:
    orders = view(
        "orders",
        "id:number region",
        Measure("big", "count", filters=("amount > 150",)),
        primary="order(id)",
    )
    model = Model((orders, LINES))
    assert rows(SALES_TABLES, model, Spec(("orders.big",), (By("lines.mode"),))) == [
        ("AIR", 1),
        ("SEA", 1),
    ]
    either = AnyOf(
        (
            Filter("orders.region", "equals", ("NA",)),
            Filter("orders.region", "equals", ("EMEA",)),
        )
    )
    both = All((either, Filter("orders.id", "equals", (2,))))
    assert rows(SALES_TABLES, model, Spec(("orders.big",), where=(both,))) == [(1,)]


def test_count_distinct_without_an_expression_counts_the_primary_key() -> None:
    model = Model(
        (
            view(
                "t",
                "a:number b:number",
                Measure("n", "count_distinct"),
                primary="t(a, b)",
                table="lines.csv",
            ),
        )
    )
    tables = {"lines.csv": "SELECT * FROM (VALUES (1, 1), (1, 2), (1, 2), (NULL, 3)) t(a, b)"}
    assert rows(tables, model, Spec(("t.n",))) == [(2,)]


def test_a_missing_parent_has_no_label_of_its_own() -> None:
    label = "CASE WHEN rank > 5 THEN 'top' ELSE 'rest' END"
    dim = view(
        "dim",
        "id:number",
        primary="dim(id)",
        extra=(Dimension("label", "string", label),),
    )
    fact = view("fact", "dim_id:number", COUNT, foreign="dim(dim_id)")
    tables = {
        "dim": "SELECT 1 AS id, 9 AS rank",
        "fact": "SELECT * FROM (VALUES (1), (2)) t(dim_id)",
    }
    assert rows(tables, Model((dim, fact)), Spec(("fact.count",), (By("dim.label"),))) == [("top", 1), (None, 1)]


def test_equal_amounts_of_different_orders_each_count_once_and_exactly() -> None:
    amounts = "(VALUES (1, 'NA', 2218796.74), (2, 'NA', 2218796.74), (4, 'NA', -0.01)) t(id, region, amount)"
    tables = {**SALES_TABLES, "orders": f"SELECT * FROM {amounts}"}
    spec = Spec(("orders.total",), where=(Filter("lines.mode", "set"), Filter("orders.id", "lt", (4,))))
    assert rows(tables, SALES, spec) == [(Decimal("4437593.48"),)]
    by_mode = Spec(("orders.total",), (By("lines.mode"),))
    assert rows(tables, SALES, by_mode) == [("AIR", Decimal("2218796.73")), ("SEA", Decimal("4437593.48"))]


def test_an_average_by_what_lies_below_is_of_the_orders_of_each_group() -> None:
    orders = view("orders", "id:number", Measure("mean", "average", "amount"), primary="order(id)")
    payments = view("payments", "order_id:number method", foreign="order(order_id)")
    tables = {
        "orders": "SELECT * FROM (VALUES (1, 100), (2, 200), (3, 600)) t(id, amount)",
        "payments": "SELECT * FROM (VALUES (1, 'card'), (1, 'card'), (2, 'card'), (3, 'cash'), (1, 'cash')) "
        "t(order_id, method)",
    }
    spec = Spec(("orders.mean",), (By("payments.method"),))
    assert rows(tables, Model((orders, payments)), spec) == [("card", 150.0), ("cash", 350.0)]


def test_a_rate_is_the_quotient_of_totals_and_not_the_mean_of_rates() -> None:
    rate = Measure("rate", "ratio", numerator="moved", denominator="took")
    moved, took = Measure("moved", "sum", "gb"), Measure("took", "sum", "s")
    model = Model((view("copies", "kind", moved, took, rate),))
    tables = {"copies": "SELECT * FROM (VALUES ('x', 6.44, 0.00221), ('x', 6.44, 0.05362)) t(kind, gb, s)"}
    for by in ((), (By("copies.kind"),)):
        assert round(rows(tables, model, Spec(("copies.rate",), by))[0][-1]) == 231  # type: ignore[call-overload]


def test_a_distinct_count_of_a_longer_period_is_no_sum_of_shorter_ones() -> None:
    model = Model((view("visits", "day:date", Measure("users", "count_distinct", "who")),))
    days = "(VALUES (DATE '2024-01-01', 'a'), (DATE '2024-02-01', 'a'), (DATE '2024-02-02', 'b')) t(day, who)"
    tables = {"visits": f"SELECT * FROM {days}"}
    assert [row[1] for row in rows(tables, model, Spec(("visits.users",), (By("visits.day", "month"),)))] == [1, 2]
    assert [row[1] for row in rows(tables, model, Spec(("visits.users",), (By("visits.day", "year"),)))] == [2]
    assert rows(tables, model, Spec(("visits.users",))) == [(2,)]


def test_the_country_with_the_most_sites_is_not_the_one_with_the_most_rows() -> None:
    model = Model((view("sites", "country", COUNT, Measure("sites", "count_distinct", "code")),))
    table = "(VALUES ('US', 1), ('US', 1), ('US', 1), ('US', 1), ('UK', 2), ('UK', 3), ('UK', NULL)) t(country, code)"
    spec = Spec(("sites.sites",), (By("sites.country"),), order=(Order("sites.sites", desc=True),), limit=1)
    assert rows({"sites": f"SELECT * FROM {table}"}, model, spec) == [("UK", 2)]
