"""Waiting for ingests: sources that registries named are brought in, then the library is searched again."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence.inquire.states import AwaitingIngests, Executing
from backedge.kernel.stage import ChildEnd, Settled, Stage


def settle(state: AwaitingIngests, ended: ChildEnd) -> Settled[AwaitingIngests | Executing]:
    """One that failed is in its own journal; the others are searched all the same."""
    if state.done + 1 < state.of:
        return Settled(replace(state, done=state.done + 1))
    again = Executing(state.inquiry, state.plan, state.round, state.gap, state.executed, ingested=True)
    return Settled(again)


AWAITING_INGESTS = Stage(state=AwaitingIngests, proposal=ChildEnd, settle=settle)
