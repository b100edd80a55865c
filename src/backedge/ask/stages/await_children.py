"""Delegating and Gathering: the run waits for an automation, or for the runs of the question's parts."""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue

from backedge.ask.rules import Result, refusals, remarks
from backedge.ask.states import Delegating, Diagnosing, Gathering, Interpreting, Part
from backedge.kernel.defect import Defect
from backedge.kernel.stage import ChildEnd, Refusal, Settled, Stage
from backedge.query.ports import Ran
from backedge.query.table import Table


def take_tables(state: Delegating, end: ChildEnd) -> Settled[Interpreting | Diagnosing]:
    """The automation's last table passes the result gates and goes on; a failed automation is diagnosed."""
    if end.outcome is None:
        defect = Defect("automation_failed", f"the automation {state.automation} failed: {end.reason}", retryable=False)
        return _diagnosed(state, (defect,))
    table = _table(end.outcome)
    question = state.came_from.question
    result = Result(table, today=question.today)
    if defects := refusals(result, question.rules):
        return _diagnosed(state, defects)
    return Settled(Interpreting(state, Ran(table, 0), remarks=remarks(result, question.rules)))


def _table(outcome: dict[str, JsonValue]) -> Table:
    return Table.model_validate(outcome.get("table") or {"columns": (), "rows": ()})


def _diagnosed(state: Delegating | Gathering, defects: tuple[Defect, ...]) -> Settled[Diagnosing]:
    return Settled(Diagnosing(state, Refusal(defects, 1)))


def take_part(state: Gathering, end: ChildEnd) -> Settled[Gathering | Interpreting | Diagnosing]:
    """Parts keep their order; a failed one is a stated part; only if all fail is there nothing to say."""
    status = (end.outcome or {}).get("status")
    reason = end.reason or ("" if status == "answered" else str((end.outcome or {}).get("answer", "it has no answer")))
    part = Part(state.questions[end.index], end.outcome if status == "answered" else None, reason)
    ended = tuple(part if i == end.index else before for i, before in enumerate(state.ended))
    parts = tuple(p for p in ended if p is not None)
    if len(parts) < end.of:
        return Settled(replace(state, ended=ended))
    if any(p.answer is not None for p in parts):
        return Settled(Interpreting(state, parts=parts))
    return _diagnosed(state, tuple(Defect("part_failed", f"{p.question}: {p.reason}", retryable=False) for p in parts))


DELEGATING = Stage(Delegating, ChildEnd, take_tables)
GATHERING = Stage(Gathering, ChildEnd, take_part)
