"""YAML is kept as written, with lines, and every way it can be broken is one clear problem."""

from __future__ import annotations

import pytest

from backedge.config.problem import Problem
from backedge.config.yaml_file import MAX_CHARACTERS, Block, Items, Scalar, parse_yaml


def parsed(text: str) -> Block:
    found: list[Problem] = []
    tree = parse_yaml("a.yml", text, found)
    assert tree is not None
    assert found == []
    return tree


def refused(text: str) -> str:
    found: list[Problem] = []
    parse_yaml("a.yml", text, found)
    return "\n".join(str(problem) for problem in found)


def value(text: str) -> object:
    scalar = parsed(f"a: {text}")["a"]
    assert isinstance(scalar, Scalar)
    return scalar.value


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("No", "No"),
        ("true", True),
        ("False", False),
        ('"true"', "true"),
        ("10", 10),
        ("-3", -3),
        ("007", "007"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("1.50", 1.5),
        (".inf", ".inf"),
        ("2024-01-05", "2024-01-05"),
        ("9" * 5000, "9" * 5000),
        ("~", None),
        ("null", None),
        ("!!str 12", "12"),
        ("|\n  x", "x"),
    ],
)
def test_a_scalar_means_what_was_written(written: str, read: object) -> None:
    assert value(written) == read
    assert type(value(written)) is type(read)


def test_the_text_of_a_scalar_is_kept_beside_its_value() -> None:
    tree = parsed("a: [yes, 1.50, 2024-01-05]")
    assert tree["a"] == ["yes", "1.50", "2024-01-05"]


def test_keys_that_yaml_takes_for_booleans_stay_text() -> None:
    assert list(parsed("on: 1\nyes: 2\nno: 3")) == ["on", "yes", "no"]


def test_every_key_and_item_knows_its_line() -> None:
    tree = parsed("a: 1\n\nb:\n  - x\n  - y: 2\n")
    items = tree["b"]
    assert isinstance(items, Items)
    assert tree.lines == {"a": 1, "b": 3}
    assert items.lines == [4, 5]


def test_anchors_and_merge_keys_work_and_own_keys_win() -> None:
    tree = parsed("one: &one {a: 1, b: 2}\ntwo:\n  <<: *one\n  b: 3\n")
    assert tree["two"] == {"a": "1", "b": "3"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\na: 3", "a.yml:3: key `a` stands twice (first on line 1)"),
        ("a: b: c", "a.yml:1:5: is not valid YAML: mapping values are not allowed"),
        ("a: [1", "is not valid YAML"),
        ("a: \tb\n\tc: d", "a.yml:2:"),
        ("", "a.yml: is empty"),
        ("# only a comment", "a.yml: is empty"),
        ("- a\n- b", "a.yml:1: must be a mapping (`key: value` lines) but is a list"),
        ("../shared/config.yml", "a symbolic link checked out as text"),
        ("a: 1\n---\nb: 2", "another document"),
        ("a: 1\nb: !env HOME", "a.yml:2: tag `!env` is not known here"),
        ("a: !!set {b, c}", "tag `!!set` is not known here"),
        ("a: x\nb: y\x00z", "a.yml:2: is not valid YAML: control characters are not allowed"),
        ("? [a, b]\n: c", "a key must be plain text"),
        ("a: *nowhere", "undefined alias"),
        ("a: &a [*a]", "nested too deep"),
        ("a: {<<: 3}", "`<<` must name a mapping"),
        ("[" * 100_000, "is not valid YAML"),
        ("a: " + "[" * 200 + "]" * 200, "nested too deep"),
        ("x" * (MAX_CHARACTERS + 1), "is too large"),
    ],
)
def test_broken_yaml_is_one_clear_problem(text: str, said: str) -> None:
    assert said in refused(text)


def test_aliases_cannot_explode() -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    assert "once its aliases are followed" in refused("\n".join(["a0: &a0 x", *levels]))


def test_lines_count_from_where_the_text_stands_in_its_file() -> None:
    found: list[Problem] = []
    parse_yaml("a.sql", "a: 1\na: 2", found, first_line=7)
    assert found[0].line == 8
