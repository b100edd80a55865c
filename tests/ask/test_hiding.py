"""What a hidden member hides with it: members made of it, columns behind it, and what defects quote of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.ask.prompted.hiding import Hiding, hiding_of
from backedge.ask.prompted.privacy import Privacy
from backedge.kernel.defect import Defect
from backedge.semantic.model import Dimension, Entity, Measure, Model, View
from backedge.semantic.roles import with_roles
from backedge.semantic.spec import AnyOf, Filter, Spec

PEOPLE = View(
    "people",
    table="people",
    entities=(Entity("person", "primary", ("id",)),),
    dimensions=(
        Dimension("id", "number", "id"),
        Dimension("email", "string", "mail_address", samples=("a@x",)),
        Dimension("domain", "string", "split_part({{email}}, '@', 2)"),
        Dimension("shout", "string", "upper(MAIL_ADDRESS)"),
        Dimension("city", "string", "city", samples=("Bern",)),
    ),
    measures=(
        Measure("people_count", "count"),
        Measure("addresses", "count_distinct", "mail_address"),
        Measure("first", "min", "mail_address"),
        Measure("twice", "number", "{{first}} || {{people.first}}"),
        Measure("spend", "sum", "spend"),
        Measure("per_head", "ratio", numerator="people.first", denominator="people_count"),
    ),
)
NEWER = View("newer", table="people", dimensions=(Dimension("contact", "string", "mail_address"),))
DERIVED = View(
    "derived",
    sql="SELECT mail_address AS reach, city FROM people",
    dimensions=(Dimension("reach", "string", "reach"), Dimension("city", "string", "city")),
)
MODEL = Model((PEOPLE, NEWER, DERIVED))
HIDDEN = hiding_of(MODEL, Privacy(hidden=("people.email",)))


def test_what_is_made_of_a_hidden_member_is_hidden_with_it_but_for_counts() -> None:
    made = {"domain", "shout", "first", "twice", "per_head", "email"}
    assert HIDDEN.members == {f"people.{name}" for name in made} | {"newer.contact", "derived.reach"}


def test_a_sensitive_dimension_is_hidden_and_so_is_what_is_added_to_a_measure_of_it() -> None:
    sensitive = replace(PEOPLE, dimensions=tuple(replace(d, sensitive=d.name == "email") for d in PEOPLE.dimensions))
    hiding = hiding_of(Model((sensitive,)), Privacy())
    assert (hiding.hides("people.email"), hiding.hides("people.first.change"), hiding.hides("people.city")) == (
        True,
        True,
        False,
    )


def test_a_role_of_a_view_hides_what_the_view_hides() -> None:
    visits = View(
        "visits",
        table="visits",
        entities=(Entity("person", "foreign", ("host",), role="host"),),
        dimensions=(Dimension("host", "number", "host"),),
    )
    hiding = hiding_of(with_roles(Model((PEOPLE, visits))), Privacy(hidden=("people.email",)))
    assert hiding.hides("host.email")
    assert hiding.hides("host.domain")


def test_a_view_over_its_own_query_names_the_columns_that_written_sql_may_read() -> None:
    hiding = hiding_of(Model((DERIVED,)), Privacy(hidden=("derived.reach",)))
    assert hiding.is_read_by("SELECT mail_address FROM people", "duckdb")
    assert not hiding.is_read_by("SELECT city FROM people", "duckdb")


SQL = {
    "SELECT city, COUNT(*) FROM people GROUP BY city": False,
    "SELECT mail_address FROM people": True,
    'SELECT "Mail_Address" AS city FROM people': True,
    "WITH p(a) AS (SELECT mail_address FROM people) SELECT a FROM p": True,
    "SELECT * FROM people": True,
    "SELECT p.* FROM people AS p": True,
    "SELECT COUNT(*), p AS row FROM people AS p GROUP BY p": True,
    "FROM people": True,
    "SELECT COLUMNS('.*') FROM people": True,
    "SELECT city FROM people WHERE (": True,
}


@pytest.mark.parametrize("sql", SQL)
def test_written_sql_may_hold_hidden_values_where_that_cannot_be_ruled_out(sql: str) -> None:
    assert HIDDEN.is_read_by(sql, "duckdb") == SQL[sql]
    assert not Hiding().is_read_by(sql, "duckdb")


def test_a_pattern_hides_columns_that_no_member_stands_for() -> None:
    hiding = hiding_of(Model(()), Privacy(hidden=("*.mail*",)))
    assert hiding.is_read_by("SELECT mail_address FROM people", "duckdb")


EMPTY = Defect("empty", "no row has it (nearest: ann)", where="people.email", near=("ann", "bob"))


def test_defects_that_quote_cells_are_told_without_them() -> None:
    told = HIDDEN.defect(EMPTY, 5)
    assert ("ann" in told.message, told.near, told.where) == (False, (), "people.email")
    assert "x" not in HIDDEN.defect(Defect("sql_type", "could not convert x", where="sql"), 5).message.split()


def test_defects_keep_what_is_not_hidden_up_to_as_many_values_as_samples() -> None:
    of_city = replace(EMPTY, where="people.city")
    assert HIDDEN.defect(of_city, 1) == replace(of_city, near=("ann",))
    assert "ann" not in HIDDEN.defect(of_city, 0).message
    assert Hiding().defect(EMPTY, 5) == EMPTY
    assert HIDDEN.defect(Defect("unknown_member", "there is no x", near=("y",)), 0).near == ("y",)


def test_values_of_hidden_members_stand_in_words_and_specs_only_as_they_were_typed() -> None:
    spec = Spec(
        where=(
            AnyOf((Filter("people.email", "equals", ("a@x.org",)), Filter("people.city", "equals", ("Bern",)))),
            Filter("people.email", "equals", ("b@x.org",)),
        )
    )
    typed = "spend of B@x.org"
    assert HIDDEN.text("email is a@x.org or b@x.org in Bern", spec, typed) == "email is (withheld) or b@x.org in Bern"
    (either, typed_one) = HIDDEN.spec(spec, typed).where
    assert "a@x.org" not in str(either)
    assert "Bern" in str(either)
    assert typed_one == spec.where[1]
    assert Hiding().spec(spec, "") == spec


def test_samples_of_hidden_members_are_in_no_catalog() -> None:
    shown = HIDDEN.catalog(MODEL).views[0]
    assert [d.samples for d in shown.dimensions] == [(), (), (), (), ("Bern",)]
