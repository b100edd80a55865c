"""The keep workflow: what somebody says about an answer (feedback, a share, an example) becomes a record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from pydantic import JsonValue

from backedge.kernel.journal import Context
from backedge.kernel.stage import Lesson, Record, Settled, Stage
from backedge.kernel.workflow import Workflow

NoteKind = Literal["feedback", "share", "unshare", "example"]
NOTE_KINDS: tuple[NoteKind, ...] = get_args(NoteKind)


@dataclass(frozen=True)
class Note:
    """What is to be kept. A key is written once: nothing that was said is changed, something new is said."""

    kind: NoteKind
    key: str
    body: dict[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Keeping:
    """A note is to be recorded, as `by` said it on that day."""

    note: Note
    by: str
    day: str


@dataclass(frozen=True)
class Kept:
    """The end: the record is written."""

    key: str


async def propose(state: Keeping, ports: object, lesson: Lesson) -> Note:
    """The note as it was said."""
    return state.note


def settle(state: Keeping, note: Note) -> Settled[Kept]:
    """The record, with who said it and when."""
    body: dict[str, JsonValue] = {**note.body, "by": state.by, "day": state.day}
    return Settled(Kept(note.key), records=(Record(note.kind, note.key, body),))


def begin(note: Note, context: Context) -> Keeping:
    """Whoever starts it says it, today."""
    return Keeping(note, context.by, context.today.isoformat())


KEEPING = Stage(Keeping, Note, settle, propose, outside=False)

KEEP = Workflow(name="keep", start=Keeping, edges={Keeping: (Kept,)}, stages=(KEEPING,), begin=begin)
