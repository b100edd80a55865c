"""Supplemental rounds: the plan's expansions are run for a coverage gap, two rounds at most; then it stays open."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.inquire.states import Executing, Resolving, Supplementing
from backedge.kernel.stage import Lesson, Settled, Stage

ROUNDS = 2


@dataclass(frozen=True)
class Supplement:
    """Whether another round is run, and why not."""

    runs: bool
    why_not: str = ""


async def propose(state: Supplementing, ports: InquirePorts, lesson: Lesson) -> Supplement:
    """Another round while the gap's budget lasts and the plan says how to widen the search."""
    if state.round >= ROUNDS:
        return Supplement(False, f"{ROUNDS} supplemental rounds were run")
    if not state.plan.expansions:
        return Supplement(False, "the plan has no expansions")
    return Supplement(True)


def settle(state: Supplementing, said: Supplement) -> Settled[Executing | Resolving]:
    """The next round, linked to its gap; or on with nothing, the gap open."""
    if said.runs:
        return Settled(Executing(state.inquiry, state.plan, state.round + 1, state.gap, state.executions))
    return Settled(Resolving(state.inquiry, (), (state.gap,)))


SUPPLEMENTING = Stage(state=Supplementing, proposal=Supplement, propose=propose, settle=settle, outside=False)
