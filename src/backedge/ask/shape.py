"""The shape of a result: which columns group, which measure, and which of the groupings is time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from backedge.ask.added import ADDED, added_words
from backedge.ask.wording import name_text, noun_of, places_of, value_text, words_of
from backedge.query.table import Cell, Column, Kind, Table
from backedge.semantic.spec import Grain, OutputColumn

NUMERIC: frozenset[Kind] = frozenset({"integer", "decimal", "double"})
_TIMES: frozenset[Kind] = frozenset({"date", "datetime"})
_TOLD = ("change", "percent", "cumulative_value", "moving_avg")  # these say more than the measure that they are of
_PERIODS = frozenset({"year", "quarter", "month", "week", "day", "hour", "date"})
_PERIOD_TEXT = re.compile(r"\d{4}(-?(Q[1-4]|W?\d{2}(-\d{2})?))?\Z", re.ASCII)
_KEY = re.compile(r"(\A|_)(id|code|zip|year)\Z", re.IGNORECASE)
_IDENTIFIES = re.compile(r"(\A|_)(id|key|code|zip|no|number|year|quarter|month|week|day|hour)\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Field:
    """One column of a result: `index` in a row, `words` to say it, `noun` for one value ("store" of store_id).

    `places` is how many digits after the point its doubles are written with. `added` says what a column that was added
    to a measure is of it ("change"), and is empty for the measure itself.
    """

    index: int
    name: str
    kind: Kind
    grain: Grain | None
    words: str
    noun: str
    time: bool
    places: int = 0
    added: str = ""

    @property
    def numeric(self) -> bool:
        """Whether its cells are numbers."""
        return self.kind in NUMERIC


@dataclass(frozen=True)
class Shape:
    """The groupings and the measures of a result, each in the order of its columns."""

    groups: tuple[Field, ...]
    measures: tuple[Field, ...]

    def field(self, name: str) -> Field | None:
        """The column of that name, or None."""
        return next((f for f in (*self.groups, *self.measures) if f.name == name), None)


def shape_of(columns: tuple[OutputColumn, ...], table: Table) -> Shape:
    """The shape of `table`. Columns that no member stands behind (a verified query) are told apart by kind and name.

    Of two columns with one name only the first counts: a figure names its cell by row and column name.
    """
    members = columns if [c.name for c in columns] == [c.name for c in table.columns] else _derived(table)
    fields: dict[str, tuple[bool, Field]] = {}
    for index, (member, column) in enumerate(zip(members, table.columns, strict=True)):
        if column.name not in fields:
            fields[column.name] = (member.kind == "measure", _field(index, member, members, table))
    return Shape(
        groups=tuple(field for measure, field in fields.values() if not measure),
        measures=tuple(field for measure, field in fields.values() if measure),
    )


def told_of(shape: Shape) -> tuple[Field, ...]:
    """The measures that get words where rows are told by their extremes."""
    told = tuple(f for f in shape.measures if f.added in _TOLD)
    return told or tuple(f for f in shape.measures if f.added != "percent_of_total") or shape.measures


def cells_of(table: Table, field: Field) -> tuple[Cell, ...]:
    """The cells of one column, by row."""
    return tuple(row[field.index] for row in table.rows)


def said(cell: Cell, measure: Field) -> tuple[str, bool]:
    """A measure's value in words and whether that rounds it; the last year or the greatest id is no amount."""
    if cell is not None and measure.kind == "integer" and _KEY.search(measure.name):
        return name_text(cell), False
    return value_text(cell, measure.grain, measure.places)


def in_time_order(table: Table, field: Field) -> bool:
    """Whether the rows run forward in time: a ranking of months does not."""
    cells = [cell for cell in cells_of(table, field) if cell is not None]
    return field.time and all(a < b for a, b in pairwise(cells))  # type: ignore[operator]  # one kind


def _field(index: int, member: OutputColumn, members: tuple[OutputColumn, ...], table: Table) -> Field:
    column = table.columns[index]
    is_time = member.kind == "dimension" and (member.grain is not None or _is_time(column, table, index))
    words, noun = _words(member, members)
    places = max((places_of(cell) for row in table.rows if isinstance(cell := row[index], float)), default=0)
    added = _added(member)
    if added:
        words = noun = added_words(words_of(_last(member).removesuffix(f".{added}")), added)
    return Field(index, column.name, column.kind, member.grain, words, noun, is_time, places, added)


def _added(member: OutputColumn) -> str:
    name, _, added = _last(member).rpartition(".")
    return added if name and member.kind == "measure" and added in ADDED else ""


def _words(member: OutputColumn, members: tuple[OutputColumn, ...]) -> tuple[str, str]:
    own = _last(member)
    if sum(_last(m) == own and m.grain == member.grain for m in members) > 1:
        own = member.name
    words = words_of(own)
    if member.grain is None:
        return words, words if member.kind == "measure" else noun_of(own)
    alone = sum(m.grain == member.grain for m in members) == 1
    grain = member.grain.replace("_", " ")
    named = words if words.endswith(f" {grain}") else f"{words} {grain}"
    return (grain, grain) if alone else (named, named)


def _last(member: OutputColumn) -> str:
    return member.member.partition(".")[2] or member.name


def _is_time(column: Column, table: Table, index: int) -> bool:
    if column.kind in _TIMES:
        return True
    if words_of(column.name).split(" ")[-1].lower() not in _PERIODS:
        return False
    cells = [row[index] for row in table.rows if row[index] is not None]
    return column.kind == "integer" or (
        column.kind == "text" and bool(cells) and all(_PERIOD_TEXT.match(cell) for cell in cells)
    )


def _derived(table: Table) -> tuple[OutputColumn, ...]:
    """Columns of SQL that was written by hand: numbers measure, unless they identify."""
    kinds = [_groups(table, index) for index in range(len(table.columns))]
    if not any(kinds) and _leads(table):
        kinds[0] = True
    return tuple(
        OutputColumn(column.name, "", "dimension" if groups else "measure", "")
        for column, groups in zip(table.columns, kinds, strict=True)
    )


def _groups(table: Table, index: int) -> bool:
    column = table.columns[index]
    if column.kind not in NUMERIC:
        return len(table.columns) > 1 or len(table.rows) != 1
    counted = len(table.columns) == 1 and len(table.rows) == 1
    return column.kind == "integer" and not counted and bool(_IDENTIFIES.search(column.name))


def _leads(table: Table) -> bool:
    """Whether only-number rows open with a key: whole numbers that never repeat, before others."""
    if len(table.rows) < 2 or len(table.columns) < 2 or table.columns[0].kind != "integer":
        return False
    keys = [row[0] for row in table.rows]
    return None not in keys and len(set(keys)) == len(keys)
