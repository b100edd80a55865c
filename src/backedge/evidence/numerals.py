"""The numbers of a text as they are written: value, sign, comparison and unit; nothing is converted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from backedge.evidence.units import units

Mismatch = Literal["number_missing", "number_sign", "number_comparison", "number_unit"]

_TEENS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
_SMALL = {word: value for value, word in enumerate(_TEENS.split(), 2)} | {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
    "thousand": 1000,
}
_TIMES = {
    "twice": 2, "thrice": 3, "twofold": 2, "threefold": 3, "fourfold": 4, "fivefold": 5, "tenfold": 10, "doubled": 2,
    "tripled": 3, "trebled": 3, "quadrupled": 4,
}  # fmt: skip
_BIG = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_UNITS_OF_TEN = ("one", *_TEENS.split()[:8])
_BEHIND = r"(?:\s?(?P<big>million|billion|thousand)\b)?(?P<percent>\s?(?:%|percent\b|per\s+cent\b))?"
_NUMBER = re.compile(
    rf"""(?P<sign>(?<![\w.)\]])[-−–‒](?=[\d.]))?
        (?P<value>\d{{1,3}}(?:[,\u2009\u202f\u00a0 ]\d{{3}})+(?![\d,])(?:[.·]\d+)?|\d+(?:[.·,]\d+)?
          |(?<!\d)[.·]\d+){_BEHIND}""",
    re.VERBOSE | re.IGNORECASE,
)
_SPELT = re.compile(
    rf"(?<![\w-])(?P<first>{'|'.join(sorted((*_SMALL, *_TIMES), key=len, reverse=True))})"
    rf"(?:[-\s](?P<second>{'|'.join(_UNITS_OF_TEN)})\b)?(?![\w])(?:\s(?P<hundred>hundred)\b)?{_BEHIND}",
    re.IGNORECASE,
)
# Shares in words, by their place among the groups: what each is, and the percentages that say the same.
_SHARES = re.compile(
    r"""\b(?:(?P<half>halv(?:ed|es|ing)|(?:by\s(?:one[-\s])?|one[-\s])half|half\s(?:of|as)\b)
      |(?P<third>one[-\s]third|(?:by\s)a\sthird|a\sthird(?=\s(?:of|lower|higher|less|more|fewer|reduc\w+)\b))
      |(?P<twothirds>two[-\s]thirds)
      |(?P<quarter>one[-\s](?:quarter|fourth)|(?:by\s)a\s(?:quarter|fourth)
         |a\squarter(?=\s(?:of|lower|higher|less|more|fewer|reduc\w+)\b))
      |(?P<threequarters>three[-\s](?:quarter|fourth)s)
      |(?P<fifth>one[-\s]fifth|(?:by\s)a\sfifth|a\sfifth(?=\sof\b)))(?!\w|-life|-lives)""",
    re.VERBOSE | re.IGNORECASE,
)
_PERCENTAGES: dict[str, tuple[str, ...]] = {
    "half": ("50",),
    "third": ("33", "33.3", "33.33"),
    "twothirds": ("67", "66.7", "66.67", "66"),
    "quarter": ("25",),
    "threequarters": ("75",),
    "fifth": ("20",),
}
_TWICE = Decimal(100)  # the percentage by which something grows that is doubled
_SHARE = "share"  # the unit of a share in words
_SHARE_OF = {name: Decimal(told[-1]) / 100 for name, told in _PERCENTAGES.items()}
_SHARE_VALUES = {_SHARE_OF[name]: frozenset(map(Decimal, told)) for name, told in _PERCENTAGES.items()}
_POINTS = re.compile(r"\s?(?:%|percent(?:age)?|per\s+cent)[-\s]?points?\b", re.IGNORECASE)
_OR_MORE = re.compile(
    r"[-\s]?(?:years?|yrs?|months?|weeks?|days?|points?|%)?(?:\s(?:of\s)?age)?\s(?:or|and)\s"
    r"(?:(?P<more>older|more|above|over|greater|higher|longer)|(?:younger|less|fewer|below|under|lower|shorter))\b",
    re.IGNORECASE,
)
# What a number is that stands behind this: a statistic, an age, a year, the number of a table, a day or a grade.
_NO_COUNT_BEFORE = re.compile(
    r"""(?: \b(?i:p|p[-\s]values?)\s*[=<>≤≥]\s*
      | \b(?:OR|HR|RR|SD|SE|SEM|IQR|AUC|BMI|[tFrRzZ]|df|χ2|χ²)\b\s*(?:of\s|was\s|[=:,(]\s*)?
      | \b(?i:aged?|age\s(?:of|was)|mean|score|scores|ratio|dose)\s(?i:of\s|was\s)?
      | [±]\s*
      | \b(?:CI|IQR|(?i:confidence\sintervals?|range|quartiles?))\b[^.;()]{0,25}
      | \b(?i:table|fig(?:ure)?s?\.?|days?|weeks?|months?|years?|hours?|visit|grade|stage|phase|type|version|section
          |group|step|level|item|reference|chapter)\s )\Z""",
    re.VERBOSE,
)
_YEAR_BEFORE = re.compile(
    r"\b(?:in|since|from|until|during|between|january|february|march|april|may|june|july|august|september|october"
    r"|november|december)\s\Z",
    re.IGNORECASE,
)
_NO_UNITS = frozenset({"us", "mo", "nt", "cl", "fold", "deg"})  # words, too, or told above
_POWER = re.compile(r"[²³^]|[a-zA-Z][23]")
_WORD_BEHIND = re.compile(r"[-\s]?(?P<word>[^\W\d_][^\s,;()\[\]]{1,23})(?=[\s,;()\[\]]|\Z)")
_SIGNS = str.maketrans({"⩽": "≤", "⩾": "≥", "≪": "<", "≫": ">"})
_COMPARED = re.compile(
    r"""(?P<sign><=|>=|[<>≤≥⩽⩾≪≫])\s?\Z | =\s?\Z | (?P<not>\b(?:no|not)\s+)?
      \b(?P<words>(?:less|lower|smaller|fewer)\s+than|below|under|(?:more|greater|higher|larger)\s+than|above|exceeding
        |at\s+least|at\s+most|up\s+to|as\s+(?:much|many)\s+as)\s+[$€£]?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_UNIT = re.compile(
    r"""[-\s]?(?P<unit>(?:[kmµμunpcd]?(?:g|[lL]|m|mol|M|Pa|Hz|J|Gy|Bq|Sv|IU|U)|mcg|kcal|d[lL])\b
          (?:\s?/\s?(?:kg|g|mg|m2|m²|dL|dl|mL|ml|L|l|day|d|h|min|s)\b){0,2}
        |mm\s?Hg\b|°C|℃|ppm\b|ppb\b|bpm\b|years?\b|yrs?\b|months?\b|weeks?\b|wks?\b|days?\b|hours?\b|hrs?\b|h\b|minutes?\b
        |min\b|seconds?\b|sec\b|points?\b|[-\s]?folds?\b|times\b)""",
    re.VERBOSE,
)
_SAME_UNIT = {"hrs": "h", "hr": "h", "hour": "h", "min": "minute", "wk": "week", "yr": "year", "sec": "second"}
_DOWN = re.compile(r"reduc|decreas|declin|lower|less|fewer|loss|lost|drop|fell|fall|shrink|shorter|smaller", re.I)
_CITATION = re.compile(r"(?<!CI )(?<!CI, )(?<!range )\[\d[\d,;\s–-]*\]")
_LOOKING_BACK = 24


@dataclass(frozen=True)
class Number:
    """A number without its sign, the sign, what it is compared by ("<"), its unit ("%", "mg/kg"), and how it stands.

    `counts` says that it may be a number of subjects: whole, without a unit, and no statistic, age, year or the like.
    """

    value: Decimal
    negative: bool
    comparison: str
    unit: str
    written: str
    counts: bool = False


@lru_cache(maxsize=32)
def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a text. Digits within a name (IL-10, p53, 3T3), ordinals and citations in brackets are none."""
    bare = _CITATION.sub(lambda match: " " * len(match.group()), text)
    digits = [_number(bare, match) for match in _NUMBER.finditer(bare) if not _named(bare, match)]
    shares = list(_SHARES.finditer(bare))
    spelt = [m for m in _SPELT.finditer(bare) if not any(s.start() <= m.start() < s.end() for s in shares)]
    return (*digits, *(_spelt(bare, match) for match in spelt), *(_share(match) for match in shares))


def mismatches(said: str, text: str) -> Iterator[tuple[Mismatch, Number]]:
    """The numbers of what is said that the text does not have so, each with what differs."""
    mine = numbers(said)
    theirs = numbers(text) if mine else ()
    for number in mine:
        shares = [other for other in theirs if _same_share(number, other)] if _may_be_share(number) else []
        same = [*(other for other in theirs if other.value == number.value), *shares]
        kind = _mismatch(number, same, said) if same else "number_missing"
        if kind is not None:
            yield kind, number


def uncounted(said: str, text: str) -> Iterator[Number]:
    """The counts of what is said that the text has, but only as something else: with a unit, as a p value, an age."""
    mine = numbers(said)
    theirs = numbers(text) if mine else ()
    for number in mine:
        same = [other for other in theirs if other.value == number.value]
        if number.counts and same and not any(other.counts for other in same):
            yield number


def _may_be_share(number: Number) -> bool:
    return number.unit in (_SHARE, "%") or number.written.lower() == "doubled"


def _same_share(one: Number, other: Number) -> bool:
    """Whether one is a share in words ("a third", "doubled") of which the other is the percentage."""
    pairs = ((one, other), (other, one))
    return any(
        share.unit == _SHARE and number.unit == "%" and number.value in _SHARE_VALUES[share.value]
        for share, number in pairs
    ) or any(
        share.written.lower() == "doubled" and number.unit == "%" and number.value == _TWICE for share, number in pairs
    )


def _mismatch(number: Number, same: list[Number], said: str) -> Mismatch | None:
    """What differs from every number of the same value. Each step keeps those that have agreed so far."""
    signed = [other for other in same if other.negative == number.negative]
    if not signed and not (_DOWN.search(said) and not number.negative):
        return "number_sign"
    compared = [other for other in signed or same if other.comparison == number.comparison]
    if not compared:
        return "number_comparison"
    if any(_same_share(number, other) for other in compared):
        return None
    if number.unit and not any(other.unit in (number.unit, "") for other in compared):
        return "number_unit"
    if number.unit == "%" and not any(other.unit == "%" or _in_list(other) for other in compared):
        return "number_unit"
    return None


def _in_list(number: Number) -> bool:
    """Whether the unit may stand behind a later number: 65 vs 70 %."""
    return number.written.endswith("…%")


def _number(text: str, match: re.Match[str]) -> Number:
    value = _value(match["value"]) * _BIG.get((match["big"] or "").lower(), 1)
    unit, written = _unit(text, match)
    return Number(
        value, bool(match["sign"]), _compared_by(text, match), unit, written, _counts(text, match, value, unit)
    )


def _counts(text: str, match: re.Match[str], value: Decimal, unit: str) -> bool:
    """Whether a number may be one of subjects, by what stands around it."""
    before = text[max(0, match.start() - _LOOKING_BACK * 2) : match.start()]
    if unit or match.group().endswith("%") or value != value.to_integral_value() or "." in match.group():
        return False
    if text[match.end() : match.end() + 2].lstrip().startswith("±"):
        return False
    year = len(match.group()) == 4 and 1900 <= value < 2100 and _YEAR_BEFORE.search(before)
    return not year and _NO_COUNT_BEFORE.search(before) is None


def _share(match: re.Match[str]) -> Number:
    name = match.lastgroup or ""
    return Number(_SHARE_OF[name], False, "", _SHARE, match.group())


def _value(written: str) -> Decimal:
    """The value of digits: a comma before three digits parts thousands, another is a decimal comma."""
    bare = re.sub(r"[\s\u2009\u202f\u00a0]", "", written).replace("·", ".")
    if "," in bare:
        bare = bare.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", bare) else bare.replace(",", ".")
    return Decimal(bare)


def _spelt(text: str, match: re.Match[str]) -> Number:
    first = match["first"].lower()
    value = _SMALL[first] if first in _SMALL else _TIMES[first]
    if match["second"]:
        value += _UNITS_OF_TEN.index(match["second"].lower()) + 1
    value *= 100 if match["hundred"] else 1
    value *= _BIG.get((match["big"] or "").lower(), 1)
    unit, written = _unit(text, match)
    counts = first in _SMALL and _counts(text, match, Decimal(value), unit)
    return Number(Decimal(value), False, _compared_by(text, match), unit, written, counts)


def _unit(text: str, match: re.Match[str]) -> tuple[str, str]:
    """The unit of a number, and how it stands; where its unit may be that of a list it says so."""
    bare = match.end() - len(match["percent"] or "")
    if points := _POINTS.match(text, bare):
        return "percentage points", text[match.start() : points.end()].strip()
    if match["percent"]:
        return "%", match.group().strip()
    found = _UNIT.match(text, match.end())
    spelling, canonical = _of_table(text, match.end())
    if canonical and (found is None or (len(spelling) > len(found.group().strip(" -")) and _POWER.search(spelling))):
        return canonical, f"{match.group().strip()} {spelling}"
    if found:
        unit = re.sub(r"\s|^-", "", found["unit"]).replace("μ", "µ")
        unit = unit if len(unit) < 4 else unit.removesuffix("s")
        return _SAME_UNIT.get(unit, unit), (match.group() + found.group()).strip()
    listed = re.match(
        r"[\s\d.,·±()–-]*(?:(?:and|or|to|vs\.?|versus|v|compared\s+with)[\s\d.,·±()–-]*){1,3}%", text[match.end() :]
    )
    ranged = re.match(r"\s?[-–,/]\s?[\d.,·\s–-]{1,24}%", text[match.end() :])
    return "", match.group().strip() + ("…%" if listed or ranged else "")


def _of_table(text: str, at: int) -> tuple[str, str]:
    """The spelling of the unit table that stands as one word behind a number, and its canonical one; empty if none."""
    found = _WORD_BEHIND.match(text, at)
    spelling = found["word"].rstrip(".:") if found else ""
    row = units().get(spelling) if spelling not in _NO_UNITS else None
    return (spelling, row.canonical) if row else ("", "")


def _compared_by(text: str, match: re.Match[str]) -> str:
    """The sign or the words before a number that compare it, or "or more" and the like behind it."""
    behind = _OR_MORE.match(text, match.end())
    said = _comparison(text, match.start())
    return said or ("" if behind is None else "≥" if behind["more"] else "≤")


def _comparison(text: str, start: int) -> str:
    found = _COMPARED.search(text[max(0, start - _LOOKING_BACK) : start])
    if found is None or not (found["sign"] or found["words"]):
        return ""
    if found["sign"]:
        return {"<=": "≤", ">=": "≥"}.get(found["sign"], found["sign"].translate(_SIGNS))
    words = re.sub(r"\s+", " ", found["words"].lower())
    less = words.split()[0] in ("less", "lower", "smaller", "fewer", "below", "under")
    if words.split()[0] in ("at", "up", "as"):
        return "≥" if words == "at least" else "≤"
    if found["not"]:
        return "≥" if less else "≤"
    return "<" if less else ">"


def _named(text: str, match: re.Match[str]) -> bool:
    """Whether digits are part of a name, or an ordinal."""
    before, behind = text[max(0, match.start() - 2) : match.start()], text[match.end("value") : match.end("value") + 3]
    if re.search(r"[^\W\d_]\Z|[^\W\d_][-‐–/)]\Z", before):
        return True
    return bool(re.match(r"(?:st|nd|rd|th)\b|[A-Z](?![A-Za-z])(?!\b)|[-‐]?[A-Zα-ω]\w", behind)) and not _UNIT.match(
        text, match.end("value")
    )
