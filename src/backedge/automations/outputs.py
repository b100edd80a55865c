"""What a task gives, and how templates see it: text, a table, a loop's items, or another automation's outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from pydantic import JsonValue

from backedge.query.table import Cell, Table


@dataclass(frozen=True)
class Output:
    """One task's result. `text` is what the task's name renders as, `data` holds JSON under `value`, where it is JSON.

    `items` are a loop's, `parts` the outputs of another automation's or branch's tasks, by name. `sql` is what ran.
    """

    text: str = ""
    table: Table | None = None
    data: dict[str, JsonValue] | None = None
    items: tuple[Item, ...] = ()
    parts: tuple[Part, ...] = ()
    sql: str = ""
    cached: bool = False


@dataclass(frozen=True)
class Part:
    """The output of one named task."""

    name: str
    output: Output


@dataclass(frozen=True)
class Item:
    """One round of a loop: its value, and the outputs of its tasks."""

    value: JsonValue
    parts: tuple[Part, ...] = ()


class Shown(dict[str, Any]):
    """An output in a template: its parts by name, and its text where the whole is printed."""

    def __init__(self, text: str, parts: dict[str, Any]) -> None:
        super().__init__(parts)
        self._text = text

    def __str__(self) -> str:
        return self._text


class ShownColumn(list[Cell]):
    """A column in a template: where a table has no such row there is no cell, as Oxygen's templates have it."""

    def __getitem__(self, place: Any) -> Any:
        try:
            return super().__getitem__(place)
        except IndexError:
            return None


class ShownItems(list[Any]):
    """A loop in a template: the list of its items, which prints the text of their last tasks."""

    def __str__(self) -> str:
        return "\n".join(str(item) for item in self)


def shown(output: Output) -> Any:
    """The output as a template sees it."""
    if output.parts:
        return Shown(output.text, {part.name: shown(part.output) for part in output.parts})
    if output.table is not None:
        return Shown(output.text or table_text(output.table), columns_of(output.table))
    if output.items:
        return ShownItems(_shown_item(item) for item in output.items)
    return output.text if output.data is None else output.data.get("value")


def _shown_item(item: Item) -> Shown:
    parts = {part.name: shown(part.output) for part in item.parts}
    return Shown(item.parts[-1].output.text if item.parts else str(item.value), {"value": item.value, **parts})


def columns_of(table: Table) -> dict[str, ShownColumn]:
    """The columns of a table by name."""
    return {column.name: ShownColumn(row[i] for row in table.rows) for i, column in enumerate(table.columns)}


def table_text(table: Table) -> str:
    """A table as Markdown, with a line that says so where rows are missing."""
    return "\n".join(_lines(table))


def _lines(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(column.name for column in table.columns)} |"
    yield f"|{'---|' * len(table.columns)}"
    for row in table.rows:
        yield f"| {' | '.join(_in_cell(cell_text(cell)) for cell in row)} |"
    if table.truncated:
        yield f"(cut at the limit of {table.truncated}: more rows exist)"


def _in_cell(text: str) -> str:
    return " ".join(text.split("\n")).replace("|", "\\|")


def cell_text(cell: Cell) -> str:
    """A cell as text: exact, and empty where there is none."""
    if cell is None:
        return ""
    return cell.isoformat() if isinstance(cell, date | datetime) else str(cell)


def json_of(cell: Cell) -> JsonValue:
    """A cell as JSON: decimals and dates as text, exactly."""
    if cell is None or isinstance(cell, bool | int | float | str):
        return cell
    return str(cell) if isinstance(cell, Decimal) else cell_text(cell)


@dataclass(frozen=True)
class Names:
    """What templates of a task may name: variables, outputs so far, and the items of the loops around it."""

    variables: dict[str, JsonValue] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()

    def values(self) -> dict[str, Any]:
        """Everything by its name; the nearest of two with one name."""
        return {**self.variables, **{part.name: shown(part.output) for part in self.parts}}
