"""Sentences with their names, measures, numbers and places set apart, so that patterns can be read over the rest.

Each thing found is one character of a private-use area: `L` a label, `N` an amount, `C` a measure, `T` a multiple,
`R` a place ("second"), `Q` wording of the question, `G` the noun of a grouping, `D` a day that a measure holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from backedge.ask.numbers.amounts import Amount, Times, Unreadable, amounts_in
from backedge.ask.numbers.english import ORDINALS
from backedge.ask.numbers.sheet import Sheet, alike, day_texts, nouns
from backedge.ask.shape import Field
from backedge.ask.wording import MONTHS
from backedge.query.table import Cell

_ROOM = 0x200
_FIRST = {letter: 0xE000 + at * _ROOM for at, letter in enumerate("LNCTRQGD")}
CLASSES = {letter: f"[{chr(first)}-{chr(first + _ROOM - 1)}]" for letter, first in _FIRST.items()}
_ORDINAL = re.compile(
    rf"(?<!\ba )(?<!\bone )\b(?:(?P<word>{'|'.join(ORDINALS)})|(?P<digits>\d+)(?:st|nd|rd|th))\b", re.IGNORECASE
)
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d{{2}}(?:-\d{{2}})?|\d{{1,2}} (?:{'|'.join(MONTHS)})(?: \d{{4}})?"
    rf"|(?:{'|'.join(MONTHS)})(?: \d{{1,2}}(?:st|nd|rd|th)?\b(?!,\d))?(?:,? \d{{4}})?|Q[1-4](?: \d{{4}})?)\b"
)
_STOP = re.compile(r"[!?;\n]+|\.(?=\s|\Z)")
_PLAIN = frozenset(
    {"number", "total", "count", "sum", "average", "avg", "mean", "of", "the", "in", "per", "amount", "value"}
)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


@dataclass(frozen=True)
class Label:
    """The name of a group."""

    start: int
    end: int
    group: Field
    cell: Cell


@dataclass(frozen=True)
class Named:
    """Words for one of some measures; `total` and `mean` where they say how it is made."""

    start: int
    end: int
    fields: tuple[Field, ...]
    total: bool = False
    mean: bool = False


@dataclass(frozen=True)
class Place:
    """An ordinal: "second", "3rd"."""

    start: int
    end: int
    place: int


@dataclass(frozen=True)
class Asked:
    """Wording of the question itself."""

    start: int
    end: int


@dataclass(frozen=True)
class Things:
    """The noun of a grouping: "stores"."""

    start: int
    end: int
    group: Field


@dataclass(frozen=True)
class Day:
    """A day that is a cell of a measure: the rows and the measure that hold it."""

    start: int
    end: int
    cells: tuple[tuple[int, str], ...]


Item = Label | Named | Amount | Times | Place | Asked | Things | Day
_LETTERS: dict[type, str] = {
    Label: "L", Amount: "N", Named: "C", Times: "T", Place: "R", Asked: "Q", Things: "G", Day: "D",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One sentence: `text` with a character for each item, and the items by that character."""

    text: str
    items: dict[str, Item]
    start: int

    def of(self, char: str) -> Item:
        """The item that a character stands for."""
        return self.items[char]

    def each(self, letter: str) -> Iterator[tuple[int, Item]]:
        """The items of one class with their places, in order."""
        for match in re.finditer(CLASSES[letter], self.text):
            yield match.start(), self.items[match[0]]


@dataclass(frozen=True)
class Odd:
    """Something that no sentence about this result may hold, and why."""

    start: int
    end: int
    why: str


def pattern(text: str) -> re.Pattern[str]:
    """A pattern over a line's text: `<L>` is any label, `<N>` any amount, and so on."""
    return re.compile(
        re.sub(r"<([A-Z]+)>", lambda m: "(?:" + "|".join(CLASSES[c] for c in m[1]) + ")", text), re.IGNORECASE
    )


def lines_of(text: str, sheet: Sheet) -> tuple[Line, ...] | Odd:
    """The sentences of `text`, or the first thing in it that cannot be read."""
    if private := re.search(r"[\ue000-\uf8ff\0]", text):
        return Odd(private.start(), private.end(), "is no character of a sentence")
    items: list[Item] = []
    free = text
    for find in (_labels, _asked, _measures, _days, _places):
        for item in find(free, sheet):
            if isinstance(item, Odd):
                return item
            items.append(item)
            free = free[: item.start] + "\0" * (item.end - item.start) + free[item.end :]
    for amount in amounts_in(free):
        if isinstance(amount, Unreadable):
            return Odd(amount.start, amount.end, "is not a number as English writes it")
        if any(amount.start < other.end and other.start < amount.end for other in items):
            continue
        items.append(amount)
    for item in items:
        free = free[: item.start] + "\0" * (item.end - item.start) + free[item.end :]
    if odd := next((at for at, char in enumerate(free) if char.isnumeric()), None):
        return Odd(odd, odd + 1, "is not a number as English writes it")
    items += _things(free, sheet)
    if len(items) >= _ROOM:
        return Odd(0, 1, "holds too many numbers and names to be checked")
    return tuple(_split(text, sorted(items, key=lambda item: item.start)))


def _labels(free: str, sheet: Sheet) -> Iterator[Item]:
    taken = free
    for text, group, cell in sheet.labels:
        exact = len(text) <= 3 or group.time or text.lower() in _PLAIN
        form = rf"(?:{re.escape(text)}|{re.escape(text[:1].upper() + text[1:])})" if exact else re.escape(text)
        for match in re.finditer(rf"(?<!\w){form}(?!\w)", taken, 0 if exact else re.IGNORECASE):
            after = taken[match.end() : match.end() + 2]
            if text[-1:].isdigit() and re.match(r"[.,]\d|%|-\d", after):
                continue
            yield Label(match.start(), match.end(), group, cell)
            taken = taken[: match.start()] + "\0" * len(match[0]) + taken[match.end() :]


def _asked(free: str, sheet: Sheet) -> Iterator[Item]:
    """The question's conditions, and its numbers with the word before them."""
    own = re.findall(r"[^\W\d_]+ \d[\w.,-]*\w|[^\W\d_]+ \d", sheet.question)
    for phrase in sorted({*sheet.phrases, *own}, key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?![\w%]|[.,]\d)", free, re.IGNORECASE):
            if any(c.isdigit() for c in phrase) and "\0" not in match[0]:
                yield Asked(match.start(), match.end())
                free = free[: match.start()] + "\0" * len(match[0]) + free[match.end() :]


def _measures(free: str, sheet: Sheet) -> Iterator[Item]:
    """Runs of words that name measures; a run may name several."""
    run: list[re.Match[str]] = []
    for match in (*_WORD.finditer(free), None):
        if (
            match is not None
            and _measured(match[0], sheet)
            and (not run or free[run[-1].end() : match.start()] in (" ", ""))
        ):
            run.append(match)
            continue
        if run and (named := _named(run, sheet)) is not None:
            yield named
        run = [match] if match is not None and _measured(match[0], sheet) else []


def _measured(word: str, sheet: Sheet) -> bool:
    grouping = any(word.lower() in nouns(g) for g in sheet.shape.groups)
    return not grouping and any(alike(word, own) for m in sheet.shape.measures for own in m.words.split())


def _named(run: list[re.Match[str]], sheet: Sheet) -> Named | None:
    words = [match[0].lower() for match in run]
    content = [word for word in words if word not in _PLAIN]
    scores = {
        m: sum(any(alike(word, own) for own in m.words.split()) for word in content or words)
        for m in sheet.shape.measures
    }
    best = max(scores.values())
    whole = " ".join(words) in {m.words.lower() for m in sheet.shape.measures}
    if not best or (not content and not whole and words[-1] not in ("count", "number", "average")):
        return None
    fitting = [m for m, score in scores.items() if score == best]
    fields = tuple(m for m in fitting if not m.added) or tuple(fitting)
    total, mean = any(word.startswith("total") for word in words), bool({"average", "avg", "mean"} & set(words))
    return Named(run[0].start(), run[-1].end(), fields, total, mean)


def _days(free: str, sheet: Sheet) -> Iterator[Item | Odd]:
    """Days and months that no row is called by are read by their own cells, or are not of this result."""
    for match in _DATE.finditer(free):
        if (
            match[0] in MONTHS
            and match[0] in ("May", "March")
            and not re.search(r"\b(in|of|for|to|from|since)\W+$", free[: match.start()])
        ):
            continue
        if cells := _holding(match[0], sheet):
            yield Day(match.start(), match.end(), cells)
            continue
        yield Odd(match.start(), match.end(), "is a day or period that the result does not name")


def _holding(text: str, sheet: Sheet) -> tuple[tuple[int, str], ...]:
    return tuple(
        (at, measure.name)
        for measure in sheet.shape.measures
        for at, row in enumerate(sheet.table.rows)
        if isinstance(day := row[measure.index], date) and text in day_texts(day)
    )


def _places(free: str, sheet: Sheet) -> Iterator[Place]:
    for match in _ORDINAL.finditer(free):
        yield Place(
            match.start(),
            match.end(),
            ORDINALS.index(match["word"].lower()) + 1 if match["word"] else int(match["digits"]),
        )


def _things(free: str, sheet: Sheet) -> Iterator[Item]:
    for group in sheet.shape.groups:
        for match in re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, nouns(group)))})(?!\w)", free, re.IGNORECASE):
            yield Things(match.start(), match.end(), group)


def _split(text: str, items: list[Item]) -> Iterator[Line]:
    masked, reached = "", 0
    by_char: dict[str, Item] = {}
    for number, item in enumerate(items):
        char = chr(_FIRST[_LETTERS[type(item)]] + number)
        by_char[char] = item
        masked += text[reached : item.start] + char
        reached = item.end
    masked += text[reached:]
    start = 0
    for stop in (*_STOP.finditer(masked), None):
        end = stop.start() if stop else len(masked)
        part = masked[start:end]
        if part.strip():
            yield Line(part, {c: by_char[c] for c in part if c in by_char}, start)
        start = stop.end() if stop else end
