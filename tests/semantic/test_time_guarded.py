"""What is compiled along time passes the guard that all SQL passes, and its request form is read."""

from __future__ import annotations

import re

import pytest

from backedge.query.sqlguard import Guarded, guard
from backedge.semantic.compile import compile_spec
from backedge.semantic.explain import explain
from backedge.semantic.model import Measure, Model
from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import Compiled, Spec
from backedge.semantic.timed import NonAdditive, Window
from tests.semantic.asking import view

MODEL = Model(
    (
        view(
            "orders",
            "id:number ts:datetime day:date",
            Measure("count", "count"),
            Measure("held", "sum", "id", non_additive=NonAdditive("day")),
            Measure("three", "count", window=Window(trailing=3)),
            primary="order(id)",
        ),
    )
)
REQUEST = {
    "measures": ["orders.count", "orders.held", "orders.three"],
    "time_dimensions": [
        {
            "dimension": "orders.day",
            "granularity": "fiscal_quarter",
            "date_range": ["2024-01-01", "2024-12-31"],
            "fill": True,
        }
    ],
    "order": [{"id": "orders.count.change", "desc": True}],
    "fiscal_year_start": 1,
    "week_start": "sunday",
    "compare": {"to": "previous_period", "n": 2},
}


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "sqlite"])
@pytest.mark.parametrize("zone", [{}, {"timezone": "Europe/Paris", "filters": [{"field": "orders.ts", "op": "set"}]}])
def test_the_guard_lets_questions_along_time_through(dialect: str, zone: dict[str, object]) -> None:
    spec = spec_from_json({**REQUEST, **(zone if dialect != "sqlite" else {})})
    assert isinstance(spec, Spec), spec
    compiled = compile_spec(MODEL, spec, dialect)
    assert isinstance(compiled, Compiled), compiled
    sql = re.sub(r"\$\d+", "'2024-01-01'", compiled.sql) if dialect == "sqlite" else compiled.sql
    verdict = guard(sql, dialect, {"orders": ("id", "ts", "day")}, caps_rows=100)
    assert isinstance(verdict, Guarded), verdict


def test_a_plan_says_which_rows_are_seen() -> None:
    spec = spec_from_json(REQUEST)
    assert isinstance(spec, Spec)
    text = explain(MODEL, spec)
    assert "over 3 periods up to its end" in text
    assert "over 6 months earlier" in text
    assert "over last orders.day" in text
