"""The events of a run: what its journal says happened, one form for every stream and every page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from backedge.kernel.budget import Usage
from backedge.kernel.journal import Moved, Proposed, Refused, Started, Stopped, Stored
from backedge.web.services import Runs

EventType = Literal["started", "proposed", "refused", "moved", "stopped"]
OVER = ("ended", "stopped")
BEAT = 15.0  # seconds of silence after which a stream says that it is alive


@dataclass(frozen=True)
class Event:
    """One event. `seq` is its place in the run; `stage` the state it is about; `data` depends on the type.

    proposed: attempt, ms, by, model, usage. refused: attempt, failure, defects, message. moved: to, because,
    children, gave_up (because of the defects, instead of going on).
    """

    seq: int
    at: str
    type: EventType
    stage: str
    data: dict[str, Any] = field(default_factory=dict)


def events_of(entries: Iterable[Stored], stage: str = "") -> tuple[Event, ...]:
    """The events of entries; `stage` is the state before the first of them."""
    found = []
    for stored in entries:
        event = _event(stored, stage)
        found.append(event)
        stage = event.data.get("to", stage)
    return tuple(found)


def _event(stored: Stored, stage: str) -> Event:
    at, entry = stored.at.isoformat(), stored.entry
    match entry:
        case Started():
            data: dict[str, Any] = {"again": entry.again, "by": entry.by or entry.context.by}
            if not entry.again:
                data["to"] = name_of(entry.state)
            return Event(stored.seq, at, "started", stage, data)
        case Proposed():
            data = {"attempt": entry.attempt, "ms": entry.ms, "by": entry.by, "reused": entry.reused is not None}
            return Event(stored.seq, at, "proposed", entry.stage, {**data, **_asked(entry.details, entry.usage)})
        case Refused():
            defects = [{"kind": d.kind, "message": d.message} for d in entry.defects]
            data = {"attempt": entry.attempt, "failure": entry.failure, "defects": defects, "message": entry.message}
            data["until"] = entry.until.isoformat() if entry.until else None
            return Event(stored.seq, at, "refused", entry.stage, {**data, **_asked(entry.details, entry.usage)})
        case Moved():
            because = [{"kind": d.kind, "message": d.message} for d in entry.because]
            data = {"to": name_of(entry.state) or stage, "because": because, "children": list(entry.children)}
            data["gave_up"] = entry.otherwise
            return Event(stored.seq, at, "moved", stage, data)
        case Stopped():
            data = {"reason": entry.reason, "resumable": entry.resumable, "mend": entry.mend, "by": entry.by}
            return Event(stored.seq, at, "stopped", stage, data)


def _asked(details: dict[str, Any], usage: Usage | None) -> dict[str, Any]:
    """The model that was asked, where one was, and what that used."""
    if "prompt_text" not in details:
        return {}
    used = asdict(usage) if usage else None
    return {"model": f"{details.get('vendor')}:{details.get('model')}", "usage": used}


def name_of(state: Any) -> str:
    """The name of a state as it is stored."""
    return str(state.get("$", "")) if isinstance(state, dict) else ""


async def following(runs: Runs, run_id: str, after: int) -> AsyncIterator[tuple[Event, ...]]:
    """The events behind `after` as they come, until the run rests for good; an empty one is a beat of silence.

    A run that waits for a person goes on being followed: it may be answered elsewhere.
    """
    before = await runs.entries(run_id)
    stage = _stage_at(before, after)
    while True:
        entries = await runs.entries(run_id, after)
        found = events_of(entries, stage)
        if found:
            after, stage = found[-1].seq, found[-1].data.get("to", found[-1].stage)
        yield found
        if not found and (await runs.head(run_id)).status in OVER:
            return
        await runs.changed(run_id, after, BEAT if (await runs.head(run_id)).status not in OVER else 0.0)


def _stage_at(entries: Iterable[Stored], seq: int) -> str:
    stage = ""
    for event in events_of(entries):
        if event.seq > seq:
            break
        stage = event.data.get("to", event.stage)
    return stage
