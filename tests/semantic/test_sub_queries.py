"""Sub-query dimensions: a measure of each row of a view, which filters, groups and is listed like any other field."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest

from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Dimension, Model, RowPolicy, Topic, TopicFilter
from backedge.semantic.spec import By, Compiled, Filter, Spec
from tests.semantic.asking import compiled, defect, rows
from tests.semantic.shop import CUSTOMERS, ITEMS, ORDERS, SHOP
from tests.semantic.test_grain_policy import TABLES, listing


def sub(expr: str, name: str = "orders_made") -> Dimension:
    return Dimension(name, "number", expr, sub_query=True)


def shop_with(*dimensions: Dimension) -> Model:
    customers = replace(CUSTOMERS, dimensions=(*CUSTOMERS.dimensions, *dimensions))
    return Model((customers, ORDERS, ITEMS, *SHOP.views[3:]))


PEOPLE = "(1, 'N', true), (2, 'S', false), (3, 'S', true)"
LONELY = {**TABLES, "customers": f"SELECT * FROM (VALUES {PEOPLE}) t(id, region, vip)"}


@pytest.mark.parametrize("expr", ["orders.count", "{{orders.count}}", "{{ orders.count }}"])
def test_a_sub_query_dimension_is_a_measure_of_each_row(expr: str) -> None:
    model = shop_with(sub(expr))
    assert rows(LONELY, model, Spec(("customers.count",), (By("customers.orders_made"),))) == [(0, 1), (1, 1), (2, 1)]
    assert rows(LONELY, model, Spec(("orders.total",), (By("customers.orders_made"),))) == [(1, 40), (2, 30)]
    assert compiled(model, Spec(by=(By("customers.orders_made"),))).tables == ("orders", "customers")


def test_a_sub_query_dimension_filters_and_is_listed() -> None:
    model = shop_with(sub("orders.count"), sub("orders.total", "spent"))
    where = (Filter("customers.orders_made", "gte", (1,)), Filter("orders.status", "equals", ("a",)))
    assert rows(LONELY, model, Spec(("customers.count",), where=where)) == [(2,)]
    spec = listing("customers.id", "customers.orders_made", "customers.spent")
    assert rows(LONELY, model, spec) == [(1, 2, 30), (2, 1, 40), (3, 0, None)]


def test_a_sub_query_of_a_sub_query() -> None:
    items = Dimension("lines", "number", "items.count", sub_query=True)
    orders = replace(ORDERS, dimensions=(*ORDERS.dimensions, items))
    orders = replace(orders, measures=(*orders.measures, replace(ORDERS.measures[1], name="lines", expr="{{lines}}")))
    model = Model((*shop_with(sub("orders.lines")).views[:1], orders, *SHOP.views[2:]))
    assert rows(LONELY, model, listing("customers.id", "customers.orders_made")) == [(1, 3), (2, 1), (3, None)]


@pytest.mark.parametrize(
    ("dimension", "said"),
    [
        (sub("orders.total + 1"), "sub_query wants a measure"),
        (sub("orders.totl"), "there is no measure orders.totl"),
        (sub("orders.circle"), "refers to itself"),
    ],
)
def test_a_sub_query_that_cannot_be_is_refused(dimension: Dimension, said: str) -> None:
    circle = replace(ORDERS.measures[1], name="circle", expr="{{customers.orders_made}}")
    model = shop_with(dimension)
    orders = replace(ORDERS, measures=(*ORDERS.measures, circle))
    found = defect(Model((model.views[0], orders, *model.views[2:])), listing("customers.orders_made"))
    assert said in found.message


def test_a_sub_query_needs_a_primary_key() -> None:
    model = shop_with(sub("orders.count"))
    keyless = replace(model.views[0], entities=())
    assert defect(Model((keyless, *model.views[1:])), listing("customers.orders_made")).kind == "needs_primary_key"


def test_a_sub_query_obeys_row_policies_and_default_filters() -> None:
    model = shop_with(sub("orders.count"))
    own = RowPolicy("own", "status = {{user.status}}")
    policed = Model((model.views[0], replace(ORDERS, row_policies=(own,)), *model.views[2:]))
    result = compile_spec(policed, listing("customers.id", "customers.orders_made"), attributes={"status": "b"})
    assert isinstance(result, Compiled), result
    with duckdb.connect() as connection:
        for name, query in LONELY.items():
            connection.execute(f"CREATE TABLE {name} AS {query}")
        assert connection.execute(result.sql, list(result.params)).fetchall() == [(1, 1), (2, 0), (3, 0)]
    filters = (TopicFilter("orders.status", "equals", ("b",)),)
    guarded = replace(model, topics=(Topic("t", views=("customers", "orders"), default_filters=filters),))
    spec = listing("customers.id", "customers.orders_made", where=(Filter("customers.id", "set"),))
    assert rows(LONELY, guarded, spec) == [(1, 1)]
