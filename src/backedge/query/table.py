"""The result of a query: typed columns and exact rows, kept in the journal as JSON and read back the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_serializer, field_validator
from pydantic_core.core_schema import SerializationInfo, ValidationInfo

Kind = Literal["integer", "decimal", "double", "text", "boolean", "date", "datetime", "time", "interval", "other"]
Cell = int | Decimal | float | str | bool | date | datetime | time | timedelta | None


class Column(BaseModel):
    """One column of a result. `type` is the engine's own type name; `kind` says how its cells are held in Python."""

    model_config = ConfigDict(frozen=True)

    name: str
    type: str
    kind: Kind


class Table(BaseModel):
    """Rows of a result. `truncated` says why rows are missing (`rows`, `bytes`), or is None where all are here.

    Integers are int, decimals Decimal, doubles float, dates `datetime.date`; nothing exact becomes a float.
    """

    model_config = ConfigDict(frozen=True)

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: Literal["rows", "bytes"] | None = None

    @field_serializer("rows", when_used="json")
    def _write(self, rows: tuple[tuple[Any, ...], ...], _info: SerializationInfo) -> list[list[object]]:
        return [[_to_json(cell) for cell in row] for row in rows]

    @field_validator("rows", mode="before")
    @classmethod
    def _read(cls, rows: Any, info: ValidationInfo) -> tuple[tuple[Cell, ...], ...]:
        kinds = [column.kind for column in info.data.get("columns", ())]
        return tuple(tuple(_from_json(kind, cell) for kind, cell in zip(kinds, row, strict=True)) for row in rows)


def _to_json(cell: Cell) -> object:
    if isinstance(cell, float):
        return cell if cell - cell == 0 else repr(cell)  # JSON has no inf or nan
    if cell is None or isinstance(cell, bool | int | str):
        return cell
    if isinstance(cell, timedelta):
        return f"{cell.days * 86_400_000_000 + cell.seconds * 1_000_000 + cell.microseconds}us"
    return str(cell) if isinstance(cell, Decimal) else cell.isoformat()


def _from_json(kind: Kind, cell: Any) -> Cell:
    if cell is None or not isinstance(cell, str | int | float) or kind in ("text", "boolean", "integer", "other"):
        return cell  # type: ignore[no-any-return]  # the writer's own value, already of the column's kind
    if kind == "double":
        return float(cell)
    if kind == "decimal":
        return Decimal(str(cell))
    text = str(cell)
    if kind == "interval":
        return timedelta(microseconds=int(text.removesuffix("us")))
    readers: dict[str, Callable[[str], Cell]] = {
        "date": date.fromisoformat,
        "datetime": datetime.fromisoformat,
        "time": time.fromisoformat,
    }
    return readers[kind](text)
