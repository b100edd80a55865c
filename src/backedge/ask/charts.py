"""A chart for a result, chosen by its shape alone: Vega-Lite JSON with inline data, or None where a table is better."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from pydantic import JsonValue

from backedge.ask.shape import NUMERIC, Field, Shape, cells_of, in_time_order, shape_of
from backedge.ask.wording import NO_GROUP
from backedge.kernel.defect import Defect
from backedge.query.table import Cell, Table
from backedge.semantic.spec import Grain, OutputColumn

Spec = dict[str, JsonValue]

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
BARS = 30
SERIES = 8
LINE_POINTS = 3
# Each has a contrast of at least 4.5 : 1 to white, which is the background that every chart sets.
PALETTE = ("#1f5fa8", "#b34700", "#1a7357", "#9c3587", "#6b6100", "#5b4fc7", "#b3261e", "#5f6368")
# Ticks of a period stand at its start: left to Vega, "Q2 2010" would stand at May, or twice.
_AXES: dict[Grain, dict[str, JsonValue]] = {
    "year": {"format": "%Y", "tickCount": {"interval": "year", "step": 1}},
    "quarter": {"format": "Q%q %Y", "tickCount": {"interval": "month", "step": 3}},
    "month": {"format": "%b %Y", "tickCount": {"interval": "month", "step": 1}},
    "week": {"format": "%Y-%m-%d"},
    "day": {"format": "%Y-%m-%d"},
}
_PATH = re.compile(r"([\\.\[\]'\"])")


def chart(columns: tuple[OutputColumn, ...], table: Table) -> Spec | None:
    """A Vega-Lite v5 spec (JSON-safe, data inline, no expression, no address) of one measure by one or two groupings.

    Time gives a line, a category horizontal bars in the order of the rows, time by category a line per category, two
    categories grouped bars. None for a single number, several measures, repeated groups and too many marks.
    """
    shape = shape_of(columns, table)
    if not 1 <= len(shape.groups) <= 2 or len(shape.measures) != 1 or len(table.rows) < 2:
        return None
    measure = shape.measures[0]
    keys = {tuple(row[g.index] for g in shape.groups) for row in table.rows}
    if not measure.numeric or len(keys) < len(table.rows) or all(_number(c) is None for c in cells_of(table, measure)):
        return None
    drawn = _one(shape, table) if len(shape.groups) == 1 else _two(shape, table)
    return drawn and {
        "$schema": SCHEMA,
        "description": _description(drawn, shape, table),
        "background": "white",
        "data": {"values": _values(shape, table)},
        **drawn,
        "config": {"range": {"category": list(PALETTE)}, "mark": {"color": PALETTE[0]}},
    }


def chart_fits(spec: Mapping[str, JsonValue], table: Table) -> Defect | None:
    """The first thing in a chart that its table does not hold (a column, a row, a value), or None."""
    rows, channels = _rows_of(spec), _channels(spec)
    if rows is None or len(rows) != len(table.rows):
        return _defect("data", "does not hold the rows of the result")
    names = {column.name: index for index, column in enumerate(table.columns)}
    for name in (*(channel.field for channel in channels), *(name for row in rows for name in row)):
        if name not in names:
            return _defect(name, f"draws a column {name!r} that the result does not have")
    quantities = {channel.field for channel in channels if channel.type == "quantitative"}
    for name in quantities:
        if table.columns[names[name]].kind not in NUMERIC:
            return _defect(name, f"measures {name!r}, which holds no numbers")
    for number, (drawn, row) in enumerate(zip(rows, table.rows, strict=True)):
        for name in {channel.field for channel in channels}:
            cell = row[names[name]]
            if name not in drawn or drawn[name] != (_number(cell) if name in quantities else _label(cell)):
                return _defect(f"data[{number}].{name}", f"shows {drawn.get(name)!r}, which is not the result's cell")
    return None


def _one(shape: Shape, table: Table) -> Spec | None:
    group, measure = shape.groups[0], shape.measures[0]
    if in_time_order(table, group) and len(table.rows) >= LINE_POINTS:
        return _line(group, measure)
    if len(table.rows) > BARS:
        return None
    return {
        "mark": {"type": "bar"},
        "width": 480,
        "height": {"step": 20},
        "encoding": {"y": _category(group), "x": _quantity(measure)},
    }


def _two(shape: Shape, table: Table) -> Spec | None:
    measure = shape.measures[0]
    counts = {g.name: len(set(cells_of(table, g))) for g in shape.groups}
    times = [g for g in shape.groups if g.time and counts[g.name] >= LINE_POINTS]
    if len(times) == 1:
        series = next(g for g in shape.groups if g is not times[0])
        return _line(times[0], measure, series) if counts[series.name] <= SERIES else None
    few, many = sorted(shape.groups, key=lambda g: (counts[g.name], -g.index))
    if counts[few.name] > SERIES or counts[many.name] > BARS:
        return None
    encoding: dict[str, JsonValue] = {"y": _category(many), "yOffset": _category(few), "x": _quantity(measure)}
    return {
        "mark": {"type": "bar"},
        "width": 480,
        "height": {"step": 14},
        "encoding": encoding | {"color": _category(few)},
    }


def _line(time: Field, measure: Field, series: Field | None = None) -> Spec:
    encoding: dict[str, JsonValue] = {"x": _time(time), "y": _quantity(measure)}
    if series:
        encoding["color"] = _category(series)
    return {"mark": {"type": "line", "point": True}, "width": 560, "height": 280, "encoding": encoding}


def _time(field: Field) -> JsonValue:
    if field.kind not in ("date", "datetime"):
        return {"field": _escaped(field.name), "type": "ordinal", "title": field.words}
    axis: dict[str, JsonValue] = {"grid": False} | (_AXES.get(field.grain, {}) if field.grain else {})
    return {"field": _escaped(field.name), "type": "temporal", "title": field.words, "axis": axis}


def _category(field: Field) -> JsonValue:
    return {"field": _escaped(field.name), "type": "nominal", "title": field.noun, "sort": None}


def _quantity(field: Field) -> JsonValue:
    return {"field": _escaped(field.name), "type": "quantitative", "title": field.words}


def _values(shape: Shape, table: Table) -> list[JsonValue]:
    measure = shape.measures[0]
    return [
        {g.name: _label(row[g.index]) for g in shape.groups} | {measure.name: _number(row[measure.index])}
        for row in table.rows
    ]


def _number(cell: Cell) -> int | float | None:
    """A JSON number: decimals as the nearest double, and null for what is no finite number."""
    if not isinstance(cell, int | float | Decimal) or isinstance(cell, bool):
        return None
    number = cell if isinstance(cell, int) else float(cell)
    return number if math.isfinite(number) else None


def _label(cell: Cell) -> JsonValue:
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


def _description(drawn: Spec, shape: Shape, table: Table) -> str:
    mark = drawn["mark"]
    kind = "Line chart" if isinstance(mark, dict) and mark["type"] == "line" else "Bar chart"
    by = " and ".join(g.noun for g in shape.groups)
    missing = sum(_number(cell) is None for cell in cells_of(table, shape.measures[0]))
    gaps = f"; {missing:,} without a value" if missing else ""
    cut = "; the result has more rows than are drawn" if table.truncated else ""
    return f"{kind} of {shape.measures[0].words} by {by}: {len(table.rows):,} values{gaps}{cut}."


def _escaped(name: str) -> str:
    """A column's name as a Vega field: dots, brackets and quotes would be read as a path."""
    return _PATH.sub(r"\\\1", name)


def _plain(field: str) -> str:
    return re.sub(r"\\(.)", r"\1", field)


def _rows_of(spec: Mapping[str, JsonValue]) -> list[dict[str, JsonValue]] | None:
    data = spec.get("data")
    values = data.get("values") if isinstance(data, dict) else None
    if not isinstance(values, list):
        return None
    rows = [row for row in values if isinstance(row, dict)]
    return rows if len(rows) == len(values) else None


@dataclass(frozen=True)
class _Channel:
    field: str
    type: str


def _channels(spec: Mapping[str, JsonValue]) -> list[_Channel]:
    encoding = spec.get("encoding")
    channels = encoding.values() if isinstance(encoding, dict) else ()
    return [
        _Channel(_plain(str(c["field"])), str(c.get("type"))) for c in channels if isinstance(c, dict) and "field" in c
    ]


def _defect(where: str, message: str) -> Defect:
    return Defect(
        "chart_does_not_fit", f"The chart {message}.", where=where, hint="draw the rows of the result as they are"
    )
