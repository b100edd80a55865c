"""What each database's SQL does differently: our own tables, because a transpiler's guess is not a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

import sqlglot
from sqlglot import exp

from backedge.semantic.grains import GRAINS
from backedge.semantic.refusal import nearest, refused
from backedge.semantic.spec import Grain, Value


@dataclass(frozen=True)
class Dialect:
    """SQL templates over `x`. An empty template means that the database has no right way, and compiling refuses.

    `truncate` maps a grain to its template (weeks start on Monday); `as_date` and `as_datetime` make a dimension what
    its type says; `date_before` prepares a date for `truncate` and `date_after` brings the result back to a date.
    """

    name: str
    truncate: Mapping[str, str]
    as_date: str
    as_datetime: str
    date_before: str
    date_after: str
    datetime_after: str
    median: str
    approximate: str
    row_keys: bool
    text_times: bool = False


def _by_function(function: str) -> dict[str, str]:
    return {grain: f"{function}('{grain}', x)" for grain in GRAINS}


_SQLITE_GRAINS = {
    "year": "DATE(x, 'start of year')",
    "quarter": "DATE(x, 'start of month', '-' || ((CAST(STRFTIME('%m', x) AS INTEGER) - 1) % 3) || ' months')",
    "month": "DATE(x, 'start of month')",
    "week": "DATE(x, '-' || ((CAST(STRFTIME('%w', x) AS INTEGER) + 6) % 7) || ' days')",
    "day": "DATE(x)",
    "hour": "STRFTIME('%Y-%m-%d %H:00:00', x)",
    "minute": "STRFTIME('%Y-%m-%d %H:%M:00', x)",
    "second": "STRFTIME('%Y-%m-%d %H:%M:%S', x)",
}

DIALECTS: dict[str, Dialect] = {
    "duckdb": Dialect(
        name="duckdb",
        truncate=_by_function("DATE_TRUNC"),
        as_date="CAST(x AS DATE)",
        as_datetime="x",
        date_before="x",
        date_after="CAST(x AS DATE)",
        datetime_after="x",
        median="MEDIAN(x)",
        approximate="APPROX_COUNT_DISTINCT(x)",
        row_keys=True,
    ),
    "postgres": Dialect(
        name="postgres",
        truncate=_by_function("DATE_TRUNC"),
        as_date="CAST(x AS DATE)",
        as_datetime="x",
        # date_trunc of a date goes through timestamptz, which the session's time zone may move
        date_before="CAST(x AS TIMESTAMP)",
        date_after="CAST(x AS DATE)",
        datetime_after="x",
        median="PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)",
        approximate="COUNT(DISTINCT x)",
        row_keys=True,
    ),
    "sqlite": Dialect(
        name="sqlite",
        truncate=_SQLITE_GRAINS,
        as_date="DATE(x)",
        as_datetime="DATETIME(x)",
        date_before="x",
        date_after="DATE(x)",
        datetime_after="DATETIME(x)",
        median="",
        approximate="COUNT(DISTINCT x)",
        row_keys=False,
        text_times=True,
    ),
}
_ALIASES = {"postgresql": "postgres", "motherduck": "duckdb"}


def dialect_of(name: str) -> Dialect:
    """The tables of a dialect by its name; refuses one that has no tables here."""
    known = DIALECTS.get(_ALIASES.get(name.lower(), name.lower()))
    if known is None:
        raise refused(
            "not_supported",
            f"SQL for {name!r} cannot be compiled yet",
            where="dialect",
            hint=f"dialects that can: {', '.join(DIALECTS)}",
            near=nearest(name, DIALECTS),
            retryable=False,
        )
    return known


def apply(dialect: Dialect, template: str, x: exp.Expr) -> exp.Expr:
    """The template's tree with `x` in place of its `x`."""
    if template == "x":
        return x.copy()
    tree = sqlglot.parse_one(template, dialect=dialect.name)

    def replace(node: exp.Expr) -> exp.Expr:
        return x.copy() if isinstance(node, exp.Column) and node.name == "x" else node

    return tree.transform(replace)


def truncated(dialect: Dialect, x: exp.Expr, grain: Grain, type_: str) -> exp.Expr:
    """`x` at the start of its `grain`: a date stays a date, a datetime stays a datetime."""
    before, after = ("x", dialect.datetime_after) if type_ == "datetime" else (dialect.date_before, dialect.date_after)
    return apply(dialect, after, apply(dialect, dialect.truncate[grain], apply(dialect, before, x)))


def bound(dialect: Dialect, value: Value) -> Value:
    """The value as the database's driver compares it rightly: SQLite keeps times as text and has no decimals."""
    if not dialect.text_times:
        return value
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    return value
