"""What a verifier sees of a record: its spans with what stands around them, and where groups and species are told."""

from __future__ import annotations

from backedge.evidence.ports import Passage, Shown
from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import EvidenceRecord

AROUND = 1_500  # characters of its section before and behind a span
DEFINING = ("title", "abstract", "methods")
MOST_DEFINING = 6_000  # characters of all of them together
EACH_DEFINING = 2_000


def passages_of(record: EvidenceRecord, reading: Reading) -> tuple[Passage, ...]:
    """Each span of the record with the text around it in its section."""
    found = []
    for spans in record.spans:
        for span in spans:
            section = reading.section(span.section)
            assert section is not None
            before = reading.text[max(section.start, span.start - AROUND) : span.start]
            after = reading.text[span.end : min(section.end, span.end + AROUND)]
            found.append(Passage(span, section.label or section.title, before, after))
    return tuple(found)


def around_of(record: EvidenceRecord, reading: Reading) -> tuple[Shown, ...]:
    """Title, abstract and the beginnings of the methods: quotations say "the experimental group", these say which."""
    left = MOST_DEFINING
    found = []
    for section in reading.sections:
        if section.role in DEFINING and left > 0 and not _holds_others(section, reading):
            text = reading.text[section.start : min(section.end, section.start + min(EACH_DEFINING, left))]
            found.append(Shown(section.key, section.role, section.label or section.title, text))
            left -= len(text)
    return tuple(found)


def _holds_others(section: Section, reading: Reading) -> bool:
    return any(other.parent == section.key for other in reading.sections)
