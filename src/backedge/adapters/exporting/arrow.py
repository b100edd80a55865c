"""A table as Arrow, for whatever reads its stream (pandas, Polars, DuckDB, PyArrow): exact, without a copy as text."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from backedge.query.table import Cell, Column, Table

_EPOCH, _DAY, _MICROSECOND = date(1970, 1, 1), datetime(1970, 1, 1), timedelta(microseconds=1)
_PLACES, _SMALL, _LARGE = 38, 2**63, 10**38


class ArrowTable:
    """The rows of an answer behind Arrow's C interfaces. Integers wider than 64 bits are decimals without places.

    nanoarrow 0.9 itself reads a negative decimal wrongly, so this is no nanoarrow array; every other reader is right.
    """

    def __init__(self, array: Any) -> None:
        self._array = array

    def __len__(self) -> int:
        return int(self._array.length)

    def __arrow_c_schema__(self) -> object:
        return self._array.schema.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self._array.__arrow_c_array__(requested_schema=requested_schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        import nanoarrow as na

        return na.c_array_stream(self._array).__arrow_c_stream__(requested_schema=requested_schema)


def arrow(table: Table) -> ArrowTable:
    """The table. Two columns of one name stay two."""
    import nanoarrow as na

    cells = [[row[at] for row in table.rows] for at in range(len(table.columns))]
    children = [_array(column, of) for column, of in zip(table.columns, cells, strict=True)]
    fields = [child.schema.modify(name=column.name) for column, child in zip(table.columns, children, strict=True)]
    whole = na.struct(fields)
    return ArrowTable(na.c_array_from_buffers(whole, len(table.rows), [None], children=children))


def _array(column: Column, cells: list[Cell]) -> Any:
    import nanoarrow as na

    match column.kind:
        case "integer":
            if all(cell is None or -_SMALL <= int(str(cell)) < _SMALL for cell in cells):
                return _fixed(na.int64(), "q", cells, int)
            return _decimals(cells, 0)
        case "decimal":
            return _decimals(cells, max((_places(cell) for cell in cells if cell is not None), default=0))
        case "double":
            return _fixed(na.float64(), "d", cells, float)
        case "boolean":
            return na.c_array(cells, na.bool_())
        case "date":
            return _fixed(na.date32(), "i", cells, lambda cell: (cell - _EPOCH).days)
        case "datetime":
            aware = any(isinstance(cell, datetime) and cell.tzinfo is not None for cell in cells)
            zoned = na.timestamp("us", timezone="UTC") if aware else na.timestamp("us")
            return _fixed(zoned, "q", cells, lambda cell: (_plain(cell) - _DAY) // _MICROSECOND)
        case "time":
            return _fixed(na.time64("us"), "q", cells, _of_day)
        case "interval":
            return _fixed(na.duration("us"), "q", cells, lambda cell: cell // _MICROSECOND)
        case _:
            return na.c_array([None if cell is None else str(cell) for cell in cells], na.string())


def _fixed(kind: Any, code: str, cells: Sequence[Cell], made: Callable[[Any], int | float]) -> Any:
    import nanoarrow as na

    values = [0 if cell is None else made(cell) for cell in cells]
    return na.c_array_from_buffers(kind, len(cells), [_valid(cells), struct.pack(f"={len(cells)}{code}", *values)])


def _decimals(cells: Sequence[Cell], places: int) -> Any:
    """Decimals of 38 digits; as text where one has more."""
    import nanoarrow as na

    texts = [None if cell is None else _written(cell) for cell in cells]
    scaled = [0 if text is None else _scaled(text, places) for text in texts]
    if places > _PLACES or any(abs(value) >= _LARGE for value in scaled):
        return na.c_array(texts, na.string())
    data = b"".join(value.to_bytes(16, "little", signed=True) for value in scaled)
    return na.c_array_from_buffers(na.decimal128(_PLACES, places), len(cells), [_valid(cells), data])


def _scaled(text: str, places: int) -> int:
    whole, _, part = text.partition(".")
    return int(whole + part.ljust(places, "0"))


def _places(cell: Cell) -> int:
    return len(_written(cell).partition(".")[2])


def _plain(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def _of_day(cell: time) -> int:
    return ((cell.hour * 60 + cell.minute) * 60 + cell.second) * 1_000_000 + cell.microsecond


def _valid(cells: Sequence[Cell]) -> bytes | None:
    """A bit for each cell that has a value; none where all have."""
    if all(cell is not None for cell in cells):
        return None
    bits = sum(1 << at for at, cell in enumerate(cells) if cell is not None)
    return bits.to_bytes(-(-len(cells) // 8), "little")


def _written(cell: Cell) -> str:
    """A number in digits, without an exponent."""
    return str(cell) if isinstance(cell, int) else f"{cell:f}"
