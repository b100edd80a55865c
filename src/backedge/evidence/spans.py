"""Finds quotations in the section that they name: exactly, or by the key of the text; nothing else is ever accepted.

Everything in the product that compares quotations does it here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backedge.evidence.elision import assigned, pieces_of
from backedge.evidence.places import MOST_PLACES, LocatedText, Places, Stretch, places_of
from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import Quotation, Span
from backedge.evidence.repair import nearest
from backedge.evidence.text_key import folded
from backedge.kernel.defect import Defect

AROUND = 32  # characters of prefix and suffix
SHORTEST_PIECE = 12  # characters of the key of a piece of an elided quotation
MOST_PIECES = 8
_HALVES = re.compile(r"[\x00\ud800-\udfff]")


@dataclass(frozen=True)
class Other:
    """Another stored reading that a quotation is looked for in: what to call it, and whether it is an older version."""

    name: str
    reading: Reading
    older: bool = False


def located(text: LocatedText, quotation: Quotation, *, version: str, text_hash: str) -> tuple[Span, ...] | Defect:
    """The spans of a quotation in its section, several where it is elided; else what keeps it from being one."""
    if defect := _unusable(quotation, text.shortest):
        return defect
    section = text.reading.section(quotation.section)
    if section is None:
        near = tuple(section.key for section in text.reading.sections)[:8]
        said = f"there is no section {quotation.section!r}"
        return Defect("quote_section_unknown", said, "section", "name one of the sections that were shown", near)
    found = _stretches(text, quotation, section)
    if isinstance(found, Defect):
        return found
    return tuple(_span(text.reading, section, stretch, version, text_hash) for stretch in found)


def stands(words: str, text: str) -> bool:
    """Whether words stand in a text as a quotation would have to: once or often, in one stretch, cutting nothing."""
    if _HALVES.search(words) or not folded(words):
        return False
    return bool(places_of(LocatedText(Reading(text, (), "")), words, 0, len(text)).found)


def _unusable(quotation: Quotation, shortest: int) -> Defect | None:
    if any(_HALVES.search(part) for part in (quotation.text, quotation.prefix, quotation.suffix)):
        said = "the quotation holds NUL or half a character"
        return Defect("quote_unreadable", said, "text", "quote whole characters")
    size = len(folded(quotation.text))
    if size == 0:
        return Defect("quote_empty", "the quotation is empty", "text", "quote the words that the record rests on")
    if size < shortest:
        said = f"the quotation {_short(quotation.text)} is too short to mean anything by itself"
        return Defect("quote_too_short", said, "text", "quote the whole sentence")
    return None


def _stretches(text: LocatedText, quotation: Quotation, section: Section) -> tuple[Stretch, ...] | Defect:
    """In one piece where it stands so, dots and brackets included; else the pieces that elisions leave."""
    places = places_of(text, quotation.text, section.start, section.end)
    if places.found or (pieces := pieces_of(quotation.text)) == [quotation.text.strip()]:
        return _whole(text, quotation, section, places)
    return _elided(text, quotation, section, pieces)


def _whole(text: LocatedText, quotation: Quotation, section: Section, places: Places) -> tuple[Stretch, ...] | Defect:
    if not places.found:
        return _absent(text, quotation, section, places)
    chosen = [place for place in places.found if _fits(text.reading.text, place, place, quotation)]
    if not chosen:
        said = f"the quotation {_short(quotation.text)} stands there, but not between its prefix and suffix"
        return Defect("quote_context", said, "prefix", "quote prefix and suffix verbatim, or leave them out")
    if len(chosen) == 1 and not places.more:
        return (chosen[0],)
    many = f"{len(chosen)} times" if not places.more else f"at least {MOST_PLACES} times"
    said = f"the quotation {_short(quotation.text)} stands {many} in section {section.key}"
    hint = "give words before it as `prefix` or behind it as `suffix`, or quote more"
    return Defect("quote_ambiguous", said, "text", hint)


def _absent(text: LocatedText, quotation: Quotation, section: Section, places: Places) -> Defect:
    if places.cut:
        return _cut(quotation.text, places.cut)
    said = f"the quotation {_short(quotation.text)} does not stand in section {section.key}"
    hint = "copy the words as they stand in the section, without changing any"
    near = nearest(quotation.text, text.reading.text[section.start : section.end])
    if not near or len(places_of(text, near, section.start, section.end).found) != 1:
        return Defect("quote_not_found", said, "text", hint)
    return Defect("quote_not_found", said, "text", f"{hint}; did you mean: {near}", (near,))


def _cut(words: str, what: str) -> Defect:
    said = f"the quotation {_short(words)} begins or ends inside {what}"
    hint = "quote whole words, and numbers with their sign, comparator and unit"
    if what == "a negation":
        said, hint = f"the quotation {_short(words)} leaves out the negation beside it", "quote the negation too"
    return Defect("quote_cut", said, "text", hint)


def _elided(
    text: LocatedText, quotation: Quotation, section: Section, pieces: list[str]
) -> tuple[Stretch, ...] | Defect:
    """The places of the pieces in their order, where there is one way only; each long enough to mean something."""
    if len(pieces) > MOST_PIECES:
        said = f"the quotation has {len(pieces)} pieces, at most {MOST_PIECES} are allowed"
        return Defect("quote_elision", said, "text", "quote single sentences")
    places: list[Places] = []
    for piece in pieces:
        if len(folded(piece)) < SHORTEST_PIECE:
            said = f"the piece {_short(piece)} of an elided quotation is too short"
            return Defect("quote_elision", said, "text", "quote longer pieces, or one sentence without elision")
        found = places_of(text, piece, section.start, section.end)
        if not found.found:
            return _absent(text, Quotation(section.key, piece), section, found)
        places.append(found)
    if not places:
        return Defect("quote_empty", "the quotation is nothing but elision", "text", "quote words")
    first, last = quotation.prefix, quotation.suffix
    raw = text.reading.text
    before = [place for place in places[0].found if _fits(raw, place, place, Quotation("", "", first))]
    behind = [place for place in places[-1].found if _fits(raw, place, place, Quotation("", "", "", last))]
    if len(places) == 1:
        behind = before = [place for place in before if place in behind]
    choices = [tuple(before), *(each.found for each in places[1:-1]), *([tuple(behind)] if len(places) > 1 else [])]
    return assigned(raw, choices, many=any(each.more for each in places))


def _fits(text: str, first: Stretch, last: Stretch, quotation: Quotation) -> bool:
    """Whether prefix and suffix stand around the stretch from the first place to the last, gaps aside."""
    before, behind = folded(quotation.prefix), folded(quotation.suffix)
    room = 4 * (len(quotation.prefix) + len(quotation.suffix)) + 64
    ahead, after = text[max(0, first[0] - room) : first[0]], text[last[1] : last[1] + room]
    return (not before or folded(ahead).endswith(before)) and (not behind or folded(after).startswith(behind))


def _span(reading: Reading, section: Section, stretch: Stretch, version: str, text_hash: str) -> Span:
    """The role is that of the innermost section there: a table of the results is quoted as a table."""
    (start, end), text = stretch, reading.text
    inner = _innermost(reading.sections, start, end) or section
    return Span(
        version,
        text_hash,
        section.key,
        inner.role,
        start,
        end,
        text[start:end],
        text[max(0, start - AROUND) : start],
        text[end : end + AROUND],
    )


def _innermost(sections: Sequence[Section], start: int, end: int) -> Section | None:
    holding = [section for section in sections if section.start <= start and end <= section.end]
    return min(holding, key=lambda section: section.end - section.start, default=None)


def resolve(span: Span, text: str, text_hash: str) -> Defect | None:
    """What keeps a stored span from being what it says in the text as it is stored now."""
    if span.text != text_hash:
        said = "the span is of another reading of the version"
        return Defect("span_stale", said, span.section, "extract the version again")
    if not 0 <= span.start < span.end <= len(text):
        said = f"the span {span.start}:{span.end} lies outside the text of {len(text)} characters"
        return Defect("span_out_of_range", said, span.section, "extract the version again")
    if text[span.start : span.end] != span.exact:
        said = f"the text at {span.start}:{span.end} is not what the span says"
        return Defect("span_differs", said, span.section, "extract the version again")
    before, after = text[max(0, span.start - AROUND) : span.start], text[span.end : span.end + AROUND]
    if (before, after) != (span.prefix, span.suffix):
        said = f"what stands around {span.start}:{span.end} is not what the span says"
        return Defect("span_differs", said, span.section, "extract the version again")
    return None


def elsewhere(missing: Defect, quotation: Quotation, text: LocatedText, others: Sequence[Other]) -> Defect:
    """A defect that says more where a quotation that is not in its section stands elsewhere.

    Looked through are the other sections, then older versions of the source, then other sources. What stands nowhere
    stays `quote_not_found`: it is fabricated, or changed.
    """
    if missing.kind not in ("quote_not_found", "quote_section_unknown"):
        return missing
    keys = tuple(dict.fromkeys(_sections_of(text, quotation)))
    if missing.kind == "quote_section_unknown":
        return replace(missing, hint=f"it stands in section {keys[0]}", near=keys) if keys else missing
    if keys:
        said = f"the quotation stands in section {' and '.join(keys[:3])}, not in {quotation.section}"
        return Defect("quote_wrong_section", said, missing.where, f"name section {keys[0]}", keys)
    for other in sorted(others, key=lambda other: not other.older):
        whole = Section("", "other", "", 0, len(other.reading.text))
        if _all_found(LocatedText(other.reading), quotation, whole):
            kind = "quote_stale" if other.older else "quote_misattributed"
            said = f"the quotation {_short(quotation.text)} is not in this text; it stands in {other.name}"
            return Defect(kind, said, missing.where, "quote the sections that are shown here and nothing else")
    return missing


def _sections_of(text: LocatedText, quotation: Quotation) -> Iterator[str]:
    """The keys of the innermost sections that hold all of the quotation."""
    sections = text.reading.sections
    if not _all_found(text, quotation, Section("", "other", "", 0, len(text.reading.text))):
        return
    for section in sorted(sections, key=lambda section: section.end - section.start):
        outer = any(section.start <= each.start and each.end <= section.end for each in sections if each != section)
        if section.key != quotation.section and not outer and _all_found(text, quotation, section):
            yield section.key
    for section in sections:
        if section.key != quotation.section and _all_found(text, quotation, section):
            yield section.key


def _all_found(text: LocatedText, quotation: Quotation, section: Section) -> bool:
    if places_of(text, quotation.text, section.start, section.end).found:
        return True
    pieces = pieces_of(quotation.text)
    long = all(len(folded(piece)) >= SHORTEST_PIECE for piece in pieces)
    return len(pieces) > 1 and long and not isinstance(_elided(text, Quotation("", ""), section, pieces), Defect)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
