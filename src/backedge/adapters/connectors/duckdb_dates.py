"""Which date format a text column of a CSV file is written in, judged by all of its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

# Rows that are looked at first; what they rule out is not asked of all the others.
SAMPLE = 5000

_DAY_FIRST, _MONTH_FIRST = "day-month-year", "month-day-year"
_TIMES = ("%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p")
_NAMED = ("%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d %b, %Y", "%b %d %Y")
_ZONED = r"\d{4}-\d{1,2}-\d{1,2}[T ]\d{1,2}:\d{2}.*(Z|[+-]\d{2}(:?\d{2})?)"
_MOMENT = r"\d{4}-\d{1,2}-\d{1,2}[T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?"


@dataclass(frozen=True)
class DateColumn:
    """How to read a column: the SQL of its value; where another order fits too, that and a value that shows it."""

    expression: str
    order: str = ""
    other: str = ""
    sample: str = ""


def date_columns(connection: duckdb.DuckDBPyConnection, source: str, columns: Sequence[str]) -> dict[str, DateColumn]:
    """The date columns among `columns` (their SQL names): those of which one format fits all values.

    `source` is SQL for the rows. Where day-month-year and month-day-year both fit, the other date columns decide
    if they agree, and day-month-year is taken if they do not.
    """
    fits = {name: _fitting(connection, source, name) for name in columns}
    decided = {fit[0].order for fit in fits.values() if len(fit) == 1 and fit[0].order}
    preferred = _MONTH_FIRST if decided == {_MONTH_FIRST} else _DAY_FIRST
    found: dict[str, DateColumn] = {}
    for name, fit in fits.items():
        if len(fit) == 1:
            found[name] = fit[0]
        elif fit:
            found[name] = _chosen(connection, source, name, fit, preferred)
    return found


def _chosen(
    connection: duckdb.DuckDBPyConnection, source: str, name: str, fit: list[DateColumn], preferred: str
) -> DateColumn:
    taken = next(column for column in fit if column.order == preferred)
    left = next(column for column in fit if column.order != preferred)
    differing = f"{taken.expression} is distinct from {left.expression}"
    row = connection.execute(f"select min(trim({name})) filter ({differing}) from {source}").fetchone()
    sample = row[0] if row else None
    return DateColumn(taken.expression, taken.order, left.order if sample else "", sample or "")


def _fitting(connection: duckdb.DuckDBPyConnection, source: str, name: str) -> list[DateColumn]:
    candidates = _iso(name) + _candidates(connection, source, name)
    for rows in (f"(select * from {source} limit {SAMPLE})", source):
        candidates = _passing(connection, rows, name, candidates)
    return candidates[:1] if candidates and not candidates[0].order else candidates


def _passing(
    connection: duckdb.DuckDBPyConnection, source: str, name: str, candidates: list[DateColumn]
) -> list[DateColumn]:
    if not candidates:
        return []
    given = f"filter ({name} is not null)"
    tests = ", ".join(f"coalesce(bool_and({column.expression} is not null) {given}, true)" for column in candidates)
    row = connection.execute(f"select {tests} from {source}").fetchone() or ()
    return [column for column, fits in zip(candidates, row, strict=True) if fits]


def _iso(name: str) -> list[DateColumn]:
    def only(pattern: str, kind: str) -> DateColumn:
        matches = f"regexp_full_match(trim({name}), '{pattern}')"
        return DateColumn(f"case when {matches} then try_cast(trim({name}) as {kind}) end")

    return [only(r"\d{4}-\d{1,2}-\d{1,2}", "date"), only(_MOMENT, "timestamp"), only(_ZONED, "timestamptz")]


def _candidates(connection: duckdb.DuckDBPyConnection, source: str, name: str) -> list[DateColumn]:
    """The formats worth trying: with the separator of the first value, with a time only if it has one."""
    row = connection.execute(f"select trim({name}) from {source} where {name} is not null limit 1").fetchone()
    sample = str(row[0]) if row else ""
    separator = next((character for character in "-/." if character in sample[:6]), "")
    if not separator or sample[:1].isalpha():
        return [_parsed(name, format_, "date") for format_ in _NAMED]
    digits = 4 if any(len(part) == 4 for part in sample.split()[0].split(separator)) else 2
    year = "%Y" if digits == 4 else "%y"
    shapes = {
        "": [separator.join((year, "%m", "%d"))] if digits == 4 else [],
        _DAY_FIRST: [separator.join(("%d", "%m", year))],
        _MONTH_FIRST: [separator.join(("%m", "%d", year))],
    }
    clocks = [f" {clock}" for clock in _TIMES] if ":" in sample else [""]
    numeric = [
        _parsed(name, shape + clock, "timestamp" if clock else "date", order, digits)
        for order, dates in shapes.items()
        for shape in dates
        for clock in clocks
    ]
    return numeric + [_parsed(name, format_, "date") for format_ in _NAMED if ":" not in sample]


def _parsed(name: str, format_: str, kind: str, order: str = "", digits: int = 0) -> DateColumn:
    value = f"try_strptime(trim({name}), '{format_}')::{kind}"
    if not digits:
        return DateColumn(value)
    year_has = rf"regexp_matches(trim({name}), '(^|[-/.])\d{{{digits}}}([-/. ]|$)')"
    return DateColumn(f"case when {year_has} then {value} end", order)
