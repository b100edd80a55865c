"""Diagnosing has a way for every state that can be given up, every way a query is made, and every kind of defect."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import backedge
from backedge.ask.stages.diagnose import DIAGNOSING, MEND_QUERY, route, settle
from backedge.ask.states import (
    Clarifying,
    Delegating,
    Diagnosing,
    Done,
    Executing,
    Gathering,
    Interpreting,
    Query,
    Question,
    Solving,
    Specifying,
)
from backedge.ask.states import (
    Path as QueryPath,
)
from backedge.ask.workflow import ASK
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Refusal
from backedge.query.ports import Ran
from tests.ask.scripted import INTENT, TODAY, table

CLARIFYING = Clarifying(Question("total sales", TODAY))
SPECIFYING = Specifying(CLARIFYING, INTENT)
SOLVING = Solving(SPECIFYING, None, "no measure")
FAILED: list[Any] = [
    CLARIFYING,
    SPECIFYING,
    SOLVING,
    Delegating(CLARIFYING, "report"),
    Gathering(SPECIFYING, ("a", "b"), (None, None)),
    *(Executing(SOLVING if path == "written" else SPECIFYING, Query(path, "SELECT 1")) for path in get_args(QueryPath)),
    *(
        Interpreting(source, Ran(table((1,)), 1), plain=plain)
        for source in (Executing(SPECIFYING, Query("semantic", "SELECT 1")), Delegating(CLARIFYING, "report"))
        for plain in (False, True)
    ),
]


@cache
def all_kinds() -> tuple[str, ...]:
    """Every kind of defect that the code can give, read off the code itself."""
    kinds = set()
    for file in Path(backedge.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Defect", "Rejected") and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    name = str(first.value)
                    kinds.add(f"sql_{name}" if getattr(node.func, "id", "") == "Rejected" else name)
    return tuple(sorted(kinds | {"sql_deadline", "sql_memory", "not_supported", "no_join", "never_heard_of"}))


def test_there_are_kinds_to_try() -> None:
    assert len(all_kinds()) >= 20
    assert all(re.fullmatch(r"[a-z_]+", kind) for kind in all_kinds())


@pytest.mark.parametrize("failed", FAILED, ids=lambda s: f"{type(s).__name__}-{getattr(s, 'plain', '')}")
def test_every_pair_of_state_and_defect_has_an_edge(failed: Any) -> None:
    for kind in all_kinds():
        state = Diagnosing(failed, Refusal((Defect(kind, "it is wrong"),), 1))
        after = settle(state, route(state))
        assert type(after.state) in ASK.edges[Diagnosing]
        if type(after.state) in (Clarifying, Specifying):
            assert after.because == state.refusal.defects


@pytest.mark.parametrize("failed", FAILED, ids=lambda s: type(s).__name__)
def test_what_was_diagnosed_before_ends_the_run_with_its_reason(failed: Any) -> None:
    state = Diagnosing(failed, Refusal((Defect("empty", "no rows under region is EU"),), 2, repeated=True))
    end = settle(state, route(state)).state
    assert isinstance(end, Done)
    assert "no rows under region is EU" in str(end.outcome)


def test_every_stage_that_gives_up_gives_up_to_diagnosing() -> None:
    for stage in ASK.stages:
        assert stage is DIAGNOSING or stage.waits or stage.otherwise is Diagnosing


def test_every_way_to_make_a_query_has_a_way_back() -> None:
    assert set(MEND_QUERY) == set(get_args(QueryPath))
