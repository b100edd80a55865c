"""The gate over a chart: its rows, its sums and its percentages are those of the result, whoever proposed it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from pydantic import JsonValue

from backedge.ask.charts import OTHER, PERCENT, label, number, number_of_sum, percent_text
from backedge.ask.shape import NUMERIC
from backedge.kernel.defect import Defect
from backedge.query.table import Cell, Table

_Row = Mapping[str, JsonValue]


@dataclass(frozen=True)
class _Channel:
    field: str
    type: str


def chart_fits(spec: Mapping[str, JsonValue], table: Table) -> Defect | None:
    """The first thing in a chart that its table does not hold (a column, a row, a value), or None.

    A chart of fewer rows says so in its caption; one more row may stand for the sum of all that are left out.
    """
    rows, channels = _rows_of(spec), _channels(spec)
    if rows is None or not channels:
        return _defect("data", "does not hold the rows of the result")
    names = {column.name: index for index, column in enumerate(table.columns)}
    fields = dict.fromkeys(chain((c.field for c in channels), (name for row in rows for name in row)))
    for name in fields:
        if name not in names and name != PERCENT:
            return _defect(name, f"draws a column {name!r} that the result does not have")
    quantities = {channel.field for channel in channels if channel.type == "quantitative"}
    for name in quantities:
        if name not in names or table.columns[names[name]].kind not in NUMERIC:
            return _defect(name, f"measures {name!r}, which holds no numbers")
    drawn = tuple(dict.fromkeys(channel.field for channel in channels if channel.field != PERCENT))
    return _rows_differ(spec, rows, table, drawn, quantities) or _percent_differs(rows, table)


def _rows_differ(
    spec: Mapping[str, JsonValue], rows: list[_Row], table: Table, drawn: tuple[str, ...], quantities: set[str]
) -> Defect | None:
    names = {column.name: index for index, column in enumerate(table.columns)}
    wanted = [tuple(_shown(row[names[n]], n in quantities) for n in drawn) for row in table.rows]
    missing = next((f"data[{at}].{n}" for at, row in enumerate(rows) for n in drawn if n not in row), "")
    if missing:
        return _defect(missing, "leaves a value out")
    found = [tuple(row[n] for n in drawn) for row in rows]
    if len(found) >= len(wanted):
        at = next((at for at, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), len(wanted))
        return None if found == wanted else _defect(f"data[{at}]", "shows a row that is not the result's")
    return _left_out(spec, found, wanted, [n in quantities for n in drawn])


def _left_out(
    spec: Mapping[str, JsonValue],
    found: list[tuple[JsonValue, ...]],
    wanted: list[tuple[JsonValue, ...]],
    sums: list[bool],
) -> Defect | None:
    """Rows that are not drawn are told of, and their sum is one bar or none."""
    told = spec.get("usermeta")
    if not isinstance(told, dict) or not told.get("caption"):
        return _defect("data", "leaves rows out and does not say so")
    rest = list(wanted)
    others = []
    for row in found:
        if row in rest:
            rest.remove(row)
        else:
            others.append(row)
    if not others:
        return None
    known = [row for row in rest if all(value is not None for value in row)]
    name = OTHER.format(len(known))
    whole = tuple(number_of_sum(_sum(row[at] for row in known)) if sums[at] else name for at in range(len(sums)))
    return (
        None if others == [whole] else _defect("data", "shows a row that is neither the result's nor the others' sum")
    )


def _sum(values: object) -> Fraction:
    return sum((Fraction(str(value)) for value in values), Fraction())  # type: ignore[attr-defined]  # an iterable


def _percent_differs(rows: list[_Row], table: Table) -> Defect | None:
    if not any(PERCENT in row for row in rows) or PERCENT in {column.name for column in table.columns}:
        return None
    shares = [at for at, column in enumerate(table.columns) if column.name.endswith("percent_of_total")]
    right = [percent_text(row[shares[0]]) for row in table.rows] if len(shares) == 1 else []
    return (
        None
        if [row.get(PERCENT) for row in rows] == right
        else _defect(PERCENT, "shows shares that are not the result's")
    )


def _shown(cell: Cell, quantity: bool) -> JsonValue:
    return number(cell) if quantity else label(cell)


def _rows_of(spec: Mapping[str, JsonValue]) -> list[_Row] | None:
    data = spec.get("data")
    values = data.get("values") if isinstance(data, dict) else None
    if not isinstance(values, list):
        return None
    rows: list[_Row] = [row for row in values if isinstance(row, dict)]
    return rows if len(rows) == len(values) else None


def _channels(spec: Mapping[str, JsonValue]) -> list[_Channel]:
    """The channels of a chart, those of its layers too."""
    layers = spec.get("layer")
    encodings = (
        [spec.get("encoding"), *(x.get("encoding") for x in layers if isinstance(x, dict))]
        if isinstance(layers, list)
        else [spec.get("encoding")]
    )
    channels = [channel for encoding in encodings if isinstance(encoding, dict) for channel in encoding.values()]
    return [
        _Channel(re.sub(r"\\(.)", r"\1", str(c["field"])), str(c.get("type")))
        for c in channels
        if isinstance(c, dict) and "field" in c
    ]


def _defect(where: str, message: str) -> Defect:
    hint = "draw the rows of the result as they are"
    return Defect("chart_does_not_fit", f"The chart {message}.", where=where, hint=hint)
