"""Reads data for somebody: SQL held to row policies, or a request to the semantic model with its keys checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from backedge.ask.keys import KeyChecks
from backedge.ask.withheld import without_hidden_values
from backedge.kernel.defect import Defect, Permanent
from backedge.query.ports import Caps, Connector, Queried, Ran
from backedge.query.table import Cell
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model
from backedge.semantic.permit import Permitted, permitted_sql
from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import Compiled, Spec

Asker = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class PermittedData:
    """The databases of a project and its semantic model. `default` is the database of what names none."""

    model: Model
    connectors: Mapping[str, Connector]
    default: str
    keys: KeyChecks
    caps: Caps

    def dialect(self, database: str) -> str:
        """The SQL dialect of a database. Raises `Permanent` where there is no such database."""
        return self._connector(database).dialect

    async def sql(self, database: str, sql: str, asker: Asker, rows: int | None) -> Queried | tuple[Defect, ...]:
        """The rows of SQL held to what the asker may see, at most `rows`, or why there are none."""
        connector = self._connector(database)
        found = permitted_sql(
            self.model, sql, connector.dialect, database=database, default=self.default, attributes=asker
        )
        if not isinstance(found, Permitted):
            return found
        return await self._run(connector, found.sql, found.params, asker, rows)

    async def request(self, request: Mapping[str, object], asker: Asker) -> Queried | tuple[Defect, ...]:
        """The rows of a request to the semantic model, or why there are none."""
        spec = spec_from_json(request)
        if not isinstance(spec, Spec):
            return spec
        query = compile_spec(self.model, spec, attributes=asker)
        if not isinstance(query, Compiled):
            return query
        if shared := await self.keys.defects(query, spec.variables):
            return shared
        return await self._run(self._connector(query.datasource), query.sql, query.params, asker, None)

    async def _run(
        self, connector: Connector, sql: str, params: tuple[Cell, ...], asker: Asker, rows: int | None
    ) -> Queried | tuple[Defect, ...]:
        caps = replace(self.caps, rows=min(rows, self.caps.rows)) if rows else self.caps
        result = without_hidden_values(await connector.run(sql, params, caps), self.model, asker)
        if isinstance(result, Ran):
            return Queried(sql, result)
        return (Defect(f"sql_{result.kind}", result.message, "sql", near=result.near),)

    def _connector(self, database: str) -> Connector:
        name = database or self.default
        if name not in self.connectors:
            known = ", ".join(sorted(self.connectors)) or "none"
            raise Permanent(
                f"the database {name} is not configured (there is: {known})", mend=f"add {name} to config.yml"
            )
        return self.connectors[name]
