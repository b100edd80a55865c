"""A statement with its bind values written into it, for a person to read, copy and edit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backedge.query.table import Cell


def written_out(sql: str, params: Sequence[Cell], dialect: str) -> str | None:
    """The statement without parameters; None where it cannot be parsed, or has others than there are values."""
    if not params:
        return sql
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except SqlglotError:
        return None
    found = list(tree.find_all(exp.Parameter, exp.Placeholder, bfs=False))
    for at, slot in enumerate(found):
        place = _place(slot, at)
        if not 0 <= place < len(params):
            return None
        slot.replace(_literal(params[place]))
    return tree.sql(dialect=dialect, pretty=True)


def _place(slot: exp.Expr, at: int) -> int:
    name = slot.name
    return int(name) - 1 if name.isdigit() else at


def _literal(value: Cell) -> exp.Expr:
    if isinstance(value, datetime):
        return exp.cast(exp.Literal.string(value.isoformat(sep=" ")), "TIMESTAMPTZ" if value.tzinfo else "TIMESTAMP")
    if isinstance(value, date):
        return exp.cast(exp.Literal.string(value.isoformat()), "DATE")
    if value is None or isinstance(value, bool | int | float | str):
        return exp.convert(value)
    return exp.Literal.number(f"{value}")
