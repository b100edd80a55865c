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
    """The automation's last table passes the result gates and goes on, with its text; a failed one is diagnosed."""
    outcome = end.outcome
    if outcome is None or outcome.get("status") != "done":
        reason = end.reason or str((outcome or {}).get("reason") or "it gave no reason")
        return _diagnosed(state, (_failed(state, reason),))
    told, question = _told(outcome), state.came_from.question
    if "table" not in outcome:
        if told:
            return Settled(Interpreting(state, told=told))
        return _diagnosed(state, (_failed(state, "it gave nothing"),))
    table = Table.model_validate(outcome["table"])
    result = Result(table, today=question.today)
    if defects := refusals(result, question.rules):
        return _diagnosed(state, tuple(_of_automation(state, defect) for defect in defects))
    return Settled(Interpreting(state, Ran(table, 0), remarks=remarks(result, question.rules), told=told))


def _failed(state: Delegating, reason: str) -> Defect:
    message = f"the automation {state.automation} failed: {reason}"
    return Defect("automation_failed", message, where="automation", retryable=False)


def _of_automation(state: Delegating, defect: Defect) -> Defect:
    return replace(defect, message=f"the automation {state.automation} gave a table that is refused: {defect.message}")


def _told(outcome: dict[str, JsonValue]) -> str:
    """What the automation itself says: the text of its last task, unless that gives a table."""
    output = outcome.get("output")
    parts = output.get("parts") if isinstance(output, dict) else None
    last = parts[-1] if isinstance(parts, list) and parts else None
    of_last = last.get("output") if isinstance(last, dict) else None
    if isinstance(of_last, dict) and of_last.get("table") is not None:
        return ""
    return str(outcome.get("text") or "").strip()


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
