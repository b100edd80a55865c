"""A table as a Parquet file, written by DuckDB in this process: decimals, dates and times keep their types."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from backedge.query.csv_text import plain_cell
from backedge.query.table import Cell, Column, Table

_TYPES = {
    "double": "DOUBLE",
    "text": "VARCHAR",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "time": "TIME",
    "interval": "INTERVAL",
    "other": "VARCHAR",
}
_SMALL = 2**63


def parquet(table: Table) -> bytes:
    """The bytes of the file. It blocks: call it in a thread."""
    import duckdb

    names = _distinct([column.name for column in table.columns])
    casts = []
    for at, column in enumerate(table.columns):
        kind = _type(column, [row[at] for row in table.rows])
        casts.append(f"cast(c{at} as {kind}) as {_quoted(names[at])}")
    with tempfile.TemporaryDirectory() as folder:
        lines, made = Path(folder) / "rows.json", Path(folder) / "rows.parquet"
        with lines.open("w", encoding="utf-8") as file:
            for row in table.rows:
                file.write(json.dumps({f"c{at}": plain_cell(cell) for at, cell in enumerate(row)}) + "\n")
        columns = ", ".join(f"c{at}: 'VARCHAR'" for at in range(len(table.columns)))
        source = f"read_json({_text(lines)}, format = 'newline_delimited', columns = {{{columns}}})"
        with duckdb.connect() as connection:
            connection.execute(f"copy (select {', '.join(casts)} from {source}) to {_text(made)} (format parquet)")
        return made.read_bytes()


def _type(column: Column, cells: list[Cell]) -> str:
    if column.kind == "integer":
        return "BIGINT" if all(cell is None or -_SMALL <= int(str(cell)) < _SMALL for cell in cells) else "HUGEINT"
    if column.kind == "decimal":
        places = max((len(f"{cell:f}".partition(".")[2]) for cell in cells if cell is not None), default=0)
        return f"DECIMAL(38, {min(places, 38)})"
    if column.kind == "datetime":
        aware = any(getattr(cell, "tzinfo", None) is not None for cell in cells)
        return "TIMESTAMPTZ" if aware else "TIMESTAMP"
    return _TYPES[column.kind]


def _distinct(names: list[str]) -> list[str]:
    """Two columns of one name would be one column of the file."""
    return [name if name not in names[:at] else f"{name}_{at + 1}" for at, name in enumerate(names)]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
