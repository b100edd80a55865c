"""The date grammar: words to half-open ranges of days, as one phrase, from one to another, or open on a side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache

from backedge.ask.grounding.date_patterns import Pattern, Said, folded
from backedge.ask.grounding.dates_absolute import ABSOLUTE
from backedge.ask.grounding.dates_refused import REFUSED
from backedge.ask.grounding.dates_relative import RELATIVE, in_year, yearless, yearless_text
from backedge.ask.grounding.periods import Period, Reckoning, several
from backedge.ask.grounding.words import Word
from backedge.semantic.operators import midnight

YEARLESS = tuple(
    Pattern(phrase, yearless) for phrase in ("{month}", "{day} of? {month}", "{month} the? {nth}", "{part}")
)
Found = tuple[Period, int]
Trouble = tuple[str, int]
_Open = Callable[[Period], tuple[date | None, date | None]]
_JOINS = ("to", "until", "till", "through", "thru")
_LISTS = ("and", "or", ",", "to", "until", "till", "through", "thru")
_TEMPORAL = frozenset(
    {"in", "during", "of", "for", "on", "through", "throughout", "between", "from", "to", "and", "or"}
)
_BEFORE_TIMES = _TEMPORAL | {"since", "until", "till", "before", "after"}


def _from(point: Period) -> tuple[date | None, date | None]:
    return point.start, None


def _after(point: Period) -> tuple[date | None, date | None]:
    return point.end, None


def _before(point: Period) -> tuple[date | None, date | None]:
    return None, point.start


def _until(point: Period) -> tuple[date | None, date | None]:
    return None, point.end


BOUNDS: tuple[tuple[str, str, _Open], ...] = (
    ("since", "since", _from),
    ("starting|beginning from|in|on?", "since", _from),
    ("from|since the? start|beginning of", "since", _from),
    ("on or after", "since", _from),
    ("after", "after", _after),
    ("later than", "after", _after),
    ("before", "before", _before),
    ("earlier|prior than|to", "before", _before),
    ("until|till|through", "until", _until),
    ("up to", "until", _until),
    ("up? until|till|to|by the? end of", "until", _until),
    ("on or before", "until", _until),
    ("no later than", "until", _until),
)
_OPENERS = tuple((Pattern(phrase, lambda _said, _by: None), word, ends) for phrase, word, ends in BOUNDS)
_CLOSERS = tuple(
    (Pattern(phrase, lambda _said, _by: None), word, ends)
    for phrase, word, ends in (
        ("on|onwards|onward", "since", _from),
        ("or|and later|after|newer", "since", _from),
        ("or|and earlier|before|older", "until", _until),
    )
)


@dataclass(frozen=True)
class Reading:
    """What the words from one place on say of time: a period and how many words it takes, and why more is none."""

    period: Found | None = None
    trouble: Trouble | None = None


NOTHING = Reading()


def read_time(words: Sequence[Word], at: int, by: Reckoning) -> Reading:
    """The longest period that starts at word `at`; the reason against one, where that takes as many words or more."""
    found = _all(words, at, by)
    if not found:
        return NOTHING
    periods = [(f, taken) for f, taken in found if isinstance(f, Period)]
    reasons = [(f, taken) for f, taken in found if isinstance(f, str)]
    reason = max(reasons, key=lambda f: f[1], default=None)
    best = max(periods, key=lambda f: f[1], default=None)
    if reason is None or (best and best[1] > reason[1]):
        return Reading(best)
    return Reading(max((p for p in periods if p[1] < reason[1]), key=lambda f: f[1], default=None), reason)


def read_period(words: Sequence[Word], at: int, by: Reckoning) -> Found | None:
    """The longest period that starts at word `at` and how many words it takes, or None."""
    return read_time(words, at, by).period


_Read = tuple[Period | str, int]


def _all(words: Sequence[Word], at: int, by: Reckoning) -> list[_Read]:
    points = _points(words, at, by, refused=True)
    return [*points, *_spanned(words, at, by, points), *_bounded(words, at, by, points)]


@lru_cache(maxsize=4_096)
def _opened_by(word: str, refused: bool) -> tuple[Pattern, ...]:
    """The phrases that a word may open."""
    tables = (*ABSOLUTE, *RELATIVE, *(REFUSED if refused else ()))
    return tuple(pattern for pattern in tables if pattern.may_open(word))


def _points(words: Sequence[Word], at: int, by: Reckoning, refused: bool = False) -> list[_Read]:
    """Every single period at `at`, with "the" before it or not."""
    skip = 1 if folded(words, at) in ("the", "throughout") else 0
    found: list[_Read] = []
    for pattern in _opened_by(folded(words, at + skip), refused):
        for said, taken in pattern.match(words, at + skip):
            result = pattern.rule(said, by)
            if result is not None:
                found.append((result, taken + skip))
    return [*found, *_yearless(words, at, skip, by), *_over(words, at, by)]


def _over(words: Sequence[Word], at: int, by: Reckoning) -> list[_Read]:
    """ "Over the last 3 months": before a stretch of time "over" is no limit."""
    if folded(words, at) not in ("over", "across") or folded(words, at + 1) not in ("the", "this"):
        return []
    found = [f for f in _points(words, at + 1, by) if isinstance(f[0], Period) and f[0].relative]
    return [(period, taken + 1) for period, taken in found]


def _yearless(words: Sequence[Word], at: int, skip: int, by: Reckoning) -> list[_Read]:
    """A month, quarter or day without its year, where it stands as a time; a later one's year is its own too."""
    found: list[_Read] = []
    for pattern in (p for p in YEARLESS if p.may_open(folded(words, at + skip))):
        for said, taken in pattern.match(words, at + skip):
            end = at + skip + taken
            if folded(words, end).isdigit():
                continue
            ahead = _year_ahead(words, end, said)
            if ahead is not None:
                found.append((ahead, taken + skip))
            elif folded(words, at - 1) in _BEFORE_TIMES or said.days or said.part[0] or not _is_modal(words, at):
                found.append((yearless(said, by), taken + skip))
    return found


def _is_modal(words: Sequence[Word], at: int) -> bool:
    """ "May" and "march" are also verbs."""
    return folded(words, at) in ("may", "march", "mar", "sept", "sep", "dec", "jan")


def _year_ahead(words: Sequence[Word], at: int, said: Said) -> Period | str | None:
    """ "March" of "March and April 2024": what was said, in the year that stands at the end of the list."""
    before = _rank(said)
    while folded(words, at) in _LISTS:
        at += 1
        step = next(((s, n) for p in YEARLESS for s, n in p.match(words, at) if _same_kind(s, said)), None)
        if step is None:
            return None
        at += step[1]
        if _rank(step[0]) < before:
            before = (99, 99)
        before = max(before, _rank(step[0]))
        skip = 1 if folded(words, at) in ("of", ",") else 0
        for year_said, _ in Pattern("{year}", yearless).match(words, at + skip):
            if before == (99, 99):
                return f"it is not clear of which year {yearless_text(said)!r} is; give each its year"
            return in_year(said, year_said.year)
    return None


def _rank(said: Said) -> tuple[int, int]:
    return (said.part[1], 0) if said.part[0] else (said.month, said.day if said.days else 0)


def _same_kind(one: Said, other: Said) -> bool:
    return (one.part[0], bool(one.days)) == (other.part[0], bool(other.days))


def _spanned(words: Sequence[Word], at: int, by: Reckoning, points: list[_Read]) -> list[_Read]:
    """`between A and B`, `from A to B`, `A to B`: both ends included."""
    opener = folded(words, at)
    skip = 1 if opener in ("between", "from") else 0
    joins = ("and",) if opener == "between" else _JOINS
    found: list[_Read] = []
    for first, taken in _points(words, at + 1, by) if skip else points:
        middle = at + skip + taken
        if isinstance(first, Period) and [folded(words, middle), folded(words, middle + 1)] == ["so", "far"]:
            found.append((_so_far(first, by), skip + taken + 2))
        if isinstance(first, str) or folded(words, middle) not in joins:
            continue
        if [folded(words, middle), folded(words, middle + 1)] == ["to", "date"]:
            found.append((_span(first, _today(by)), skip + taken + 2))
        for second, more in _points(words, middle + 1, by):
            if isinstance(second, Period):
                found.append((_span(first, second), skip + taken + 1 + more))
    return found


def _today(by: Reckoning) -> Period:
    return Period(by.today, by.today + timedelta(days=1), "today", relative=True)


def _so_far(first: Period, by: Reckoning) -> Period | str:
    """ "2026 so far" goes up to today, where 2026 is not over."""
    if first.end is None or midnight(first.end) <= midnight(by.today):
        return f"{first.text!r} is not going on today, so it is not clear what is 'so far' of it"
    return _span(first, _today(by))


def _span(first: Period, second: Period) -> Period | str:
    """From one period to another, in every meaning in which the first begins before the second ends."""
    pairs = [(a, b) for a in first.others or (first,) for b in second.others or (second,)]
    if first.yearless and second.yearless:
        pairs = [(a, b) for a, b in pairs if a.start and b.start and a.start.year == b.start.year]
    elif len(first.others) == len(second.others) > 1:
        pairs = list(zip(first.others, second.others, strict=True))
    spans = [_joined(a, b) for a, b in pairs if a.start and b.start and b.end]
    found = [p for p in spans if p.start and p.end and midnight(p.start) < midnight(p.end)]
    text = f"{first.text} to {second.text}"
    if not found:
        return f"{text!r} ends before it starts; name the earlier time first"
    return replace(several(text, *found), yearless=first.yearless and second.yearless)


def _joined(first: Period, second: Period) -> Period:
    relative = first.relative or second.relative
    end = second.start if isinstance(second.start, datetime) else second.end
    how = "both ends included" if not isinstance(end, datetime) else ""
    return Period(first.start, end, f"{first.opening} to {second.closing}", relative, how)


def _bounded(words: Sequence[Word], at: int, by: Reckoning, points: list[_Read]) -> list[_Read]:
    """`since A`, `after A`, `before A`, `until A`, `A or later`: one end is open."""
    found: list[_Read] = []
    for opener, word, ends in _OPENERS:
        for _, skip in opener.match(words, at):
            for point, taken in _points(words, at + skip, by):
                found += _opened(point, word, ends, skip + taken)
    skip = 1 if folded(words, at) == "from" else 0
    for point, taken in _points(words, at + 1, by) if skip else points:
        for closer, word, ends in _CLOSERS:
            if skip and word == "until":
                continue
            for _, more in closer.match(words, at + skip + taken):
                found += _opened(point, word, ends, skip + taken + more)
    return found


def _opened(point: Period | str, word: str, ends: _Open, taken: int) -> list[_Read]:
    """A period open on a side; none of "until today" or "since the start of the year", which are open themselves."""
    if isinstance(point, str):
        return [(point, taken)]
    if not all(meant.whole for meant in point.others or (point,)):
        return []
    opens = word in ("since", "before")
    opened = _lifted(
        lambda p: Period(*ends(p), f"{word} {p.opening if opens else p.closing}", p.relative, p.how), point
    )
    return [(opened, taken)]


def _lifted(change: Callable[[Period], Period], point: Period) -> Period:
    """A period changed; words with several meanings in each of them."""
    changed = change(point)
    if not point.others:
        return changed
    return replace(changed, others=tuple(map(change, point.others)), yearless=point.yearless)


def phrases() -> Iterable[str]:
    """Every phrase of the grammar as its tables write it: those that are read, then those that are refused."""
    yield from (pattern.phrase for pattern in (*ABSOLUTE, *RELATIVE, *YEARLESS))
    yield from (phrase for phrase, _, _ in BOUNDS)
    yield from (pattern.phrase for pattern in REFUSED)
