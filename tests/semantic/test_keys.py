"""The keys that a query counts on: named, checked by a small query, and only those that it needs."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest

from backedge.semantic.compile import compile_spec
from backedge.semantic.keys import key_check, not_unique
from backedge.semantic.model import Dimension, Model, RowPolicy
from backedge.semantic.spec import By, Compiled, Filter, Key, Spec
from tests.semantic.asking import compiled
from tests.semantic.shop import CUSTOMERS, ITEMS, ORDERS, SHOP
from tests.semantic.test_grain_policy import TABLES
from tests.semantic.test_roles import MODEL as ADDRESSED

CUSTOMER, ORDER = Key("customers", ("id",)), Key("orders", ("id",))


@pytest.mark.parametrize(
    ("spec", "keys"),
    [
        (Spec(("orders.total",), (By("orders.status"),)), ()),
        (Spec(("orders.total",), (By("customers.region"),)), (CUSTOMER,)),
        (Spec(("orders.total",), (By("items.sku"),)), (ORDER, Key("orders", ("id",), gaps=True))),
        (Spec(("orders.total",), where=(Filter("items.sku", "set"),)), (ORDER,)),
        (Spec(("items.qty_total",), (By("customers.region"),)), (ORDER, CUSTOMER)),
        (Spec(("returns.count",), (By("items.sku"),)), (Key("items", ("order_id", "line")),)),
        (Spec(("orders.total",), (By("items.sku"),), grain="broadcast"), ()),
        (Spec(("orders.total", "items.count")), ()),
        (Spec(("orders.ordered_qty",)), ()),
        (Spec(by=(By("items.sku"), By("orders.id")), listing=True), (ORDER,)),
    ],
)
def test_a_query_counts_on_the_keys_of_its_joins_and_bridges(spec: Spec, keys: tuple[Key, ...]) -> None:
    assert compiled(SHOP, spec).keys == keys


def test_a_role_counts_on_the_key_of_the_view_that_it_is() -> None:
    assert compiled(ADDRESSED, Spec(("orders.n",), (By("bill_address.city"),))).keys == (Key("addresses", ("id",)),)


def test_a_sub_query_counts_on_its_own_keys() -> None:
    made = Dimension("made", "number", "orders.count", sub_query=True)
    customers = replace(CUSTOMERS, dimensions=(*CUSTOMERS.dimensions, made))
    model = Model((customers, ORDERS, ITEMS))
    assert compiled(model, Spec(("customers.count",), (By("customers.made"),))).keys == (CUSTOMER,)


def found(key: Key, tables: dict[str, str], model: Model = SHOP) -> list[tuple[object, ...]]:
    result = compile_spec(*key_check(model, key))
    assert isinstance(result, Compiled), result
    with duckdb.connect() as connection:
        for name, query in tables.items():
            connection.execute(f"CREATE TABLE {name} AS {query}")
        return connection.execute(result.sql, list(result.params)).fetchall()


def test_the_check_finds_the_key_that_most_rows_share() -> None:
    twice = "SELECT * FROM (VALUES (1, 'N', true), (2, 'S', true), (2, 'S', true), (2, 'T', true)) t(id, region, vip)"
    assert found(CUSTOMER, {"customers": twice}) == [(2, 3)]
    assert found(CUSTOMER, TABLES) == []
    assert found(Key("items", ("order_id", "line")), TABLES) == []
    assert found(Key("items", ("order_id",)), TABLES) == [(1, 2)]


def test_rows_without_a_key_join_nothing_but_share_a_bridge() -> None:
    gaps = {
        "customers": "SELECT * FROM (VALUES (NULL, 'N', true), (NULL, 'S', true), (1, 'S', true)) t(id, region, vip)"
    }
    assert found(CUSTOMER, gaps) == []
    assert found(replace(CUSTOMER, gaps=True), gaps) == [(None, 2)]


def test_the_check_sees_rows_that_a_policy_hides_and_the_defect_shows_none() -> None:
    own = RowPolicy("own", "region = {{user.region}}")
    model = Model((replace(CUSTOMERS, row_policies=(own,)), *SHOP.views[1:]))
    twice = {"customers": "SELECT * FROM (VALUES (2, 'S', true), (2, 'S', true)) t(id, region, vip)"}
    assert found(CUSTOMER, twice, model) == [(2, 2)]
    assert "2 rows have id = 2" in not_unique(SHOP, CUSTOMER, (2,), 2).message
    assert "2" not in not_unique(model, CUSTOMER, (2,), 2).message
