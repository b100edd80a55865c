"""A chart as somebody proposes it over columns of a result, held to its shape, or else the one of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from backedge.ask.charts import chart
from backedge.ask.shape import shape_of
from backedge.query.table import Table
from backedge.semantic.spec import OutputColumn


@dataclass(frozen=True)
class Choice:
    """A kind of chart and the columns that it is to draw: `x`, and `series` where there are two groupings, and `y`."""

    kind: Literal["line", "bar", "pie", "table"]
    x: str = ""
    y: str = ""
    series: str = ""


def chosen_chart(
    choice: Choice | None, columns: tuple[OutputColumn, ...], table: Table, apart: bool = True
) -> dict[str, JsonValue] | None:
    """The chart of the chosen measure, drawn as the shape of the rows asks for; none where a table was chosen.

    A choice decides what is drawn, never how: a line through categories, or a pie of parts that are no whole, misleads.
    """
    ruled = chart(columns, table, apart)
    if choice is None:
        return ruled
    if choice.kind == "table":
        return None
    shape = shape_of(columns, table)
    groups = {group.name for group in shape.groups}
    measure = shape.field(choice.y)
    if measure is None or measure not in shape.measures or {choice.x, choice.series} - {""} != groups:
        return ruled
    kept = sorted([*(group.index for group in shape.groups), measure.index])
    drawn = chart(tuple(columns[i] for i in kept) if columns else (), _only(table, kept), apart)
    return drawn or ruled


def _only(table: Table, kept: list[int]) -> Table:
    rows = tuple(tuple(row[i] for i in kept) for row in table.rows)
    return table.model_copy(update={"columns": tuple(table.columns[i] for i in kept), "rows": rows})
