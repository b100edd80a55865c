"""The schema of a database as a file keeps it, and what has changed since it was kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from backedge.kernel.defect import Permanent
from backedge.query.ports import Connector, TableInfo

FORM = "backedge.schema/1"


@dataclass(frozen=True)
class Synced:
    """A schema that was read and kept in `file`: how much is in it, and what has changed since it was kept before."""

    file: Path
    tables: int
    columns: int
    changes: tuple[str, ...]
    is_first: bool


async def sync_schema(connector: Connector, file: Path) -> Synced:
    """Read what is in a database and keep it in `file`. Raises what the connector does, and `Permanent`."""
    tables = await connector.catalog()
    before = _kept_before(file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"{file.name}.{os.getpid()}")
        form = kept(connector.name, connector.dialect, tables)
        part.write_text(json.dumps(form, indent=1, ensure_ascii=False), encoding="utf-8")
        part.replace(file)
    except OSError as error:
        raise Permanent(f"{file} cannot be written: {error.strerror}", mend="make its folder writable") from error
    now = {table.name: dict(table.columns) for table in tables}
    said = changes(before, now) if before is not None else ()
    return Synced(file, len(now), sum(map(len, now.values())), said, before is None)


def _kept_before(file: Path) -> dict[str, dict[str, str]] | None:
    try:
        return columns_in(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def kept(database: str, dialect: str, tables: tuple[TableInfo, ...]) -> dict[str, object]:
    """The form of the file: every table with its columns, comments and keys. Counts of rows are not part of it."""
    shown = [{name: value for name, value in asdict(table).items() if name != "rows"} for table in tables]
    return {"schema": FORM, "database": database, "dialect": dialect, "tables": shown}


def columns_in(form: object) -> dict[str, dict[str, str]] | None:
    """The columns (name to type) of each table that a file keeps, or None where it is no such file."""
    if not isinstance(form, Mapping) or form.get("schema") != FORM:
        return None
    return {str(t["name"]): {str(name): str(kind) for name, kind in t["columns"]} for t in form["tables"]}


def changes(before: Mapping[str, Mapping[str, str]], after: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """What is new, gone or of another type, as sentences in the order of the names."""
    return tuple(said for table in sorted({*before, *after}) for said in _changed(table, before, after))


def _changed(
    table: str, before: Mapping[str, Mapping[str, str]], after: Mapping[str, Mapping[str, str]]
) -> Iterator[str]:
    if table not in before:
        yield f"table {table} is new"
    elif table not in after:
        yield f"table {table} is gone"
    else:
        old, new = before[table], after[table]
        yield from (f"column {table}.{name} is new ({new[name]})" for name in new if name not in old)
        yield from (f"column {table}.{name} is gone" for name in old if name not in new)
        kept_names = (name for name in new if name in old and new[name] != old[name])
        yield from (f"column {table}.{name} was {old[name]} and is {new[name]}" for name in kept_names)
