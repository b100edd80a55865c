"""What a sentence may be about: the rows of a result under their names, its measures, its units, and its limits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from backedge.ask.numbers.amounts import Amount
from backedge.ask.shape import Field, Shape, cells_of
from backedge.ask.wording import MONTHS, name_text, plural
from backedge.query.table import Cell, Table

_SUMMED = frozenset({"sum", "count"})
_UNSUMMED = re.compile(r"\b(average|avg|mean|median|rate|ratio|share|percent\w*|pct|min|max|minimum|maximum|per)\b")
_FRACTION = re.compile(r"\b(rate|share|ratio|proportion|fraction|percent\w*|pct)\b")
_UNITS = {
    "usd": "$",
    "dollars": "$",
    "eur": "€",
    "euro": "€",
    "euros": "€",
    "gbp": "£",
    "pounds": "£",
    "jpy": "¥",
    "chf": "CHF",
}
_PERCENT = frozenset({"percent", "percentage", "pct"})
_STEMS = {"sold": "sale", "sell": "sale", "sells": "sale", "selling": "sale", "seller": "sale"}
_ENDINGS = re.compile(r"(ations?|ions?|ings?|ies|ed|es|e|s|y)$")

Bound = dict[str, Cell]
"""A cell for each of some groupings, by name: the row that words name."""


def stem(word: str) -> str:
    """A word without its ending, to meet its other forms: "orders" and "ordered"."""
    low = _STEMS.get(word.lower(), word.lower())
    cut = _ENDINGS.sub("", low)
    return cut if len(cut) >= 3 else low


def alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: by stem, or by a long common beginning ("converts", "conversion")."""
    a, b = stem(one), stem(other)
    return a == b or (min(len(a), len(b)) >= 5 and (a.startswith(b) or b.startswith(a)))


@dataclass(frozen=True)
class Sheet:
    """A result as a sentence may speak of it. `kinds` is how each measure is made ("sum"), "" where nothing is known.

    `phrases` are wordings that a sentence may repeat with their numbers, `said` is text whose words it may use. `whole`
    says that no row is missing, `apart` that no two groups overlap, `direction` by what the question's own limit cut.
    """

    shape: Shape
    table: Table
    kinds: dict[str, str]
    question: str = ""
    phrases: tuple[str, ...] = ()
    said: str = ""
    whole: bool = True
    apart: bool = True
    direction: str = ""

    @cached_property
    def labels(self) -> tuple[tuple[str, Field, Cell], ...]:
        """Every way to name a group, the longest first."""
        found = {
            (text, group.name, cell): (text, group, cell)
            for group in self.shape.groups
            for cell in dict.fromkeys(cells_of(self.table, group))
            for text in _names(cell, group, dict.fromkeys(cells_of(self.table, group)))
        }
        return tuple(sorted(found.values(), key=lambda label: -len(label[0])))

    @cached_property
    def known(self) -> frozenset[str]:
        """The stems of the question's and the columns' own words."""
        text = " ".join(
            (self.question, self.said, *self.phrases, *(f.words for f in (*self.shape.groups, *self.shape.measures)))
        )
        return frozenset(stem(word) for word in re.findall(r"[^\W\d_]+", text))

    def rows(self, bound: Bound) -> tuple[int, ...]:
        """The rows that have these groups."""
        fields = [(group.index, bound[group.name]) for group in self.shape.groups if group.name in bound]
        rows = enumerate(self.table.rows)
        return tuple(at for at, row in rows if all(row[index] == cell for index, cell in fields))

    def value(self, row: int, field: Field) -> Fraction | None:
        """A cell as an exact number, or None."""
        return number_of(self.table.rows[row][field.index])

    def adds_up(self, field: Field) -> bool:
        """Whether the sum of a measure's cells means something: sums and counts do, averages and rates do not."""
        kind = self.kinds.get(field.name, "")
        return self.apart and (kind in _SUMMED or not kind) and not _UNSUMMED.search(field.words.lower())

    def unit(self, field: Field) -> str:
        """The currency sign of a measure, or "%", by its name; "" where it names none."""
        words = field.words.lower().split()
        if self.fraction(field) or _PERCENT & set(words):
            return "%"
        return next((_UNITS[word] for word in words if word in _UNITS), "")

    def fraction(self, field: Field) -> bool:
        """Whether a measure is a part of 1, which a sentence writes in percent."""
        cells = [abs(v) for row in range(len(self.table.rows)) if (v := self.value(row, field)) is not None]
        named = _FRACTION.search(field.words.lower())
        return bool(named and not _PERCENT & set(field.words.lower().split()) and cells and max(cells) <= 1)

    def says(self, amount: Amount, field: Field, value: Fraction) -> bool:
        """Whether an amount says a cell of this measure, in its unit."""
        unit = self.unit(field)
        if amount.points or (amount.currency and amount.currency != unit) or (amount.percent and unit != "%"):
            return False
        return amount.fits(value * 100 if amount.percent and self.fraction(field) else value)

    def counted(self, group: Field) -> int:
        """How many groups there are, those without a name left out."""
        return len({cell for cell in cells_of(self.table, group) if cell is not None})


def number_of(cell: Cell) -> Fraction | None:
    """A cell as an exact number, or None where it is none."""
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal) or not math.isfinite(cell):
        return None
    return Fraction(Decimal(repr(cell))) if isinstance(cell, float) else Fraction(cell)


def _names(cell: Cell, group: Field, others: dict[Cell, None]) -> Iterator[str]:
    if cell is None:
        yield from (name_text(None), f"no {group.noun}")
    elif isinstance(cell, date):
        yield from _dates(cell, group, [other for other in others if isinstance(other, date)])
    elif isinstance(cell, str):
        yield name_text(cell)
    else:
        yield from (f"{group.noun} {name_text(cell)}", f"{group.noun} #{name_text(cell)}")
        if group.time:
            yield name_text(cell)


def _dates(cell: date, group: Field, others: list[date]) -> Iterator[str]:
    yield name_text(cell, group.grain)
    month = MONTHS[cell.month - 1]
    if group.grain in ("month", None, "day", "week"):
        months = [other for other in others if other.month == cell.month]
        if group.grain == "month":
            yield from (f"{month} {cell.year}", f"{month[:3]} {cell.year}", f"{cell.year:04d}-{cell.month:02d}")
            yield from (month, month[:3]) if len(months) == 1 else ()
        else:
            yield from day_texts(cell)
    if group.grain == "quarter":
        quarter = cell.month // 3 + 1
        yield f"{cell.year}-Q{quarter}"
        yield from (f"Q{quarter}",) if len({o.year for o in others}) == 1 else ()


def day_texts(day: date) -> tuple[str, ...]:
    """The ways to write a day in English."""
    month = MONTHS[day.month - 1]
    plain = day.isoformat()[:10]
    return (
        plain, f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}", f"{month} {day.day} {day.year}",
        f"{day.day} {month[:3]} {day.year}", f"{month[:3]} {day.day}, {day.year}",
    )  # fmt: skip


def nouns(group: Field) -> frozenset[str]:
    """The words for the things of a grouping, in lower case."""
    return frozenset({group.noun.lower(), plural(group.noun).lower()})
