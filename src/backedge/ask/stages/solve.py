"""Solving: SQL for what the semantic model cannot express. Without a model it refuses, with the reason."""

from __future__ import annotations

from backedge.ask import gates
from backedge.ask.permission import with_permission
from backedge.ask.ports import AskPorts, settings_of
from backedge.ask.proposals import Written
from backedge.ask.states import Diagnosing, Executing, Query, Solving
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable

NOT_PROVEN = "SQL was written for this; it is not proven by the semantic model"


async def propose(state: Solving, ports: AskPorts, lesson: Lesson) -> Written | Reply[Written] | Unreadable:
    """Write SQL."""
    return with_permission(await ports.solver.solve(state, lesson), state.came_from.came_from.question, ports)


def settle(state: Solving, written: Written) -> Settled[Executing]:
    """The SQL is run under the guard; nothing of it is trusted before."""
    notes = (NOT_PROVEN, *written.notes)
    query = Query("written", written.sql, written.params, database=written.database, notes=notes)
    return Settled(Executing(state, query))


def _asked(state: Solving) -> object:
    specifying = state.came_from
    clarifying = specifying.came_from
    told = (clarifying.question.text, specifying.intent.reading, clarifying.given, specifying.given)
    return (*told, state.spec, state.reason, state.outline)


SOLVING = Stage(
    Solving,
    Written,
    settle,
    propose,
    gates=(gates.is_permitted, gates.is_sound, gates.has_sql),
    otherwise=Diagnosing,
    inputs=_asked,
    settings=lambda ports: settings_of(ports.solver),
    model="solving",
)
