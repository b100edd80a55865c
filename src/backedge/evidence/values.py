"""Values as tables write them, such as `12.3 ± 1.2 mg`: their parts, and what is doubtful about them. Never a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from backedge.evidence.units import STANDARD, UnitTable

Decimals = Literal["point", "comma", "mixed", "unsaid"]

MISSING = frozenset({"", "-", "–", "—", "−", ".", "..", "…", "...", "na", "n/a", "n.a.", "nan", "nr", "n.r.", "nd"})
MISSING |= frozenset({"n.d.", "null", "none", "missing", "not reported", "not available", "not done", "not determined"})

_GAP = "'’\u00a0\u2009\u202f"
_SIGN = "+\\-−–"
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_POWER = (
    rf"(?:[eE][{_SIGN}]?[0-9]{{1,4}}(?![0-9])"
    rf"|\s?[×xX*]\s?10(?:\^\(?[{_SIGN}]?[0-9]{{1,4}}\)?|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,4}}|[{_SIGN}]?[0-9]{{0,4}})(?!\S*/))"
)
_NUMBER = rf"[{_SIGN}]?(?:[0-9](?:[0-9.,·{_GAP}]{{0,40}}[0-9])?|[.,·][0-9]{{1,40}})(?:{_POWER})?"
_TOKEN = re.compile(r"[0-9][0-9.,·]*[0-9]")
_START = re.compile(rf"(?P<bound>(?:<=|>=|[<>≤≥⩽⩾~≈∼])\s*)?(?P<number>{_NUMBER})")
_SPREAD = re.compile(rf"\s*(?:±|\+/?[-−–])\s*(?P<spread>{_NUMBER})")
_BRACKET = re.compile(r"\s*(?:\((?P<round>[^()]*)\)|\[(?P<square>[^\[\]]*)\])")
_INTERVAL = re.compile(
    rf"\s*(?P<low>{_NUMBER})\s*(?:%\s*)?(?:(?:–|—|-|−|\bto\b|;|,\s|\.\.\.?|…)\s*)(?P<high>{_NUMBER})\s*%?\s*"
)
_RANGE = re.compile(rf"\s*(?:–|—|-|−|\bto\b)\s*(?P<high>{_NUMBER})")
_MARKERS = "*†‡§¶#^ \u00a0"
_WORDY = 24
_PARTS = re.compile(
    rf"(?P<sign>[{_SIGN}]?)(?P<body>[0-9.,·{_GAP}]+)(?:[eE](?P<e>[{_SIGN}]?[0-9]+)"
    rf"|\s?[×xX*]\s?10(?P<caret>\^\(?)?(?P<p>[{_SIGN}⁺⁻]?[0-9⁰¹²³⁴⁵⁶⁷⁸⁹]*)\)?)?"
)


@dataclass(frozen=True)
class Written:
    """A value as it is written. `number` is it as a plain decimal, empty for bounds and ranges, which `note` names.

    `uncertainty` is what stands behind `±` or in brackets, `form` which of them (`±`, `()`, `interval`, `%`). `doubt`
    says why it must not be relied on.
    """

    value: str
    number: str = ""
    unit: str = ""
    uncertainty: str = ""
    form: Literal["", "±", "()", "interval", "%"] = ""
    note: str = ""
    doubt: str = ""


def decimals_of(texts: Iterable[str]) -> Decimals:
    """Which sign parts decimals in texts that belong together: told by the numbers that can be read in one way only."""
    tokens = [token for text in texts for token in _TOKEN.findall(text)]
    point = any(
        re.fullmatch(r"\d+[.·](?:\d{1,2}|\d{4,})|0[.·]\d+|\d{4,}[.·]\d+|\d{1,3}(?:,\d{3})+\.\d+", t) for t in tokens
    )
    point = point or any(re.fullmatch(r"\d{1,3}(?:,\d{3}){2,}", t) for t in tokens)
    comma = any(re.fullmatch(r"\d+,(?:\d{1,2}|\d{4,})|0,\d+|\d{4,},\d+|\d{1,3}(?:\.\d{3})+,\d+", t) for t in tokens)
    comma = comma or any(re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", t) for t in tokens)
    if point and comma:
        return "mixed"
    return "point" if point else "comma" if comma else "unsaid"


def plain_number(text: str, decimals: Decimals) -> tuple[str, str]:
    """A number as a plain decimal (`1,234.5` as `1234.5`), or empty with what is doubtful about it."""
    found = _PARTS.fullmatch(text.strip())
    if not found:
        return "", f"`{text}` is no number"
    body, doubt = _plain_body(found["body"], decimals)
    if doubt:
        return "", doubt
    power = found["e"]
    if found["p"] is not None:
        power = found["p"].translate(_RAISED)
        raised = found["caret"] or found["p"] != power or power[:1] in set("+-−–")
        if not raised:
            return "", f"`{text}` has lost what tells the power of ten from its digits"
    exponent = int(re.sub("[−–]", "-", power)) if power else 0
    if abs(exponent) > 30:
        return "", f"`{text}` is out of any range"
    sign = "-" if found["sign"] in ("-", "−", "–") else ""
    return format(Decimal(sign + body).scaleb(exponent), "f") if exponent else sign + body, ""


def _plain_body(body: str, decimals: Decimals) -> tuple[str, str]:
    """Digits with what groups and parts them, made plain."""
    if re.fullmatch(rf"[0-9]{{1,3}}(?:([{_GAP}])[0-9]{{3}})(?:\1[0-9]{{3}})*(?:[.,·][0-9]+)?", body):
        body = re.sub(f"[{_GAP}]", "", body)
    if body.isdecimal():
        return body, ""
    if re.fullmatch(r"[0-9]*·[0-9]+", body):
        return _zeroed(body.replace("·", ".")), ""
    if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+|[0-9]{1,3}(?:,[0-9]{3}){2,}", body):
        return body.replace(",", ""), ""
    if re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+|[0-9]{1,3}(?:\.[0-9]{3}){2,}", body):
        return body.replace(".", "").replace(",", "."), ""
    is_group = re.fullmatch(r"[1-9][0-9]{0,2}[.,][0-9]{3}", body) is not None
    if re.fullmatch(r"[0-9]*\.[0-9]+", body) and not (is_group and decimals in ("comma", "mixed")):
        return _zeroed(body), ""
    if decimals == "comma" and re.fullmatch(r"[0-9]*,[0-9]+", body):
        return _zeroed(body.replace(",", ".")), ""
    if is_group and (decimals, body.count(",")) in (("point", 1), ("comma", 0)):
        return re.sub("[.,]", "", body), ""
    return "", f"`{body}` may be read in several ways: its signs may part thousands or decimals"


def _zeroed(body: str) -> str:
    return "0" + body if body.startswith(".") else body


def written(text: str, decimals: Decimals, units: UnitTable = STANDARD) -> Written | None:
    """The value that a cell is, or None where it is text. A missing value (`NA`, `-`) is None too.

    One that is doubtful keeps all that is written as its value, and has no number.
    """
    whole = text.strip().rstrip(_MARKERS)
    found = _START.match(whole)
    if not found or whole.casefold() in MISSING or _goes_on(whole[found.end() :], units):
        return None
    number, doubt = plain_number(found["number"], decimals)
    rest = whole[found.end() :]
    start = Written(whole[: found.end()], number, doubt=doubt)
    if found["bound"]:
        made = _with_unit(Written(start.value, note="a bound, no value", doubt=doubt), rest, units)
    else:
        made = (
            _ranged(start, rest, decimals, units)
            or _spread(start, rest, decimals, units)
            or _with_unit(start, rest, units)
        )
    return Written(text.strip(), unit=made.unit, doubt=made.doubt) if made and made.doubt else made


def _goes_on(rest: str, units: UnitTable) -> bool:
    """Whether a number is only the beginning of a word (`5-HT`, `3rd`), and no unit."""
    bare = rest.strip()
    if not rest or rest[0].isspace() or units.unit(bare) or units.unit(re.split(r"[±(\[]", bare)[0]):
        return False
    return rest[0].isalpha() or bool(re.match(r"[-−–'’./][^\W\d]", rest)) or rest[0] in ":_"


def _ranged(start: Written, rest: str, decimals: Decimals, units: UnitTable) -> Written | None:
    """`10–14`: two bounds, and no value."""
    found = _RANGE.match(rest)
    if not found:
        return None
    doubt = start.doubt or plain_number(found["high"], decimals)[1]
    value = start.value + rest[: found.end()]
    return _with_unit(Written(value, "", note="a range, no value", doubt=doubt), rest[found.end() :], units)


def _spread(start: Written, rest: str, decimals: Decimals, units: UnitTable) -> Written | None:
    """`12.3 ± 1.2`, `12.3 (10.1–14.5)`, `12 (34 %)`; a unit may stand before the sign or behind all."""
    opened = re.search(r"±|\+/?[-−–]|\(|\[", rest)
    if not opened or units.unit(rest):
        return None
    before, rest = rest[: opened.start()].strip(), rest[opened.start() :]
    found, bracket = _SPREAD.match(rest), _BRACKET.match(rest)
    if found:
        doubt = start.doubt or plain_number(found["spread"], decimals)[1]
        made = Written(start.value, start.number, before, found["spread"], "±", doubt=doubt)
    elif bracket:
        made = _bracketed(start, before, bracket["round"] or bracket["square"] or "", decimals)
    else:
        return Written(start.value + rest, "", before, doubt=f"`{rest.strip()}` is not understood")
    after = _with_unit(made, rest[(found or bracket).end() :], units)  # type: ignore[union-attr]
    return after or Written(start.value + rest, "", doubt=f"`{rest.strip()}` is not understood")


def _bracketed(start: Written, before: str, inside: str, decimals: Decimals) -> Written:
    inside = re.sub(r"^\s*(?:9[059](?:\.\d)?\s?%\s?)?(?:CI|IQR|SD|SEM|SE|range)\s*[:=]?\s*", "", inside, flags=re.I)
    interval = _INTERVAL.fullmatch(inside)
    if interval:
        low, low_doubt = plain_number(interval["low"], decimals)
        high, high_doubt = plain_number(interval["high"], decimals)
        doubt = start.doubt or low_doubt or high_doubt
        if not doubt and Decimal(low) > Decimal(high):
            doubt = f"`{inside.strip()}` is no interval: it begins above its end"
        return Written(start.value, start.number, before, inside.strip(), "interval", doubt=doubt)
    share = re.fullmatch(rf"\s*({_NUMBER})\s*%\s*", inside)
    single = re.fullmatch(rf"\s*(?:±\s*)?({_NUMBER})\s*", inside)
    if share or single:
        one = (share or single)[1]  # type: ignore[index]
        doubt = start.doubt or plain_number(one, decimals)[1]
        form: Literal["±", "()", "%"] = "%" if share else "±" if "±" in inside else "()"
        return Written(start.value, start.number, before, one, form, doubt=doubt)
    return Written(start.value, start.number, before, inside.strip(), "()", doubt=f"`({inside})` is not understood")


def _with_unit(made: Written, rest: str, units: UnitTable) -> Written | None:
    """With the unit that stands behind it. None where so much does that the cell is text."""
    behind = rest.strip().rstrip(_MARKERS)
    if not behind:
        return made
    if not units.unit(behind) and (len(behind) > _WORDY or len(behind.split()) > 3):
        return None
    doubt = made.doubt
    if not units.unit(behind) and not (behind[0].isalpha() or behind[0] in "%‰°×"):
        return replace(made, doubt=doubt or f"`{behind}` behind the number is not understood")
    if made.unit and made.unit != behind:
        doubt = doubt or f"it has two units, `{made.unit}` and `{behind}`"
    return replace(made, unit=made.unit or behind, doubt=doubt)
