"""Supplemental rounds: the plan's expansions are run for a coverage gap, two rounds at most; then it stays open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.inquire.rounds import why_no_round
from backedge.evidence.inquire.states import Executing, Resolving, Supplementing
from backedge.kernel.stage import Lesson, Settled, Stage


@dataclass(frozen=True)
class Supplement:
    """Whether another round is run: `refused` says why not, and is empty where it is."""

    refused: str = ""


async def propose(state: Supplementing, ports: InquirePorts, lesson: Lesson) -> Supplement:
    """Another round while the gap's budget lasts and the plan says how to widen the search."""
    return Supplement(why_no_round(state.plan, state.round + 1))


def settle(state: Supplementing, said: Supplement) -> Settled[Executing | Resolving]:
    """The next round, linked to its gap; or on with nothing: the gap stays open, and says why no more is done."""
    if not said.refused:
        return Settled(Executing(state.inquiry, state.plan, state.round + 1, state.gap, state.executed))
    gap = replace(state.gap, refused=said.refused)
    record = kinds.GAP.record(kinds.Gap(state.inquiry.key, gap))
    return Settled(Resolving(state.inquiry, None, (gap,)), records=(record,))


SUPPLEMENTING = Stage(state=Supplementing, proposal=Supplement, propose=propose, settle=settle, outside=False)
