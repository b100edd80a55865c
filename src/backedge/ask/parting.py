"""A question in several parts: complete questions that no single table answers are told apart, to be asked alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from backedge.ask.grounding.options import match_option
from backedge.ask.grounding.words import tokenise
from backedge.ask.intent import Ambiguous, Clarified, Given, Intent, NotUnderstood, Option, Token
from backedge.ask.probe import filters_of
from backedge.semantic.spec import Spec

MOST_PARTS = 6
SLOT, APART, TOGETHER = "one table or several questions", "apart", "together"
Read = Callable[[str], Clarified]
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|(?<!\w)\'[^\']*\'(?!\w)')
_SENTENCE = re.compile(r"[?;\n]+[\s,]*(?:and\s+)?(?:also\s+)?", re.IGNORECASE)
_AND = re.compile(r",?\s+(?:and|plus)\s+(?:also\s+)?|,?\s+as\s+well\s+as\s+", re.IGNORECASE)


def parted(text: str, whole: Clarified, read: Read, given: Sequence[Given] = ()) -> Clarified:
    """The reading of a text as a whole, or as several questions where each reads by itself and no table holds all.

    Sentences are parts whatever they ask for. What "and" joins are parts only where all of them have their own
    groupings, or all their own conditions: else words of one may be meant for the others too.
    """
    if isinstance(whole, Intent) and whole.verified:
        return whole
    for parts, apart in ((_cut(text, _SENTENCE), True), (_cut(text, _AND), False)):
        if not 2 <= len(parts) <= MOST_PARTS:
            continue
        readings = tuple(map(read, parts))
        if not all(isinstance(r, Intent) or (apart and isinstance(r, Ambiguous)) for r in readings):
            continue
        if apart or _alike(readings):
            return _decided(text, whole, parts, readings, given, apart)
    return whole


def _decided(
    text: str,
    whole: Clarified,
    parts: tuple[str, ...],
    readings: tuple[Clarified, ...],
    given: Sequence[Given],
    apart: bool,
) -> Clarified:
    if isinstance(whole, Intent) and _is_one_table(whole, readings):
        return whole
    if apart and _carries_over(readings):
        reason = "a condition of one of these questions may be meant for the next one too; ask each by itself"
        return NotUnderstood(reason, instead=parts)
    several = _several(text, parts, readings)
    if apart or not isinstance(whole, Intent):
        return several
    otherwise = frozenset().union(*map(_measured, readings)) - _measured(whole)
    if not otherwise:
        return several
    if all(word.stem == word.folded for text in otherwise for word in tokenise(text)):
        return whole  # "by category and product": one of a thing is a grouping, and not their number
    asks = _which(whole, parts)
    said = next((g.value for g in given if g.slot == SLOT), "")
    option = match_option(asks, said) if said else None
    return asks if option is None else several if option.value == APART else whole


def _cut(text: str, boundary: re.Pattern[str]) -> tuple[str, ...]:
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    found, begin = [], 0
    for match in boundary.finditer(text):
        if not any(start < match.start() < end for start, end in quoted):
            found.append(text[begin : match.start()])
            begin = match.end()
    return tuple(part for part in (" ".join(p.split()).strip(" ,") for p in (*found, text[begin:])) if part)


def _drafts(readings: Sequence[Clarified]) -> Iterator[Spec]:
    for reading in readings:
        yield (reading.draft if isinstance(reading, Intent) else None) or Spec()


def _conditions(spec: Spec) -> frozenset[str]:
    """What is restricted, whatever to."""
    return frozenset(f.member for condition in spec.where for f in filters_of(condition)) | frozenset(spec.segments)


def _alike(readings: Sequence[Clarified]) -> bool:
    drafts = tuple(_drafts(readings))
    if not all(spec.measures for spec in drafts):
        return False
    conditions, grouped = {_conditions(spec) for spec in drafts}, {bool(spec.by) for spec in drafts}
    return len(conditions) == 1 and len(grouped) == 1 and (grouped == {True} or conditions != {frozenset()})


def _carries_over(readings: Sequence[Clarified]) -> bool:
    """Whether a question has conditions that a later one is silent about."""
    drafts = tuple(_drafts(readings))
    return any(_conditions(one) - _conditions(other) for one, other in combinations(drafts, 2))


def _is_one_table(whole: Intent, readings: Sequence[Clarified]) -> bool:
    """Whether the whole asks for just what the parts ask for: their measures, side by side in the same rows."""
    drafts = tuple(_drafts(readings))
    rows = {replace(spec, measures=()) for spec in (*drafts, whole.draft or Spec())}
    return len(rows) == 1 and {m for spec in drafts for m in spec.measures} == set((whole.draft or Spec()).measures)


def _measured(reading: Clarified) -> frozenset[str]:
    """The words that are read as what is measured."""
    tokens = reading.tokens if isinstance(reading, Intent) else ()
    return frozenset(token.text.casefold() for token in tokens if token.role == "measure")


def _several(text: str, parts: tuple[str, ...], readings: tuple[Clarified, ...]) -> Intent:
    told = [r.reading if isinstance(r, Intent) else part for part, r in zip(parts, readings, strict=True)]
    tokens = [Token(part, "part", said) for part, said in zip(parts, told, strict=True)]
    between = text
    for part in parts:
        between = " ".join(between.split()).replace(part, " ", 1)
    joining = [word.text for word in tokenise(between) if word.kind != "mark"]
    tokens += [Token(word, "filler", "joins the questions") for word in joining]
    return Intent(text, f"{len(parts)} questions: {' / '.join(told)}", tuple(tokens), parts=parts)


def _which(whole: Intent, parts: tuple[str, ...]) -> Ambiguous:
    options = (
        Option(TOGETHER, f"one table: {whole.reading}"),
        Option(APART, f"{len(parts)} questions: {' / '.join(parts)}"),
    )
    return Ambiguous(SLOT, whole.question, "Is that one table, or several questions?", options, kind="name")


def lost_in_parts(text: str, parts: Sequence[str]) -> tuple[str, ...]:
    """Numbers, quoted words and names of a question that none of its parts has: what decides most of a number."""
    words = tokenise(text)
    kept = {word.folded for part in parts for word in tokenise(part)}
    named = [
        w
        for n, w in enumerate(words)
        if w.kind == "quoted" or any(c.isdigit() for c in w.text) or (n and w.text[:1].isupper())
    ]
    return tuple(dict.fromkeys(word.text for word in named if word.folded not in kept))
