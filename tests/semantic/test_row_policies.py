"""Row policies in the compile: whatever is asked, and however, rows that the asker may not see are as if not there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.semantic.compile import compile_spec
from backedge.semantic.explain import explain
from backedge.semantic.keys import not_unique
from backedge.semantic.model import Dimension, Entity, Measure, Model, RowPolicy, View
from backedge.semantic.policies import Attributes, attribute_names, held
from backedge.semantic.spec import AnyOf, By, Compiled, Filter, Key, Order, Spec
from tests.semantic.policed import (
    EU,
    HIDDEN,
    LINES_VIEW,
    MODEL,
    ORDERS_VIEW,
    OTHER_WAY,
    PAID_ONLY,
    SHOPS_VIEW,
    database,
)

FULL, SEEN = database(), database(hidden=False)
FREE = Model(tuple(replace(view, row_policies=()) for view in MODEL.views))
ATTEMPTS = [
    Spec(measures=("orders.count",)),
    Spec(measures=("orders.largest", "orders.earliest", "orders.names")),
    Spec(by=(By("orders.buyer"),)),
    Spec(by=(By("orders.day"),), order=(Order("orders.day"),), limit=1),
    Spec(measures=("orders.count",), by=(By("orders.region"),)),
    Spec(measures=("orders.total",), by=(By("orders.day", "year"),)),
    Spec(measures=("orders.count",), where=(Filter("orders.buyer", "equals", ("voldemort",)),)),
    Spec(measures=("orders.count",), where=(Filter("orders.region", "not_equals", ("EU",)),)),
    Spec(measures=("orders.count",), where=(Filter("orders.region", "not_set"),)),
    Spec(
        measures=("orders.count",),
        where=(AnyOf((Filter("orders.region", "set"), Filter("orders.region", "not_set"))),),
    ),
    Spec(measures=("orders.total",), segments=("orders.large",)),
    Spec(measures=("orders.total",), where=(Filter("orders.total", "gt", (100,)),), by=(By("orders.status"),)),
    Spec(measures=("lines.quantity",), by=(By("orders.buyer"),)),
    Spec(measures=("lines.count",), where=(Filter("orders.buyer", "contains", ("v",)),)),
    Spec(measures=("orders.count",), by=(By("lines.order_id"),)),
    Spec(measures=("orders.total",), where=(Filter("lines.order_id", "gte", (4,)),)),
    Spec(measures=("orders.total", "lines.quantity"), by=(By("orders.region"),)),
    Spec(measures=("orders.count",), by=(By("orders.buyer"),), limit=5, offset=0),
    Spec(measures=("orders.count",), by=(By("orders.id"), By("orders.buyer")), order=(Order("orders.count", True),)),
    Spec(measures=("paid.count", "paid.quantity"), by=(By("paid.buyer"),)),
    Spec(by=(By("paid.buyer"),), where=(Filter("paid.buyer", "set"),), limit=1_001),
    Spec(measures=("sales.count", "sales.total"), by=(By("sales.who"),)),
]


def rows(connection: object, model: Model, spec: Spec, attributes: Attributes) -> list[tuple[object, ...]]:
    found = compile_spec(model, spec, attributes=attributes)
    assert isinstance(found, Compiled), found
    return connection.execute(found.sql, list(found.params)).fetchall()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("spec", ATTEMPTS, ids=map(str, range(len(ATTEMPTS))))
def test_it_gives_what_it_gives_where_hidden_rows_do_not_exist(spec: Spec) -> None:
    seen = rows(FULL, MODEL, spec, EU)
    assert seen == rows(SEEN, FREE, spec, {})
    assert not any(word in str(seen) for word in HIDDEN)


@pytest.mark.parametrize("spec", ATTEMPTS, ids=map(str, range(len(ATTEMPTS))))
def test_the_attempt_would_have_shown_more_without_the_policy(spec: Spec) -> None:
    assert rows(FULL, FREE, spec, {}) != rows(SEEN, FREE, spec, {})


@pytest.mark.parametrize("spec", ATTEMPTS, ids=map(str, range(len(ATTEMPTS))))
@pytest.mark.parametrize(
    "attributes", [{}, {"region": ""}, {"region": ()}, {"Region": "EU"}, {"role": "user"}], ids=str
)
def test_without_the_attribute_it_is_refused(spec: Spec, attributes: Attributes) -> None:
    found = compile_spec(MODEL, spec, attributes=attributes)
    assert isinstance(found, tuple)
    assert {d.kind for d in found} == {"not_permitted"}
    assert "the attribute region of who asks" in found[0].message
    assert found[0].hint == "ask with --as region=VALUE"
    assert not any(word in str(found) for word in HIDDEN)


def test_who_is_exempt_sees_every_row() -> None:
    spec = ATTEMPTS[1]
    assert rows(FULL, MODEL, spec, {"role": "admin"}) == rows(FULL, FREE, spec, {})
    assert rows(FULL, MODEL, spec, {"role": ("clerk", "admin")}) == rows(FULL, FREE, spec, {})
    assert rows(FULL, MODEL, spec, {"role": "Admin", "region": "EU"}) == rows(SEEN, FREE, spec, {})


def test_exemption_from_one_policy_leaves_the_others() -> None:
    spec = Spec(measures=("lines.count",), by=(By("orders.region"),))
    found = compile_spec(MODEL, spec, attributes={"role": "admin"})
    assert isinstance(found, tuple)
    assert "row policy tenant of lines" in found[0].message


@pytest.mark.parametrize(
    "value", ["EU' OR '1'='1", "EU'; DROP TABLE lines; --", "%", "eu", "$1", "{{user.role}}", "É\n"]
)
def test_odd_attribute_values_are_bound(value: str) -> None:
    found = compile_spec(MODEL, ATTEMPTS[0], attributes={"region": value})
    assert isinstance(found, Compiled)
    assert value in found.params
    assert value not in found.sql or value == "$1"
    assert FULL.execute(found.sql, list(found.params)).fetchall() == [(0,)]


def test_several_values_are_an_in() -> None:
    assert rows(FULL, MODEL, ATTEMPTS[0], {"region": ("EU", "US")}) == [(3,)]


def test_two_policies_must_both_allow() -> None:
    both = replace(ORDERS_VIEW, row_policies=(*ORDERS_VIEW.row_policies, RowPolicy("paid", "status = {{user.sees}}")))
    assert rows(FULL, Model((both,)), ATTEMPTS[0], {"region": "EU", "sees": "paid"}) == [(1,)]
    assert isinstance(compile_spec(Model((both,)), ATTEMPTS[0], attributes=EU), tuple)


def _policed(expr: str) -> Model:
    return Model((replace(ORDERS_VIEW, row_policies=(RowPolicy("own", expr),)),))


@pytest.mark.parametrize(
    ("expr", "attributes", "count"),
    [
        ("{{user.region}} = region", {"region": ("EU", "US")}, 3),
        ("region <> {{user.region}}", {"region": ("EU", "US")}, 1),
        ("NOT region = {{user.region}}", {"region": ("EU", "US")}, 1),
        ("region IN ('US', {{user.region}})", {"region": "EU"}, 3),
        ("region IN {{user.region}}", {"region": "EU"}, 2),
        ("({{region}}) = ({{ user.region }})", {"region": "EU"}, 2),
        ("orders.region = {{user.region}} OR status = 'zap'", {"region": "EU"}, 4),
        ("${user.region} = region", {"region": "EU"}, 2),
        ("{{orders.id}} = {{user.id}}", {"id": "3"}, 1),
        ("id IN ({{user.id}})", {"id": ("3", "4", "99")}, 2),
        ("day >= {{user.since}}", {"since": "2024-02-05"}, 2),
        ("starts_with(buyer, {{user.prefix}})", {"prefix": "b"}, 1),
        ("TRUE", {}, 5),
    ],
)
def test_what_a_policy_may_say(expr: str, attributes: Attributes, count: int) -> None:
    assert rows(FULL, _policed(expr), ATTEMPTS[0], attributes) == [(count,)]


@pytest.mark.parametrize(
    ("expr", "kind"),
    [
        ("starts_with(buyer, {{user.region}})", "not_permitted"),
        ("{{user.region}} >= region", "not_permitted"),
        ("id = {{user.region}}", "not_permitted"),
        ("region = '{{user.region}}'", "bad_expression"),
        ("region = {{user.region", "bad_expression"),
        ("{{lines.id}} = {{user.region}}", "bad_expression"),
        ("{{line.id}} = {{user.region}}", "bad_expression"),
        ("{{nothing}} = {{user.region}}", "bad_expression"),
        ("{{total}} > 5", "bad_expression"),
        ("SUM(amount) > 5", "bad_expression"),
        ("ROW_NUMBER() OVER () < 5", "bad_expression"),
        ("region IN (SELECT region FROM shops)", "bad_expression"),
        ("region = {{user.region}}; SELECT 1", "bad_expression"),
        ("{{variables.x}} = region", "bad_expression"),
    ],
)
def test_a_policy_that_cannot_be_applied_refuses_the_question(expr: str, kind: str) -> None:
    model = Model((*_policed(expr).views, LINES_VIEW))
    found = compile_spec(model, ATTEMPTS[0], attributes={"region": ("EU", "US")})
    assert isinstance(found, tuple)
    assert found[0].kind == kind


def test_a_policy_over_a_dimension_of_another_view_is_refused() -> None:
    far = replace(LINES_VIEW, dimensions=(*LINES_VIEW.dimensions, Dimension("area", "string", "{{orders.region}}")))
    model = Model((ORDERS_VIEW, replace(far, row_policies=(RowPolicy("own", "{{area}} = {{user.region}}"),))))
    found = compile_spec(model, Spec(measures=("lines.count",)), attributes=EU)
    assert isinstance(found, tuple)
    assert found[0].kind == "bad_expression"


def test_a_view_of_a_query_is_held_by_its_own_policies_and_by_those_of_its_tables() -> None:
    own = replace(OTHER_WAY, row_policies=(RowPolicy("few", "qty < {{user.most}}"),))
    model = Model((ORDERS_VIEW, LINES_VIEW, own))
    everywhere: Attributes = {"region": ("EU", "US", "Zanzibar"), "most": "100"}
    assert rows(FULL, model, Spec(measures=("paid.count",)), everywhere) == [(2,)]
    assert rows(FULL, model, Spec(measures=("paid.count",)), {**EU, "most": "100"}) == [(1,)]


def test_a_view_over_what_a_policed_query_reads_is_refused_unless_it_has_policies_of_its_own() -> None:
    joined = View(
        name="joined",
        sql="SELECT o.*, s.town FROM orders o JOIN shops s USING (region)",
        measures=(Measure("count", "count"),),
        row_policies=(RowPolicy("tenant", "region = {{user.region}}"),),
    )
    spec = Spec(measures=("shops.count",))
    found = compile_spec(Model((joined, SHOPS_VIEW)), spec, attributes=EU)
    assert isinstance(found, tuple)
    assert found[0].kind == "not_permitted"
    opened = replace(SHOPS_VIEW, row_policies=(RowPolicy("open", "true"),))
    assert rows(FULL, Model((joined, opened)), spec, EU) == [(2,)]
    assert rows(FULL, Model((joined, opened)), Spec(measures=("joined.count",)), EU) == [(2,)]


def test_a_view_seen_through_a_role_is_held_too() -> None:
    billed = replace(LINES_VIEW, entities=(Entity("order", "foreign", ("order_id",), role="bill"),))
    model = Model((ORDERS_VIEW, billed))
    spec = Spec(measures=("lines.count",), by=(By("bill.buyer"),))
    everywhere: Attributes = {"region": ("EU", "Zanzibar")}
    assert rows(FULL, model, spec, EU) == [("ann", 1), ("bob", 1)]
    assert ("voldemort", 1) in rows(FULL, model, spec, everywhere)


def test_a_query_seen_through_a_role_is_held_by_the_policies_of_the_original() -> None:
    policy = RowPolicy("tenant", "{{orders.region}} = {{user.region}}")
    query = replace(ORDERS_VIEW, table="", sql="SELECT * FROM orders", row_policies=(policy,))
    billed = replace(LINES_VIEW, entities=(Entity("order", "foreign", ("order_id",), role="bill"),))
    spec = Spec(measures=("lines.count",), by=(By("bill.buyer"),))
    assert rows(FULL, Model((query, billed)), spec, EU) == [("ann", 1), ("bob", 1)]


def test_a_table_of_that_name_in_another_database_is_another_table() -> None:
    elsewhere = replace(MODEL.views[4], name="elsewhere", datasource="other")
    spec = Spec(measures=("elsewhere.count",))
    assert isinstance(compile_spec(Model((*MODEL.views, elsewhere)), spec), Compiled)
    unnamed = replace(elsewhere, datasource="")
    assert isinstance(compile_spec(Model((*MODEL.views, unnamed)), spec), tuple)


def test_default_filters_and_policies_hold_together() -> None:
    assert rows(FULL, Model(MODEL.views, (PAID_ONLY,)), ATTEMPTS[0], EU) == [(1,)]


def test_what_is_asked_differs_by_what_may_be_seen() -> None:
    eu, us = (compile_spec(MODEL, ATTEMPTS[0], attributes={"region": r}) for r in ("EU", "US"))
    assert isinstance(eu, Compiled)
    assert isinstance(us, Compiled)
    assert eu.canonical != us.canonical
    assert eu.notes == ("only rows of orders that row policy tenant allows",)


def test_explain_is_held_as_well() -> None:
    assert "not_permitted" in explain(MODEL, ATTEMPTS[0])
    assert "row policy tenant" in explain(MODEL, ATTEMPTS[0], attributes=EU)


def test_a_key_that_is_not_unique_shows_no_value_where_rows_are_hidden() -> None:
    said = not_unique(MODEL, Key("sales", ("who",)), ("voldemort",), 2)
    assert not any(word in str(said) for word in HIDDEN)
    assert "voldemort" in str(not_unique(FREE, Key("sales", ("who",)), ("voldemort",), 2))


def test_guards_hold_what_may_not_be_asked_about() -> None:
    model = Model((MODEL.views[4],), guards=(ORDERS_VIEW,))
    spec = Spec(measures=("sales.count",))
    assert rows(FULL, model, spec, EU) == [(2,)]
    assert isinstance(compile_spec(model, spec), tuple)
    assert (attribute_names(model), held(model, {})) == (frozenset({"region", "role"}), frozenset({"orders"}))


def test_which_attributes_matter_and_whom_they_hold() -> None:
    assert attribute_names(MODEL) == {"region", "role"}
    assert held(MODEL, {}) == {"orders", "lines"}
    assert held(MODEL, {"role": "admin"}) == {"lines"}
    assert held(FREE, {}) == frozenset()


def test_a_model_without_policies_compiles_as_it_did() -> None:
    one, other = compile_spec(FREE, ATTEMPTS[12]), compile_spec(FREE, ATTEMPTS[12], attributes=EU)
    assert one == other


@pytest.mark.parametrize("dialect", ["postgres", "sqlite"])
def test_other_dialects_bind_the_values_as_well(dialect: str) -> None:
    plain = replace(ORDERS_VIEW, table="orders")
    found = compile_spec(Model((plain,)), ATTEMPTS[0], dialect, attributes=EU)
    assert isinstance(found, Compiled)
    assert found.params == ("EU",)
    assert "$1" in found.sql
