"""Elided quotations: the pieces that dots leave, and the one way in which they stand in a text in their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from backedge.evidence.polarity import first_negation
from backedge.kernel.defect import Defect

_ELISION = re.compile(r"\[\s*(?:\.(?:\s?\.){2,}|…)\s*\]|\(\s*(?:\.(?:\s?\.){2,}|…)\s*\)|\.(?:\s?\.){2,}|…")
# What the table of cues has only with the words around it, and what stands before a hyphen.
_NEGATION = re.compile(r"\b(?:none|non|fail(?:s|ed|ing|ure)?|no)\b|n['’]t\b", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"[.!?][)\]\"”’]?\s+(?=[A-Z])")


def pieces_of(text: str) -> list[str]:
    """What elisions (`...`, `…`, `[...]`, `(…)`, `. . .`) leave of a quotation, in order."""
    return [piece.strip() for piece in _ELISION.split(text) if piece.strip()]


def assigned(
    text: str, choices: Sequence[Sequence[tuple[int, int]]], *, many: bool
) -> tuple[tuple[int, int], ...] | Defect:
    """The only way to take a place for each piece, in order and without overlap; else a defect.

    `many` says that there are places which are not among the choices.
    """
    ways: list[dict[tuple[int, int], int]] = []
    for places in reversed(choices):
        behind = ways[-1] if ways else None
        here = {}
        for place in places:
            count = 1 if behind is None else sum(n for each, n in behind.items() if each[0] >= place[1])
            if count:
                here[place] = min(count, 2)
        ways.append(here)
    total = sum(ways[-1].values())
    if not total:
        said = "the pieces of the elided quotation do not stand there in this order"
        return Defect("quote_elision", said, "text", "give the pieces in the order of the section")
    if total > 1 or many:
        said = "the pieces of the elided quotation stand there in several ways"
        return Defect("quote_ambiguous", said, "text", "quote longer pieces, or one sentence without elision")
    chosen: list[tuple[int, int]] = []
    for here in reversed(ways):
        chosen.append(next(place for place in here if not chosen or place[0] >= chosen[-1][1]))
    return _nothing_hidden(text, tuple(chosen))


def _nothing_hidden(text: str, chosen: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...] | Defect:
    """The places, unless an elision leaves a negation out of a sentence that a piece is of."""
    for one, other in pairwise(chosen):
        left_out = _SENTENCE_ENDS.split(text[one[1] : other[0]])
        for part in (left_out[0], left_out[-1]):
            found = _NEGATION.search(part)
            if word := found.group() if found else first_negation(part):
                said = f"the elision leaves out {word!r}, which turns the sentence round"
                return Defect("quote_elision", said, "text", "quote the sentence with its negation")
    return chosen
