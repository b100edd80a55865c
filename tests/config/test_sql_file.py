"""SQL with an `oxy:` header is a verified query; without one it is an example."""

from __future__ import annotations

import pytest

from backedge.ask.catalog import Verified
from backedge.config.problem import Problem
from backedge.config.sql_file import read_sql


def read(text: str) -> tuple[Verified | tuple[str, str] | None, str]:
    found: list[Problem] = []
    return read_sql("q/top.sql", text, found), "\n".join(map(str, found))


def test_a_header_makes_a_verified_query() -> None:
    query, said = read(
        "\n/*\n  oxy:\n    database: local\n    embed:\n      - How many?\n      - Count\n*/\nSELECT 1;\n"
    )
    assert query == Verified("top", "SELECT 1;", "local", "", ("How many?", "Count"), "q/top.sql:3")
    assert said == ""


@pytest.mark.parametrize("embed", ["How many?", "|\n      How many?\n\n      Count", "[How many?, Count]"])
def test_embed_may_be_one_text_or_a_list(embed: str) -> None:
    query, _ = read(f"/* oxy:\n    embed: {embed}\n    description: d\n*/ SELECT 1")
    assert isinstance(query, Verified)
    assert query.embed[0] == "How many?"
    assert query.description == "d"


def test_line_comments_may_stand_before_the_header() -> None:
    query, _ = read("-- by us\n/* oxy: {description: d} */ SELECT 1")
    assert isinstance(query, Verified)


@pytest.mark.parametrize("text", ["SELECT 1", "/* a comment */ SELECT 1", "SELECT 1 /* oxy: {description: d} */", ""])
def test_without_a_header_it_is_an_example(text: str) -> None:
    assert read(text) == (("q/top.sql", text), "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "/*\noxy:\n  databse: x\n*/ SELECT 1",
            "q/top.sql:3: unknown key `databse` in an `oxy:` header (did you mean `database`?)",
        ),
        ("/*\noxy:\n  description: a: b\n*/ SELECT 1", "q/top.sql:3:17: is not valid YAML"),
        ("/* oxy: {description: d} */\n", "no SQL below it"),
        ("/* oxy: */ SELECT 1", "needs `oxy`"),
        ("/* oxy: {embed: {a: b}} */ SELECT 1", "`embed` of an `oxy:` header must be a list"),
    ],
)
def test_a_wrong_header_is_an_error(text: str, said: str) -> None:
    query, problems = read(text)
    assert query is None
    assert said in problems


def test_a_query_that_no_question_finds_is_a_warning() -> None:
    _, said = read("/* oxy: {database: local} */ SELECT 1")
    assert "no question can find it" in said
