"""Diagnosing: a table from what failed, how its query was made and the kind of defect to the stage that can mend it."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from backedge.ask.ports import AskPorts
from backedge.ask.proposals import Goal, Route
from backedge.ask.refusals import BEYOND_THE_MODEL, UNSAFE, refusal_kind
from backedge.ask.states import (
    CannotAnswer,
    Clarifying,
    Delegating,
    Diagnosing,
    Done,
    Executing,
    Gathering,
    Interpreting,
    Path,
    Solving,
    Specifying,
)
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Settled, Stage

MEND_QUERY: dict[Path, Goal] = {
    "semantic": "Specifying",
    "written": "Solving",
    "verified": "Clarifying",
    "edited": "Done",
    "automation": "Clarifying",
}


async def propose(state: Diagnosing, ports: AskPorts, lesson: Lesson) -> Route:
    """Look the way back up."""
    return route(state)


def route(state: Diagnosing) -> Route:
    """Where to go back to. What was diagnosed before in the same way ends the run: going round again cannot help."""
    because = state.refusal.defects
    return Route("Done" if state.refusal.repeated else _goal(state, because), because)


def _goal(state: Diagnosing, because: tuple[Defect, ...]) -> Goal:
    kinds = {defect.kind for defect in because}
    if "not_permitted" in kinds:
        return "Done"
    match state.came_from:
        case Clarifying():
            return "Done"
        case Specifying(came_from=asked) if asked.question.sql:
            return "Done"
        case Specifying():
            if kinds & BEYOND_THE_MODEL:
                return "Solving"
            return "Specifying" if kinds & UNSAFE else "Clarifying"
        case Solving():
            return "Done" if "no_sql" in kinds else "Specifying"
        case Executing(query=query):
            return MEND_QUERY[query.path]
        case Interpreting(plain=plain):
            return "Done" if plain else "Interpreting"
        case Delegating():
            return "Clarifying"
        case Gathering():
            return "Specifying"
        case _:
            assert_never(state.came_from)


def settle(state: Diagnosing, way: Route) -> Settled[Clarifying | Specifying | Solving | Interpreting | Done]:
    """The back-edge: the state of that stage which led here, with the defects as its lesson."""
    failed = state.came_from
    if way.to == "Interpreting" and isinstance(failed, Interpreting):
        return Settled(replace(failed, plain=True))
    if way.to == "Solving":
        return _to_solving(failed, way)
    if way.to == "Specifying" and (specifying := _specifying_of(failed)) is not None:
        return Settled(specifying, because=way.because)
    if way.to == "Clarifying":
        return Settled(_clarifying_of(failed), because=way.because)
    return Settled(Done(state, _ended(way.because)))


Failed = Clarifying | Specifying | Solving | Executing | Interpreting | Delegating | Gathering


def _to_solving(failed: Failed, way: Route) -> Settled[Solving | Done]:
    if isinstance(failed, Executing) and isinstance(failed.came_from, Solving):
        return Settled(failed.came_from, because=way.because)
    specifying = _specifying_of(failed)
    assert specifying is not None
    said = "; ".join(defect.message for defect in way.because)
    return Settled(Solving(specifying, specifying.intent.draft, said))


def _specifying_of(failed: Failed) -> Specifying | None:
    match failed:
        case Specifying():
            return failed
        case Solving(came_from=before) | Gathering(came_from=before):
            return before
        case Executing(came_from=before):
            return before.came_from if isinstance(before, Solving) else before
        case Interpreting(came_from=before):
            return _specifying_of(before)
        case _:
            return None


def _clarifying_of(failed: Failed) -> Clarifying:
    match failed:
        case Clarifying():
            return failed
        case Delegating(came_from=before):
            return before
        case Interpreting(came_from=Delegating(came_from=before)):
            return before
        case _:
            specifying = _specifying_of(failed)
            assert specifying is not None
            return specifying.came_from


def _ended(because: tuple[Defect, ...]) -> CannotAnswer:
    reason = "; ".join(dict.fromkeys(defect.message for defect in because))
    hints = tuple(dict.fromkeys(defect.hint for defect in because if defect.hint))
    return CannotAnswer(reason, hints=hints, kind=refusal_kind(because))


DIAGNOSING = Stage(Diagnosing, Route, settle, propose, outside=False)
