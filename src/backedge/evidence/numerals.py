"""The numbers of a text as they are written: value, sign, comparison and unit; nothing is converted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

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
_TIMES = {"twice": 2, "twofold": 2, "threefold": 3, "fourfold": 4, "fivefold": 5, "tenfold": 10, "doubled": 2}
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
    """A number without its sign, the sign, what it is compared by ("<"), its unit ("%", "mg/kg"), and how it stands."""

    value: Decimal
    negative: bool
    comparison: str
    unit: str
    written: str


def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a text. Digits within a name (IL-10, p53, 3T3), ordinals and citations in brackets are none."""
    bare = _CITATION.sub(lambda match: " " * len(match.group()), text)
    digits = [_number(bare, match) for match in _NUMBER.finditer(bare) if not _named(bare, match)]
    return (*digits, *(_spelt(bare, match) for match in _SPELT.finditer(bare)))


def mismatches(said: str, text: str) -> Iterator[tuple[Mismatch, Number]]:
    """The numbers of what is said that the text does not have so, each with what differs."""
    theirs = numbers(text)
    for number in numbers(said):
        same = [other for other in theirs if other.value == number.value]
        kind = _mismatch(number, same, said) if same else "number_missing"
        if kind is not None:
            yield kind, number


def _mismatch(number: Number, same: list[Number], said: str) -> Mismatch | None:
    """What differs from every number of the same value. Each step keeps those that have agreed so far."""
    signed = [other for other in same if other.negative == number.negative]
    if not signed and not (_DOWN.search(said) and not number.negative):
        return "number_sign"
    compared = [other for other in signed or same if other.comparison == number.comparison]
    if not compared:
        return "number_comparison"
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
    return Number(value, bool(match["sign"]), _comparison(text, match.start()), *_unit(text, match))


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
    return Number(Decimal(value), False, _comparison(text, match.start()), *_unit(text, match))


def _unit(text: str, match: re.Match[str]) -> tuple[str, str]:
    """The unit of a number, and how it stands; where its unit may be that of a list it says so."""
    if match["percent"]:
        return "%", match.group().strip()
    found = _UNIT.match(text, match.end())
    if found:
        unit = re.sub(r"\s|^-", "", found["unit"]).replace("μ", "µ")
        unit = unit if len(unit) < 4 else unit.removesuffix("s")
        return _SAME_UNIT.get(unit, unit), (match.group() + found.group()).strip()
    listed = re.match(
        r"[\s\d.,·±()–-]*(?:(?:and|or|to|vs\.?|versus|v|compared\s+with)[\s\d.,·±()–-]*){1,3}%", text[match.end() :]
    )
    ranged = re.match(r"\s?[-–,/]\s?[\d.,·\s–-]{1,24}%", text[match.end() :])
    return "", match.group().strip() + ("…%" if listed or ranged else "")


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
