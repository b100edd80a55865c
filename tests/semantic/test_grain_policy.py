"""What a grouping below a measure's grain means: overlapping groups, a refusal, or a total that repeats and says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.semantic.explain import explain
from backedge.semantic.spec import By, Filter, Spec
from tests.semantic.asking import compiled, defect, rows
from tests.semantic.shop import SHOP

TABLES = {
    "customers": "SELECT * FROM (VALUES (1, 'N', true), (2, 'S', false)) t(id, region, vip)",
    "orders": "SELECT * FROM (VALUES (1, 1, 'a', DATE '2024-01-01', 10), (2, 1, 'b', DATE '2024-01-02', 20), "
    "(3, 2, 'a', DATE '2024-02-01', 40)) t(id, customer_id, status, day, amount)",
    "items": "SELECT * FROM (VALUES (1, 1, 'x', 1), (1, 2, 'y', 2), (2, 1, 'x', 3), (3, 1, 'x', 4)) "
    "t(order_id, line, sku, qty)",
    "tickets": "SELECT * FROM (VALUES (1, 1, 'late', 5), (2, 1, 'lost', 6), (3, 2, 'late', 7)) "
    "t(id, customer_id, topic, minutes)",
}
BY_SKU = Spec(("orders.total", "items.qty_total"), (By("items.sku"),))


def test_groups_overlap_unless_said_otherwise() -> None:
    assert rows(TABLES, SHOP, BY_SKU) == [("x", 70, 8), ("y", 10, 2)]


def test_refuse_refuses_the_grouping_and_not_what_lies_above() -> None:
    found = defect(SHOP, replace(BY_SKU, grain="refuse"))
    assert (found.kind, found.where) == ("below_grain", "items.sku")
    assert "broadcast" in found.hint
    spec = Spec(("items.qty_total",), (By("customers.region"),), grain="refuse")
    assert rows(TABLES, SHOP, spec) == [("N", 6), ("S", 4)]


def test_a_filter_below_the_grain_is_no_grouping() -> None:
    spec = Spec(("orders.total",), where=(Filter("items.sku", "equals", ("y",)),), grain="refuse")
    assert rows(TABLES, SHOP, spec) == [(10,)]


def test_broadcast_repeats_the_total_and_says_so() -> None:
    spec = replace(BY_SKU, grain="broadcast")
    assert rows(TABLES, SHOP, spec) == [("x", 70, 8), ("y", 70, 2)]
    assert any("must not be added up" in note for note in compiled(SHOP, spec).notes)
    assert "by: all rows together" in explain(SHOP, spec)


def test_broadcast_repeats_within_the_groups_that_do_divide_it() -> None:
    spec = Spec(("orders.total",), (By("customers.region"), By("items.sku")), grain="broadcast")
    assert rows(TABLES, SHOP, spec) == [("N", "x", 30), ("N", "y", 30), ("S", "x", 40)]


def test_broadcast_keeps_the_filters_of_every_level() -> None:
    only_y = (Filter("items.sku", "equals", ("y",)), Filter("customers.region", "equals", ("N",)))
    spec = Spec(("orders.total", "orders.count"), (By("items.sku"),), only_y, grain="broadcast")
    assert rows(TABLES, SHOP, spec) == [("y", 10, 1)]


def test_broadcast_of_two_facts_beside_each_other() -> None:
    spec = Spec(("orders.total", "tickets.count"), (By("tickets.topic"),), grain="broadcast")
    assert rows(TABLES, SHOP, spec) == [("late", 70, 2), ("lost", 70, 1)]
    both = (By("orders.status"), By("tickets.topic"))
    spec = Spec(("orders.total", "tickets.count"), both, grain="broadcast")
    assert rows(TABLES, SHOP, spec) == [
        ("a", "late", 50, 2),
        ("a", "lost", 50, 1),
        ("b", "late", 20, 2),
        ("b", "lost", 20, 1),
    ]


def test_an_unknown_policy_is_refused() -> None:
    assert defect(SHOP, replace(BY_SKU, grain="some")).kind == "bad_value"  # type: ignore[arg-type]


def listing(*members: str, **more: object) -> Spec:
    return replace(Spec(by=tuple(By(m) for m in members), listing=True), **more)  # type: ignore[arg-type]


def test_a_listing_has_every_row_of_its_grain_also_equal_ones() -> None:
    assert rows(TABLES, SHOP, listing("items.sku")) == [("x",), ("x",), ("x",), ("y",)]
    assert rows(TABLES, SHOP, Spec(by=(By("items.sku"),))) == [("x",), ("y",)]


def test_a_listing_joins_what_lies_above_and_is_cut_in_order() -> None:
    spec = listing("items.sku", "orders.amount", "customers.region", limit=3, offset=1)
    assert rows(TABLES, SHOP, spec) == [("x", 20, "N"), ("x", 40, "S"), ("y", 10, "N")]
    members = [By("items.sku"), By("orders.day", "month")]
    assert len(rows(TABLES, SHOP, Spec(by=tuple(members), listing=True))) == 4


def test_a_condition_below_a_listing_repeats_no_row() -> None:
    spec = listing("orders.id", where=(Filter("items.qty", "gt", (0,)),), segments=("orders.large",))
    assert rows(TABLES, SHOP, spec) == [(1,), (2,), (3,)]


@pytest.mark.parametrize(
    "members", [("customers.region", "tickets.topic", "orders.status"), ("orders.id", "tickets.id")]
)
def test_a_listing_of_rows_of_two_levels_is_refused(members: tuple[str, ...]) -> None:
    found = defect(SHOP, listing(*members))
    assert found.kind == "mixed_levels"
    assert "leads to many rows" in found.message


def test_a_listing_has_no_totals() -> None:
    assert defect(SHOP, listing("orders.id", measures=("orders.total",))).kind == "bad_value"


def test_segments_reach_across_views() -> None:
    spec = Spec(("items.count",), segments=("orders.large",))
    assert rows(TABLES, SHOP, spec) == [(4,)]
    assert rows(TABLES, SHOP, Spec(("customers.count",), segments=("orders.large",))) == [(2,)]
