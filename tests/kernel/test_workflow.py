"""A plan that cannot be right does not build, and says why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from backedge.kernel.journal import Context
from backedge.kernel.stage import Lesson, Refusal, Settled, Stage
from backedge.kernel.workflow import PlanError, Workflow
from tests.kernel.letters import LETTERS


@dataclass(frozen=True)
class A:
    n: int = 0


@dataclass(frozen=True)
class B:
    came_from: A


@dataclass(frozen=True)
class Stuck:
    came_from: A
    refusal: Refusal


@dataclass(frozen=True)
class Lost:
    pass


@dataclass
class Soft:
    pass


async def propose(state: A, ports: object, lesson: Lesson) -> int:
    return 1


def to_b(state: A, n: int) -> Settled[B]:
    return Settled(B(state))


def unsaid(state: A, n: int):  # type: ignore[no-untyped-def]
    return Settled(B(state))


def begin(n: int, context: Context) -> A:
    return A(n)


STAGE = Stage(A, int, to_b, propose)


def build(**changes: Any) -> Workflow:
    parts: dict[str, Any] = {"name": "w", "start": A, "edges": {A: (B,)}, "stages": (STAGE,), "begin": begin}
    return Workflow(**{**parts, **changes})


def stage(**changes: Any) -> Stage[Any, Any]:
    return replace(cast(Stage[Any, Any], STAGE), **changes)


def plan(row: tuple[type, ...] = (B,), *stages: Stage[Any, Any]) -> dict[str, Any]:
    return {"edges": {A: row}, "stages": stages or (STAGE,)}


LOST = {"edges": {A: (B,), Lost: (B,)}, "stages": (STAGE, stage(state=Lost))}
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("row lists too much", plan((B, Lost)), "the row of A lists Lost, but nothing of it goes there"),
    ("row lists too little", plan((Lost,)), "A can go to B, which its row does not list"),
    ("no stage", {"stages": ()}, "A has a row of edges but no stage"),
    ("no row", {"edges": {}}, "A has a stage but no row of edges"),
    ("two stages", {"stages": (STAGE, STAGE)}, "A has two stages"),
    ("not reachable", LOST, "Lost cannot be reached from A"),
    ("start without row", {"start": Lost}, "it starts in Lost, which has no row of edges"),
    ("no annotation", plan((B,), stage(settle=unsaid)), "settle of A does not say where it goes"),
    ("otherwise not listed", plan((B,), stage(otherwise=Stuck)), "A gives up to Stuck, which its row does not list"),
    ("otherwise takes nothing", plan((B, Lost), stage(otherwise=Lost)), "so it needs came_from and refusal"),
    ("waits and reuses", plan((B,), stage(propose=None, reuse=True)), "A waits, so it can have neither reuse"),
    ("reuses nothing", plan((B,), stage(reuse=True, outside=False)), "so there is nothing to reuse"),
    ("anew and reuses", plan((B,), stage(reuse=True, anew=True)), "so it neither waits nor reuses a reply"),
    ("propose not async", plan((B,), stage(propose=to_b)), "propose of A is not async"),
    ("no end", plan((A,)), "it has no end: every state has a row of edges"),
]


@pytest.mark.parametrize(("changes", "said"), [(c, s) for _, c, s in WRONG], ids=[name for name, _, _ in WRONG])
def test_a_wrong_plan_does_not_build(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(PlanError) as refused:
        build(**changes)
    assert said in str(refused.value)


def test_a_state_that_can_be_changed_is_refused() -> None:
    def to_soft(state: A, n: int) -> Settled[Soft]:
        return Settled(Soft())

    to_soft.__annotations__["return"] = Settled[Soft]
    with pytest.raises(PlanError, match="Soft is not a frozen dataclass"):
        build(edges={A: (Soft,)}, stages=(Stage(A, int, to_soft, propose),))


def test_every_problem_is_told_at_once() -> None:
    with pytest.raises(PlanError) as refused:
        build(edges={A: (Lost,)}, start=Lost)
    assert len(refused.value.problems) >= 3


def test_a_right_plan_builds() -> None:
    assert build().states == (A, B)
    assert {state.__name__ for state in LETTERS.ends} == {"Posted", "Dropped"}


def drop_a_row(row: type) -> dict[type, tuple[type, ...]]:
    return {state: after for state, after in LETTERS.edges.items() if state is not row}


@pytest.mark.parametrize("row", list(LETTERS.edges), ids=lambda s: s.__name__)
def test_forgetting_any_row_refuses_to_build(row: type) -> None:
    with pytest.raises(PlanError):
        replace(LETTERS, edges=drop_a_row(row))


def test_forgetting_any_edge_refuses_to_build() -> None:
    checked = 0
    for state, after in LETTERS.edges.items():
        for gone in after:
            edges = {**LETTERS.edges, state: tuple(s for s in after if s is not gone)}
            with pytest.raises(PlanError):
                replace(LETTERS, edges=edges)
            checked += 1
    assert checked == sum(len(after) for after in LETTERS.edges.values())
