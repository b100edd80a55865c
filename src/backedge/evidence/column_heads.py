"""Heads of columns and rows of measurements: what a head names, its unit, its kind of uncertainty, and its role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from backedge.evidence.units import STANDARD, UnitTable

Role = Literal["value", "measured", "unit", "uncertainty", "kind", "n", "group", "time", "name", "low", "high", "label"]

_WRITTEN: dict[Role, str] = {
    "value": (
        "value; values; measured value; measurement; measurement value; result; result value; reading; "
        "observation; observed value; mean; average; median; estimate"
    ),
    "unit": "unit; units; uom; unit of measure; unit of measurement; measurement unit",
    "uncertainty": (
        "uncertainty; error; ±; +/-; sd; s d; std; stdev; st dev; std dev; standard deviation; sem; s e m; "
        "standard error of the mean; se; s e; stderr; std error; standard error; ci; 95 ci; 95% ci; confidence "
        "interval; 95% confidence interval; iqr; interquartile range; range; min max"
    ),
    "kind": "uncertainty kind; uncertainty type; error type; error kind; dispersion; dispersion type",
    "n": (
        "n; no; count; sample size; n animals; n subjects; n mice; n rats; n patients; number of animals; number "
        "of subjects; number of patients; number of mice; number of rats; no of animals; no of subjects; no of "
        "patients; no of mice; no of rats; replicates"
    ),
    "group": (
        "group; groups; arm; treatment; treatment group; study group; study arm; condition; cohort; dose; dose "
        "group; dose level; genotype; intervention; exposure"
    ),
    "time": (
        "time; time point; timepoint; time after dose; time post dose; day; days; study day; week; weeks; month; "
        "months; hour; hours; minute; minutes; visit; follow up; date"
    ),
    "name": (
        "name; endpoint; end point; outcome; outcome measure; parameter; analyte; variable; measure; test; "
        "marker; biomarker; characteristic; quantity; property"
    ),
    "low": "ci low; ci lower; lower ci; ci lower limit; lcl; lower 95% ci; 95% ci lower; lower limit",
    "high": "ci high; ci upper; upper ci; ci upper limit; ucl; upper 95% ci; 95% ci upper; upper limit",
    "label": (
        "id; animal; animal id; subject; subject id; patient; patient id; mouse; mouse id; rat; sample; sample "
        "id; cage; batch; plate; well; row; no of row; sex; gender; species; strain; site; notes; note; comment; "
        "comments; source; reference; year; p; p value; q; q value"
    ),
}
SYNONYMS: dict[Role, frozenset[str]] = {role: frozenset(names.split("; ")) for role, names in _WRITTEN.items()}
"""What heads of columns are called, small, with spaces for `_`, `-` and `.`. A head that is none of these names what is
measured where a unit stands beside it."""

KINDS: dict[str, str] = {
    "sem": r"s\.?e\.?m\.?s?|standard errors? of (?:the )?means?",
    "sd": r"s\.?d\.?s?|std\.?(?: ?dev\.?)?|st\.? ?dev\.?|standard deviations?",
    "se": r"s\.?e\.?s?|std\.? ?err(?:or)?\.?|standard errors?",
    "ci": r"(?:9[059](?:\.[0-9])? ?% ?)?(?:c\.?i\.?s?|cri|confidence intervals?|credible intervals?)",
    "iqr": r"i\.?q\.?r\.?s?|inter-?quartile ranges?|q1 ?[-–,] ?q3|25th ?[-–,] ?75th percentiles?",
    "range": r"(?<!quartile )ranges?|min(?:imum)?\.? ?[-–,/] ?max(?:imum)?\.?",
}
"""Kinds of uncertainty by how they are written, without regard to case."""

_KIND = re.compile(
    rf"(?<!\w)(?:{'|'.join(f'(?P<{kind}>{way})' for kind, way in KINDS.items())})(?![-\w])", re.IGNORECASE
)
_AFTER_SIGN = re.compile(r"(?:±|\+/?[-−–])\s*$")
_STATISTIC = re.compile(r"(?<!\w)(?:means?|averages?|medians?|geometric means?|values?)(?!\w)", re.IGNORECASE)
_N = re.compile(r"[(\[]?\s*\b[nN]\s*=\s*(?P<n>[0-9][0-9,  ]*[0-9]|[0-9])\s*[)\]]?")
_SHARE = re.compile(r"(?:\b(?:n|no\.?|number|count)s?\s*,?\s*[(\[]\s*%\s*[)\]])|\bn\s*/\s*N\s*\(%\)", re.IGNORECASE)
_TIME = re.compile(
    r"(?:baseline|pre-?dose|(?:day|week|month|year|hour|visit|d|wk|h|t)\s?[-−]?[0-9]{1,4}(?:\.[0-9]+)?"
    r"|[0-9]{1,4}(?:\.[0-9]+)?[ -]?(?:h|hrs?|hours?|d|days?|wks?|weeks?|mo|months?|min|minutes?|y|years?|[dhw]pi))"
    r"(?: (?:after|post|before|pre)\b.{0,40})?",
    re.IGNORECASE,
)
_UNIT_LIKE = re.compile(r"(?=.*[^\W\d])[^\s()\[\]]{1,16}")
_LAST = re.compile(r"(?<=[^\W\d])\s+([^\s,;]+/[^\s,;]+)\s*$")  # `Speed cm/s`; not the dose of `Drug 10 mg/kg`
_EMPTY = re.compile(r"[(\[][^\w%]*[)\]]|(?<=\s)[,;]+(?=\s)")
_EDGES = " \t,;:-–—±+/"


@dataclass(frozen=True)
class Head:
    """A head: `name` without its statistic and unit. `unit` is as written, empty where there is none.

    `sign` and `bracket` are the kinds of uncertainty behind `±` and in brackets. `time` is a point in time that the
    head is; `unknown` a bracket that may be a unit. `doubt` says why its unit must not be relied on.
    """

    text: str
    name: str
    role: Role
    unit: str = ""
    unknown: str = ""
    kind: str = ""
    sign: str = ""
    bracket: str = ""
    n: str = ""
    time: str = ""
    doubt: str = ""


def headed(text: str, table: UnitTable = STANDARD) -> Head:
    """What a head says."""
    whole = " ".join(text.split())
    counted = _N.search(whole)
    rest = _N.sub(" ", whole)
    sign, bracket = stated(rest)
    if _SHARE.search(rest):
        bracket, rest = "%", _SHARE.sub(" ", rest)
    units, unknown, rest = _units(rest, table)
    kinds = _kinds(rest)
    bare = _KIND.sub(" ", _STATISTIC.sub(" ", rest.replace("_", " ")))
    bare = " ".join(_EMPTY.sub(" ", bare).split()).strip(_EDGES)
    doubt = f"it has two units, `{units[0]}` and `{units[1]}`" if len(units) > 1 else ""
    is_time = bool(_TIME.fullmatch(bare))
    role = _role(rest, bare, bool(units), kinds)
    return Head(
        whole,
        re.sub(r"^(?:n|no\.?)\b\s*|\s*\bn$", "", bare, flags=re.IGNORECASE) if role == "n" else bare,
        role,
        units[0] if units else "",
        unknown,
        kinds[0] if len(kinds) == 1 else "",
        sign,
        bracket,
        re.sub(r"[^0-9]", "", counted["n"]) if counted else "",
        bare if is_time else "",
        doubt,
    )


def stated(text: str) -> tuple[str, str]:
    """The kinds of uncertainty that a text states: that behind `±`, and the others. Empty where there are several."""
    signs: set[str] = set()
    others: set[str] = set()
    for found in _KIND.finditer(text):
        (signs if _AFTER_SIGN.search(text[: found.start()]) else others).add(found.lastgroup or "")
    sign = signs or others & {"sd", "sem", "se"}
    return (sign.pop() if len(sign) == 1 else ""), (others.pop() if len(others) == 1 else "")


def spoken(text: str) -> str:
    """A head as the synonyms are written: small, spaces for signs that part words."""
    return " ".join(re.sub(r"[_.\-–:#]+", " ", text.casefold()).replace("(%)", " ").split())


def _role(rest: str, bare: str, has_unit: bool, kinds: list[str]) -> Role:
    plain = spoken(rest.strip(_EDGES + "()[]"))
    for role, names in SYNONYMS.items():
        if {plain, rest.strip()} & names and not (has_unit and role == "label"):
            return role
    if re.fullmatch(r"(?:n|no|count)\b.*|.*\bn", plain) and spoken(bare) != plain and not has_unit:
        return "n"
    if plain.endswith((" n", " count")) or plain.startswith("n "):
        return "n"
    alone = kinds and not _STATISTIC.search(rest) and "±" not in rest and not re.search(r"[(\[].*[)\]]", rest)
    return "uncertainty" if alone else "measured"


def _kinds(text: str) -> list[str]:
    return list(dict.fromkeys(found.lastgroup or "" for found in _KIND.finditer(text.replace("_", " "))))


def _units(text: str, table: UnitTable) -> tuple[list[str], str, str]:
    """The units in brackets or behind a comma, a bracket that may be one the table lacks, and the text without them."""
    found: list[str] = []
    unknown, rest = "", text
    for start, end in reversed(list(_brackets(text))):
        inside = text[start + 1 : end - 1].strip()
        units = [inside] if table.unit(inside) else list(_pieces(f",{inside}", table))
        if units:
            found = [*units, *found]
            kept = "" if table.unit(inside) else f"({re.sub('|'.join(map(re.escape, units)), '', inside)})"
            rest = f"{rest[:start]} {kept} {rest[end:]}"
        elif _UNIT_LIKE.fullmatch(inside) and not _KIND.search(inside):
            unknown = inside
    for piece in list(_pieces(rest, table)):
        found.append(piece)
        rest = re.sub(rf"[,;]\s*{re.escape(piece)}\s*(?=[,;]|$)", " ", rest, count=1)
    last = _LAST.search(rest)
    if not found and last and table.unit(last[1]):
        return [last[1]], "", rest[: last.start()]
    if not found and table.unit(rest) and not any(spoken(rest) in names for names in SYNONYMS.values()):
        return [rest.strip()], "", ""
    return list(dict.fromkeys(found)), unknown, rest


def _pieces(text: str, table: UnitTable) -> Iterator[str]:
    """Units that stand behind a comma: `Glucose, mmol/L, mean`."""
    return (piece.strip() for piece in re.split(r"[,;]", text)[1:] if table.unit(piece))


def _brackets(text: str) -> Iterator[tuple[int, int]]:
    """Outermost brackets, half-open."""
    closing = {"(": ")", "[": "]"}
    open_: list[str] = []
    start = 0
    for at, letter in enumerate(text):
        if letter in closing:
            start = at if not open_ else start
            open_.append(closing[letter])
        elif open_ and letter == open_[-1]:
            open_.pop()
            if not open_:
                yield start, at + 1
