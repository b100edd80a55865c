"""Whether two results are the same: by their values, whatever the columns are called and however they are written."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from backedge.query.table import Cell

RELATIVE = 1e-9
Row = tuple[Cell, ...]
_Plain = tuple[int, object]
_PlainRow = tuple[_Plain, ...]


@dataclass(frozen=True)
class Wanted:
    """The rows that are right. With `ordered` they must come in their order; rows that are equal in the columns `keys`
    may change places (None: none may). With `limit` the first so many are wanted, and `rows` holds what follows too.

    `tolerance` is how far a number may be off; without it exact numbers are exact and doubles agree to 1e-9.
    """

    rows: tuple[Row, ...]
    ordered: bool = False
    keys: tuple[int, ...] | None = None
    limit: int | None = None
    tolerance: Decimal = Decimal(0)

    @property
    def count(self) -> int:
        """How many rows are wanted."""
        return len(self.rows) if self.limit is None else min(self.limit, len(self.rows))


def difference(wanted: Wanted, got: Sequence[Row]) -> str:
    """What is first seen to differ, in words; "" where the results are the same."""
    if len(got) != wanted.count:
        return f"{_counted(len(got), 'row')}, not {wanted.count}"
    if not got:
        return ""
    if len(got[0]) != len(wanted.rows[0]):
        return f"{_counted(len(got[0]), 'column')}, not {len(wanted.rows[0])}"
    right, found = _plain(wanted.rows), _plain(got)
    arranged = [[tuple(row[place] for place in places) for row in found] for places in _places(wanted, right, found)]
    if any(_holds(wanted, right, rows) for rows in arranged):
        return ""
    values = any(_rows_in(rows, right, wanted) for rows in arranged)
    return "the right rows in a wrong order" if values else "other values"


def _places(wanted: Wanted, right: list[_PlainRow], found: list[_PlainRow]) -> Iterator[tuple[int, ...]]:
    """Every way to set the columns that were found against the wanted ones, by their values alone."""
    width = len(right[0])
    fits = [
        [place for place in range(width) if _rows_in(_column(found, place), _column(right, at), wanted)]
        for at in range(width)
    ]

    def choose(at: int, taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if at == width:
            yield taken
            return
        for place in fits[at]:
            if place not in taken:
                yield from choose(at + 1, (*taken, place))

    yield from choose(0, ())


def _holds(wanted: Wanted, right: list[_PlainRow], found: list[_PlainRow]) -> bool:
    if not wanted.ordered:
        return _rows_in(found, right, wanted)
    if wanted.keys is None:
        return all(_same_row(a, b, wanted.tolerance) for a, b in zip(right, found, strict=False))
    pairs = zip(right, found, strict=False)
    in_order = all(_same(a[key], b[key], wanted.tolerance) for a, b in pairs for key in wanted.keys)
    return in_order and _rows_in(found, right, wanted)


def _rows_in(found: list[_PlainRow], right: list[_PlainRow], wanted: Wanted) -> bool:
    """Whether each row that was found is one of the right ones, and no right one is used twice."""
    exact = [place for place in range(len(right[0])) if _is_exact(place, (right, found), wanted.tolerance)]
    left: dict[_PlainRow, list[_PlainRow]] = defaultdict(list)
    for row in right:
        left[tuple(row[place] for place in exact)].append(row)
    if len(exact) == len(right[0]):
        return all(count <= len(left.get(row, ())) for row, count in Counter(found).items())
    for row in found:
        near = left.get(tuple(row[place] for place in exact), [])
        match = next((n for n, other in enumerate(near) if _same_row(other, row, wanted.tolerance)), None)
        if match is None:
            return False
        del near[match]
    return True


def _is_exact(place: int, tables: Sequence[list[_PlainRow]], tolerance: Decimal) -> bool:
    """Whether the cells of a column are compared exactly, so that equal ones can be found by looking them up."""
    loose = int | Decimal | float if tolerance else float
    return not any(isinstance(row[place][1], loose) for rows in tables for row in rows)


def _column(rows: list[_PlainRow], place: int) -> list[_PlainRow]:
    return [(row[place],) for row in rows]


def _same_row(a: _PlainRow, b: _PlainRow, tolerance: Decimal) -> bool:
    return all(_same(x, y, tolerance) for x, y in zip(a, b, strict=True))


def _same(a: _Plain, b: _Plain, tolerance: Decimal) -> bool:
    x, y = a[1], b[1]
    if not (isinstance(x, int | Decimal | float) and isinstance(y, int | Decimal | float)) or a[0] != b[0]:
        return a == b
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    if tolerance and math.isfinite(x) and math.isfinite(y):
        return abs(_decimal(x) - _decimal(y)) <= tolerance
    if isinstance(x, float) or isinstance(y, float):
        return math.isclose(float(x), float(y), rel_tol=RELATIVE)
    return x == y


def _decimal(number: int | Decimal | float) -> Decimal:
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)


def _plain(rows: Sequence[Row]) -> list[_PlainRow]:
    return [tuple(_cell(cell) for cell in row) for row in rows]


def _cell(cell: Cell) -> _Plain:
    """A cell with its family: `true` is not 1. A midnight is its day, and a date written as text is the date."""
    match cell:
        case bool():
            return (1, str(cell))
        case int() | Decimal() | float():
            return (2, cell)
        case datetime() if (cell.hour, cell.minute, cell.second, cell.microsecond) == (0, 0, 0, 0):
            return (3, cell.date().isoformat())
        case date() | time():
            return (3, cell.isoformat())
        case timedelta():
            return (4, str(cell))
        case _:
            return (0, None) if cell is None else (3, str(cell))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
