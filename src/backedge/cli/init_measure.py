"""Measures the tables of a database for `backedge init`: all rows, by few queries through the connector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from backedge.query.ports import Caps, Connector, Ran, TableInfo
from backedge.semantic.draft_keys import Key, Reference, key_candidates, references
from backedge.semantic.profile import (
    EXACT_UP_TO,
    Column,
    TableProfile,
    chunks,
    counted,
    counting,
    groups,
    has_top,
    kind_of_type,
    measured,
    measuring,
    orphans,
)
from backedge.semantic.refusal import Refused

_CAPS = Caps(rows=5_000, seconds=600.0)
_FILES = (".csv", ".tsv", ".parquet")


class _NotMeasured(Exception):
    """The database rejected a query about a table; the message says why."""


@dataclass(frozen=True)
class Measured:
    """What the data says: tables, their keys, and references with their orphans counted; `skipped` are (table, why)."""

    tables: tuple[TableProfile, ...] = ()
    keys: Mapping[str, Key] = field(default_factory=dict)
    references: tuple[Reference, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()


async def measure(connector: Connector) -> Measured:
    """Measure every table. One that cannot be read, or cannot be measured, is skipped with its reason."""
    tables: list[TableProfile] = []
    skipped: list[tuple[str, str]] = []
    for info in _own_names(await connector.catalog()):
        if not info.columns:
            skipped.append((info.name, " ".join(info.notes) or "it has no columns"))
            continue
        try:
            tables.append(await _table(connector, info))
        except (_NotMeasured, Refused) as error:
            skipped.append((info.name, str(error)))
    keys = {table.name: key for table in tables if (key := await _key(connector, table, tables))}
    found = [replace(r, orphans=await _orphans(connector, r)) for r in references(tables, keys)]
    return Measured(tuple(tables), keys, tuple(found), tuple(skipped))


def _own_names(tables: Sequence[TableInfo]) -> list[TableInfo]:
    """The tables, each once: a file is also called by its stem, and the file's own name is the one to keep."""
    stems = {PurePath(t.name).stem.casefold() for t in tables if t.name.lower().endswith(_FILES)}
    return [t for t in tables if t.name.casefold() not in stems or not " ".join(t.notes).startswith("the rows of `")]


async def _rows(connector: Connector, sql: str) -> tuple[tuple[object, ...], ...]:
    result = await connector.run(sql, (), _CAPS)
    if not isinstance(result, Ran):
        raise _NotMeasured(result.message)
    return result.table.rows


async def _table(connector: Connector, info: TableInfo) -> TableProfile:
    unmeasured = [Column(name, kind, kind_of_type(kind)) for name, kind in info.columns]
    exact = info.rows is not None and info.rows <= EXACT_UP_TO
    rows, columns = 0, list[Column]()
    for part in chunks(unmeasured):
        rows, found = measured(part, (await _rows(connector, measuring(info.name, part, exact=exact)))[0])
        columns += found
    filled = await _with_top(connector, info.name, columns)
    return TableProfile(info.name, rows, tuple(filled), not exact, info.notes)


async def _with_top(connector: Connector, table: str, columns: Sequence[Column]) -> list[Column]:
    top: dict[str, tuple[str, ...]] = {}
    for part in chunks([column for column in columns if has_top(column)]):
        if part:
            held = await _rows(connector, counting(table, part))
            top.update({column.name: counted(held, place) for place, column in enumerate(part)})
    return [replace(column, top=top.get(column.name, ())) for column in columns]


async def _key(connector: Connector, table: TableProfile, others: Sequence[TableProfile]) -> Key:
    """The likeliest key that no two rows share; counted on all rows."""
    singles: list[Key] = []
    pairs: list[Key] = []
    for key in key_candidates(table, others):
        (singles if len(key) == 1 else pairs).append(key)
    for candidates in (singles, pairs):
        if candidates:
            different = (await _rows(connector, groups(table.name, candidates)))[0]
            proven = [key for key, count in zip(candidates, different, strict=True) if count == table.rows]
            if proven:
                return proven[0]
    return ()


async def _orphans(connector: Connector, reference: Reference) -> int:
    sql = orphans(reference.table, reference.column, reference.other, reference.key)
    return int(str((await _rows(connector, sql))[0][0]))
