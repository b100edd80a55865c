"""Role-playing joins and `through`: the same view joined in two ways is two views, and nothing is joined by guess."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from backedge.semantic.model import Dimension, Entity, Measure, Model, Topic, TopicFilter
from backedge.semantic.roles import role_problems, with_roles
from backedge.semantic.spec import By, Filter, Order, Spec
from tests.semantic.asking import compiled, defect, rows, view

COUNT = Measure("n", "count")
TOTAL = Measure("total", "sum", "amount")
ADDRESSES = view(
    "addresses",
    "id:number city country:string",
    COUNT,
    primary="address(id)",
    foreign="country(country)",
    extra=(Dimension("place", "string", "{{address.city}} || '/' || addresses.country"),),
)
COUNTRIES = view("countries", "code continent", primary="country(code)")
ORDERS = replace(
    view("orders", "id:number ship:number bill:number", COUNT, TOTAL, primary="order(id)"),
    entities=(
        Entity("order", "primary", ("id",)),
        Entity("address", "foreign", ("ship",), role="ship_address"),
        Entity("address", "foreign", ("bill",), role="bill_address"),
    ),
)
MODEL = Model((ORDERS, ADDRESSES, COUNTRIES))
PLACES = {1: ("Rome", "IT"), 2: ("Oslo", "NO"), 3: ("Bonn", "DE")}
SOLD = [(1, 1, 1, 10), (2, 1, 2, 20), (3, 2, 1, 30), (4, 3, None, 40)]
TABLES = {
    "orders": "SELECT * FROM (VALUES (1, 1, 1, 10), (2, 1, 2, 20), (3, 2, 1, 30), (4, 3, NULL, 40)) "
    "t(id, ship, bill, amount)",
    "addresses": "SELECT * FROM (VALUES (1, 'Rome', 'IT'), (2, 'Oslo', 'NO'), (3, 'Bonn', 'DE')) t(id, city, country)",
    "countries": "SELECT * FROM (VALUES ('IT', 'Europe'), ('NO', 'North'), ('DE', 'Europe')) t(code, continent)",
}


def by_hand(column: int) -> list[tuple[object, ...]]:
    found: Counter[str | None] = Counter()
    for row in SOLD:
        place = row[column]
        found[PLACES[place][0] if place else None] += row[3] or 0
    return sorted(found.items(), key=lambda pair: (pair[0] is None, pair[0]))


@pytest.mark.parametrize(("role", "column"), [("ship_address", 1), ("bill_address", 2)])
@pytest.mark.parametrize("path", ["{}.city", "orders.{}.city"])
def test_each_role_is_a_join_of_its_own(role: str, column: int, path: str) -> None:
    spec = Spec(("orders.total",), (By(path.format(role)),))
    assert rows(TABLES, MODEL, spec) == by_hand(column)


def test_both_roles_in_one_question() -> None:
    spec = Spec(
        ("orders.n",),
        (By("ship_address.city"), By("orders.bill_address.city")),
        where=(Filter("orders.ship_address.city", "equals", ("Rome",)),),
        order=(Order("orders.bill_address.city", True),),
    )
    assert rows(TABLES, MODEL, spec) == [("Rome", "Rome", 1), ("Rome", "Oslo", 1)]


def test_expressions_of_a_view_in_a_role_read_that_role() -> None:
    assert rows(TABLES, MODEL, Spec(("orders.n",), (By("bill_address.place"),))) == [
        ("Oslo/NO", 1),
        ("Rome/IT", 2),
        (None, 1),
    ]


@pytest.mark.parametrize(
    "spec", [Spec(("orders.total",), (By("addresses.city"),)), Spec(("addresses.n",), (By("orders.id"),))]
)
def test_a_view_that_has_roles_is_not_joined_without_one(spec: Spec) -> None:
    found = defect(MODEL, spec)
    assert found.kind == "ambiguous_join"
    assert found.near == ("ship_address", "bill_address")
    assert "ship_address or bill_address" in found.hint


def test_what_lies_behind_two_roles_is_chosen_with_through() -> None:
    by = (By("countries.continent"),)
    found = defect(MODEL, Spec(("orders.total",), by))
    assert found.kind == "ambiguous_join"
    assert "through: [ship_address] or [bill_address]" in found.hint
    assert rows(TABLES, MODEL, Spec(("orders.total",), by, through=("ship_address",))) == [
        ("Europe", 70),
        ("North", 30),
    ]
    assert rows(TABLES, MODEL, Spec(("orders.total",), by, through=("bill_address",))) == [
        ("Europe", 40),
        ("North", 20),
        (None, 40),
    ]


def test_a_view_may_play_a_role_for_itself() -> None:
    people = replace(
        view("people", "id:number name boss:number", COUNT),
        entities=(Entity("person", "primary", ("id",)), Entity("person", "foreign", ("boss",), role="chief")),
    )
    tables = {"people": "SELECT * FROM (VALUES (1, 'Ann', NULL), (2, 'Bob', 1), (3, 'Cy', 1)) t(id, name, boss)"}
    assert rows(tables, Model((people,)), Spec(("people.n",), (By("chief.name"),))) == [("Ann", 2), (None, 1)]


def test_a_topic_holds_what_its_views_are_in_roles() -> None:
    guarded = Topic("all", views=("orders", "addresses"), default_filters=(TopicFilter("orders.id", "gt", (1,)),))
    other = Topic("alone", views=("addresses",), default_filters=(TopicFilter("addresses.city", "eq", ("Rome",)),))
    model = replace(MODEL, topics=(guarded,))
    spec = Spec(("orders.total",), (By("ship_address.city"),))
    assert rows(TABLES, model, spec) == [("Bonn", 40), ("Oslo", 30), ("Rome", 20)]
    assert defect(replace(MODEL, topics=(other,)), spec).kind == "ambiguous_topic"


@pytest.mark.parametrize(
    ("entity", "said"),
    [
        (Entity("address", "foreign", ("ship",), role="countries"), "is the name of a view"),
        (Entity("adress", "foreign", ("ship",), role="to"), "no view has it"),
        (Entity("order", "primary", ("id",), role="to"), "only a foreign key has a role"),
    ],
)
def test_a_role_that_cannot_be_is_told_and_joins_nothing(entity: Entity, said: str) -> None:
    model = Model((replace(ORDERS, entities=(entity,)), ADDRESSES, COUNTRIES))
    ((_, reason),) = role_problems(model)
    assert said in reason
    assert with_roles(model).view("to") is None


def test_a_model_without_roles_stays_itself() -> None:
    model = Model((COUNTRIES,))
    assert with_roles(model) is model
    assert with_roles(with_roles(MODEL)) == with_roles(MODEL)


STOPS = Model(
    (
        view("orders", "id:number depot:number shop:number", COUNT, foreign="depot(depot) shop(shop)"),
        view("depots", "id:number truck:number", primary="depot(id)", foreign="truck(truck)"),
        view("shops", "id:number truck:number", primary="shop(id)", foreign="truck(truck)"),
        view("trucks", "id:number plate", primary="truck(id)"),
    )
)
STOP_TABLES = {
    "orders": "SELECT * FROM (VALUES (1, 1, 2), (2, 1, 1), (3, 2, 1)) t(id, depot, shop)",
    "depots": "SELECT * FROM (VALUES (1, 1), (2, 2)) t(id, truck)",
    "shops": "SELECT * FROM (VALUES (1, 2), (2, 2)) t(id, truck)",
    "trucks": "SELECT * FROM (VALUES (1, 'A'), (2, 'B')) t(id, plate)",
}


@pytest.mark.parametrize("hint", ["depots", "depot"])
def test_through_takes_a_view_or_an_entity(hint: str) -> None:
    spec = Spec(("orders.n",), (By("trucks.plate"),), through=(hint,))
    assert rows(STOP_TABLES, STOPS, spec) == [("A", 2), ("B", 1)]
    assert rows(STOP_TABLES, STOPS, replace(spec, through=("shops",))) == [("B", 3)]


def test_through_takes_a_longer_way_than_the_shortest() -> None:
    orders = view("orders", "id:number depot:number truck:number", COUNT, foreign="depot(depot) truck(truck)")
    model = Model((orders, *(v for v in STOPS.views if v.name in ("depots", "trucks"))))
    tables = {**STOP_TABLES, "orders": "SELECT 1 AS id, 1 AS depot, 2 AS truck"}
    spec = Spec(("orders.n",), (By("trucks.plate"),))
    assert rows(tables, model, spec) == [("B", 1)]
    assert "may give other values" in compiled(model, spec).notes[0]
    spec = replace(spec, through=("depots",))
    assert rows(tables, model, spec) == [("A", 1)]
    assert compiled(model, spec).notes == ()


@pytest.mark.parametrize(("hint", "kind"), [("trucks", "ambiguous_join"), ("depts", "unknown_member")])
def test_a_through_that_chooses_nothing_is_refused(hint: str, kind: str) -> None:
    assert defect(STOPS, Spec(("orders.n",), (By("depots.id"),), through=(hint,))).kind == kind
