"""One sentence under judgement: which row and measure its words mean at a place, and what of it is proven so far."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from backedge.ask.numbers.amounts import Amount, Times
from backedge.ask.numbers.lines import Day, Item, Label, Line, Named, pattern
from backedge.ask.numbers.sheet import Bound, Sheet
from backedge.ask.shape import Field
from backedge.ask.wording import exact_text

Cells = tuple[tuple[int, str], ...]
SEPARATOR = re.compile(
    r"[,():–—]|\b(?:and|while|whereas|but|to|followed by|ahead of|compared (?:with|to)|against|versus|then)\b",
    re.IGNORECASE,
)
RUN = pattern(r"<L>(?:(?:,? and |, | & )<L>)+")
_BESIDE = pattern(r"(?:['’]s?)? ?(?:(?:<C>|of|with|at|had|has|sold|is|was|were|are|for|the|a|\() ?){0,4}")
_AGGREGATES = re.compile(
    r"\b(?:totals?|totall?ed|in all|altogether|overall|combined|together|sums?"
    r"|add(?:s|ed)? up|averages?|averaged|mean|across)\b",
    re.IGNORECASE,
)


class Refused(Exception):
    """A sentence says what the rows do not bear out: `span` of the whole text, and why."""

    def __init__(self, kind: str, span: tuple[int, int], message: str, hint: str) -> None:
        super().__init__(message)
        self.kind, self.span, self.message, self.hint = kind, span, message, hint


@dataclass(frozen=True)
class Proof:
    """A number of the text at `span` that is `value`: of cells, or of a computation over them."""

    span: tuple[int, int]
    value: str
    cells: Cells
    computation: str = ""


@dataclass
class Reader:
    """What is known of one sentence. `carried` is the row that a sentence before it was about."""

    sheet: Sheet
    line: Line
    carried: Bound = field(default_factory=dict)
    proofs: list[Proof] = field(default_factory=list)
    taken: list[tuple[int, int]] = field(default_factory=list)

    def open(self, start: int, end: int | None = None) -> bool:
        """Whether nothing of this part is proven yet."""
        return not any(a < (end or start + 1) and start < b for a, b in self.taken)

    def take(self, start: int, end: int) -> None:
        """Mark a part as read."""
        self.taken.append((start, end))

    def prove(self, at: int, value: Fraction | None, cells: Cells, computation: str = "", exact: str = "") -> None:
        """Note that the number at this place is borne out."""
        item = self.line.of(self.line.text[at])
        span = (
            item.digits if isinstance(item, Amount) else item.amount.digits if isinstance(item, Times) else _span(item)
        )
        self.proofs.append(Proof(span, exact or shown(value), cells, computation))
        self.take(at, at + 1)

    def refuse(self, kind: str, at: int, message: str, hint: str, end: int = 0) -> Refused:
        """The refusal of what stands at a place of the line."""
        char = self.line.text[at : at + 1]
        item = self.line.items.get(char)
        if item is not None:
            return Refused(kind, _span(item), message, hint)
        start = self._place(at)
        word = re.match(r"[^\W\d_]*", self.line.text[at:])
        return Refused(kind, (start, start + max(end - at, len(word[0]) if word else 0, 1)), message, hint)

    def _place(self, at: int) -> int:
        """Where a character of the line stands in the whole text."""
        before = [(i, self.line.items[c]) for i, c in enumerate(self.line.text[:at]) if c in self.line.items]
        if not before:
            return self.first + at
        place, item = before[-1]
        return item.end + at - place - 1

    @property
    def first(self) -> int:
        """Where the line starts in the whole text."""
        found = next(((i, self.line.items[c]) for i, c in enumerate(self.line.text) if c in self.line.items), None)
        return found[1].start - found[0] if found else self.line.start

    def labels(self, start: int = 0, end: int | None = None) -> list[tuple[int, Label]]:
        """The labels between two places."""
        stop = len(self.line.text) if end is None else end
        return [(at, i) for at, i in self.line.each("L") if start <= at < stop and isinstance(i, Label)]

    def runs(self, end: int | None = None) -> list[tuple[int, int]]:
        """Names of one grouping that are joined by commas and "and", before a place."""
        stop = len(self.line.text) if end is None else end
        spans = [match.span() for match in RUN.finditer(self.line.text, 0, stop)]
        return [span for span in spans if len({label.group.name for _, label in self.labels(*span)}) == 1]

    def segments(self) -> list[tuple[int, int]]:
        """The parts of the sentence between commas, brackets and conjunctions."""
        ends = [*(m.end() for m in SEPARATOR.finditer(self.line.text)), len(self.line.text)]
        return list(zip([0, *ends[:-1]], ends, strict=True))

    def segment(self, at: int) -> tuple[int, int]:
        """The part that holds a place."""
        return next((s, e) for s, e in self.segments() if s <= at < e)

    def bound(self, at: int) -> Bound | None:
        """The groups that are meant at a place; None where several of one grouping may be."""
        known: Bound = dict(self.carried)
        for start, end in self.segments():
            inside = self.labels(start, end)
            if start <= at < end:
                return self._with_one(at, inside, known, (start, end))
            known |= {label.group.name: label.cell for _, label in inside}
        return known

    def _with_one(self, at: int, inside: list[tuple[int, Label]], known: Bound, span: tuple[int, int]) -> Bound | None:
        found = dict(known)
        for group in {label.group.name for _, label in inside}:
            labels = [(place, label) for place, label in inside if label.group.name == group]
            chosen = labels[0][1] if len({label.cell for _, label in labels}) == 1 else self._beside(at, labels)
            if chosen is None:
                return None
            found[group] = chosen.cell
        if inside or not _AGGREGATES.search(self.line.text[span[0] : span[1]]):
            for group, cell in self._alone(inside).items():
                found.setdefault(group, cell)
        return found

    def _beside(self, at: int, labels: list[tuple[int, Label]]) -> Label | None:
        """The label right before a place, with at most a word between."""
        for place, label in reversed(labels):
            if place < at and _BESIDE.fullmatch(self.line.text[place + 1 : at]):
                return label
        return None

    def _alone(self, inside: list[tuple[int, Label]]) -> Bound:
        """Groups that the whole sentence names once; for a part that names no group, only where it names one at all."""
        every = self.labels()
        names = {label.group.name for _, label in every}
        once = {n: {label.cell for _, label in every if label.group.name == n} for n in names}
        if not inside and (len(every) > 1 and len(names) == 1):
            return {}
        return {name: next(iter(cells)) for name, cells in once.items() if len(cells) == 1}

    def row(self, at: int) -> int | None:
        """The one row that is meant at a place, or None."""
        bound = self.bound(at)
        if bound is None or (not bound and len(self.sheet.table.rows) != 1):
            return None
        rows = self.sheet.rows(bound)
        return rows[0] if len(rows) == 1 else None

    def measure(self, at: int, amount: Amount | None = None) -> Field | None:
        """The one measure that is meant at a place: named right behind, else before it, else the only one."""
        fit = [m for m in self.sheet.shape.measures if self._may(m, amount)]
        for names in self._nearest(at):
            named = [m for m in names.fields if m in fit]
            if len(named) == 1:
                return named[0]
            if named:
                return None
        return (
            fit[0] if len(fit) == 1 and (len(self.sheet.shape.measures) == 1 or (amount and amount.currency)) else None
        )

    def _may(self, measure: Field, amount: Amount | None) -> bool:
        if not measure.numeric:
            return False
        unit = self.sheet.unit(measure)
        return amount is None or (not amount.currency or amount.currency == unit)

    def _nearest(self, at: int) -> list[Named]:
        start, end = self.segment(at)
        text = self.line.text
        every = [(place, item) for place, item in self.line.each("C") if isinstance(item, Named)]
        behind = pattern(r" ?(?:(?:more|fewer|less|of|in|worth of|the|its|all|total) )*").fullmatch
        close = [i for p, i in every if at < p < end and behind(text[at + 1 : p])]
        before = [i for p, i in reversed(every) if start <= p <= at]
        after = [i for p, i in every if at < p < end]
        earlier = [i for p, i in reversed(every) if p < start]
        later = [i for p, i in every if p >= end]
        return [*close, *before, *after, *earlier, *later]

    def number(self, at: int) -> Amount:
        """The amount at a place."""
        item = self.line.of(self.line.text[at])
        assert isinstance(item, Amount)
        return item

    def multiple(self, at: int) -> Times:
        """The multiple at a place."""
        item = self.line.of(self.line.text[at])
        assert isinstance(item, Times)
        return item

    def day(self, at: int) -> Day:
        """The day at a place."""
        item = self.line.of(self.line.text[at])
        assert isinstance(item, Day)
        return item

    def cells(self, rows: Sequence[int], measure: Field) -> Cells:
        """The cells of a measure in these rows."""
        return tuple((row, measure.name) for row in rows)

    def exact(self, row: int, measure: Field) -> str:
        """A cell without loss."""
        return exact_text(self.sheet.table.rows[row][measure.index])


def _span(item: Item) -> tuple[int, int]:
    return item.start, item.end


def shown(value: Fraction | None) -> str:
    """A computed value: exact where it ends, else the nearest double."""
    if value is None:
        return "null"
    if value.denominator == 1:
        return str(value.numerator)
    return repr(float(value))
