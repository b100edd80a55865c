"""Finds quotations in the section that they name: exactly, or by the key of the text; nothing else is ever accepted.

Everything in the product that compares quotations does it here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import Quotation, Span
from backedge.evidence.repair import nearest
from backedge.evidence.text_key import HYPHEN, Key, ends_a_line, folded, key_of, without_hyphens
from backedge.evidence.tokens import telling, whole_words
from backedge.kernel.defect import Defect

AROUND = 32  # characters of prefix and suffix
SHORTEST = 8  # characters of a key that is a quotation
SHORTEST_PIECE = 12  # characters of the key of a piece of an elided one
MOST_PLACES = 50
_ELISION = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|…)\s*")
_LONE = re.compile(r"[\x00\ud800-\udfff]")


@dataclass(frozen=True)
class LocatedText:
    """A reading with its keys, made once and used for all quotations of it."""

    reading: Reading

    @cached_property
    def key(self) -> Key:
        """The key of the text."""
        return key_of(self.reading.text)

    @cached_property
    def bare(self) -> Key:
        """The key without hyphens."""
        return without_hyphens(self.key)


@dataclass(frozen=True)
class _Places:
    """Where words stand, as half-open stretches of whole words, and how many more places cut a number."""

    found: tuple[tuple[int, int], ...]
    cut: int = 0


def located(text: LocatedText, quotation: Quotation, *, version: str, text_hash: str) -> tuple[Span, ...] | Defect:
    """The spans of a quotation in its section, several where it is elided; else what keeps it from being one."""
    if defect := _unusable(quotation):
        return defect
    section = text.reading.section(quotation.section)
    if section is None:
        near = tuple(section.key for section in text.reading.sections)[:8]
        said = f"there is no section {quotation.section!r}"
        return Defect("quote_section_unknown", said, "section", "name one of the sections that were shown", near)
    found = _whole(text, quotation, section)
    if isinstance(found, Defect) and found.kind == "quote_not_found" and len(_pieces(quotation.text)) > 1:
        found = _elided(text, quotation, section)
    if isinstance(found, Defect):
        return found
    return tuple(_span(text.reading.text, section, start, end, version, text_hash) for start, end in found)


def _unusable(quotation: Quotation) -> Defect | None:
    if _LONE.search(quotation.text):
        return Defect(
            "quote_unreadable", "the quotation holds NUL or half a character", "text", "quote whole characters"
        )
    size = len(folded(quotation.text))
    if size == 0:
        return Defect("quote_empty", "the quotation is empty", "text", "quote the words that the record rests on")
    if size < SHORTEST:
        said = f"the quotation {quotation.text!r} is too short to mean anything by itself"
        return Defect("quote_too_short", said, "text", "quote the whole sentence")
    return None


def _whole(text: LocatedText, quotation: Quotation, section: Section) -> tuple[tuple[int, int], ...] | Defect:
    places = _places(text, quotation.text, section)
    if not places.found:
        return _absent(text, quotation, section, places)
    chosen = [place for place in places.found if _fits(text.reading.text, place, quotation)]
    if len(chosen) == 1:
        return (chosen[0],)
    if not chosen:
        said = "the quotation stands there, but not between its prefix and suffix"
        return Defect("quote_context", said, "prefix", "quote prefix and suffix verbatim, or leave them out")
    said = f"the quotation {_short(quotation.text)} stands {len(chosen)} times in section {section.key}"
    hint = "give words before it as `prefix` or behind it as `suffix`, or quote more"
    return Defect("quote_ambiguous", said, "text", hint)


def _absent(text: LocatedText, quotation: Quotation, section: Section, places: _Places) -> Defect:
    if places.cut:
        said = f"the quotation {_short(quotation.text)} cuts a number, or its sign or comparator"
        return Defect("quote_cut", said, "text", "quote whole numbers, with what stands before them")
    near = nearest(quotation.text, text.reading.text[section.start : section.end])
    proposed = (near,) if near and _places(text, near, section).found else ()
    hint = "copy the words as they stand in the section, without changing any"
    said = f"the quotation {_short(quotation.text)} does not stand in section {section.key}"
    return Defect("quote_not_found", said, "text", hint, proposed)


def _elided(text: LocatedText, quotation: Quotation, section: Section) -> tuple[tuple[int, int], ...] | Defect:
    """The places of the pieces, in their order; each piece must be long enough and stand there once."""
    found: list[tuple[int, int]] = []
    for piece in _pieces(quotation.text):
        if len(folded(piece)) < SHORTEST_PIECE:
            said = f"the piece {_short(piece)} of an elided quotation is too short"
            return Defect("quote_elision", said, "text", "quote longer pieces, or one sentence without elision")
        places = _places(text, piece, section)
        after = [place for place in places.found if not found or place[0] >= found[-1][1]]
        if len(after) != 1:
            state = "does not stand" if not after else f"stands {len(after)} times"
            said = f"the piece {_short(piece)} of an elided quotation {state} there in its order"
            kind = "quote_ambiguous" if after else "quote_not_found"
            return Defect(kind, said, "text", "copy each piece as it stands, in the order of the section")
        found.append(after[0])
    return tuple(found)


def _pieces(text: str) -> list[str]:
    return [piece for piece in _ELISION.split(text) if piece.strip()]


def _places(text: LocatedText, words: str, section: Section) -> _Places:
    """Every place of the words in the section, by the key; then by the key without hyphens, for broken lines."""
    wanted = folded(words)
    found = _by_key(text, text.key, words, wanted, section)
    if not found.found and not found.cut:
        bare = wanted.replace(HYPHEN, "")
        found = _by_key(text, text.bare, words, bare, section, hyphenated=wanted) if bare else found
    return found


def _by_key(text: LocatedText, key: Key, words: str, wanted: str, section: Section, hyphenated: str = "") -> _Places:
    """The places of a key of `words`. White space may differ, but not what it divides: numbers and negations."""
    low, high = bisect_left(key.places, section.start), bisect_left(key.places, section.end)
    found: list[tuple[int, int]] = []
    cuts, told = 0, telling(words)
    at = key.text.find(wanted, low, high)
    while at >= 0 and len(found) + cuts < MOST_PLACES:
        last = at + len(wanted) - 1
        start, end = key.places[at], key.places[last] + 1
        raw = text.reading.text[start:end]
        if telling(raw) == told and (not hyphenated or _hyphens_agree(raw, hyphenated)):
            if (whole := whole_words(text.reading.text, start, end)) is not None:
                found.append(whole)
            else:
                cuts += 1
        at = key.text.find(wanted, at + 1, high)
    return _Places(tuple(dict.fromkeys(found)), cuts)


def _hyphens_agree(raw: str, wanted: str) -> bool:
    """Whether the quotation has every hyphen of the text but some at ends of lines, and none that is not there."""
    key = key_of(raw)
    at = 0
    for number, character in enumerate(key.text):
        if at < len(wanted) and wanted[at] == character:
            at += 1
        elif character != HYPHEN or not ends_a_line(raw, key.places[number]):
            return False
    return at == len(wanted)


def _fits(text: str, place: tuple[int, int], quotation: Quotation) -> bool:
    before, after = folded(quotation.prefix), folded(quotation.suffix)
    start, end = place
    room = 4 * (len(quotation.prefix) + len(quotation.suffix)) + 64
    return folded(text[max(0, start - room) : start]).endswith(before) and folded(text[end : end + room]).startswith(
        after
    )


def _span(text: str, section: Section, start: int, end: int, version: str, text_hash: str) -> Span:
    return Span(
        version,
        text_hash,
        section.key,
        section.role,
        start,
        end,
        text[start:end],
        text[max(0, start - AROUND) : start],
        text[end : end + AROUND],
    )


def resolve(span: Span, text: str, text_hash: str) -> Defect | None:
    """What keeps a stored span from being what it says in the text as it is stored now."""
    if span.text != text_hash:
        said = "the span is of another reading of the version"
        return Defect("span_stale", said, span.section, "extract the version again")
    if not 0 <= span.start < span.end <= len(text):
        said = f"the span {span.start}:{span.end} lies outside the text of {len(text)} characters"
        return Defect("span_out_of_range", said, span.section, "extract the version again")
    if text[span.start : span.end] != span.exact:
        return Defect("span_differs", "the text at the span is not what the span says", span.section)
    before, after = text[max(0, span.start - AROUND) : span.start], text[span.end : span.end + AROUND]
    if (before, after) != (span.prefix, span.suffix):
        return Defect("span_differs", "what stands around the span is not what it says", span.section)
    return None


def elsewhere(missing: Defect, quotation: Quotation, text: LocatedText, others: Mapping[str, Reading]) -> Defect:
    """A defect that says more where a quotation that is not found stands elsewhere: in another section or source.

    `others` are readings of other versions by what to call them; what is nowhere stays `quote_not_found`.
    """
    if missing.kind != "quote_not_found":
        return missing
    for section in text.reading.sections:
        if section.key != quotation.section and _places(text, quotation.text, section).found:
            said = f"the quotation stands in section {section.key}, not in {quotation.section}"
            return Defect("quote_wrong_section", said, missing.where, f"name section {section.key}", (section.key,))
    for name, reading in others.items():
        other = LocatedText(reading)
        whole = Section("", "other", "", 0, len(reading.text))
        if _places(other, quotation.text, whole).found:
            kind = "quote_stale" if name.startswith("an older version") else "quote_misattributed"
            said = f"the quotation is not in this source; it stands in {name}"
            return Defect(kind, said, missing.where, "quote this source only", retryable=True)
    return missing


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def quoted_strings(prose: str) -> tuple[tuple[int, int], ...]:
    """The stretches inside every pair of quotation marks of a prose, half-open, in order; apostrophes are none."""
    return tuple((m.start(m.lastgroup or 0), m.end(m.lastgroup or 0)) for m in _QUOTED.finditer(prose))


_QUOTED = re.compile(
    r'"(?P<straight>[^"\n]+)"'
    r"|\u201c(?P<curly>[^\u201d]+)\u201d"
    r"|\u201e(?P<low>[^\u201c\u201d]+)[\u201c\u201d]"
    r"|\u00ab\s?(?P<angle>[^\u00bb]+?)\s?\u00bb"
    r"|(?<!\w)\u2018(?P<single>[^\u2018\u2019\n]*(?:\u2019(?=\w)[^\u2018\u2019\n]*)*)\u2019(?!\w)"
    r"|(?<!\w)'(?P<plain>[^'\n]+(?:'(?=\w)[^'\n]+)*)'(?!\w)"
)
