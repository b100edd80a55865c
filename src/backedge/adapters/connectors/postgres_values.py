"""PostgreSQL's values, as the text in which it prints them, read exactly into what a table can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Type:
    """A type: the server's `name` for it, that of its `base`, and whether it is an enumeration."""

    name: str
    base: str
    is_enum: bool


@dataclass(frozen=True)
class Typed:
    """A result column: its kind, its cells, and what must be said of it."""

    kind: str
    cells: Sequence[object]
    note: str = ""


_INTEGERS = frozenset({"int2", "int4", "int8", "oid"})
_TEXTS = frozenset({"text", "varchar", "bpchar", "name", "char", "uuid", "citext"})
_SPAN = re.compile(r"(?:(-?\d+) days?)? ?(?:([+-]?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?(?:\+00)?")
_CLOCK = re.compile(r"\d\d:\d\d:\d\d(?:\.\d{1,6})?")


def shown(type_: Type, cells: Sequence[str | None]) -> Typed:
    """A column of that type. Raises ValueError for a date that is infinite, or before or after what Python can hold."""
    if type_.base in _INTEGERS:
        return Typed("integer", _each(cells, int))
    if type_.base == "numeric":
        return _decimals(cells)
    if type_.base in ("float4", "float8"):
        return Typed("double", _each(cells, float))
    if type_.base == "bool":
        return Typed("boolean", _each(cells, "t".__eq__))
    if type_.base in _TEXTS or type_.is_enum:
        return Typed("text", cells)
    if type_.base == "interval":
        return _intervals(cells)
    times = {"date": ("date", _DAY), "time": ("time", _CLOCK), "timestamp": ("datetime", _MOMENT)}
    times["timestamptz"] = times["timestamp"]
    if type_.base in times:
        kind, form = times[type_.base]
        return _clock_of_day(cells) if kind == "time" else Typed(kind, _each(cells, lambda cell: _moment(cell, form)))
    return Typed("other", cells)


def _each(cells: Sequence[str | None], read: Callable[[str], object]) -> list[object]:
    return [None if cell is None else read(cell) for cell in cells]


def _decimals(cells: Sequence[str | None]) -> Typed:
    """Exact decimals. `NaN` and `Infinity`, which no comparison of decimals survives, make the column one of text."""
    if any(cell is not None and cell.lstrip("-") in ("NaN", "Infinity") for cell in cells):
        return Typed("other", cells, "holds NaN or Infinity, so its values are shown as they are")
    return Typed("decimal", cells)


def _moment(cell: str, form: re.Pattern[str]) -> str:
    if not form.fullmatch(cell):
        raise ValueError(f"{cell} is outside the years 1 to 9999")
    iso = cell.replace(" ", "T")
    return f"{iso}:00" if iso.endswith("+00") else iso


def _clock_of_day(cells: Sequence[str | None]) -> Typed:
    """Times of day; `24:00:00`, which PostgreSQL has, is none to Python."""
    if all(cell is None or (_CLOCK.fullmatch(cell) and cell < "24") for cell in cells):
        return Typed("time", cells)
    return Typed("other", cells)


def _intervals(cells: Sequence[str | None]) -> Typed:
    """Spans of days and time; where one holds months or years, which have no fixed length, all are shown as text."""
    spans = [None if cell is None else _span(cell) for cell in cells]
    if any(cell is not None and span is None for cell, span in zip(cells, spans, strict=True)):
        return Typed("other", cells)
    return Typed("interval", spans)


def _span(cell: str) -> str | None:
    found = _SPAN.fullmatch(cell)
    if not found or not cell:
        return None
    days, sign, hours, minutes, seconds, fraction = found.groups(default="0")
    time = (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 1_000_000 + int(fraction.ljust(6, "0"))
    return f"{int(days) * 86_400_000_000 + (-time if sign == '-' else time)}us"
