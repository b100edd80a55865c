"""The forms of a question as a person reads them."""

from __future__ import annotations

from backedge.semantic.explain import explain
from backedge.semantic.spec import By, Filter, Order, Spec
from tests.semantic.shop import SHOP


def test_spec_plan_and_sql_are_shown() -> None:
    where = (
        Filter("tickets.topic", "equals", ("a",)),
        Filter("orders.count", "gt", (1,)),
    )
    spec = Spec(
        ("orders.total",),
        (By("items.sku"),),
        where,
        order=(Order("total", True),),
        limit=3,
    )
    text = explain(SHOP, spec)
    for line in (
        "measures: orders.total",
        "by: items.sku",
        "where: tickets.topic = a",
        "order: total descending",
        "rows: 3 after 0",
        "rows of orders, each once for every group below it",
        "joined orders -> items",
        "where a row of tickets fits",
        "total total",
        "SELECT DISTINCT",
        "$1 = 1",
    ):
        assert line in text, text


def test_a_refusal_is_shown_with_its_hint() -> None:
    text = explain(SHOP, Spec(("orders.totl",)))
    assert text.startswith("refused\n  unknown_member: there is no measure orders.totl. did you mean orders.total")
