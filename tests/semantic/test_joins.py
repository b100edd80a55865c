"""Joins from entities: which way is taken, and what is refused where there is none or more than one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.semantic.model import Dimension, Entity, Measure, Model
from backedge.semantic.spec import By, Filter, Order, Spec
from tests.semantic.asking import compiled, defect, rows, view

COUNT = Measure("n", "count")
PEOPLE = view(
    "people",
    "id:number name boss:number",
    COUNT,
    primary="person(id)",
    foreign="person(boss)",
)
PLACES = view("places", "id:number name", primary="place(id)")
TRIPS = view(
    "trips",
    "id:number person:number place:number",
    COUNT,
    primary="trip(id)",
    foreign="person(person) place(place)",
)
MODEL = Model((PEOPLE, PLACES, TRIPS))
TABLES = {
    "people": "SELECT * FROM (VALUES (1, 'Ann', NULL), (2, 'Bob', 1)) t(id, name, boss)",
    "places": "SELECT * FROM (VALUES (1, 'Rome'), (2, 'Oslo')) t(id, name)",
    "trips": "SELECT * FROM (VALUES (1, 1, 1), (2, 1, 1), (3, 2, 1), (4, 2, 2)) t(id, person, place)",
}


def test_a_view_that_refers_to_itself_is_safe() -> None:
    assert rows(TABLES, MODEL, Spec(("people.n",), (By("people.name"),))) == [
        ("Ann", 1),
        ("Bob", 1),
    ]


def test_a_way_down_and_up_again_counts_each_row_once() -> None:
    spec = Spec(("people.n",), (By("places.name"),))
    assert rows(TABLES, MODEL, spec) == [("Oslo", 1), ("Rome", 2)]
    assert "groups may overlap" in compiled(MODEL, spec).notes[0]


def test_dimensions_alone_are_distinct_combinations() -> None:
    spec = Spec(by=(By("people.name"), By("places.name")))
    assert rows(TABLES, MODEL, spec) == [
        ("Ann", "Rome"),
        ("Bob", "Oslo"),
        ("Bob", "Rome"),
    ]
    spec = Spec(by=(By("people.name"),), where=(Filter("places.name", "equals", ("Oslo",)),))
    assert rows(TABLES, MODEL, spec) == [("Bob",)]


def test_members_of_one_name_are_told_apart_by_their_view() -> None:
    spec = Spec(
        ("people.n", "trips.n"),
        (By("people.name"), By("places.name")),
        order=(Order("trips__n", desc=True),),
    )
    names = [c.name for c in compiled(MODEL, spec).columns]
    assert names == ["people__name", "places__name", "people__n", "trips__n"]
    assert rows(TABLES, MODEL, spec)[0] == ("Ann", "Rome", 1, 2)


def test_keys_are_dimensions_whose_expressions_are_joined() -> None:
    dim = view(
        "dim",
        "name",
        primary="code(code)",
        extra=(Dimension("code", "string", "UPPER(raw)"),),
    )
    fact = view(
        "fact",
        "",
        COUNT,
        foreign="code(key)",
        extra=(Dimension("key", "string", "UPPER(k)"),),
    )
    tables = {"dim": "SELECT 'ab' AS raw, 'x' AS name", "fact": "SELECT 'Ab' AS k"}
    assert rows(tables, Model((dim, fact)), Spec(("fact.n",), (By("dim.name"),))) == [("x", 1)]


def test_one_to_one_views_join_on_their_primary_keys() -> None:
    extra = view("extra", "id:number mood", primary="person(id)")
    tables = {**TABLES, "extra": "SELECT 2 AS id, 'good' AS mood"}
    model = Model((replace(PEOPLE, entities=PEOPLE.entities[:1]), extra))
    assert rows(tables, model, Spec(("people.n",), (By("extra.mood"),))) == [
        ("good", 1),
        (None, 1),
    ]


def test_views_without_a_shared_entity_are_refused_with_what_they_can_join() -> None:
    alone = view("alone", "x")
    found = defect(Model((*MODEL.views, alone)), Spec(("trips.n",), (By("alone.x"),)))
    assert found.kind == "no_join"
    assert found.near == ("people", "places")
    assert "alone to no other view" in found.message


def test_two_foreign_keys_of_one_entity_are_no_join() -> None:
    a, b = (
        view("a", "k", COUNT, foreign="thing(k)"),
        view("b", "k name", foreign="thing(k)"),
    )
    assert defect(Model((a, b)), Spec(("a.n",), (By("b.name"),))).kind == "no_join"


@pytest.mark.parametrize("foreign", ["place(a) place(b)", "place(a) spot(b)"])
def test_two_ways_of_one_length_are_refused_naming_both(foreign: str) -> None:
    places = view("places", "id:number name", primary="place(id) spot(id)")
    trips = view("trips", "a:number b:number", COUNT, foreign=foreign)
    found = defect(Model((places, trips)), Spec(("trips.n",), (By("places.name"),)))
    assert found.kind == "ambiguous_join"
    assert found.message.endswith("trips -> places (a = id) and trips -> places (b = id)")


def test_a_longer_way_with_one_row_at_its_end_is_noted() -> None:
    places = replace(PLACES, entities=(*PLACES.entities, Entity("person", "foreign", ("id",))))
    notes = compiled(Model((PEOPLE, places, TRIPS)), Spec(("trips.n",), (By("people.name"),))).notes
    (note,) = notes
    assert note.startswith("joined trips -> people (person = id); ")
    assert "the way trips -> places (place = id) -> people (id = id) may give" in note


def test_views_whose_names_differ_in_case_alone_are_told_apart() -> None:
    upper = replace(PEOPLE, name="Trips", entities=PEOPLE.entities[:1])
    assert rows(TABLES, Model((upper, TRIPS)), Spec(("trips.n", "Trips.n"), (By("Trips.name"),))) == [
        ("Ann", 2, 1),
        ("Bob", 2, 1),
    ]


def test_one_query_reads_one_database() -> None:
    places = replace(PLACES, datasource="elsewhere")
    found = defect(Model((PEOPLE, places, TRIPS)), Spec(("trips.n",), (By("places.name"),)))
    assert found.kind == "mixed_datasource"


def test_a_key_that_is_no_dimension_is_refused() -> None:
    trips = view("trips", "id:number", COUNT, foreign="person(persn)")
    found = defect(Model((PEOPLE, trips)), Spec(("trips.n",), (By("people.name"),)))
    assert (found.kind, found.where) == ("unknown_member", "trips.persn")


def test_an_unsupported_view_on_the_way_is_refused() -> None:
    trips = replace(TRIPS, unsupported=("lifespan",), at="trips.view.yml:3")
    found = defect(Model((PEOPLE, PLACES, trips)), Spec(("people.n",), (By("places.name"),)))
    assert found.kind == "not_supported"
    assert "lifespan (trips.view.yml:3)" in found.message
