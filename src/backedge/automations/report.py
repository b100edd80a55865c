"""An automation's run as data (`backedge.automation/1`): how it ended, what each task gave, what it waits for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import JsonValue

from backedge.automations.exports import data_of
from backedge.automations.outputs import Part
from backedge.automations.states import AwaitingTasks, Failed, Finished, Frame, Loading
from backedge.kernel.journal import Stored
from backedge.kernel.provenance import activities
from backedge.kernel.run import Run

Report = dict[str, Any]
SCHEMA = "backedge.automation/1"


def report(run: Run, entries: Iterable[Stored]) -> Report:
    """The report of a run, wherever it is."""
    state = run.state
    frame = frame_of(state)
    first = state.came_from if isinstance(state, Failed) else state
    call = frame.call if frame else first.call if isinstance(first, Loading) else None
    stopped = run.stopped
    return {
        "schema": SCHEMA,
        "run_id": run.id,
        "automation": call.automation if call else "",
        "status": _status(run),
        "reason": _reason(run),
        "resumable": stopped.resumable if stopped else None,
        "mend": stopped.mend if stopped else "",
        "variables": dict(frame.variables) if frame else {},
        "text": frame.done[-1].output.text if frame and frame.done else "",
        "outputs": [_output(part) for part in frame.done] if frame else [],
        "next": frame.task.common.name if frame and frame.at < len(frame.plan.tasks) else None,
        "waits_for": [child for child in run.awaited if child not in run.heard] if _status(run) == "waiting" else [],
        "attempts": [{"stage": a.stage, "attempt": a.attempt, "outcome": a.outcome} for a in activities(entries)],
    }


def frame_of(state: object) -> Frame | None:
    """Where a run is; None before its file is read."""
    if isinstance(state, Failed):
        return frame_of(state.came_from)
    return getattr(state, "frame", None)


def _status(run: Run) -> str:
    if run.stopped:
        return "cancelled" if run.stopped.stop == "cancelled" else "stopped"
    match run.state:
        case Finished():
            return "done"
        case Failed():
            return "failed"
        case AwaitingTasks():
            return "waiting"
        case _:
            return "running"


def _reason(run: Run) -> str:
    if run.stopped:
        return run.stopped.reason
    if isinstance(run.state, Failed):
        return "; ".join(defect.message for defect in run.state.refusal.defects)
    return ""


def _output(part: Part) -> dict[str, JsonValue]:
    table = part.output.table
    return {
        "task": part.name,
        "data": data_of(part.output),
        "text": part.output.text,
        "sql": part.output.sql or None,
        "rows": None if table is None else len(table.rows),
        "truncated": None if table is None else table.truncated,
        "cached": part.output.cached,
    }
