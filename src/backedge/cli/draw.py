"""Results drawn in a terminal: bars and sparklines in Unicode blocks, and a table with its numbers to the right."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from rich.cells import cell_len, set_cell_size
from rich.table import Table as Grid
from rich.text import Text

from backedge.ask.charts import drawn_measure, percent_text, share_of
from backedge.ask.shape import NUMERIC, Field, Shape, cells_of, in_time_order, said, shape_of
from backedge.ask.wording import CUT, name_text
from backedge.query.table import Cell, Table
from backedge.semantic.spec import OutputColumn

MOST_BARS = 30
MOST_LINES = 10
SPARK_POINTS = 6
NARROWEST_BAR = 4
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEVELS = "▁▂▃▄▅▆▇█"


def bars(table: Table, columns: tuple[OutputColumn, ...], width: int) -> str:
    """A picture of one measure by one or two groupings, no line wider than `width` cells; "" for any other or no room.

    Time in order is a sparkline with its lowest and highest value, one for each series; all else a bar per row, with
    its percent where the question asks for shares. NULL is "no value", a gap.
    """
    shape = shape_of(columns, table)
    measure = drawn_measure(shape)
    if not table.rows or not 1 <= len(shape.groups) <= 2 or measure is None or not measure.numeric:
        return ""
    if len(shape.groups) == 2:
        return _grouped(table, shape, measure, width)
    group = shape.groups[0]
    if in_time_order(table, group) and len(table.rows) >= SPARK_POINTS:
        return _spark(table, group, measure, width)
    return _bars(table, shape, measure, width) if len(table.rows) <= MOST_BARS else ""


def grid(table: Table, columns: tuple[OutputColumn, ...], max_rows: int) -> Grid:
    """The first `max_rows` rows as a rich table: numbers to the right, NULL "(no value)", what was left out below."""
    shape = shape_of(columns, table)
    drawn = Grid(caption_justify="left")
    for column in table.columns:
        side: Literal["left", "right"] = "right" if column.kind in NUMERIC else "left"
        drawn.add_column(Text(name_text(column.name)), justify=side, overflow="fold")
    rounded = False
    for row in table.rows[:max_rows]:
        texts = [_cell(cell, index, shape) for index, cell in enumerate(row)]
        rounded = rounded or any(rounds for _, rounds in texts)
        drawn.add_row(*(Text(text) for text, _ in texts))
    drawn.caption = _caption(table, max_rows, rounded)
    return drawn


def _cell(cell: Cell, index: int, shape: Shape) -> tuple[str, bool]:
    measure = next((m for m in shape.measures if m.index == index), None)
    if cell is not None and measure:
        return said(cell, measure)
    grain = next((g.grain for g in shape.groups if g.index == index), None)
    return name_text(cell, grain), False


def _caption(table: Table, max_rows: int, rounded: bool) -> Text | None:
    total = f"{len(table.rows):,}{' or more' if table.truncated else ''}"
    said = [f"{max_rows:,} of {total} rows"] if len(table.rows) > max_rows else []
    said += [f"the first {len(table.rows):,} rows; there are more"] if table.truncated and not said else []
    said += ["values are rounded"] if rounded else []
    return Text("; ".join(said)) if said else None


def _spark(table: Table, group: Field, measure: Field, width: int) -> str:
    """One block per point, in lines that start with the name of their first point."""
    names = [name_text(cell, group.grain) for cell in cells_of(table, group)]
    numbers = [_number(cell) for cell in cells_of(table, measure)]
    known = [number for number in numbers if number is not None]
    room = width - max(map(cell_len, names)) - 1
    if not known or room < SPARK_POINTS or math.ceil(len(numbers) / room) > MOST_LINES:
        return ""
    low, high = min(known), max(known)
    blocks = "".join(_level(number, low, high) for number in numbers)
    label = max(map(cell_len, names[::room]))
    lines = [f"{_fit(names[at], label)} {blocks[at : at + room]}" for at in range(0, len(blocks), room)]
    least, most = (_value(table, measure, numbers.index(number)) for number in (low, high))
    legend = f"lowest {least}, highest {most}"
    return "\n".join([*(line.rstrip() for line in lines), _cut(legend, width)])


def _level(number: Fraction | None, low: Fraction, high: Fraction) -> str:
    if number is None:
        return " "
    return _LEVELS[int((number - low) / (high - low) * 7 + Fraction(1, 2)) if high > low else 3]


def _bars(table: Table, shape: Shape, measure: Field, width: int) -> str:
    """Label, bar and value per row; where values are negative, bars leave an axis to the left."""
    group, share = shape.groups[0], share_of(shape)
    names = [name_text(cell, group.grain) for cell in cells_of(table, group)]
    values = [_value(table, measure, row) for row in range(len(table.rows))]
    parts = [percent_text(cell) for cell in cells_of(table, share)] if share else [""] * len(values)
    most = max(map(cell_len, parts))
    told = [
        f"{value} {' ' * (most - cell_len(part))}{part}".rstrip() for value, part in zip(values, parts, strict=True)
    ]
    return "\n".join(_lines(names, told, [_number(cell) for cell in cells_of(table, measure)], width))


def _lines(names: list[str], values: list[str], numbers: list[Fraction | None], width: int) -> list[str]:
    right = max(map(cell_len, values))
    label = min(max(map(cell_len, names)), max(width // 3, 1))
    room = width - label - right - 2
    if room < NARROWEST_BAR:
        return []
    return [
        f"{_fit(_cut(name, label), label)} {bar} {' ' * (right - cell_len(value))}{value}"
        for name, bar, value in zip(names, _drawn(numbers, room), values, strict=True)
    ]


def _grouped(table: Table, shape: Shape, measure: Field, width: int) -> str:
    """Two groupings: a sparkline for each series along time, else a block of bars for each of the one with more."""
    time = next((g for g in shape.groups if g.time and len(set(cells_of(table, g))) >= SPARK_POINTS), None)
    few, many = sorted(shape.groups, key=lambda g: (len(set(cells_of(table, g))), -g.index))
    keys = {(row[few.index], row[many.index]) for row in table.rows}
    if len(keys) < len(table.rows):
        return ""
    if time is not None:
        series = next(g for g in shape.groups if g is not time)
        return _sparks(table, time, series, measure, width)
    return _blocks(table, many, few, measure, width) if len(table.rows) <= MOST_BARS else ""


def _blocks(table: Table, many: Field, few: Field, measure: Field, width: int) -> str:
    """A heading for each group, its bars under it, all to one scale."""
    rows = sorted(range(len(table.rows)), key=lambda row: _first_place(table, many, row))
    names = [f"  {name_text(table.rows[row][few.index], few.grain)}" for row in rows]
    values = [_value(table, measure, row) for row in rows]
    lines = _lines(names, values, [_number(table.rows[row][measure.index]) for row in rows], width)
    drawn: list[str] = []
    for at, line in enumerate(lines):
        cell = table.rows[rows[at]][many.index]
        if at == 0 or cell != table.rows[rows[at - 1]][many.index]:
            drawn.append(_cut(name_text(cell, many.grain), width))
        drawn.append(line)
    return "\n".join(drawn)


def _first_place(table: Table, group: Field, row: int) -> int:
    return cells_of(table, group).index(table.rows[row][group.index])


def _sparks(table: Table, time: Field, series: Field, measure: Field, width: int) -> str:
    """One line of blocks for each series, all to one scale; a time without a row is a gap."""
    times = sorted({cell for cell in cells_of(table, time) if cell is not None})
    found = {(row[series.index], row[time.index]): _number(row[measure.index]) for row in table.rows}
    known = [number for number in found.values() if number is not None]
    names = list(dict.fromkeys(cells_of(table, series)))
    label = min(max(cell_len(name_text(name, series.grain)) for name in names), max(width // 3, 1))
    if not known or len(names) > MOST_LINES or label + 1 + len(times) > width:
        return ""
    low, high = min(known), max(known)
    lines = []
    for name in names:
        blocks = "".join(_level(found.get((name, moment)), low, high) for moment in times)
        lines.append(f"{_fit(_cut(name_text(name, series.grain), label), label)} {blocks}".rstrip())
    rows = [next(at for at, row in enumerate(table.rows) if _number(row[measure.index]) == end) for end in (low, high)]
    least, most = (_value(table, measure, row) for row in rows)
    span = f"{name_text(times[0], time.grain)} to {name_text(times[-1], time.grain)}"
    return "\n".join([*lines, _cut(f"{span}: lowest {least}, highest {most}", width)])


def _drawn(numbers: list[Fraction | None], room: int) -> list[str]:
    """One bar of exactly `room` cells per number, all to one scale."""
    known = [number for number in numbers if number is not None]
    low, high = min([*known, Fraction()]), max([*known, Fraction()])
    if not low:
        return [_rightward(number, high, room) for number in numbers]
    left = min(max(round((room - 1) * -low / (high - low)), 1), room - 2 if high else room - 1)
    unit = max(-low / left, high / (room - 1 - left) if high else Fraction())
    return [
        _leftward(number, unit, left) + "│" + _rightward(number, unit * (room - 1 - left), room - 1 - left)
        for number in numbers
    ]


def _rightward(number: Fraction | None, full: Fraction, room: int) -> str:
    if number is None or number <= 0:
        return " " * room
    # The least sliver keeps a small value apart from zero.
    eighths = max(int(number / full * room * 8 + Fraction(1, 2)), 1)
    bar = "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")
    return bar.ljust(room)


def _leftward(number: Fraction | None, unit: Fraction, room: int) -> str:
    """Unicode has only a half and an eighth block that stand at the right of their cell."""
    if number is None or number >= 0:
        return " " * room
    halves = int(-number / unit * 2 + Fraction(1, 2))
    bar = ("▐" if halves % 2 else "") + "█" * (halves // 2)
    return (bar or "▕").rjust(room)


def _number(cell: Cell) -> Fraction | None:
    return Fraction(cell) if isinstance(cell, int | float | Decimal) and math.isfinite(cell) else None


def _value(table: Table, measure: Field, row: int) -> str:
    return said(table.rows[row][measure.index], measure)[0]


def _cut(text: str, room: int) -> str:
    return text if cell_len(text) <= room else set_cell_size(text, room - 1).rstrip() + CUT


def _fit(text: str, room: int) -> str:
    return text + " " * (room - cell_len(text))
