"""The answer as data (`backedge.answer/1`): the fold of an ask run, with figures, rows, states and its receipt."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any, Literal

from pydantic import JsonValue

from backedge.ask.attempts import attempt_of, catalog_hash, usage_of
from backedge.ask.delegated import given_text
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
from backedge.kernel.journal import Stored, entry_to_json
from backedge.kernel.provenance import activities
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
    if isinstance(end.came_from, Interpreting) and isinstance(end.came_from.came_from, Executing):
        found["sql"] = end.came_from.came_from.query.sql
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
    done, asked = activities(entries), _questions(run)
    query, ran, intent = query_of(run.state), rows_of(run.state), intent_of(run.state)
    given = delegated_of(run.state)
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
        "path": query.path if query else "automation" if given else None,
        "automation": {"name": given.automation, "variables": given.variables} if given else None,
        "database": query.database if query else None,
        "reading": intent.reading if intent else f"automation {given.automation}" if given else None,
        "tokens": [asdict(token) for token in intent.tokens] if intent else [],
        "filters": list(query.filters) if query else list(given_text(given)) if given else [],
        "assumptions": [*(intent.assumptions if intent else ()), *_by_default(run.state)],
        "notes": _notes(query, ran, run.state),
        "question": asked[0] if len(asked) == 1 else None,
        "questions": asked,
        "states": list(run.trail),
        "attempts": [attempt_of(activity) for activity in done],
        "usage": usage_of(done),
        "receipt": {"run_id": run.id, "model": catalog_hash(done), "journal": journal_hash(run, entries)},
    }


def _follows(run: Run) -> Found:
    """The run that this one follows, the first of its thread, and whether a follow-up can keep a part of it."""
    before = _first(run.state).question.before
    intent, query = intent_of(run.state), query_of(run.state)
    return {
        "after": before.run_id if before else None,
        "thread": before.thread if before else run.id,
        "keeps": bool((intent and intent.draft) or (query and query.spec)),
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


def _questions(run: Run) -> list[Found]:
    if not isinstance(run.state, AwaitingAnswer) or run.status != "waiting":
        return []
    until = run.until.isoformat() if run.until else None
    return [{"run_id": run.id, "seq": run.asked, **_asks(asks), "default_at": until} for asks in run.state.questions]


def _asks(asks: Ambiguous) -> Found:
    return {
        "kind": asks.kind,
        "slot": asks.slot,
        "words": asks.words,
        "prompt": asks.prompt,
        "answers": asks.answers,
        "options": [asdict(option) for option in asks.options],
        "default": asks.default or None,
    }


def _by_default(state: object) -> list[str]:
    """What was taken because nobody answered in time."""
    given = [g for s in _chain(state) if isinstance(s, Clarifying | Specifying) for g in s.given if g.by_default]
    return [f"nobody answered in time, so {g.slot} is {g.value}, the default" for g in given]


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


def delegated_of(state: object) -> Delegating | None:
    """The automation that a state rests on, if it was handed to one."""
    return next((s for s in _chain(state) if isinstance(s, Delegating)), None)


def gathering_of(state: object) -> Gathering | None:
    """The parts that a state rests on, if its question was split."""
    return next((s for s in _chain(state) if isinstance(s, Gathering)), None)


def rows_of(state: object) -> Ran | None:
    """The validated rows that a state rests on, if there are any yet."""
    return next((s.ran for s in _chain(state) if isinstance(s, Interpreting)), None)


def intent_of(state: object) -> Intent | None:
    """The reading that a state rests on, if there is one yet."""
    return next((s.intent for s in _chain(state) if isinstance(s, Specifying)), None)
