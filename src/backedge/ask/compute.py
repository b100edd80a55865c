"""What a figure claims, computed from the rows again: a cell, a count, an extreme, a sum or a share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from backedge.ask.shape import Field, Shape, cells_of
from backedge.ask.wording import exact_text
from backedge.query.table import Cell, Table


@dataclass(frozen=True)
class Resolved:
    """The value that a figure stands for. `field` is its column where the value is one of its cells, else None."""

    value: Cell
    field: Field | None

    @property
    def exact(self) -> str:
        """The value without loss, as figures carry it."""
        return exact_text(self.value)


@dataclass(frozen=True)
class Unresolvable:
    """Why a figure stands for nothing in the result."""

    reason: str


Cells = tuple[tuple[int, str], ...]


def resolve(computation: str, cells: Cells, shape: Shape, table: Table) -> Resolved | Unresolvable:
    """The value of a figure with this computation and these cells, or why there is none."""
    if computation == "count of rows":
        return Resolved(len(table.rows), None)
    cited = _cited(cells, shape, table)
    if isinstance(cited, Unresolvable):
        return cited
    if not computation:
        return cited or Unresolvable("cites no cell")
    kind, _, name = computation.partition(" of ")
    field = shape.field(name)
    if field is None:
        return Unresolvable(f"is computed from an unknown column {name!r}")
    if kind in ("highest", "lowest"):
        return _extreme(kind, cited, field, table)
    if kind == "share":
        return _share(cited, field, table)
    if kind not in _OVER_COLUMN or (kind == "sum" and not field.numeric):
        return Unresolvable(f"has an unknown computation {computation!r}")
    return Resolved(_OVER_COLUMN[kind](cells_of(table, field)), None)


def best(cells: tuple[Cell, ...], word: str) -> Cell:
    """The highest or lowest of the cells that have a value, or None where none has."""
    known = [cell for cell in cells if has_value(cell)]
    pick = max if word.endswith("highest") else min
    return pick(known) if known else None  # type: ignore[type-var]  # cells of one column are of one kind


def has_value(cell: Cell) -> bool:
    """Whether a cell holds something that can be compared: neither NULL nor a double that is no number."""
    return cell is not None and cell == cell


def _cited(cells: Cells, shape: Shape, table: Table) -> Resolved | Unresolvable | None:
    """The one value of all cited cells; None where no cell is cited."""
    found: Resolved | None = None
    for row, name in cells:
        field = shape.field(name)
        if field is None or not 0 <= row < len(table.rows):
            return Unresolvable(f"cites row {row} of {name!r}, which the result does not have")
        cell = Resolved(table.rows[row][field.index], field)
        if found and found.exact != cell.exact:
            return Unresolvable("cites cells that differ")
        found = cell
    return found


def _extreme(kind: str, cited: Resolved | None, field: Field, table: Table) -> Resolved | Unresolvable:
    extreme = Resolved(best(cells_of(table, field), kind), field)
    if cited and (cited.field != field or cited.value != extreme.value):
        return Unresolvable(f"cites a cell that is not the {kind} of {field.name!r}")
    return extreme


def _share(cited: Resolved | None, field: Field, table: Table) -> Resolved | Unresolvable:
    cells = [Fraction(c) for c in cells_of(table, field) if isinstance(c, int | float | Decimal) and math.isfinite(c)]
    if cited is None or cited.field != field or not has_value(cited.value) or not sum(cells):
        return Unresolvable(f"is no share of {field.name!r}")
    part = cited.value
    if not isinstance(part, int | float | Decimal) or not math.isfinite(part):
        return Unresolvable(f"is no share of {field.name!r}")
    return Resolved(float(100 * Fraction(part) / sum(cells)), None)


def _sum(cells: tuple[Cell, ...]) -> Cell:
    known = [c for c in cells if isinstance(c, int | float | Decimal)]
    if any(isinstance(c, float) for c in known):
        return math.fsum(known)
    with localcontext(prec=80):  # the default of 28 digits would round a sum of 38-digit decimals
        return sum(c for c in known if not isinstance(c, float))


def _tied(word: str) -> Callable[[tuple[Cell, ...]], Cell]:
    def count(cells: tuple[Cell, ...]) -> int:
        extreme = best(cells, word)
        return sum(has_value(cell) and cell == extreme for cell in cells)

    return count


_OVER_COLUMN: dict[str, Callable[[tuple[Cell, ...]], Cell]] = {
    "distinct values": lambda cells: len({c for c in cells if c is not None}),
    "missing values": lambda cells: sum(not has_value(c) for c in cells),
    "sum": _sum,
    "tied highest": _tied("highest"),
    "tied lowest": _tied("lowest"),
}
