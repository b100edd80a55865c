"""Templates name what is there, in a sandbox; values go into SQL as values and can never change the query."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.automations.outputs import Item, Output, Part, shown
from backedge.automations.sqltemplate import sql_of
from backedge.automations.templates import TemplateProblem, evaluate, filled, needed, render, value_of
from backedge.query.table import Column, Table

TABLE = Table(
    columns=(Column(name="fruit", type="VARCHAR", kind="text"), Column(name="n", type="INTEGER", kind="integer")),
    rows=(("apple", 1), ("kiwi|x", None)),
)
NAMES: dict[str, Any] = {
    "sales": shown(Output(table=TABLE)),
    "loop": shown(Output(items=(Item("a", (Part("said", Output("A!")),)), Item("b", (Part("said", Output("B!")),))))),
    "sub": shown(Output("last", parts=(Part("report", Output("inner")),))),
    "api": shown(Output("{}", data={"value": {"id": 7}})),
    "month": "March",
    "none": None,
}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ month }}", "March"),
        ("{{ sales.fruit[0] }}", "apple"),
        ("{{ sales }}", "| fruit | n |\n|---|---|\n| apple | 1 |\n| kiwi\\|x |  |"),
        ("{% for item in loop %}{{ item.value }}={{ item.said }} {% endfor %}", "a=A! b=B! "),
        ("{{ sub }} {{ sub.report }}", "last inner"),
        ("{{ api.id }}", "7"),
        ("[{{ none }}]", "[]"),
        ("[{{ sales.fruit[7] }}]", "[]"),
        ('{{ "{{grouping}}" }}', "{{grouping}}"),
    ],
)
def test_templates_render(template: str, text: str) -> None:
    assert render(template, NAMES) == text


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ mnth }}", "'mnth' is undefined (there is: api, loop, month, none, sales, sub)"),
        ("{{ sales.nope }}", "nope"),
        ("{% for x in month.y %}{% endfor %}", "y"),
        ("{{ month", "cannot be rendered"),
        ("{{ month + 1 }}", "cannot be rendered"),
        ("{{ ().__class__.__bases__[0].__subclasses__() }}", "__class__"),
        ("{{ month.__init__.__globals__ }}", "__init__"),
        ("{{ 'x'.format.__self__ }}", "__self__"),
    ],
)
def test_unknown_names_mistakes_and_ways_out_of_the_sandbox_are_refused(template: str, said: str) -> None:
    with pytest.raises(TemplateProblem) as caught:
        render(template, NAMES)
    assert said in caught.value.defect.message


def test_the_nearest_name_is_said() -> None:
    with pytest.raises(TemplateProblem) as caught:
        render("{{ mnth }}", NAMES)
    assert caught.value.defect.near == ("month",)


def test_a_template_that_is_one_expression_keeps_its_value() -> None:
    assert value_of("{{ sales.n }}", NAMES) == [1, None]
    assert value_of("n: {{ sales.n }}", NAMES) == "n: [1, None]"
    assert evaluate("loop | length > 1", NAMES) is True
    assert filled({"a": ["{{ sales.n[0] }}", 2, "x"]}, NAMES) == {"a": [1, 2, "x"]}


def test_an_unknown_name_is_no_condition_that_fails() -> None:
    with pytest.raises(TemplateProblem):
        evaluate("nope", NAMES)


def test_what_a_template_needs_is_known_before_it_runs() -> None:
    assert needed(["{{ a.b }} {% for x in c %}{{ x }}{% endfor %}", "d > 1"]) == {"a", "c", "d"}


@pytest.mark.parametrize(
    ("template", "sql"),
    [
        ("SELECT * FROM t WHERE a = '{{ v }}'", "SELECT * FROM t WHERE a = 'x'' OR ''1''=''1'"),
        ("SELECT * FROM t WHERE a = 'pre {{ v }}' -- {{ v }}", "SELECT * FROM t WHERE a = 'pre x'' OR ''1''=''1'"),
        ("SELECT * FROM t WHERE n > {{ n }} AND m IS {{ none }}", "SELECT * FROM t WHERE n > 5 AND m IS NULL"),
        ("SELECT * FROM t WHERE a IN ({{ list }})", "SELECT * FROM t WHERE a IN ('a', 'b''c')"),
        ("SELECT {{ col }} FROM {{ tab }} AS t", 'SELECT "amount" FROM "sales" AS t'),
        ("SELECT t.{{ col }} FROM x_{{ n }} AS t", 'SELECT t."amount" FROM "x_5" AS t'),
        ("{{ whole }}", "SELECT 1 /* as an agent wrote it */"),
        ("SELECT 'no template' AS x", "SELECT 'no template' AS x"),
    ],
)
def test_values_go_in_as_values(template: str, sql: str) -> None:
    names = {
        "v": "x' OR '1'='1",
        "n": 5,
        "none": None,
        "list": ["a", "b'c"],
        "col": "amount",
        "tab": "sales",
        "whole": "SELECT 1 /* as an agent wrote it */",
    }
    assert sql_of(template, names, "duckdb") == sql


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("SELECT {{ bad }}", "cannot stand in SQL"),
        ("SELECT * FROM {{ bad }}", "cannot stand in SQL"),
        ("SELECT * FROM t WHERE a = '{{ table }}'", "a table or a list cannot stand in SQL"),
        ("SELECT '{{ nope }}'", "'nope' is undefined"),
        ("SELEC {{ bad }} FROM FROM", "does not parse"),
    ],
)
def test_a_value_where_none_can_stand_is_refused(template: str, said: str) -> None:
    with pytest.raises(TemplateProblem) as caught:
        sql_of(template, {"bad": "a; DROP TABLE x", "table": NAMES["sales"]}, "duckdb")
    assert said in caught.value.defect.message
