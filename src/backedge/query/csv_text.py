"""A table as CSV (RFC 4180): every value exact, a missing one empty, text in quotes."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal

from backedge.query.table import Cell, Table

BARE = ("integer", "decimal", "double", "boolean", "date", "datetime", "time")


def csv_text(table: Table) -> str:
    """The names of the columns and all rows. A missing value is nothing at all, an empty text is `""`."""
    lines = [",".join(_quoted(column.name) for column in table.columns)]
    bare = [column.kind in BARE for column in table.columns]
    for row in table.rows:
        texts = [plain_cell(cell) for cell in row]
        lines.append(",".join("" if t is None else t if bare[at] else _quoted(t) for at, t in enumerate(texts)))
    return "".join(f"{line}\r\n" for line in lines)


def plain_cell(cell: Cell) -> str | None:
    """A cell as text that loses nothing; None where there is no value."""
    if cell is None:
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    if isinstance(cell, date | datetime | time):
        return cell.isoformat()
    return repr(cell) if isinstance(cell, float) else str(cell)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
