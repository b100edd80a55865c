"""Measurements in a table of an article: heads above, labels to the left, heads within, and units anywhere of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from backedge.evidence.column_heads import Head, headed, stated
from backedge.evidence.one_measurement import Around, measurements_of
from backedge.evidence.reading import Cell, Table
from backedge.evidence.records import Measurement
from backedge.evidence.units import UnitTable
from backedge.evidence.values import Decimals, decimals_of, written

_LABELS = ("group", "time", "name", "label", "unit")
_NO_VALUES = (*_LABELS, "n", "uncertainty", "low", "high")


@dataclass(frozen=True)
class _Side:
    """What one side of a cell says, its row or its column: names, units, the point in time, n, kinds of uncertainty."""

    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    unknown: str = ""
    time: str = ""
    n: str = ""
    sign: str = ""
    bracket: str = ""
    doubt: str = ""


@dataclass
class _Grid:
    """A table with its columns understood: the heads of each, which hold labels, and which hold values."""

    table: Table
    decimals: Decimals
    columns: list[list[Head]]
    units: UnitTable
    values: list[int] = field(default_factory=list)
    spreads: dict[int, int] = field(default_factory=dict)


def table_measurements(table: Table, version: str, units: UnitTable) -> Iterator[Measurement]:
    """The measurements of a table, row by row."""
    grid = _grid(table, units)
    above: list[str] = []
    for number, row in enumerate(table.rows, 1):
        within = _head_within(row, units)
        if within is not None:
            above = [within]
            continue
        labels = _side([headed(text, units) for text in (*above, *_labels(grid, row))])
        for at in grid.values:
            if at < len(row):
                around = _around(grid, labels, row, at, f"row {number}, column {at + 1}")
                yield from measurements_of(version, row[at], grid.decimals, around, units)


def _grid(table: Table, units: UnitTable) -> _Grid:
    width = max((len(row) for row in (*table.head, *table.rows)), default=0)
    columns = []
    for at in range(width):
        texts = [row[at].text for row in table.head if at < len(row) and row[at].text.strip()]
        columns.append([headed(text, units) for text in dict.fromkeys(texts)])
    texts = [cell.text for row in table.rows for cell in row]
    grid = _Grid(table, decimals_of(texts), columns, units)
    first = _first_value(grid, width)
    grid.values = [at for at in range(first, width) if _role(columns[at]) not in _NO_VALUES and _has_values(grid, at)]
    for at in range(first + 1, width):
        if _role(columns[at]) == "uncertainty" and at - 1 in grid.values and _is_beside(columns[at - 1], columns[at]):
            grid.spreads[at - 1] = at
    loose = [at for at in range(first, width) if _role(columns[at]) == "uncertainty"]
    grid.values = sorted({*grid.values, *(at for at in loose if at not in grid.spreads.values())})
    return grid


def _first_value(grid: _Grid, width: int) -> int:
    """The first column that is none of labels: one without a head, or whose cells are texts, is."""
    for at in range(width):
        heads = grid.columns[at]
        is_label = (at == 0 and not heads) or _role(heads) in _LABELS or not _has_values(grid, at)
        if not is_label:
            return at
    return width


def _has_values(grid: _Grid, at: int) -> bool:
    cells = [row[at].text for row in grid.table.rows if at < len(row) and row[at].text.strip()]
    texts = [text for text in cells if text.strip()]
    return sum(written(text, grid.decimals, grid.units) is not None for text in texts) * 3 >= len(texts) > 0


def _role(heads: Sequence[Head]) -> str:
    return heads[-1].role if heads else ""


def _is_beside(value: Sequence[Head], spread: Sequence[Head]) -> bool:
    """Whether a column of uncertainties belongs to the one before it: under one head, or both without any above."""
    above = [head.text for head in value[:-1]]
    own = [head.text for head in spread[:-1]]
    name = spread[-1].name
    return (above == own or [head.text for head in value] == own) and name in ("", value[-1].name)


def _head_within(row: tuple[Cell, ...], units: UnitTable) -> str | None:
    """The text of a row that is only a head for those below: one text across all, or the first cell alone."""
    texts = [cell.text.strip() for cell in row]
    if len(texts) < 2 or not texts[0] or written(texts[0], "unsaid", units) is not None:
        return None
    is_alone = not any(texts[1:]) or len(set(texts)) == 1
    return texts[0] if is_alone else None


def _labels(grid: _Grid, row: tuple[Cell, ...]) -> list[str]:
    """The texts before the first value, a number among them with its head (`Day 7`, `10 mg/kg`)."""
    found = []
    first = min(grid.values, default=len(row))
    for at, cell in enumerate(row[:first]):
        heads = grid.columns[at] if at < len(grid.columns) else []
        text = cell.text.strip()
        if text.replace(".", "", 1).isdecimal() and heads:
            head = heads[-1]
            text = f"{text} {head.unit}" if head.unit else f"{head.text} {text}"
        if text and text not in found:
            found.append(text)
    return found


def _side(heads: Sequence[Head]) -> _Side:
    names: list[str] = []
    units: list[str] = []
    time, at = "", 0
    while at < len(heads):
        head = heads[at]
        following = heads[at + 1].text if at + 1 < len(heads) else ""
        if head.role in ("time", "group") and following.replace(".", "", 1).isdecimal():
            joined = f"{following} {head.unit}" if head.unit else f"{head.text} {following}"
            time, names = (joined, names) if head.role == "time" else (time, [*names, joined])
            at += 2
            continue
        if head.time:
            time = head.time
        elif head.name and head.role not in ("value", "n", "uncertainty"):
            names.append(head.name)
        if head.unit and not head.time and head.role not in _LABELS:
            units.append(head.unit)
        at += 1
    return _Side(
        tuple(dict.fromkeys(names)),
        tuple(dict.fromkeys(units)),
        next((head.unknown for head in heads if head.unknown), ""),
        time,
        next((head.n for head in reversed(heads) if head.n), ""),
        next((head.sign for head in reversed(heads) if head.sign), ""),
        next((head.bracket for head in reversed(heads) if head.bracket), ""),
        next((head.doubt for head in heads if head.doubt), ""),
    )


def _around(grid: _Grid, labels: _Side, row: tuple[Cell, ...], at: int, place: str) -> Around:
    column = _side(grid.columns[at])
    caption = headed(grid.table.caption, grid.units)
    sign, bracket = stated(grid.table.caption)
    units = tuple(dict.fromkeys((*column.units, *labels.units)))
    of_caption = not units and bool(caption.unit) and not caption.doubt and not _has_units(grid)
    named, grouped = (column, labels) if column.units and not labels.units else (labels, column)
    names, group = ", ".join(named.names), ", ".join(grouped.names)
    if of_caption:
        units, names, group = (caption.unit,), caption.name, ", ".join((*labels.names, *column.names))
    spread = grid.spreads.get(at)
    owner = grid.columns[spread][-1] if spread is not None else None
    loose = _role(grid.columns[at]) == "uncertainty"
    return Around(
        name=names or group,
        place=f"{grid.table.label or 'table'}, {place}",
        units=units,
        unknown=labels.unknown or column.unknown if not units else "",
        sign=column.sign or labels.sign or sign,
        bracket=column.bracket or labels.bracket or bracket,
        spread=row[spread].text if spread is not None and spread < len(row) else "",
        kind=owner.kind if owner else "",
        n=_count(grid, row) or column.n or labels.n,
        group=group if names else "",
        time=column.time or labels.time,
        doubt=column.doubt or labels.doubt or ("whose uncertainty this is, is not clear" if loose else ""),
        has_footnotes=True,
    )


def _count(grid: _Grid, row: tuple[Cell, ...]) -> str:
    """The n of a row, where its table has one column of it."""
    found = [at for at, heads in enumerate(grid.columns) if _role(heads) == "n" and len(heads) == 1 and at < len(row)]
    return row[found[0]].text.strip() if len(found) == 1 else ""


def _has_units(grid: _Grid) -> bool:
    heads = [head for column in grid.columns for head in column]
    heads += [headed(cell.text, grid.units) for row in grid.table.rows for cell in row[: min(grid.values, default=0)]]
    return any(head.unit and not head.time for head in heads)
