"""A chart for a result, chosen by its shape alone: Vega-Lite JSON with inline data, or None where a table is better."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from pydantic import JsonValue

from backedge.ask.shape import Field, Shape, cells_of, in_time_order, shape_of
from backedge.ask.wording import NO_GROUP
from backedge.query.table import Cell, Table
from backedge.semantic.spec import Grain, OutputColumn

Spec = dict[str, JsonValue]

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
BARS = 20
LINES = 8
GROUPED = 6
LINE_POINTS = 3
DOTS = 60
SLICES = (2, 6)
OTHER = "Other ({:,} more)"
PERCENT = "percent"
# Each has a contrast of at least 3 : 1 to white, the background that every chart sets, and any two of them stay apart
# for eyes that do not see red, green or blue.
PALETTE = ("#1f5fa8", "#c76e11", "#29a093", "#983138", "#b379f2", "#0d1d8c", "#9300fe", "#460a16")
# Ticks of a period stand at its start: left to Vega, "Q2 2010" would stand at May, or twice.
_AXES: dict[Grain, dict[str, JsonValue]] = {
    "year": {"format": "%Y", "tickCount": {"interval": "year", "step": 1}},
    "quarter": {"format": "Q%q %Y", "tickCount": {"interval": "month", "step": 3}},
    "month": {"format": "%b %Y", "tickCount": {"interval": "month", "step": 1}},
    "week": {"format": "%Y-%m-%d"},
    "day": {"format": "%Y-%m-%d"},
}
_PATH = re.compile(r"([\\.\[\]'\"])")


def chart(columns: tuple[OutputColumn, ...], table: Table, apart: bool = True) -> Spec | None:
    """A Vega-Lite v5 spec (JSON-safe, data inline, no expression, no address) of one measure by one or two groupings.

    Shares of a whole give a pie, time a line, a category horizontal bars, time by category a line per category, two
    categories grouped bars. None for a single number, several measures, repeated groups and too many marks. Groups
    that are not `apart` (they share rows) are never added up.
    """
    shape = shape_of(columns, table)
    measure = drawn_measure(shape)
    if not 1 <= len(shape.groups) <= 2 or measure is None or len(table.rows) < 2:
        return None
    keys = {tuple(row[g.index] for g in shape.groups) for row in table.rows}
    if not measure.numeric or len(keys) < len(table.rows) or all(number(c) is None for c in cells_of(table, measure)):
        return None
    summed = apart and any(c.name == measure.name and c.type in ("sum", "count") for c in columns)
    plot = _one(shape, measure, table, summed) if len(shape.groups) == 1 else _two(shape, measure, table)
    if plot is None:
        return None
    return {
        "$schema": SCHEMA,
        "description": _description(plot, shape, measure, table),
        "usermeta": {"caption": "; ".join(plot.gaps)},
        "background": "white",
        "data": {"values": plot.values},
        **plot.drawn,
        "config": {"range": {"category": list(PALETTE)}, "mark": {"color": PALETTE[0]}},
    }


def drawn_measure(shape: Shape) -> Field | None:
    """The one measure that a picture shows: the only one, or the one that earlier values or shares were added to."""
    own = [m for m in shape.measures if not m.added]
    if len(own) == 1:
        return own[0]
    return shape.measures[0] if len(shape.measures) == 1 else None


def share_of(shape: Shape) -> Field | None:
    """The column that holds each row's part of the whole in percent, where the question asks for it."""
    return next((m for m in shape.measures if m.added == "percent_of_total"), None)


@dataclass(frozen=True)
class _Plot:
    """Marks and channels, the rows behind them, what kind it is, and what is not drawn."""

    kind: str
    drawn: Spec
    values: list[JsonValue]
    gaps: tuple[str, ...]


def _one(shape: Shape, measure: Field, table: Table, summed: bool) -> _Plot | None:
    group = shape.groups[0]
    whole, gaps = _values(shape, measure, table), _gaps(measure, table)
    if in_time_order(table, group) and len(table.rows) >= LINE_POINTS:
        return _Plot("Line chart", _line(len(table.rows), group, measure), whole, gaps)
    share = share_of(shape)
    if share is not None and _is_a_pie(measure, share, table):
        return _Plot("Pie chart", _pie(group, measure), _with_percent(whole, share, table), gaps)
    sort: JsonValue = None if group.kind != "text" or _in_order(measure, table) else "-x"
    bars: Spec = {
        "mark": {"type": "bar"},
        "width": 480,
        "height": {"step": 20},
        "encoding": {"y": {**_category(group), "sort": sort}, "x": _measured(measure)},
    }
    if len(table.rows) <= BARS:
        return _Plot("Bar chart", bars, whole, gaps)
    if group.time:
        return None
    values, cut = _highest(group, measure, table, summed)
    bars["encoding"] = {"y": {**_category(group), "sort": None}, "x": _measured(measure)}
    return _Plot("Bar chart", bars, values, (*gaps, cut))


def _highest(group: Field, measure: Field, table: Table, summed: bool) -> tuple[list[JsonValue], str]:
    """The rows with the highest values, and one bar for all others where their sum means something.

    Rows that the question put in order keep it.
    """
    rows = [row for row in table.rows if number(row[measure.index]) is not None]
    if not _in_order(measure, table):
        rows = sorted(rows, key=lambda row: -Fraction(row[measure.index]))
    kept, rest = rows[:BARS], rows[BARS:]
    values: list[JsonValue] = [
        {group.name: label(row[group.index]), measure.name: number(row[measure.index])} for row in kept
    ]
    which = "the first" if _in_order(measure, table) else "the highest"
    cut = f"{which} {len(kept)} of {len(table.rows):,} are drawn"
    if summed and rest and table.truncated is None and all(row[measure.index] >= 0 for row in rows):
        total = sum((Fraction(row[measure.index]) for row in rest), Fraction())
        values.append({group.name: OTHER.format(len(rest)), measure.name: number_of_sum(total)})
        cut = f"{which} {len(kept)} of {len(table.rows):,} are drawn, the others as one"
    return values, cut


def _in_order(measure: Field, table: Table) -> bool:
    """Whether the rows stand in the order of the measure already, up or down."""
    known = [c for c in map(number, cells_of(table, measure)) if c is not None]
    steps = list(pairwise(known))
    return all(a <= b for a, b in steps) or all(a >= b for a, b in steps)


def _is_a_pie(measure: Field, share: Field, table: Table) -> bool:
    """Whether the rows are the parts of one whole: all here, none negative, few, and together 100 percent."""
    parts = [number(cell) for cell in cells_of(table, share)]
    values = [number(cell) for cell in cells_of(table, measure)]
    known = [part for part in parts if part is not None]
    few = SLICES[0] <= len(parts) <= SLICES[1] and table.truncated is None
    counted = len(known) == len(parts) and all(value is not None and value >= 0 for value in values)
    return few and counted and abs(sum(known) - 100) < 0.1


def _pie(group: Field, measure: Field) -> Spec:
    """Slices from the top, the largest first. The labels are stacked by the same group and order as the slices, or they
    would stand at each other's."""
    slices: dict[str, JsonValue] = {
        "theta": {**_quantity(measure), "stack": True},
        "order": {**_quantity(measure), "sort": "descending"},
        "detail": _category(group),
    }
    color: JsonValue = {**_category(group), "legend": {"title": group.noun, "symbolType": "square"}}
    label: JsonValue = {"text": {"field": PERCENT, "type": "nominal"}}
    return {
        "width": 280,
        "height": 280,
        "encoding": slices,
        "layer": [
            {"mark": {"type": "arc", "outerRadius": 120, "stroke": "white"}, "encoding": {"color": color}},
            {"mark": {"type": "text", "radius": 140, "fontSize": 13, "color": "#202124"}, "encoding": label},
        ],
    }


def _with_percent(values: list[JsonValue], share: Field, table: Table) -> list[JsonValue]:
    parts = [percent_text(cell) for cell in cells_of(table, share)]
    return [{**row, PERCENT: part} for row, part in zip(values, parts, strict=True) if isinstance(row, dict)]


def percent_text(cell: Cell) -> str:
    """A share as a slice says it, to one place: "12.5%"."""
    part = number(cell)
    return "" if part is None else f"{part:.1f}".removesuffix(".0") + "%"


def _two(shape: Shape, measure: Field, table: Table) -> _Plot | None:
    values, gaps = _values(shape, measure, table), _gaps(measure, table)
    counts = {g.name: len(set(cells_of(table, g))) for g in shape.groups}
    times = [g for g in shape.groups if g.time and counts[g.name] >= LINE_POINTS]
    if len(times) == 1:
        series = next(g for g in shape.groups if g is not times[0])
        if counts[series.name] > LINES:
            return None
        return _Plot("Line chart", _line(counts[times[0].name], times[0], measure, series), values, gaps)
    few, many = sorted(shape.groups, key=lambda g: (counts[g.name], -g.index))
    if counts[few.name] > GROUPED or counts[many.name] > BARS:
        return None
    encoding: dict[str, JsonValue] = {"y": _category(many), "yOffset": _category(few), "x": _measured(measure)}
    drawn: Spec = {
        "mark": {"type": "bar"},
        "width": 480,
        "height": {"step": 14},
        "encoding": encoding | {"color": _category(few)},
    }
    return _Plot("Grouped bar chart", drawn, values, gaps)


def _line(points: int, time: Field, measure: Field, series: Field | None = None) -> Spec:
    encoding: dict[str, JsonValue] = {"x": _time(time), "y": _measured(measure)}
    if series:
        encoding["color"] = _category(series)
    mark: JsonValue = {"type": "line", "point": points <= DOTS, "strokeJoin": "round"}
    return {"mark": mark, "width": 560, "height": 280, "encoding": encoding}


def _time(field: Field) -> JsonValue:
    if field.kind not in ("date", "datetime"):
        return {"field": _escaped(field.name), "type": "ordinal", "title": field.words}
    axis: dict[str, JsonValue] = {"grid": False} | (_AXES.get(field.grain, {}) if field.grain else {})
    return {"field": _escaped(field.name), "type": "temporal", "title": field.words, "axis": axis}


def _category(field: Field) -> dict[str, JsonValue]:
    return {"field": _escaped(field.name), "type": "nominal", "title": field.noun, "sort": None}


def _quantity(field: Field) -> dict[str, JsonValue]:
    return {"field": _escaped(field.name), "type": "quantitative", "title": field.words}


def _measured(field: Field) -> JsonValue:
    return {**_quantity(field), "axis": {"tickCount": 6, "labelOverlap": True, "labelSeparation": 8}}


def _values(shape: Shape, measure: Field, table: Table) -> list[JsonValue]:
    return [
        {g.name: label(row[g.index]) for g in shape.groups} | {measure.name: number(row[measure.index])}
        for row in table.rows
    ]


def number_of_sum(total: Fraction) -> int | float:
    """A JSON number for an exact sum."""
    return total.numerator if total.denominator == 1 else float(total)


def number(cell: Cell) -> int | float | None:
    """A JSON number: decimals as the nearest double, and null for what is no finite number."""
    if not isinstance(cell, int | float | Decimal) or isinstance(cell, bool):
        return None
    number = cell if isinstance(cell, int) else float(cell)
    return number if math.isfinite(number) else None


def label(cell: Cell) -> JsonValue:
    """A group's name in the data of a chart."""
    if cell is None:
        return NO_GROUP
    if isinstance(cell, date):
        # A bare day is read as UTC by browsers and would be drawn a day early west of Greenwich.
        return cell.isoformat() if isinstance(cell, datetime) else f"{cell.isoformat()}T00:00:00"
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    if isinstance(cell, float) and not math.isfinite(cell):
        return repr(cell)
    return cell if isinstance(cell, int | float | str) else str(cell)


def _gaps(measure: Field, table: Table) -> tuple[str, ...]:
    missing = sum(number(cell) is None for cell in cells_of(table, measure))
    gaps = (f"{missing:,} without a value",) if missing else ()
    return (*gaps, "the result has more rows than are drawn") if table.truncated else gaps


def _description(plot: _Plot, shape: Shape, measure: Field, table: Table) -> str:
    by = " and ".join(g.noun for g in shape.groups)
    gaps = "".join(f"; {gap}" for gap in plot.gaps)
    return f"{plot.kind} of {measure.words} by {by}: {len(table.rows):,} values{gaps}."


def _escaped(name: str) -> str:
    """A column's name as a Vega field: dots, brackets and quotes would be read as a path."""
    return _PATH.sub(r"\\\1", name)
