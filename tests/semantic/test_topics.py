"""Topics: default filters that no question escapes, whether a topic is named or not."""

from __future__ import annotations

from dataclasses import replace

from backedge.semantic.model import Measure, Model, Topic, TopicFilter
from backedge.semantic.spec import By, Filter, Spec
from backedge.semantic.topics import applicable_topics
from tests.semantic.asking import compiled, defect, rows, view

COUNT = Measure("n", "count")
ORDERS = view("orders", "id:number tenant", COUNT, primary="order(id)")
ITEMS = view("items", "order_id:number sku", COUNT, foreign="order(order_id)")
LOGS = view("logs", "tenant", COUNT)
TENANT = TopicFilter("tenant", "eq", ("EU",))
SALES = Topic("sales", views=("orders", "items"), base_view="orders", default_filters=(TENANT,))
MODEL = Model((ORDERS, ITEMS, LOGS), (SALES, Topic("logs", views=("logs",))))
TABLES = {
    "orders": "SELECT * FROM (VALUES (1, 'EU'), (2, 'US')) t(id, tenant)",
    "items": "SELECT * FROM (VALUES (1, 'a'), (1, 'b'), (2, 'c')) t(order_id, sku)",
}
BOTH = ("orders.n", "items.n")


def test_default_filters_reach_every_measure() -> None:
    assert rows(TABLES, MODEL, Spec(BOTH, topic="sales")) == [(1, 2)]
    assert compiled(MODEL, Spec(BOTH, topic="sales")).filters == ("topic sales: orders.tenant = EU",)


def test_default_filters_apply_where_no_topic_is_named() -> None:
    assert rows(TABLES, MODEL, Spec(("items.n",))) == [(2,)]
    assert compiled(MODEL, Spec(("items.n",))).notes == ("the default filters of topic sales apply",)
    assert compiled(MODEL, Spec(("logs.n",))).filters == ()


def test_topics_that_agree_are_one_and_topics_that_differ_are_asked_about() -> None:
    same = replace(SALES, name="again", default_filters=(replace(TENANT, field="orders.tenant"),))
    assert rows(TABLES, replace(MODEL, topics=(SALES, same)), Spec(BOTH)) == [(1, 2)]
    open_ = replace(SALES, name="open", default_filters=())
    model = replace(MODEL, topics=(SALES, open_))
    found = defect(model, Spec(BOTH))
    assert (found.kind, found.near) == ("ambiguous_topic", ("sales", "open"))
    assert rows(TABLES, model, Spec(BOTH, topic="open")) == [(2, 3)]
    assert applicable_topics(model, Spec(BOTH)) == (SALES, open_)


def test_a_filter_is_not_lost_by_asking_across_topics() -> None:
    found = defect(MODEL, Spec(("orders.n", "logs.n")))
    assert (found.kind, found.near) == ("ambiguous_topic", ("sales",))


def test_a_view_outside_the_topic_is_refused() -> None:
    found = defect(MODEL, Spec(("logs.n",), (By("logs.tenant"),), topic="sales"))
    assert (found.kind, found.near) == ("outside_topic", ("logs",))
    found = defect(MODEL, Spec(("orders.n",), where=(Filter("logs.tenant", "set"),), topic="sales"))
    assert found.kind == "outside_topic"


def test_an_unknown_topic_is_refused_with_the_nearest() -> None:
    found = defect(MODEL, Spec(("orders.n",), topic="sale"))
    assert (found.kind, found.near) == ("unknown_topic", ("sales",))


def test_relative_dates_and_unknown_operators_of_a_topic_are_refused() -> None:
    for op, values, kind in (
        ("in_date_range", ("90 days ago",), "not_supported"),
        ("last_week", ("x",), "unknown_operator"),
    ):
        topic = replace(SALES, default_filters=(TopicFilter("tenant", op, values),))
        assert defect(replace(MODEL, topics=(topic,)), Spec(BOTH)).kind == kind


def test_a_topic_with_unsupported_constructs_is_refused_by_name() -> None:
    topic = replace(SALES, unsupported=("retrieval",))
    assert "retrieval" in defect(replace(MODEL, topics=(topic,)), Spec(BOTH)).message


def test_a_measure_that_reads_a_guarded_view_by_its_expression_escapes_no_filter() -> None:
    items = replace(ITEMS, measures=(COUNT, Measure("tenants", "count_distinct", "{{order.tenant}}"),
                                     Measure("doubled", "number", "{{tenants}} * 2")))  # fmt: skip
    alone = replace(SALES, views=("orders",))
    model = Model((ORDERS, items, LOGS), (alone,))
    for path in ("items.tenants", "items.doubled"):
        assert defect(model, Spec((path,))).kind == "ambiguous_topic"
    both = Model((ORDERS, items, LOGS), (SALES,))
    assert rows(TABLES, both, Spec(("items.tenants",))) == [(1,)]
    assert rows(TABLES, both, Spec(("items.doubled",))) == [(2,)]
    assert compiled(model, Spec(("items.n",))).filters == ()
