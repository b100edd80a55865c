"""The answer as data (`backedge.answer/1`): the fold of an ask run, with figures, rows, states and its receipt."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any, Literal

from pydantic import JsonValue

from backedge.ask.intent import Ambiguous, Intent
from backedge.ask.states import (
    Answered,
    AwaitingAnswer,
    CannotAnswer,
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
from backedge.kernel.budget import Usage
from backedge.kernel.journal import Stored, entry_to_json
from backedge.kernel.provenance import Activity, activities
from backedge.kernel.run import Run
from backedge.query.ports import Ran

SCHEMA = "backedge.answer/1"
Status = Literal["answered", "needs_input", "cannot_answer", "running", "failed", "cancelled"]
Found = dict[str, Any]
_CHAIN = Clarifying | Specifying | Solving | Executing | Interpreting | Delegating | Gathering | Diagnosing


def outcome(end: Done) -> dict[str, JsonValue]:
    """What a parent run is told of an ask run that ended."""
    if isinstance(end.outcome, CannotAnswer):
        return {"status": "cannot_answer", "answer": end.outcome.reason}
    found: dict[str, JsonValue] = {"status": "answered", "answer": end.outcome.text, "chart": end.outcome.chart}
    if isinstance(end.came_from, Interpreting) and end.came_from.ran is not None:
        found["table"] = end.came_from.ran.table.model_dump(mode="json")
    return found


def status_of(run: Run) -> Status:
    """Where an ask run stands. A pause is `failed` (and resumable)."""
    if run.stopped:
        return "cancelled" if run.stopped.stop == "cancelled" else "failed"
    if run.status == "waiting":
        return "needs_input" if isinstance(run.state, AwaitingAnswer) else "running"
    if isinstance(run.state, Done):
        return "answered" if isinstance(run.state.outcome, Answered) else "cannot_answer"
    return "running"


def answer_of(run: Run, entries: tuple[Stored, ...]) -> Found:
    """The whole form. Rows hold exact values (Decimal, date); every cell of `figures` is a (row, column) of `rows`."""
    done = activities(entries)
    query, ran, intent = query_of(run.state), rows_of(run.state), intent_of(run.state)
    return {
        "schema": SCHEMA,
        "status": status_of(run),
        "run_id": run.id,
        "asked": _first(run.state).question.text,
        "asked_as": {name: list(values) for name, values in _first(run.state).question.attributes},
        **_follows(run),
        **_said(run),
        **_rows(query, ran),
        "sql": query.sql if query else None,
        "params": list(query.params) if query else [],
        "path": query.path if query else None,
        "database": query.database if query else None,
        "reading": intent.reading if intent else None,
        "tokens": [asdict(token) for token in intent.tokens] if intent else [],
        "filters": list(query.filters) if query else [],
        "assumptions": list(intent.assumptions) if intent else [],
        "notes": _notes(query, ran, run.state),
        "question": _question(run),
        "states": list(run.trail),
        "attempts": [_attempt(activity) for activity in done],
        "usage": _usage(done),
        "receipt": {"run_id": run.id, "model": _model_of(done), "journal": journal_hash(run, entries)},
    }


def _follows(run: Run) -> Found:
    """The run that this one follows, the first of its thread, and whether a follow-up can keep a part of it."""
    before = _first(run.state).question.before
    intent = intent_of(run.state)
    return {
        "after": before.run_id if before else None,
        "thread": before.thread if before else run.id,
        "keeps": intent is not None and intent.draft is not None,
    }


def _said(run: Run) -> Found:
    blank: Found = {"answer": None, "figures": [], "chart": None, "unknown": [], "instead": [], "hints": []}
    blank["kind"] = None
    blank["resumable"] = False
    if run.stopped:
        mend = {"mend": run.stopped.mend} if run.stopped.mend else {}
        return {**blank, "answer": run.stopped.reason, "resumable": run.stopped.resumable, **mend}
    if not isinstance(run.state, Done):
        return {**blank, "resumable": True}
    match run.state.outcome:
        case Answered(text, figures, chart):
            return {**blank, "answer": text, "figures": [asdict(figure) for figure in figures], "chart": chart}
        case CannotAnswer(reason, unknown, instead, hints, kind):
            told = {"unknown": [asdict(u) for u in unknown], "instead": list(instead), "hints": list(hints)}
            told["kind"] = kind
            return {**blank, "answer": reason, **told}


def _rows(query: Query | None, ran: Ran | None) -> Found:
    if ran is None:
        return {"columns": [], "rows": [], "truncated": None}
    members = {column.name: column for column in query.columns} if query else {}
    columns = [
        {"name": c.name, "type": c.type, "kind": c.kind, "member": m.member if (m := members.get(c.name)) else None}
        for c in ran.table.columns
    ]
    return {"columns": columns, "rows": [list(row) for row in ran.table.rows], "truncated": ran.table.truncated}


def _notes(query: Query | None, ran: Ran | None, state: object) -> list[str]:
    remarks = [said for link in _chain(state) if isinstance(link, Interpreting) for said in link.remarks]
    return list(dict.fromkeys([*(query.notes if query else ()), *(ran.notes if ran else ()), *remarks]))


def _question(run: Run) -> Found | None:
    if not isinstance(run.state, AwaitingAnswer) or run.status != "waiting":
        return None
    return {"seq": run.asked, **_asks(run.state.asks)}


def _asks(asks: Ambiguous) -> Found:
    options = [asdict(option) for option in asks.options]
    return {"kind": asks.kind, "slot": asks.slot, "words": asks.words, "prompt": asks.prompt, "options": options}


def _attempt(activity: Activity) -> Found:
    found: Found = {
        "stage": activity.stage,
        "attempt": activity.attempt,
        "outcome": activity.outcome,
        "ms": activity.ms,
    }
    if activity.by:
        found["by"] = activity.by
    if activity.defects:
        found["defects"] = [{"kind": d.kind, "message": d.message} for d in activity.defects]
    if activity.message:
        found["message"] = activity.message
    if activity.details:
        found["details"] = activity.details
    return found


def _model_of(done: tuple[Activity, ...]) -> JsonValue:
    """The hash of the semantic model that was read last, as the stage noted it: files may have changed since."""
    return next((a.details["model"] for a in reversed(done) if "model" in a.details), None)


def _usage(done: tuple[Activity, ...]) -> Found:
    used = [activity.usage for activity in done if activity.usage is not None]
    return {
        "calls": sum(usage.calls for usage in used),
        "input_tokens": sum(usage.input_tokens for usage in used),
        "output_tokens": sum(usage.output_tokens for usage in used),
        "cost": _cost(used),
    }


def _cost(used: list[Usage]) -> float | None:
    """USD, or None where the price of any call is unknown: a part of a sum would pass for the whole."""
    known = [usage.cost for usage in used if usage.cost is not None]
    return float(sum(known)) if len(known) == len(used) else None


def journal_hash(run: Run, entries: tuple[Stored, ...]) -> str:
    """sha256 over the entries up to the one that brought the run to its present state: what an answer rests on."""
    digest = hashlib.sha256()
    for stored in entries:
        if stored.seq <= run.asked:
            digest.update(f"{stored.seq} {stored.at.isoformat()} {entry_to_json(stored.entry)}\n".encode())
    return digest.hexdigest()


def _chain(state: object) -> list[_CHAIN]:
    """A state and all that it came from, the newest first."""
    found: list[_CHAIN] = []
    while state is not None:
        if isinstance(state, _CHAIN):
            found.append(state)
        state = getattr(state, "came_from", None)
    return found


def question_of(state: object) -> Question:
    """The question that a state's run was started with."""
    return _first(state).question


def _first(state: object) -> Clarifying:
    return next(s for s in reversed(_chain(state)) if isinstance(s, Clarifying))


def query_of(state: object) -> Query | None:
    """The query that a state rests on, if there is one yet."""
    return next((s.query for s in _chain(state) if isinstance(s, Executing)), None)


def rows_of(state: object) -> Ran | None:
    """The validated rows that a state rests on, if there are any yet."""
    return next((s.ran for s in _chain(state) if isinstance(s, Interpreting)), None)


def intent_of(state: object) -> Intent | None:
    """The reading that a state rests on, if there is one yet."""
    return next((s.intent for s in _chain(state) if isinstance(s, Specifying)), None)
