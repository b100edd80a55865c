"""Executing: the query runs on its database, and the rows are judged before anything is said of them."""

from __future__ import annotations

from backedge.ask import gates
from backedge.ask.ports import AskPorts
from backedge.ask.states import Diagnosing, Executing, Interpreting
from backedge.kernel.budget import Budget
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Lesson, Settled, Stage
from backedge.query.ports import Ran, Rejected


async def propose(state: Executing, ports: AskPorts, lesson: Lesson) -> Ran | Rejected:
    """Run the query under the caps."""
    name = state.query.database or ports.default
    connector = ports.connectors.get(name)
    if connector is None:
        known = ", ".join(sorted(ports.connectors)) or "none"
        raise Permanent(f"the database {name} is not configured (there is: {known})", mend=f"add {name} to config.yml")
    return await connector.run(state.query.sql, state.query.params, ports.caps)


def settle(state: Executing, result: Ran | Rejected) -> Settled[Interpreting]:
    """Validated rows go on."""
    assert isinstance(result, Ran)
    return Settled(Interpreting(state, result))


EXECUTING: Stage[Executing, Ran | Rejected] = Stage(
    Executing,
    Ran | Rejected,
    settle,
    propose,
    gates=(gates.ran, gates.well_formed, gates.not_empty, gates.not_all_null, gates.no_duplicate_groups),
    otherwise=Diagnosing,
    budget=Budget(max_retries=0),
)
