"""Every bypass of the reference's list, by its number: what the guard alone must do with it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import duckdb
import pytest

import backedge
from backedge.query.ports import Rejected
from backedge.query.sqlguard import Guarded, guard
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Dimension, Measure, Model, View
from backedge.semantic.spec import By, Compiled, Spec
from tests.query.bypasses import OURS, SEEN
from tests.query.test_sqlguard import TABLES

# 15: a bomb that only reads, for the deadline; 31, 32: rendered anew; 40: charts; 41: names.
ELSEWHERE = {15, 31, 32, 40, 41}
NASTY = 'x"; drop table orders; --'


def test_no_number_of_the_list_is_left_out() -> None:
    assert set(SEEN) | ELSEWHERE == set(range(1, 42))
    assert len(OURS) >= 60


@pytest.mark.parametrize(
    ("number", "dialect", "sql", "kind"),
    [(number, *case) for number, cases in SEEN.items() for case in cases],
    ids=lambda value: str(value)[:60],
)
def test_refuses(number: int, dialect: str, sql: str, kind: str) -> None:
    verdict = guard(sql, dialect, TABLES, caps_rows=100)
    assert isinstance(verdict, Rejected), f"case {number} passed as {verdict}"
    assert verdict.kind == kind


@pytest.mark.parametrize(
    ("sql", "rendered"),
    [
        ("select 1 /*! union select load_file('/etc/passwd') */", "SELECT 1 LIMIT 101"),
        (r"select 'a\'; drop table users; -- '", "SELECT 'a''; drop table users; -- ' LIMIT 101"),
    ],
    ids=["31 executable comment", "32 backslash quote"],
)
def test_only_what_was_parsed_is_run(sql: str, rendered: str) -> None:
    verdict = guard(sql, "mysql", TABLES, caps_rows=100)
    assert isinstance(verdict, Guarded)
    assert verdict.sql == rendered


RUNS_PYTHON = {"exec", "eval", "compile", "__import__"}
NAMED = re.compile(rf"(?<![.\w])(?:{'|'.join(RUNS_PYTHON)})\b")


def test_case_40_nothing_that_a_model_writes_is_run_as_python() -> None:
    texts = {path: path.read_text() for path in Path(backedge.__file__).parent.rglob("*.py")}
    naming = [text for text in texts.values() if NAMED.search(text)]  # the others cannot call them by name
    assert (len(texts) > 300, run_as_python("x = (eval)('1')"), run_as_python("re.compile('x')")) == (
        True,
        {"eval"},
        set(),
    )
    assert [run_as_python(text) for text in naming if run_as_python(text)] == []


def run_as_python(text: str) -> set[str]:
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)} & RUNS_PYTHON


def test_case_41_a_name_that_holds_sql_stays_a_name() -> None:
    quoted = '"' + NASTY.replace('"', '""') + '"'
    view = View(NASTY, table=NASTY, dimensions=(Dimension("d", "string", quoted),), measures=(Measure("n", "count"),))
    made = compile_spec(Model((view,)), Spec((f"{NASTY}.n",), (By(f"{NASTY}.d"),)))
    assert isinstance(made, Compiled)
    guarded = guard(made.sql, "duckdb", {NASTY: (NASTY,), "orders": ("id",)}, caps_rows=10)
    assert isinstance(guarded, Guarded)
    with duckdb.connect() as connection:
        connection.execute("create table orders as select 1 as id")
        connection.execute(f"create table {quoted} as select 'a' as {quoted}")
        assert connection.execute(guarded.sql).fetchall() == [("a", 1)]
        assert connection.execute("select count(*) from orders").fetchall() == [(1,)]
