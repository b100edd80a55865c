"""Restricting: an operator forbids a source for a reason, or allows it again; who did is kept."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.facts import Mark
from backedge.evidence.refresh.ports import RefreshPorts
from backedge.evidence.refresh.states import Rejudging, Restricting
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Restricting, ports: RefreshPorts, lesson: Lesson) -> Mark:
    """The mark, numbered as the source's next."""
    asked = state.asked
    before = await ports.library.all(kinds.MARK, f"{asked.source}/")
    number = max((mark.number for mark in before), default=0) + 1
    return Mark(asked.source, number, asked.by, asked.reason, asked.lifted)


def mark_has_a_reason(_state: Restricting, mark: Mark) -> Defect | None:
    """Who marks a source says why."""
    if mark.reason.strip():
        return None
    return Defect("reason_missing", "a mark needs a reason", "reason", "say why with --because", retryable=False)


def settle(state: Restricting, mark: Mark) -> Settled[Rejudging]:
    """The source is judged anew with it."""
    return Settled(Rejudging((mark.source,), 0, news=(mark.source,)), records=(kinds.MARK.record(mark),))


RESTRICTING = Stage(state=Restricting, proposal=Mark, propose=propose, settle=settle, gates=(mark_has_a_reason,))
