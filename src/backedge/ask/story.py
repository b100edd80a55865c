"""The parts of a sentence that answers: figures before they have their place, what a row is called, clauses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backedge.ask.heading import Heading
from backedge.ask.shape import Field, Shape, said, told_of
from backedge.ask.wording import count_text, exact_text, name_text
from backedge.query.table import Table

TOLD_MEASURES = 3


@dataclass(frozen=True)
class Mark:
    """A figure before its place in the text is known."""

    text: str
    value: str
    cells: tuple[tuple[int, str], ...] = ()
    computation: str = ""
    rounded: bool = False


Part = str | Mark
Parts = tuple[Part, ...]


@dataclass(frozen=True)
class Story:
    head: Heading
    shape: Shape
    table: Table
    tied: bool = False

    @property
    def row_noun(self) -> str:
        """What one row is: a store, or a group where several columns or none name it."""
        return self.shape.groups[0].noun if len(self.shape.groups) == 1 else "group"

    @property
    def told(self) -> tuple[Field, ...]:
        """The measures that get words; the others are in the table."""
        return told_of(self.shape)[:TOLD_MEASURES]


def naming(story: Story, row: int) -> Parts:
    """What a row is called: "store 20", "Acme", "March 2011", "Acme, store 20"."""
    return joined([_group_name(story, row, g) for g in story.shape.groups], ", ")


def _group_name(story: Story, row: int, group: Field) -> Parts:
    cell = story.table.rows[row][group.index]
    mark = Mark(name_text(cell, group.grain), exact_text(cell), ((row, group.name),))
    dated = group.time and (group.kind != "integer" or group.noun == "year")
    bare = cell is not None and cell != "" and (dated or group.kind == "text")
    return (mark,) if bare else (f"{group.noun} ", mark)


def cell_mark(story: Story, row: int, measure: Field, computation: str = "", rows: tuple[int, ...] = ()) -> Mark:
    cell = story.table.rows[row][measure.index]
    text, rounded = said(cell, measure)
    return Mark(text, exact_text(cell), tuple((r, measure.name) for r in rows or (row,)), computation, rounded)


def count_mark(computation: str, count: int) -> Mark:
    return Mark(count_text(count), str(count), (), computation)


def row_count(table: Table) -> Mark:
    return Mark(f"{len(table.rows):,}", str(len(table.rows)), (), "count of rows")


def joined(items: Iterable[Parts], last: str = " and ") -> Parts:
    parts: Parts = ()
    every = list(items)
    for place, item in enumerate(every):
        parts += ((", " if place < len(every) - 1 else last,) if place else ()) + item
    return parts


def in_clauses(clauses: Iterable[Parts]) -> Parts:
    parts: Parts = ()
    for place, clause in enumerate(clauses):
        parts += (("; ",) if place else ()) + clause
    return parts


def added_to(shape: Shape, measure: Field, added: str) -> Field | None:
    """The column of that kind that was added to a measure of the question."""
    bases = [f for f in shape.measures if not f.added]
    columns = [f for f in shape.measures if f.added == added]
    return columns[bases.index(measure)] if measure in bases and len(columns) == len(bases) else None
