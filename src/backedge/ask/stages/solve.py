"""Solving: SQL for what the semantic model cannot express. Without a model it refuses, with the reason."""

from __future__ import annotations

from backedge.ask import gates
from backedge.ask.ports import AskPorts
from backedge.ask.proposals import Written
from backedge.ask.states import Diagnosing, Executing, Query, Solving
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable


async def propose(state: Solving, ports: AskPorts, lesson: Lesson) -> Written | Reply[Written] | Unreadable:
    """Write SQL."""
    return await ports.solver.solve(state, lesson)


def settle(state: Solving, written: Written) -> Settled[Executing]:
    """The SQL is run under the guard; nothing of it is trusted before."""
    return Settled(Executing(state, Query("written", written.sql, database=written.database)))


SOLVING = Stage(Solving, Written, settle, propose, gates=(gates.has_sql,), otherwise=Diagnosing)
