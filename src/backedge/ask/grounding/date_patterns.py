"""Phrase patterns of the date grammar: "last {n} {unit}" against words, and what its slots were filled with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from backedge.ask.grounding.numbers import read_number
from backedge.ask.grounding.periods import MONTHS, WEEKDAYS, Period, Reckoning, is_year
from backedge.ask.grounding.vocabulary import SMALL, TENS
from backedge.ask.grounding.words import Word

_ORDINALS = {
    name: number
    for number, names in enumerate(("first 1st", "second 2nd", "third 3rd", "fourth 4th"), 1)
    for name in names.split()
}
_UNIT_WORDS = ("day", "week", "month", "quarter", "half", "year")
_FISCAL = ("fiscal", "financial")
_SLOT_WORDS = {*_ORDINALS, *_UNIT_WORDS, *_FISCAL, *MONTHS, *WEEKDAYS, *SMALL, *TENS}
_SLASHED = re.compile(r"(\d{1,4})[/.](\d{1,2})[/.](\d{1,4})")


@dataclass(frozen=True)
class Said:
    """What a phrase says: the literal words that were matched, and the slots. `part` is (unit, number) of a year."""

    words: tuple[str, ...] = ()
    n: int = 0
    unit: str = ""
    year: int = 0
    month: int = 0
    days: tuple[int, ...] = ()
    weekday: int = 0
    part: tuple[str, int] = ("", 0)
    token: str = ""
    text: str = ""

    @property
    def day(self) -> int:
        """The last of the days."""
        return self.days[-1]

    @property
    def first(self) -> str:
        """The first literal word."""
        return self.words[0]


Rule = Callable[[Said, Reckoning], Period | str | None]
Matched = tuple[Said, int]


@dataclass(frozen=True)
class Pattern:
    """A phrase and its rule, which gives the period, why there is none, or None where the words mean another thing.

    A phrase is words, `a|b` for one of several, `{slot}`, and `?` behind what may be left out.
    """

    phrase: str
    rule: Rule

    def match(self, words: Sequence[Word], at: int) -> Iterator[Matched]:
        """Every way in which the phrase fits the words from `at` on, and how many words it takes."""
        opening = self.openings
        if opening and folded(words, at) not in opening:
            return
        for said, end in _match(self.elements, words, at, Said()):
            yield replace(said, text=" ".join(word.folded for word in words[at:end])), end - at

    @cached_property
    def elements(self) -> tuple[str, ...]:
        """The parts of the phrase."""
        return tuple(self.phrase.split())

    @cached_property
    def openings(self) -> frozenset[str]:
        """The words that the phrase may open with; none where it may open with a slot."""
        found: set[str] = set()
        for element in self.elements:
            if element.startswith("{"):
                return frozenset()
            found |= set(element.removesuffix("?").split("|"))
            if not element.endswith("?"):
                break
        return frozenset(found)

    def may_open(self, word: str) -> bool:
        """Whether the phrase may open with a word: by its literals, or by a slot that the word may begin."""
        if self.openings:
            return word in self.openings
        return any(c.isdigit() for c in word) or word in _SLOT_WORDS


def folded(words: Sequence[Word], at: int) -> str:
    """The word at `at`, or nothing where there is none or where it is quoted."""
    return words[at].folded if 0 <= at < len(words) and words[at].kind != "quoted" else ""


def _match(elements: tuple[str, ...], words: Sequence[Word], at: int, said: Said) -> Iterator[tuple[Said, int]]:
    if not elements:
        yield said, at
        return
    element, rest = elements[0], elements[1:]
    bare = element.removesuffix("?")
    found = _SLOTS[bare](words, at, said) if bare.startswith("{") else _literal(bare, words, at, said)
    if found:
        yield from _match(rest, words, found[1], found[0])
    if element != bare:
        yield from _match(rest, words, at, said)


def _literal(options: str, words: Sequence[Word], at: int, said: Said) -> tuple[Said, int] | None:
    word = folded(words, at)
    if not word or word not in options.split("|"):
        return None
    return replace(said, words=(*said.words, word)), at + 1


_Filled = tuple[Said, int] | None


def _number(words: Sequence[Word], at: int, said: Said) -> _Filled:
    found = read_number(words, at) if folded(words, at) else None
    if found is None or not isinstance(found[0], int) or not 1 <= found[0] <= 1_000:
        return None
    return replace(said, n=found[0]), at + found[1]


def _unit(words: Sequence[Word], at: int, said: Said) -> _Filled:
    fiscal = folded(words, at) in _FISCAL
    place = at + fiscal
    unit = words[place].stem if folded(words, place) else ""
    if unit == "halve":
        unit = "half"
    if unit not in _UNIT_WORDS or (fiscal and unit not in ("quarter", "year")):
        return None
    taken = 2 if unit == "half" and folded(words, place + 1) in ("year", "years") else 1
    return replace(said, unit=f"fiscal {unit}" if fiscal else unit), place + taken


def _year(words: Sequence[Word], at: int, said: Said) -> _Filled:
    text = folded(words, at)
    fits = len(text) == 4 and text.isascii() and text.isdigit() and is_year(int(text))
    return (replace(said, year=int(text)), at + 1) if fits else None


def _month(words: Sequence[Word], at: int, said: Said) -> _Filled:
    month = MONTHS.get(folded(words, at))
    return (replace(said, month=month), at + 1) if month and words[at].text.isalpha() else None


def _day(words: Sequence[Word], at: int, said: Said) -> _Filled:
    text = folded(words, at)
    digits = text[:-2] if text.endswith(("st", "nd", "rd", "th")) else text
    fits = digits.isascii() and digits.isdigit() and len(digits) <= 2 and 1 <= int(digits) <= 31
    return (replace(said, days=(*said.days, int(digits))), at + 1) if fits else None


def _nth(words: Sequence[Word], at: int, said: Said) -> _Filled:
    """A day with its ending, "3rd", which is no year cut short."""
    found = _day(words, at, said)
    return found if found and not folded(words, at).isdigit() else None


def _single(words: Sequence[Word], at: int, said: Said) -> _Filled:
    """A unit in the singular: "month", and not "months"."""
    found = _unit(words, at, said)
    return found if found and folded(words, found[1] - 1) == words[found[1] - 1].stem else None


def _weekday(words: Sequence[Word], at: int, said: Said) -> _Filled:
    word = folded(words, at)
    return (replace(said, weekday=WEEKDAYS.index(word)), at + 1) if word in WEEKDAYS else None


def _part(words: Sequence[Word], at: int, said: Said) -> _Filled:
    """`Q2`, `H1`, `quarter 2`, `second quarter`, `first half`."""
    first, second = folded(words, at), folded(words, at + 1)
    if re.fullmatch(r"q[1-4]|h[12]", first) and words[at].text.isalnum():
        return replace(said, part=("quarter" if first[0] == "q" else "half", int(first[1]))), at + 1
    if first == "quarter" and second in ("1", "2", "3", "4"):
        return replace(said, part=(first, int(second))), at + 2
    if first in _ORDINALS and second in ("quarter", "half") and (second == "quarter" or _ORDINALS[first] <= 2):
        return replace(said, part=(second, _ORDINALS[first])), at + 2
    return None


def _token(shape: str) -> Callable[[Sequence[Word], int, Said], _Filled]:
    pattern = re.compile(shape)

    def read(words: Sequence[Word], at: int, said: Said) -> _Filled:
        fits = folded(words, at) and pattern.fullmatch(words[at].folded)
        return (replace(said, token=words[at].folded), at + 1) if fits else None

    return read


_SLOTS: dict[str, Callable[[Sequence[Word], int, Said], _Filled]] = {
    "{n}": _number,
    "{unit}": _single,
    "{units}": _unit,
    "{year}": _year,
    "{month}": _month,
    "{day}": _day,
    "{nth}": _nth,
    "{dd}": _token(r"\d{1,2}"),
    "{weekday}": _weekday,
    "{part}": _part,
    "{iso}": _token(r"\d{4}-\d{2}(-\d{2})?"),
    "{moment}": _token(r"\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(:\d{2})?(z|[+-]\d{2}:\d{2})?"),
    "{isoweek}": _token(r"\d{4}-w\d{2}"),
    "{slashed}": _token(_SLASHED.pattern),
    "{fy}": _token(r"fy(\d{2}|\d{4})"),
    "{decade}": _token(r"(19|20)\d0s"),
    "{shortdecade}": _token(r"\d0s"),
    "{w}": _token(r"w\d{1,2}"),
}


def slashed(text: str) -> tuple[int, int, int] | None:
    """The three numbers of `3/4/2024` or `2024/03/04`."""
    found = _SLASHED.fullmatch(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def real_day(year: int, month: int, day: int) -> date | None:
    """The day, where the calendar has it."""
    try:
        return date(year, month, day) if is_year(year) else None
    except ValueError:
        return None
