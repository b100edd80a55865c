"""The narrowest exact type that every value of a text column fits: a sample says what to try, all values decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from backedge.adapters.connectors.duckdb_dates import SAMPLE, date_columns

_WIDEST, _FINEST = 38, 9

# From narrow to wide: the first that all values match is the column's class. No number has leading zeros: `01234` is a
# postal code.
_CLASSES = {
    "boolean": r"(?i)true|false",
    "clock": r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?",
    "whole": r"[+-]?(0|[1-9]\d*)",
    "fraction": r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)",
    "grouped": r"[+-]?(0|[1-9]\d{0,2}(,\d{3})*|[1-9]\d*)(\.\d+)?",
    "floating": r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?",
    "date": (
        r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*"
        r"|\d{1,2}[- ][A-Za-z]{3,9},?[- ]\d{4}|[A-Za-z]{3,9} \d{1,2},? \d{4}"
    ),
}
_NUMBERS = frozenset({"whole", "fraction", "grouped"})


@dataclass(frozen=True)
class Typed:
    """How a column is made of its text: a SQL expression, and notes for its reader."""

    expression: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Class:
    """The class that all values of a column match; of numbers, the most `digits` before and `scale` after the point."""

    name: str
    digits: int = 0
    scale: int = 0
    fits_int64: bool = False


_TEXT = _Class("text")


def typed_columns(
    connection: duckdb.DuckDBPyConnection, source: str, file: str, names: Sequence[str]
) -> tuple[Typed, ...]:
    """The types of columns c0, c1 … of `source` (SQL for rows of text); `names` are the file's, for notes."""
    columns = [f"c{index}" for index in range(len(names))]
    classes = _classes(connection, source, columns)
    dates = date_columns(connection, source, [column for column in columns if classes[column].name == "date"])
    typed: list[Typed] = []
    for column, name in zip(columns, names, strict=True):
        label, date = f"`{file}`.{name}", dates.get(column)
        if date is None:
            typed.append(_typed(classes[column], column, label))
        elif date.other:
            both = f"fits {date.order} and {date.other}; read as {date.order}"
            typed.append(Typed(date.expression, (f"{label}: {date.sample} {both}",)))
        else:
            typed.append(Typed(date.expression))
    return tuple(typed)


def _classes(connection: duckdb.DuckDBPyConnection, source: str, columns: Sequence[str]) -> dict[str, _Class]:
    """Each pass over the file asks of a column only for the narrowest class not yet ruled out; one is mostly enough."""
    possible = _possible(connection, source, columns)
    found = dict.fromkeys(columns, _TEXT)
    while asked := {column: names[0] for column, names in possible.items() if names}:
        for column, fits in _asked(connection, source, asked).items():
            if fits is None:
                possible[column] = possible[column][1:]
            else:
                found[column] = fits
                possible[column] = []
    return found


def _possible(connection: duckdb.DuckDBPyConnection, source: str, columns: Sequence[str]) -> dict[str, list[str]]:
    tests = ", ".join(_matches(column, name) for column in columns for name in _CLASSES)
    row = connection.execute(f"select {tests} from (select * from {source} limit {SAMPLE})").fetchone() or ()
    answers = iter(row)
    return {column: [name for name in _CLASSES if next(answers)] for column in columns}


def _asked(connection: duckdb.DuckDBPyConnection, source: str, asked: Mapping[str, str]) -> dict[str, _Class | None]:
    questions = ", ".join(_questions(column, name) for column, name in asked.items())
    row = connection.execute(f"select {questions} from {source}").fetchone() or ()
    answers: dict[str, _Class | None] = {}
    for index, (column, name) in enumerate(asked.items()):
        values, fits, digits, scale, fits_int64 = row[index * 5 : index * 5 + 5]
        measured = _Class(name, digits or 0, scale or 0, bool(fits_int64)) if values else _TEXT
        answers[column] = measured if fits else None
    return answers


def _questions(column: str, name: str) -> str:
    asked = f"count({column}), {_matches(column, name)}"
    if name not in _NUMBERS:
        return f"{asked}, 0, 0, false"
    plain = f"replace(trim({column}), ',', '')"
    bare = f"ltrim({plain}, '+-')"
    digits = f"case strpos({bare}, '.') when 0 then length({bare}) else strpos({bare}, '.') - 1 end"
    scale = f"case strpos({bare}, '.') when 0 then 0 else length({bare}) - strpos({bare}, '.') end"
    fits_int64 = f"bool_and(try_cast({plain} as bigint) is not null) filter ({column} is not null)"
    return f"{asked}, max({digits}), max({scale}), {fits_int64}"


def _matches(column: str, name: str) -> str:
    return f"coalesce(bool_and(regexp_full_match(trim({column}), '{_CLASSES[name]}')), true)"


def _typed(fits: _Class, column: str, label: str) -> Typed:
    value = f"trim({column})"
    if fits.name in ("whole", "fraction"):
        if fits.scale == 0 and fits.digits > _WIDEST:
            return Typed(column, (f"{label}: numbers of more than {_WIDEST} digits were kept as text",))
        return Typed(f"{value}::{_number_type(fits)}")
    if fits.name == "grouped":
        note = f"{label}: commas were read as thousands separators"
        return Typed(f"replace({value}, ',', '')::{_number_type(fits)}", (note,))
    simple = {"boolean": "boolean", "clock": "time", "floating": "double"}
    return Typed(f"{value}::{simple[fits.name]}") if fits.name in simple else Typed(column)


def _number_type(fits: _Class) -> str:
    """Exact where it can be: int64, then 128-bit integers, decimals of up to nine places; else floating point."""
    if fits.scale == 0 and fits.digits <= _WIDEST:
        return "bigint" if fits.fits_int64 else "hugeint"
    width = max(fits.digits, 1) + fits.scale
    return f"decimal({width}, {fits.scale})" if width <= _WIDEST and fits.scale <= _FINEST else "double"
