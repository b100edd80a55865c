"""Executing: the query runs on its database, and the rows are judged before anything is said of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from backedge.ask import gates
from backedge.ask.extent import extents, found_extents
from backedge.ask.partial import partial_periods
from backedge.ask.ports import AskPorts
from backedge.ask.probe import Probe, alone, deeper, findings
from backedge.ask.proposals import Investigated
from backedge.ask.rules import remarks, spoken
from backedge.ask.states import Diagnosing, Executing, Interpreting, Query
from backedge.ask.ties import after_the_cut, ties
from backedge.ask.withheld import without_hidden_values
from backedge.kernel.budget import Budget
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Lesson, Settled, Stage
from backedge.query.ports import Connector, Ran, Rejected
from backedge.query.table import Table
from backedge.semantic.compile import compile_spec
from backedge.semantic.policies import Attributes
from backedge.semantic.spec import Compiled, Spec

COUNTS = frozenset({"count", "count_distinct", "count_distinct_approx"})


async def propose(state: Executing, ports: AskPorts, lesson: Lesson) -> Ran | Rejected | Investigated:
    """Run the query under the caps; where it gives nothing, or a count of zero, find out which filter is to blame."""
    connector = _connector(state.query, ports)
    question = gates.question_of(state)
    raw = await connector.run(state.query.sql, state.query.params, ports.caps)
    result = without_hidden_values(raw, ports.catalog.model, question.asker)
    if isinstance(result, Ran) and state.query.spec is not None and gives_nothing(state.query, result.table):
        return await _investigated(state.query, result, ports, _Prober(ports, connector, question.asker))
    if isinstance(result, Ran) and state.query.spec is not None:
        prober = _Prober(ports, connector, question.asker)
        ran = await _with_ties(state.query, state.query.spec, result, prober)
        return await _with_extents(state.query.spec, ran, prober)
    return result


async def _with_ties(query: Query, spec: Spec, result: Ran, prober: _Prober) -> Ran:
    """A top or bottom N with whether the row behind its cut ties with the last one."""
    behind = after_the_cut(spec, result.table)
    following = await prober.run((behind,)) if behind else {}
    tied = any(ties(spec, query.columns, result.table, table) for table in following.values())
    return replace(result, tied=tied)


async def _with_extents(spec: Spec, ran: Ran, prober: _Prober) -> Ran:
    """A result with the days between which its dates hold data."""
    return replace(ran, extents=found_extents(await prober.run(extents(prober.ports.catalog.model, spec))))


def gives_nothing(query: Query, table: Table) -> bool:
    """Whether a result has no rows, no value in any measure, or is one count of zero."""
    measures = [i for i, column in enumerate(query.columns) if column.kind == "measure"]
    if all(row[i] is None for row in table.rows for i in measures):
        return bool(measures) or not table.rows
    counts = [i for i in measures if query.columns[i].type in COUNTS]
    return len(table.rows) == 1 and len(query.columns) == len(measures) and any(table.rows[0][i] == 0 for i in counts)


async def _investigated(query: Query, result: Ran, ports: AskPorts, prober: _Prober) -> Investigated:
    spec, model = query.spec, ports.catalog.model
    assert spec is not None
    held = await prober.run(alone(model, spec))
    zero = bool(result.table.rows) and any(cell == 0 for cell in result.table.rows[0])
    if not zero or any(not table.rows for table in held.values()):
        held |= await prober.run(deeper(model, spec, held))
        return Investigated(result, findings(spec, query.filters, held))
    return Investigated(result, ())


@dataclass(frozen=True)
class _Prober:
    """Looks into the data with the eyes of the asker."""

    ports: AskPorts
    connector: Connector
    attributes: Attributes

    async def run(self, probes: Iterable[Probe]) -> dict[Probe, Table]:
        """The rows of each probe. One that does not compile, or that the database refuses, tells nothing."""
        found = {}
        for probe in probes:
            model, dialect = self.ports.catalog.model, self.connector.dialect
            query = compile_spec(model, probe.spec, dialect, attributes=self.attributes)
            if isinstance(query, Compiled):
                result = await self.connector.run(query.sql, query.params, self.ports.caps)
                if isinstance(result, Ran):
                    found[probe] = result.table
        return found


def _connector(query: Query, ports: AskPorts) -> Connector:
    name = query.database or ports.default
    connector = ports.connectors.get(name)
    if connector is None:
        known = ", ".join(sorted(ports.connectors)) or "none"
        raise Permanent(f"the database {name} is not configured (there is: {known})", mend=f"add {name} to config.yml")
    return connector


def settle(state: Executing, result: Ran | Rejected | Investigated) -> Settled[Interpreting]:
    """Validated rows go on, with what must be said beside them."""
    assert not isinstance(result, Rejected)
    rows = result.ran if isinstance(result, Investigated) else result
    question, query = gates.question_of(state), state.query
    result_of = gates.judged(state, rows.table)
    said, old = remarks(result_of, question.rules), spoken(result_of, question.rules)
    if query.spec is None:
        return Settled(Interpreting(state, rows, remarks=said, spoken=old))
    parts = partial_periods(query.spec, query.columns, rows.table, rows.extents, question.today)
    return Settled(Interpreting(state, rows, remarks=(*said, *parts.noted), spoken=(*old, *parts.spoken)))


EXECUTING: Stage[Executing, Ran | Rejected | Investigated] = Stage(
    Executing,
    Ran | Rejected | Investigated,
    settle,
    propose,
    gates=gates.RESULT_GATES,
    otherwise=Diagnosing,
    budget=Budget(max_retries=0),
)
