"""What each database's SQL does differently: our own tables, because a transpiler's guess is not a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cache

import sqlglot
from sqlglot import exp

from backedge.semantic.grains import GRAINS
from backedge.semantic.refusal import nearest, refused
from backedge.semantic.spec import Grain, Value
from backedge.semantic.timed import USUAL, Calendar, Span


@dataclass(frozen=True)
class Dialect:
    """SQL templates over `x`. An empty template means that the database has no right way, and compiling refuses.

    `truncate` maps a grain to its template (weeks start on Monday); `as_date` and `as_datetime` make a dimension what
    its type says; `date_before` prepares a date for `truncate` and `date_after` brings the result back to a date.
    `upper_case` databases fold plain names to upper case, so these stay unquoted.
    `local` is a moment on the clocks of `zone`, `series` the moments from `low` to `high`, each a `step` later.
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
    local: str
    series: str
    whole_division: bool
    text_times: bool = False
    upper_case: bool = False


def _by_function(function: str) -> dict[str, str]:
    return {grain: f"{function}('{grain}', x)" for grain in GRAINS if not grain.startswith("fiscal")}


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

# Printed and never run here: held by its text alone.
_PRINTED = Dialect(
    name="",
    truncate=_by_function("DATE_TRUNC"),
    as_date="CAST(x AS DATE)",
    as_datetime="x",
    date_before="x",
    date_after="CAST(x AS DATE)",
    datetime_after="x",
    median="",
    approximate="APPROX_COUNT_DISTINCT(x)",
    row_keys=False,
    local="",
    series="",
    whole_division=False,
)

DIALECTS: dict[str, Dialect] = {
    "duckdb": Dialect(
        name="duckdb",
        truncate=_by_function("DATE_TRUNC"),
        as_date="CAST(x AS DATE)",
        as_datetime="x",
        date_before="x",
        date_after="CAST(x AS DATE)",
        datetime_after="x",
        # the median of two decimals would be cut to their own places
        median="MEDIAN(CAST(x AS DOUBLE))",
        approximate="APPROX_COUNT_DISTINCT(x)",
        row_keys=True,
        # by its epoch, because a cast to a moment would read a stored time in the session's time zone
        local="TIMEZONE(zone, MAKE_TIMESTAMPTZ(EPOCH_US(x)))",
        series="UNNEST(GENERATE_SERIES(low, high, step))",
        whole_division=False,
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
        local="TIMEZONE(zone, TO_TIMESTAMP(EXTRACT(EPOCH FROM x)))",
        series="GENERATE_SERIES(low, high, step)",
        whole_division=True,
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
        local="",
        series="",
        whole_division=True,
        text_times=True,
    ),
    "snowflake": replace(
        _PRINTED,
        name="snowflake",
        # the session may move the start of DATE_TRUNC's week, but not that of the ISO day
        truncate=_by_function("DATE_TRUNC") | {"week": "DATEADD(DAY, 1 - DAYOFWEEKISO(x), DATE_TRUNC('DAY', x))"},
        median="MEDIAN(x)",
        local="CONVERT_TIMEZONE('UTC', zone, x)",
        upper_case=True,
    ),
    "bigquery": replace(
        _PRINTED,
        name="bigquery",
        truncate={g: f"DATETIME_TRUNC(x, {'ISOWEEK' if g == 'week' else g.upper()})" for g in _by_function("")},
        as_datetime="CAST(x AS DATETIME)",
        date_before="CAST(x AS DATETIME)",
    ),
    "databricks": replace(_PRINTED, name="databricks", median="MEDIAN(x)", local="FROM_UTC_TIMESTAMP(x, zone)"),
    "trino": replace(_PRINTED, name="trino", approximate="APPROX_DISTINCT(x)", whole_division=True),
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
    return x.copy() if template == "x" else fitted(dialect, template, x=x)


def fitted(dialect: Dialect, template: str, **given: exp.Expr) -> exp.Expr:
    """The template's tree with what is `given` in place of the columns of those names."""

    def replace(node: exp.Expr) -> exp.Expr:
        found = given.get(node.name) if isinstance(node, exp.Column) else None
        return node if found is None else found.copy()

    return _template(template, dialect.name).transform(replace)


@cache
def _template(template: str, dialect: str) -> exp.Expr:
    return sqlglot.parse_one(template, dialect=dialect)


def truncated(dialect: Dialect, x: exp.Expr, grain: Grain, type_: str, calendar: Calendar = USUAL) -> exp.Expr:
    """`x` at the start of its `grain`: a date stays a date, a datetime stays a datetime."""
    before = "x" if type_ == "datetime" else dialect.date_before
    return typed(dialect, _start(dialect, apply(dialect, before, x), grain, calendar), type_)


def typed(dialect: Dialect, x: exp.Expr, type_: str) -> exp.Expr:
    """A moment as a date or a datetime of the database."""
    return apply(dialect, dialect.datetime_after if type_ == "datetime" else dialect.date_after, x)


def _start(dialect: Dialect, x: exp.Expr, grain: Grain, calendar: Calendar) -> exp.Expr:
    if grain == "week" and calendar.week_start:
        days = Span(days=calendar.week_start)
        return plus(dialect, apply(dialect, dialect.truncate["week"], plus(dialect, x, -days)), days)
    if grain.startswith("fiscal"):
        months = Span(months=(calendar.fiscal_year_start or 1) - 1)
        truncate = dialect.truncate[grain.removeprefix("fiscal_")]
        return plus(dialect, apply(dialect, truncate, plus(dialect, x, -months)), months)
    return apply(dialect, dialect.truncate[grain], x)


def local(dialect: Dialect, x: exp.Expr, zone: str) -> exp.Expr:
    """A stored moment on the clocks of a zone; what is stored without a zone is UTC."""
    if not dialect.local and zone not in ("", "UTC"):
        message = f"{dialect.name} has no time zones, so times cannot be moved to {zone}"
        raise refused("not_supported", message, where="timezone", hint="leave the time zone out", retryable=False)
    if not zone or not dialect.local:
        return x
    return fitted(dialect, dialect.local, x=x, zone=exp.Literal.string(zone))


def plus(dialect: Dialect, x: exp.Expr, span: Span) -> exp.Expr:
    """The moment a span after `x`; a day that the month does not have is its last day."""
    number, unit = next(((n, u) for n, u in span.parts if n), (0, ""))
    if not number:
        return x.copy()
    if dialect.text_times:
        return _text_plus(dialect, x, number, unit)
    step = exp.Interval(this=exp.Literal.string(str(number)), unit=exp.Var(this=unit.upper()))
    return exp.paren(exp.Add(this=x.copy(), expression=step), copy=False)


def _text_plus(dialect: Dialect, x: exp.Expr, number: int, unit: str) -> exp.Expr:
    if unit != "month":
        return apply(dialect, f"DATETIME(x, '{number:+d} {unit}s')", x)
    plain = f"DATETIME(x, '{number:+d} months')"  # SQLite counts a day that the month lacks on into the next one
    last = f"DATE(x, 'start of month', '{number + 1:+d} months', '-1 day') || ' ' || TIME(x)"
    return apply(dialect, f"MIN({plain}, {last})", x)


def divided(dialect: Dialect, top: exp.Expr, bottom: exp.Expr) -> exp.Expr:
    """A quotient with its fraction, also of whole numbers; nothing where `bottom` is 0."""
    top, bottom = exp.paren(top), exp.paren(bottom)
    if dialect.whole_division:
        top = exp.Mul(this=top, expression=exp.Literal.number("1.0"))
    below = exp.Nullif(this=bottom, expression=exp.Literal.number(0))
    return exp.paren(exp.Div(this=top, expression=below, typed=True), copy=False)


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
