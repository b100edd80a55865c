"""What SQLite's values are: it types each value by itself, so a result column is what all of its values say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal

from backedge.adapters.connectors.frames import Value

Held = int | float | str | bytes | None

_EXACT = 1 << 53
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?")
_ZONED = re.compile(rf"{_MOMENT.pattern} ?(Z|[+-]\d\d(:\d\d)?)")
_NAMES = {int: "INTEGER", float: "REAL", str: "TEXT", bytes: "BLOB"}


def typed(cells: Sequence[Held]) -> tuple[str, str, list[object]]:
    """The type, the kind and the cells of a result column.

    Text is a date or a time where every value is one, as ISO 8601 writes them. Whole numbers among floating ones are
    floating, if each can be. Values of other types together are no kind of number: they are shown as they are.
    """
    found = {type(cell) for cell in cells if cell is not None}
    names = "|".join(sorted(_NAMES[kind] for kind in found)) or "NULL"
    if found == {int}:
        return names, "integer", list(cells)
    if found and found <= {int, float} and all(abs(cell) <= _EXACT for cell in cells if isinstance(cell, int)):
        return "REAL", "double", [float(cell) if isinstance(cell, int) else cell for cell in cells]
    if found == {str}:
        return names, *_text([None if cell is None else str(cell) for cell in cells])
    return names, "other", [f"x'{cell.hex()}'" if isinstance(cell, bytes) else cell for cell in cells]


def _text(cells: list[str | None]) -> tuple[str, list[object]]:
    known = [cell for cell in cells if cell is not None]
    if all(_DAY.fullmatch(cell) for cell in known) and _are_dates(known):
        return "date", [*cells]
    if all(_MOMENT.fullmatch(cell) for cell in known) and _are_dates(known):
        return "datetime", [cell and datetime.fromisoformat(cell).isoformat() for cell in cells]
    if all(_ZONED.fullmatch(cell) for cell in known) and _are_dates(known):
        return "datetime", [cell and _utc(cell) for cell in cells]
    return "text", [*cells]


def _are_dates(known: Sequence[str]) -> bool:
    try:
        for cell in known:
            _utc(cell)
    except (ValueError, OverflowError):
        return False
    return True


def _utc(cell: str) -> str:
    moment = datetime.fromisoformat(cell.replace(" +", "+").replace(" -", "-").replace(" Z", "Z"))
    return (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat()


def plain(cell: Value) -> int | float | str | None:
    """A bind value as SQLite holds it: times as text, decimals as numbers. Raises ValueError for one that it lacks."""
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ")
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, Decimal) and cell.is_finite():
        cell = int(cell) if cell == cell.to_integral_value() else float(cell)
    if isinstance(cell, int):
        cell = int(cell)
        if not -(1 << 63) <= cell < 1 << 63:
            raise ValueError(f"{cell} cannot be given to SQLite: its whole numbers have 64 bits")
    if cell is None or isinstance(cell, int | float | str):
        return cell
    raise ValueError(f"a value of type {type(cell).__name__} cannot be given to SQLite; write it as text or a number")
