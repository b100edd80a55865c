"""What the order of a written query means: its sort keys as columns of the result, and the rows before its LIMIT."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError


@dataclass(frozen=True)
class Ranking:
    """How a query sorts. `sql` is the query without its LIMIT where it has `limit`, else as it was written.

    `keys` are the places of the sort keys in the result; None where one of them is not selected.
    """

    sql: str
    keys: tuple[int, ...] | None
    limit: int | None


def ranking(sql: str, dialect: str) -> Ranking | None:
    """How a query sorts its rows, or None where it does not (or cannot be read)."""
    try:
        tree = parse_one(sql, read=dialect)
    except (SqlglotError, RecursionError):
        return None
    if not isinstance(tree, exp.Query) or not (order := tree.args.get("order")):
        return None
    places = [_place(term.this, tree.selects) for term in order.expressions]
    keys = tuple(place for place in places if place is not None)
    limit = _limit(tree)
    if limit is not None:
        tree.set("limit", None)
    written = tree.sql(dialect=dialect, comments=False) if limit is not None else sql
    return Ranking(written, keys if len(keys) == len(places) else None, limit)


def _limit(tree: exp.Query) -> int | None:
    """A plain LIMIT; rows that an OFFSET leaves out cannot be told from those that follow."""
    limit = tree.args.get("limit")
    if not isinstance(limit, exp.Limit) or tree.args.get("offset"):
        return None
    count = limit.expression
    return int(count.this) if isinstance(count, exp.Literal) and count.is_int else None


def _place(term: exp.Expr, selects: list[exp.Expr]) -> int | None:
    if isinstance(term, exp.Literal) and term.is_int:
        return int(term.this) - 1
    named = term.name.casefold() if isinstance(term, exp.Column) and not term.table else None
    for place, selected in enumerate(selects):
        if selected.alias_or_name.casefold() == named or selected.unalias() == term:
            return place
    return None
