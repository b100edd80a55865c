"""What of a version a model is shown together: whole sections as far as they fit, long ones cut between sentences."""

from __future__ import annotations

from backedge.evidence.chunking import own_stretches
from backedge.evidence.reading import Reading, Role, Section
from backedge.evidence.sentences import sentences
from backedge.evidence.versions import Stretch

QUOTABLE: frozenset[Role] = frozenset(
    {"title", "abstract", "introduction", "methods", "results", "discussion", "table", "caption", "other"}
)
CONTEXT = 400  # characters that a section's key, role and title may take around its text


def parts_of(reading: Reading, room: int) -> tuple[tuple[Stretch, ...], ...]:
    """Stretches of the quotable sections in their order, put together up to `room` characters a part.

    A section that holds others is shown by those; what it holds beside them is a stretch of its own.
    """
    stretches = [
        piece
        for section in reading.sections
        if section.role in QUOTABLE
        for piece in _pieces(reading, section, max(room - CONTEXT, CONTEXT))
    ]
    parts: list[tuple[Stretch, ...]] = []
    full = room
    for stretch in stretches:
        size = stretch.end - stretch.start + CONTEXT
        if parts and full + size <= room:
            parts[-1] = (*parts[-1], stretch)
            full += size
        else:
            parts.append((stretch,))
            full = size
    return tuple(parts)


def _pieces(reading: Reading, section: Section, room: int) -> list[Stretch]:
    """The section's own text, cut where it is longer than the room."""
    found = []
    for start, end in own_stretches(reading, section):
        at = start
        for first, last in sentences(reading.text[start:end]):
            if start + last - at > room and start + first > at:
                found.append(Stretch(section.key, at, start + first))
                at = start + first
        if reading.text[at:end].strip():
            found.append(Stretch(section.key, at, end))
    return found
