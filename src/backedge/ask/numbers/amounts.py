"""Written amounts: digits, number words, money, percent and multiples, read with how exactly they are meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from backedge.ask.numbers.english import ONES, TENS

Hedge = Literal["", "about", "near", "over", "under", "least", "most"]
LOOSEST = Fraction(5, 100)

_ONES = {word: value for value, word in enumerate(ONES)}
_TENS = {word: value for value, word in zip(range(20, 100, 10), TENS, strict=True)}
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SUFFIXES = {"k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9} | _SCALES
_CURRENCIES = {
    "$": "$", "usd": "$", "dollar": "$", "dollars": "$", "us$": "$",
    "€": "€", "eur": "€", "euro": "€", "euros": "€",
    "£": "£", "gbp": "£", "pound": "£", "pounds": "£",
    "¥": "¥", "yen": "¥", "jpy": "¥", "chf": "CHF",
}  # fmt: skip
_HEDGES: tuple[tuple[Hedge, str], ...] = (
    ("least", r"at least|no less than|no fewer than|not less than|a minimum of"),
    ("most", r"at most|no more than|not more than|up to|a maximum of"),
    ("near", r"nearly|almost|close to"),
    (
        "over",
        r"just over|just above|slightly more than|well over|more than|greater than|over|above|exceed(?:s|ed|ing)?",
    ),
    ("under", r"slightly less than|just under|just below|well under|less than|fewer than|lower than|under|below"),
    ("about", r"about|around|roughly|approximately|approx\.?|circa|some|~|≈"),
)
_WORD = "|".join((*_ONES, *_TENS))
_SPELLED = (
    rf"(?:(?:{_WORD}|a|an)(?:[- ](?:{_WORD}))?(?: (?:hundred|thousand|million|billion|dozen))+"
    rf"(?: and (?:{_WORD})(?:-(?:{_WORD}))?)?|(?:{_WORD})(?:-(?:{_WORD}))?)"
)
_AMOUNT = re.compile(
    r"(?P<sign>(?<![\w)])[-−]\s?|minus |negative )?"
    r"(?:(?P<before>US\$|[$€£¥]|(?:USD|EUR|GBP|CHF)(?= ?\d))\s?)?(?P<minus>[-−])?"
    rf"(?:(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)|(?P<spelled>\b{_SPELLED}\b))"
    r"(?:\s?(?P<suffix>k|mn|bn|[MB]|m(?=\b)|thousand|million|billion|trillion)\b)?"
    r"(?P<percent>\s?%|[ -]per ?cent(?:age)?(?! points?)\b)?"
    r"(?P<points>[ -](?:percentage |per cent )?points?\b|\s?pp\b)?"
    r"(?P<times>\s?[x×](?!\w)|[- ]?(?:times|fold)\b)?"
    r"(?:\s?(?P<after>€|USD|EUR|GBP|CHF|dollars?|euros?|pounds?|yen)(?!\w))?",
    re.IGNORECASE,
)
_HEDGED = re.compile(rf"(?:\b|(?<=[^\w]))(?:{'|'.join(f'(?P<{h}>{w})' for h, w in _HEDGES)})\s*$", re.IGNORECASE)
_MULTIPLE = re.compile(
    r"\b(?:(?P<two>twice|doubl(?:e|es|ed|ing))|(?P<three>thrice|tripl(?:e|es|ed|ing))|(?P<four>quadrupl(?:e|es|ed))"
    r"|(?:(?P<n>one|two|three|a|the) )?"
    r"(?:(?P<half>half|halves|halved|halving)|(?P<third>thirds?)|(?P<quarter>quarters?)))\b",
    re.IGNORECASE,
)  # fmt: skip
_LOSS = re.compile(r"\b(?:loss|losses|deficit|shortfall|negative) (?:of )?$", re.IGNORECASE)


@dataclass(frozen=True)
class Amount:
    """A written number. `digits` is the span without its hedge; `step` the unit of its last digit, `round` that of its
    last digit that is not zero. `currency` is a sign, `percent` and `points` say how it counts.
    """

    start: int
    end: int
    digits: tuple[int, int]
    value: Fraction
    step: Fraction
    round: Fraction
    hedge: Hedge = ""
    currency: str = ""
    percent: bool = False
    points: bool = False

    def fits(self, value: Fraction) -> bool:
        """Whether it says `value`: within half a unit of the last digit written, and never more than 5 percent off.

        After "about" zeros at the end are no digits. "Over" and "under" need the value on their side, within one unit.
        """
        gap = value - self.value
        near = abs(gap) <= LOOSEST * abs(value)
        match self.hedge:
            case "over" | "least":
                return (gap > 0 or (gap == 0 and self.hedge == "least")) and gap < self.round
            case "under" | "most":
                return (gap < 0 or (gap == 0 and self.hedge == "most")) and -gap < self.round
            case "near":
                return gap < 0 and -gap <= self.round / 2 and near
            case "about":
                return abs(gap) <= self.round / 2 and near
        return gap == 0 or (abs(gap) <= self.step / 2 and near and self.value != 0)

    def bounds(self, value: Fraction) -> bool:
        """Whether `value` lies on the side of this threshold that its words name, however far."""
        sides = {"over": value > self.value, "least": value >= self.value}
        return (sides | {"under": value < self.value, "most": value <= self.value}).get(self.hedge, False)


@dataclass(frozen=True)
class Times:
    """A multiple or a part: "twice", "a third of", "2.5 times"; `change` where it is what happened ("doubled")."""

    start: int
    end: int
    amount: Amount
    change: bool = False


@dataclass(frozen=True)
class Unreadable:
    """Digits that are no number as English writes them."""

    start: int
    end: int


def amounts_in(free: str) -> Iterator[Amount | Times | Unreadable]:
    """Every written number of a text in which names and dates are blanked out."""
    for match in _MULTIPLE.finditer(free):
        if (times := _multiple(match, free)) is not None:
            yield times
            free = free[: times.start] + "\0" * (times.end - times.start) + free[times.end :]
    for match in _AMOUNT.finditer(free):
        if not (match["spelled"] and _no_number(match, free)):
            yield _amount(match, free)


def _no_number(match: re.Match[str], free: str) -> bool:
    before = re.search(r"(\w+)\W*$", free[: match.start()])
    alone = match["spelled"].lower() == "one"
    return alone and before is not None and before[1].lower() in ("no", "the", "this", "that", "which", "every", "each")


def _amount(match: re.Match[str], free: str) -> Amount | Times | Unreadable:
    start, end = match.start(), match.end()
    around = free[max(start - 1, 0) : start], free[end : end + 2]
    broken = match["digits"] and (
        re.match(r"0[\d,]", match["digits"])
        or re.match(r"[\w.,/]", around[0])
        or re.match(r"[.,/:]?\d|[A-Za-z_]|-\w", around[1])
        or _grouped(free, start, end)
    )
    if broken:
        return Unreadable(start, end)
    hedge, hedged = _hedge(free, start)
    number, step = _number(match)
    scale = _SUFFIXES[match["suffix"].lower()] if match["suffix"] else 1
    negative = match["sign"] or match["minus"] or _LOSS.search(free[:start])
    value = Fraction(number) * scale * (-1 if negative else 1)
    currency = _CURRENCIES.get((match["before"] or match["after"] or "").lower(), "")
    steps = Fraction(step) * scale, _rounding(number, step) * scale
    made = Amount(
        hedged, end, (start, end), value, *steps, hedge, currency, bool(match["percent"]), bool(match["points"])
    )
    return Times(hedged, end, made) if match["times"] else made


def _grouped(free: str, start: int, end: int) -> bool:
    """Whether a space parts thousands: "2 498" is two numbers to a reader of English, and one to others."""
    return bool(re.match(r"[ \u00a0\u202f]\d", free[end : end + 2]) or re.search(r"\d[ \u00a0\u202f]$", free[:start]))


def _hedge(free: str, start: int) -> tuple[Hedge, int]:
    found = _HEDGED.search(free[:start])
    if found is None:
        return "", start
    return next(h for h, _ in _HEDGES if found[h] is not None), found.start()


def _number(match: re.Match[str]) -> tuple[Decimal, Decimal]:
    if match["digits"]:
        number = Decimal(match["digits"].replace(",", ""))
        return number, Decimal(1).scaleb(int(number.as_tuple().exponent))
    total = part = 0
    for word in re.findall(r"[a-z]+", match["spelled"].lower()):
        if word in ("a", "an"):
            part = 1
        elif word == "dozen":
            part = (part or 1) * 12
        elif word == "hundred":
            part = (part or 1) * 100
        elif word in _SCALES:
            total, part = total + (part or 1) * _SCALES[word], 0
        else:
            part += _ONES.get(word, 0) + _TENS.get(word, 0)
    return Decimal(total + part), Decimal(1)


def _rounding(number: Decimal, step: Decimal) -> Fraction:
    if not number:
        return Fraction(step)
    kept = number.normalize()
    return max(Fraction(Decimal(1).scaleb(int(kept.as_tuple().exponent))), Fraction(step))


def _multiple(match: re.Match[str], free: str) -> Times | None:
    part = 2 if match["half"] else 3 if match["third"] else 4 if match["quarter"] else 0
    word = match[0].lower()
    if part in (3, 4) and (match["n"] or "").lower() in ("", "the"):
        return None  # an ordinal, or a quarter of the year
    count = {"two": 2, "three": 3}.get((match["n"] or "").lower(), 1)
    value = Fraction(count, part) if part else Fraction(2 if match["two"] else 3 if match["three"] else 4)
    hedge, start = _hedge(free, match.start())
    step = value / 20  # a part or a multiple in words has no digits: a twentieth of it is what it leaves open
    made = Amount(start, match.end(), match.span(), value, step, step if part else Fraction(1), hedge)
    return Times(
        start, match.end(), made, change=word.endswith(("ed", "ing")) or word in ("doubles", "triples", "halves")
    )
