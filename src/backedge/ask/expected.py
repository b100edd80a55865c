"""An expected answer given as text, judged without a model: by its numbers and its quoted names, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

_NUMBER = re.compile(
    r"(?<![\w.,-])(?P<sign>-)?(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<places>\.\d+)?(?P<percent>\s?%)?"
    r"(?:\s?(?P<scale>thousand|million|billion|[kKM](?!\w)|bn))?(?![\w])"
)
_QUOTED = re.compile(r"[\"“`]([^\"”`]+)[\"”`]|(?<!\w)'([^']+)'(?!\w)")
_SCALES = {"thousand": 3, "k": 3, "K": 3, "million": 6, "M": 6, "billion": 9, "bn": 9}


@dataclass(frozen=True)
class Judged:
    """Whether an answer holds what a text says; `unchecked` where the text has no number and no quoted name."""

    verdict: Literal["right", "wrong", "unchecked"]
    why: str = ""


@dataclass(frozen=True)
class _Number:
    text: str
    value: Decimal
    slack: Decimal
    percent: bool


def judge_text(expected: str, prompt: str, found: Mapping[str, Any], tolerance: Decimal = Decimal(0)) -> Judged:
    """Look for each number and each quoted name of `expected` in the rows and the figures of an answer.

    What the question says itself proves nothing and is left out. A number with decimals, or in millions, is rounded as
    it is written; a whole one is exact.
    """
    asked = {number.value for number in _numbers(prompt)}
    numbers = [number for number in _numbers(_QUOTED.sub(" ", expected)) if number.value not in asked]
    names = [name for name in _names(expected) if name.casefold() not in prompt.casefold()]
    if not numbers and not names:
        return Judged("unchecked", "`expected` has no number and no quoted name of its own: give `sql` or `value`")
    held, texts = tuple(_held(found)), _texts(found)
    lost = [n.text for n in numbers if not any(_reads_as(n, value, tolerance) for value in held)]
    lost += [name for name in names if name.casefold() not in texts]
    return Judged("wrong", f"{', '.join(lost)} is not in the answer") if lost else Judged("right")


def _numbers(text: str) -> Iterator[_Number]:
    for match in _NUMBER.finditer(text):
        places, power = match["places"] or "", _SCALES.get(match["scale"] or "", 0)
        value = Decimal(f"{match['sign'] or ''}{match['digits'].replace(',', '')}{places}").scaleb(power)
        slack = Decimal(5).scaleb(power - len(places or ".")) if places or power else Decimal(0)
        yield _Number(match[0].strip(), value, slack, bool(match["percent"]))


def _names(text: str) -> Iterator[str]:
    return (match[1] or match[2] for match in _QUOTED.finditer(text))


def _held(found: Mapping[str, Any]) -> Iterator[Decimal]:
    """Every number of the rows, and of the figures, which also count rows and sum them up."""
    for row in found["rows"]:
        for cell in row:
            if isinstance(cell, int | Decimal | float) and not isinstance(cell, bool):
                yield Decimal(repr(cell)) if isinstance(cell, float) else Decimal(cell)
    for figure in found["figures"]:
        try:
            yield Decimal(figure["value"])
        except InvalidOperation:
            continue


def _texts(found: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(str(cell).casefold() for row in found["rows"] for cell in row if cell is not None)


def _reads_as(number: _Number, value: Decimal, tolerance: Decimal) -> bool:
    """A percentage may stand for a share of one."""
    if not value.is_finite():
        return False
    values = (value, value.scaleb(2)) if number.percent else (value,)
    return any(abs(each - number.value) <= max(number.slack, tolerance) for each in values)
