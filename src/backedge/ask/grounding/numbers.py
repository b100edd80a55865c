"""Reads numbers as people write them: 5, five, twenty-five, $1,000, 2k, 1.5 million."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from backedge.ask.grounding.vocabulary import SCALES, SMALL, TENS
from backedge.ask.grounding.words import Word

_PARTS = re.compile(r"(-?)[$€£]?([\d,]+(?:\.\d+)?)([a-z]*)")


def read_number(words: Sequence[Word], at: int) -> tuple[int | Decimal, int] | None:
    """The number that starts at word `at` and how many words it takes, or None."""
    start = _digits(words[at]) or _spelled(words, at)
    if start is None:
        return None
    value, taken = start
    while at + taken < len(words) and words[at + taken].folded in SCALES:
        value *= SCALES[words[at + taken].folded]
        taken += 1
    return (int(value) if value == value.to_integral_value() else value.normalize()), taken


def _digits(word: Word) -> tuple[Decimal, int] | None:
    if word.kind != "number" or not (match := _PARTS.fullmatch(word.folded)):
        return None
    value = Decimal(match[1] + match[2].replace(",", "")) * SCALES.get(match[3], 1)
    return value, 1


def _spelled(words: Sequence[Word], at: int) -> tuple[Decimal, int] | None:
    first = words[at].folded
    if first in TENS:
        unit = SMALL.get(words[at + 1].folded, 0) if at + 1 < len(words) else 0
        return (Decimal(TENS[first] + unit), 2) if 0 < unit < 10 else (Decimal(TENS[first]), 1)
    return (Decimal(SMALL[first]), 1) if first in SMALL else None
