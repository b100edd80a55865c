"""Puts the cells of a table into rows of equal meaning: a cell that spans several places is given at each of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from backedge.adapters.reading.building import Builder, Extent

_WIDEST = 500  # columns and rows that spans may fill: more is no table that anyone reads


@dataclass
class Grid:
    """The rows of one table while it is written; rows of the head come first, each a list of stretches of the text."""

    builder: Builder
    head: list[list[Extent]] = field(default_factory=list)
    body: list[list[Extent]] = field(default_factory=list)
    _row: list[Extent] = field(default_factory=list)
    _from_above: dict[int, tuple[Extent, int]] = field(default_factory=dict)
    _first: bool = True

    def begin_row(self) -> None:
        """Begin a row: a line of its own."""
        self.builder.line()
        self._row, self._first = [], True

    def begin_cell(self) -> int:
        """Begin a cell, divided by a tab from the one before; gives where its text will begin."""
        if not self._first:
            self.builder.tab()
        self._first = False
        return self.builder.here()

    def end_cell(self, start: int, colspan: str | None, rowspan: str | None) -> None:
        """End the cell that began at `start`, with its spans as they are written."""
        self._fill()
        extent, below = (start, self.builder.length), _span(rowspan) - 1
        for _ in range(max(1, min(_span(colspan), _WIDEST - len(self._row)))):
            if below:
                self._from_above[len(self._row)] = (extent, below)
            self._row.append(extent)

    def end_row(self, *, heading: bool) -> None:
        """End the row. It belongs to the head if it is a `heading` and no row of the body came before it."""
        self._fill()
        (self.head if heading and not self.body else self.body).append(self._row)
        self.builder.line()

    def _fill(self) -> None:
        """Add the cells that reach into this row from above, as far as they stand next to each other."""
        while (column := len(self._row)) in self._from_above:
            extent, left = self._from_above.pop(column)
            self._row.append(extent)
            if left > 1:
                self._from_above[column] = (extent, left - 1)


def _span(written: str | None) -> int:
    value = (written or "1").strip()
    return min(max(int(value), 1), _WIDEST) if value.isdecimal() and len(value) < 10 else 1
