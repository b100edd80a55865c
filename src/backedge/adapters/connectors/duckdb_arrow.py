"""Reads what the DuckDB worker sends, Arrow IPC and column types, into a table whose cells are exact."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Literal

from backedge.query.table import Cell, Column, Kind, Table

_INTEGERS = frozenset(
    {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"}
    | {"BIGNUM"}
)
_INTEGERS_AS_TEXT = frozenset({"HUGEINT", "UHUGEINT", "BIGNUM"})
_KINDS: dict[str, Kind] = {
    "FLOAT": "double",
    "DOUBLE": "double",
    "VARCHAR": "text",
    "UUID": "text",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIME": "time",
    "INTERVAL": "interval",
}


def read_table(columns: list[tuple[str, str]], body: bytes, truncated: Literal["rows", "bytes"] | None) -> Table:
    """The table of an Arrow IPC stream (empty bytes: no rows). Raises ValueError for a date that Python cannot hold."""
    kinds = [_kind(engine_type) for _, engine_type in columns]
    cells = _cells(body, len(columns))
    for index, (_, engine_type) in enumerate(columns):
        if engine_type in _INTEGERS_AS_TEXT:
            cells[index] = [None if cell is None else int(str(cell)) for cell in cells[index]]
        elif kinds[index] == "decimal":
            cells[index] = [None if cell is None else Decimal(str(cell)) for cell in cells[index]]
        elif engine_type == "TIMESTAMP WITH TIME ZONE":
            cells[index] = [cell.replace(tzinfo=UTC) if isinstance(cell, datetime) else None for cell in cells[index]]
        elif engine_type == "INTERVAL":
            kinds[index], cells[index] = _intervals(cells[index])
    made = tuple(
        Column(name=name, type=engine_type, kind=kind) for (name, engine_type), kind in zip(columns, kinds, strict=True)
    )
    return Table(columns=made, rows=tuple(zip(*cells, strict=True)), truncated=truncated)


def _kind(engine_type: str) -> Kind:
    if engine_type in _INTEGERS:
        return "integer"
    if engine_type.startswith("DECIMAL(") and engine_type.endswith(")"):
        return "decimal"
    if engine_type.startswith("TIMESTAMP"):
        return "datetime"
    if engine_type.startswith("ENUM("):
        return "other" if engine_type.endswith("]") else "text"
    return _KINDS.get(engine_type, "other")


def _cells(body: bytes, width: int) -> list[list[object]]:
    if not body:
        return [[] for _ in range(width)]
    import nanoarrow as na
    from nanoarrow.ipc import InputStream

    try:
        array = na.ArrayStream(InputStream.from_readable(io.BytesIO(body))).read_all()
        return [list(array.child(index).to_pylist()) for index in range(width)]
    except OverflowError as error:
        raise ValueError(str(error)) from error


def _intervals(cells: list[object]) -> tuple[Kind, list[object]]:
    """Spans of days and time as `timedelta`; where one holds months, which have no fixed length, all become text."""
    spans = [cell for cell in cells if isinstance(cell, tuple)]
    exact = all(months == 0 and nanoseconds % 1000 == 0 for months, _, nanoseconds in spans)
    convert: Callable[[tuple[int, int, int]], Cell] = _timedelta if exact else _interval_text
    kind: Kind = "interval" if exact else "other"
    return kind, [convert((cell[0], cell[1], cell[2])) if isinstance(cell, tuple) else None for cell in cells]


def _timedelta(span: tuple[int, int, int]) -> Cell:
    return timedelta(days=span[1], microseconds=span[2] // 1000)


def _interval_text(span: tuple[int, int, int]) -> Cell:
    months, days, nanoseconds = span
    named = ((months, "month"), (days, "day"), (Decimal(nanoseconds) / 1_000_000_000, "second"))
    return " ".join(f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in named if count) or "0 days"
