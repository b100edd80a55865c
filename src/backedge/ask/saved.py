"""Runs a saved query: each of its steps compiled, its keys checked and its SQL run, or the reasons why it was not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backedge.ask.keys import KeyChecks
from backedge.ask.withheld import without_hidden_values
from backedge.kernel.defect import Defect
from backedge.query.ports import Caps, Connector, Ran
from backedge.query.table import Table
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model
from backedge.semantic.policies import Attributes
from backedge.semantic.saved_queries import SavedQuery, Step, step_specs
from backedge.semantic.spec import Compiled, Spec, Value


@dataclass(frozen=True)
class StepResult:
    """One step: its query and rows, or the defects that refused it."""

    step: Step
    query: Compiled | None = None
    table: Table | None = None
    notes: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True)
class Saver:
    """What running saved queries needs, for somebody with `attributes`."""

    model: Model
    connectors: Mapping[str, Connector]
    default: str
    keys: KeyChecks
    attributes: Attributes
    caps: Caps

    async def run(self, saved: SavedQuery, given: Mapping[str, Value]) -> tuple[StepResult, ...] | tuple[Defect, ...]:
        """The result of each step in order; only defects where the parameters are wrong."""
        specs = step_specs(saved, given)
        defects = tuple(spec for spec in specs if isinstance(spec, Defect))
        if defects:
            return defects
        pairs = zip(saved.steps, specs, strict=True)
        return tuple([await self._step(step, spec) for step, spec in pairs if not isinstance(spec, Defect)])

    async def _step(self, step: Step, spec: Spec | tuple[Defect, ...]) -> StepResult:
        if not isinstance(spec, Spec):
            return StepResult(step, defects=spec)
        query = compile_spec(self.model, spec, attributes=self.attributes)
        if not isinstance(query, Compiled):
            return StepResult(step, defects=query)
        connector = self.connectors.get(query.datasource or self.default)
        if connector is None:
            where = query.datasource or self.default
            return StepResult(step, query, defects=(Defect("no_database", f"the database {where} is not configured"),))
        shared = await self.keys.defects(query, spec.variables)
        if shared:
            return StepResult(step, query, defects=shared)
        raw = await connector.run(query.sql, query.params, self.caps)
        result = without_hidden_values(raw, self.model, self.attributes)
        if not isinstance(result, Ran):
            return StepResult(step, query, defects=(Defect(f"sql_{result.kind}", result.message, near=result.near),))
        return StepResult(step, query, result.table, (*query.notes, *result.notes))
