"""The provenance of a run: one activity per attempt, with what it used, what it made and who or what did it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from backedge.kernel.budget import Usage
from backedge.kernel.defect import Defect
from backedge.kernel.journal import Moved, Proposed, Ref, Refused, Stored


@dataclass(frozen=True)
class Activity:
    """One attempt. `used` is the seq of the state it read, `made` of its proposal, `led_to` of the next state.

    `outcome` is accepted, given up, open, or the kind of its failure; `key` is equal for attempts on equal inputs.
    """

    stage: str
    attempt: int
    used: int
    at: datetime
    outcome: str
    made: int | None = None
    led_to: int | None = None
    by: str = ""
    key: str = ""
    ms: int = 0
    usage: Usage | None = None
    reused: Ref | None = None
    defects: tuple[Defect, ...] = ()
    message: str = ""
    details: dict[str, JsonValue] = field(default_factory=dict)


def activities(entries: Iterable[Stored]) -> tuple[Activity, ...]:
    """Every attempt of a journal, in order."""
    done: list[Activity] = []
    state, kept = 0, None
    for stored in entries:
        match stored.entry:
            case Proposed() as p:
                kept = (stored, p)
                done.append(_proposed(stored, p, state, "open"))
            case Refused() as r if kept and r.proposal == kept[0].seq:
                done[-1] = _proposed(*kept, state, "defects", defects=r.defects)
            case Refused() as r:
                facts = {"ms": r.ms, "usage": r.usage, "message": r.message, "details": r.details}
                done.append(Activity(r.stage, r.attempt, state, stored.at, r.failure, **facts))  # type: ignore[arg-type]
            case Moved() as m:
                if kept and m.proposal == kept[0].seq and not m.otherwise:
                    done[-1] = _proposed(*kept, state, "accepted", led_to=stored.seq)
                state = stored.seq
            case _:
                pass
    return tuple(done)


def _proposed(
    stored: Stored, p: Proposed, used: int, outcome: str, *, led_to: int | None = None, defects: tuple[Defect, ...] = ()
) -> Activity:
    made = (stored.seq, led_to, p.by, p.key, p.ms, p.usage, p.reused, defects, "", p.details)
    return Activity(p.stage, p.attempt, used, stored.at, outcome, *made)
