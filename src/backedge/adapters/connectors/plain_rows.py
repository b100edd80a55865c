"""The rows of an answer as a worker writes them: exact JSON, in the form in which a table is kept in the journal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal, TypeVar

Row = TypeVar("Row", bound=tuple[object, ...])
Cut = Literal["rows", "bytes"]
Columns = list[tuple[str, str, str]]
"""Name, type of the engine, and kind of `backedge.query.table` of each column."""

_SMALL = 24


def fitting(stream: Iterable[Row], rows: int, limit: int) -> tuple[list[Row], Cut | None]:
    """The first rows of a stream, at most `rows` and about `limit` bytes, and which of the two cut the others off."""
    kept: list[Row] = []
    size = 0
    for row in stream:
        if len(kept) == rows:
            return kept, "rows"
        size += sum(_SMALL + (len(cell) if isinstance(cell, str | bytes) else 0) for cell in row)
        if size > limit:
            return kept, "bytes"
        kept.append(row)
    return kept, None


def written(columns: Columns, rows: Iterable[Iterable[object]], cut: Cut | None) -> bytes:
    """The body of an answer. Cells are int, str, bool, float or None; a float that JSON lacks is written as text."""
    made = {"columns": columns, "rows": [[_json(cell) for cell in row] for row in rows], "truncated": cut}
    return json.dumps(made, allow_nan=False).encode()


def _json(cell: object) -> object:
    return repr(cell) if isinstance(cell, float) and cell - cell != 0 else cell
