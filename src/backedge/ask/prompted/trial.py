"""Tries written SQL before it may run: the guard, what the asker may see, the plan, a few rows, its joins counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from backedge.ask.withheld import without_hidden_values
from backedge.kernel.defect import Defect
from backedge.query.ports import Caps, Connector, Ran, Rejected
from backedge.query.sqlguard import guard
from backedge.query.sqljoins import Counts, JoinCheck, JoinedSql, read_joins
from backedge.query.sqlrepeats import repeats
from backedge.semantic.model import Model
from backedge.semantic.permit import Permitted, permitted_sql
from backedge.semantic.policies import Attributes

PREVIEW = Caps(rows=5, seconds=20)
COUNTING = Caps(rows=1, seconds=20)
_HINT = "bring the other side to one row for each first (GROUP BY or DISTINCT in a subquery), or use EXISTS"


@dataclass(frozen=True)
class Tried:
    """What a trial found: why the SQL may not run, and what is kept of its preview beside the proposal."""

    defects: tuple[Defect, ...] = ()
    details: dict[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """Tries SQL on one database with the eyes of one asker. Nothing runs that row policies were not applied to."""

    model: Model
    connector: Connector
    default: str
    asker: Attributes

    async def of(self, sql: str) -> Tried:
        """The objections of the first lock that has any; what may not be seen at all is for the stage to refuse."""
        tables = {table.name: [name for name, _ in table.columns] for table in await self.connector.catalog()}
        guarded = guard(sql, self.connector.dialect, tables, caps_rows=PREVIEW.rows)
        if isinstance(guarded, Rejected):
            return Tried((_objection(guarded),))
        permitted = self._permitted(sql)
        if permitted is None:
            return Tried()
        plan = await self.connector.explain(permitted.sql, permitted.params)
        if isinstance(plan, Rejected):
            return Tried((self._seen(plan),))
        rows = await self._run(sql, PREVIEW)
        if not isinstance(rows, Ran):
            return Tried((self._seen(rows),))
        found, defects = await self._joins(sql, tables)
        columns: list[JsonValue] = [f"{column.name} {column.type}" for column in rows.table.columns]
        return Tried(defects, {"preview": {"columns": columns, "rows": len(rows.table.rows), "joins": found}})

    async def _joins(self, sql: str, tables: Mapping[str, Sequence[str]]) -> tuple[list[JsonValue], tuple[Defect, ...]]:
        """The rows on both sides of each join, and the aggregates that count some of them more than once."""
        joined = read_joins(sql, self.connector.dialect, tables)
        if not isinstance(joined, JoinedSql):
            hint = "give each table an alias and write it before each column"
            return [], (Defect("joins_not_read", f"its joins cannot be followed: {joined}", "sql", hint),)
        checks: dict[int, JoinCheck] = {}
        counted: dict[int, Counts] = {}
        for check in joined.checks():
            counts = await self._counted(check)
            if isinstance(counts, Counts):
                counted[check.place] = counts
            checks[check.place] = replace(check, reason=counts) if isinstance(counts, str) else check
        told: list[JsonValue] = [_told(check, counted.get(place)) for place, check in checks.items()]
        found = repeats(joined, checks, counted)
        return told, tuple(Defect("join_repeats_rows", repeat.told, "sql", _HINT) for repeat in found)

    async def _counted(self, check: JoinCheck) -> Counts | str:
        if not check.sql:
            return check.reason
        result = without_hidden_values(await self._run(check.sql, COUNTING), self.model, self.asker)
        if isinstance(result, Ran) and result.table.rows:
            return Counts.of([cell if isinstance(cell, int) else 0 for cell in result.table.rows[0]])
        return result.message if isinstance(result, Rejected) else "no count came back"

    async def _run(self, sql: str, caps: Caps) -> Ran | Rejected:
        permitted = self._permitted(sql)
        if permitted is None:
            return Rejected("sql", "row policies cannot be applied to it")
        return await self.connector.run(permitted.sql, permitted.params, caps)

    def _permitted(self, sql: str) -> Permitted | None:
        dialect, database = self.connector.dialect, self.connector.name
        found = permitted_sql(self.model, sql, dialect, database=database, default=self.default, attributes=self.asker)
        return found if isinstance(found, Permitted) else None

    def _seen(self, rejected: Rejected) -> Defect:
        shown = without_hidden_values(rejected, self.model, self.asker)
        assert isinstance(shown, Rejected)
        return _objection(shown)


def _objection(rejected: Rejected) -> Defect:
    return Defect(f"sql_{rejected.kind}", rejected.message, "sql", near=rejected.near)


def _told(check: JoinCheck, counts: Counts | None) -> JsonValue:
    if counts is None:
        return {"sources": list(check.sources), "not_counted": check.reason}
    sides: dict[str, JsonValue] = {
        name: {"rows": own, "in_the_join": within, "different": different}
        for name, (own, within, different) in zip(check.sources, counts.sources, strict=True)
    }
    return {"sources": sides, "joined": counts.joined}
