"""Judges a finished run anew: folds its journal, and holds every accepted proposal against its stage's gates again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from backedge.kernel.codec import CodecError
from backedge.kernel.decide import EdgeError, Write, judge
from backedge.kernel.journal import Moved, Refused, Stored
from backedge.kernel.ports import Head
from backedge.kernel.run import Run, apply, fold
from backedge.kernel.stage import Record, Unreadable
from backedge.kernel.workflow import Workflow

# What reading, gating and settling raise on what no run of this code ever wrote.
BROKEN = (ValueError, TypeError, LookupError, AttributeError, AssertionError, ArithmeticError, CodecError, EdgeError)


@dataclass(frozen=True)
class Refolded:
    """A run judged anew. `moves` are (entry, what is wrong with it) of every accepted proposal.

    `records` are what the moves make, `accepted` (stage, proposal) in their order; `wrong` speaks of the whole.
    """

    run_id: str
    workflow: str
    moves: tuple[tuple[int, str], ...]
    records: tuple[Record, ...]
    accepted: tuple[tuple[str, Any], ...]
    children: tuple[str, ...]
    run: Run | None
    wrong: str = ""


def refolded(workflow: Workflow, head: Head, entries: tuple[Stored, ...]) -> Refolded:
    """The run of a journal, with what its gates say of it now. A journal that cannot be folded is told as such."""
    made = _Refold(workflow, head.id)
    try:
        made.through(entries)
    except BROKEN as broken:
        return made.result(f"the journal cannot be read behind entry {made.at}: {broken}")
    run = made.run
    told = (head.state, head.status, head.seq)
    if run is None or told != (type(run.state).__name__, run.status, run.seq):
        return made.result("the list of runs says otherwise than the journal how it stands")
    return made.result("")


class _Refold:
    def __init__(self, workflow: Workflow, run_id: str) -> None:
        self._workflow = workflow
        self._id = run_id
        self._moves: list[tuple[int, str]] = []
        self._records: list[Record] = []
        self._accepted: list[tuple[str, Any]] = []
        self._children: list[str] = []
        self.run: Run | None = None
        self.at = 0

    def through(self, entries: tuple[Stored, ...]) -> None:
        """All entries, in order."""
        self.run = fold(self._workflow, self._id, entries[:1])
        for stored in entries[1:]:
            self.at = stored.seq
            if stored.seq != self.run.seq:
                raise ValueError(f"entry {self.run.seq} is missing")
            after = apply(self.run, stored)
            if isinstance(stored.entry, Moved):
                self._children += stored.entry.children
                self._move(self.run, stored.seq, stored.entry, after)
            self.run = after

    def _move(self, before: Run, seq: int, entry: Moved, after: Run) -> None:
        pending = before.pending
        if entry.otherwise:
            return
        if pending is None or entry.proposal != pending.seq:
            self._moves.append((seq, "it accepts no proposal that the journal has"))
            return
        stage = type(before.state).__name__
        try:
            self._moves.append((seq, "; ".join(self._judged(before, after))))
        except BROKEN as broken:
            self._moves.append((seq, f"{stage} cannot be judged anew: {broken}"))
        if not isinstance(pending.value, Unreadable):
            self._accepted.append((stage, pending.value))

    def _judged(self, before: Run, after: Run) -> Iterator[str]:
        write: Write = judge(before)
        first = write.entries[0]
        stage = type(before.state).__name__
        if isinstance(first, Refused):
            yield f"{stage} would be refused now: {'; '.join(defect.message for defect in first.defects)}"
            return
        assert isinstance(first, Moved)
        if before.workflow.codec.read(first.state, before.values.__getitem__) != after.state:
            yield f"{stage} leads to another state than the journal says"
        self._records += write.records

    def result(self, wrong: str) -> Refolded:
        """What was found so far."""
        return Refolded(
            self._id,
            self._workflow.name,
            tuple(self._moves),
            tuple(self._records),
            tuple(self._accepted),
            tuple(self._children),
            self.run,
            wrong,
        )
