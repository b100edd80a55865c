"""What is wrong with a proposed record without asking a model: its spans, its fields, and what it says of itself."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import get_args

from backedge.evidence.background import BACKGROUND, REFERENCES, place_of, uncarried
from backedge.evidence.places import LocatedText
from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import Direction, EvidenceRecord, Proposal, RecordKind, Span
from backedge.evidence.spans import located, resolve
from backedge.kernel.defect import Defect

SHORTEST_STATEMENT = 10  # characters
LONGEST_STATEMENT = 600

# Which fields a record must have, and what stands for "none" in them; a field without such a word must be stated.
REQUIRED: dict[RecordKind, dict[str, tuple[str, ...]]] = {
    "finding": {
        "statement": (),
        "species": ("unknown",),
        "population": ("not stated",),
        "treatment": ("none", "not stated"),
        "comparator": ("none", "not stated"),
        "endpoint": (),
        "direction": ("not_stated",),
    },
    "claim": {
        "statement": (),
        "species": ("unknown",),
        "treatment": ("none", "not stated"),
        "endpoint": ("not stated",),
        "direction": ("not_stated",),
    },
}
_NOTHING = frozenset({"", "none", "not stated", "not_stated", "unknown", "n/a", "na", "-", "–", "—", "?", "null"})
_FIELDS = ("statement", "species", "population", "treatment", "comparator", "endpoint", "effect", "units", "n")
# What only a gate or a person may say of a record. Honest prose ("was verified by sequencing") says it of other things.
_WORTH = r"(?:verified|accepted|approved|confirmed|validated|reviewed|entailed|proven)"
_RECORD = r"(?:evidence\s+)?(?:record|extraction|quotation)"
_JUDGES = r"(?:reviewer|verifier|gate|curator|backedge)s?"
_ASSERTED = re.compile(
    rf"""\b(?:status|label|verdict)\s*[:=]\s*["']?{_WORTH}\b|^\W*{_WORTH}\W*$|[\[(]\s*{_WORTH}\s*[\])]"""
    rf"""|\b{_WORTH}\s+{_RECORD}\b|\b(?:verified|accepted|approved)\s+(?:finding|claim)\b"""
    rf"""|\b(?:this|the)\s+{_RECORD}\s+(?:is|was|has\s+been|must\s+be)\s+(?:\w+\s+)?{_WORTH}\b"""
    rf"""|\bthis\s+(?:finding|claim)\s+(?:is|has\s+been|must\s+be)\s+(?:\w+\s+)?(?:verified|accepted|approved)\b"""
    rf"""|\b{_WORTH}\s+by\s+(?:the\s+)?{_JUDGES}\b"""
    rf"""|[\[(]\s*(?:the\s+)?{_JUDGES}\s+(?:has\s+|have\s+)?(?:already\s+)?{_WORTH}\b[^\])]{{0,40}}[\])]"""
    rf"""|\bno\s+(?:further\s+)?review\s+(?:is\s+)?(?:needed|necessary|required)\b""",
    re.IGNORECASE,
)


def validate(
    record: EvidenceRecord,
    text: str,
    text_hash: str,
    sections: tuple[Section, ...],
    earlier: tuple[EvidenceRecord, ...] = (),
) -> tuple[Defect, ...]:
    """Every defect of a record, read against the stored text and its sections; none where it is sound.

    `earlier` are other records of the version that stand, at least those of its `sameness`; the one that this replaces
    is not compared.
    """
    return (
        *_of_spans(record, text, text_hash, sections),
        *_of_fields(record.proposal),
        *_of_status(record.proposal),
        *_of_place(record, text, sections),
        *_of_others(record, earlier),
    )


def _of_spans(record: EvidenceRecord, text: str, text_hash: str, sections: tuple[Section, ...]) -> Iterator[Defect]:
    """Each quotation has spans, each resolves, and they are where the one matcher finds its words."""
    quotations = record.proposal.quotations
    if not quotations:
        yield Defect("quotation_missing", "the record has no quotation", "quotations", "quote what it rests on")
    if len(set(quotations)) < len(quotations):
        yield Defect("quotation_repeated", "the record gives one quotation twice", "quotations", "give it once")
    reading = LocatedText(Reading(text, sections, reader=""))
    for number, quotation in enumerate(quotations, 1):
        where = f"quotation {number}"
        spans = record.spans[number - 1] if number <= len(record.spans) else ()
        if not spans:
            yield Defect("span_missing", f"{where} was not found in {quotation.section or 'any section'}", where)
            continue
        broken = [defect for span in spans if (defect := _broken(span, record, text, text_hash, where))]
        yield from broken
        found = located(reading, quotation, version=record.version, text_hash=text_hash)
        if not broken and found != spans:
            yield Defect("span_other_words", f"the spans of {where} are not where its words are found", where)
    if len(record.spans) > len(quotations):
        yield Defect("span_other_words", "the record has spans that are of none of its quotations", "spans")


def _broken(span: Span, record: EvidenceRecord, text: str, text_hash: str, where: str) -> Defect | None:
    if span.version != record.version:
        return Defect("span_other_version", f"a span of {where} is of version {span.version[:12]}", where)
    found = resolve(span, text, text_hash)
    return found and Defect(found.kind, f"{where}: {found.message}", where, found.hint, found.near)


def _of_fields(proposal: Proposal) -> Iterator[Defect]:
    """The fields that its kind needs are there, its direction is one of the list, its statement is one statement."""
    for name, standing in REQUIRED[proposal.kind].items():
        said = str(getattr(proposal, name)).strip()
        if said.casefold() in _NOTHING and said.casefold() not in standing:
            allowed = f"state it, or write {' or '.join(standing)}" if standing else "state it"
            yield Defect("field_missing", f"a {proposal.kind} needs its {name}", name, allowed)
    if proposal.direction not in get_args(Direction):
        said = ", ".join(get_args(Direction))
        yield Defect("direction_unknown", f"{proposal.direction!r} is no direction", "direction", f"use one of {said}")
    length = len(proposal.statement.strip())
    if 0 < length < SHORTEST_STATEMENT:
        said = f"the statement has {length} characters, at least {SHORTEST_STATEMENT} are needed"
        yield Defect("statement_too_short", said, "statement", "say it so that it stands by itself")
    if length > LONGEST_STATEMENT:
        said = f"the statement has {length} characters, at most {LONGEST_STATEMENT} are allowed"
        yield Defect("statement_too_long", said, "statement", "make one record of each thing that it says")


def _of_status(proposal: Proposal) -> Iterator[Defect]:
    """Nothing in the record says that it is verified, accepted or the like."""
    hint = "leave it out: gates and reviewers decide"
    if proposal.status.strip():
        yield Defect("status_asserted", f"the record says of itself: {proposal.status.strip()}", "status", hint)
    for name in _FIELDS:
        found = _ASSERTED.search(getattr(proposal, name).strip())
        if found:
            yield Defect("status_asserted", f"the {name} says of the record: {found.group().strip()}", name, hint)


def _of_place(record: EvidenceRecord, text: str, sections: tuple[Section, ...]) -> Iterator[Defect]:
    """Nothing rests on a list of literature, and a finding on a quotation from where a source tells what it saw."""
    named = {section.key: section for section in sections}
    spans = [span for spans in record.spans for span in spans]
    placed = [(place_of(span, named.get(span.section), text), span) for span in spans]
    if any(place == REFERENCES for place, _ in placed):
        said = "a list of literature is quoted: the title of another work supports nothing"
        yield Defect("references_quoted", said, "quotations", "quote what this source says itself")
    if record.proposal.kind != "finding" or not placed:
        return
    told = [(place, span.exact) for place, span in placed if place in BACKGROUND]
    seen = [span.exact for place, span in placed if place not in BACKGROUND]
    hint = "quote what was seen, from the results, or make it a claim"
    where = " and ".join(sorted({place for place, _ in told}))
    if not seen:
        said = f"a finding is quoted only from {where}, where others' work or plans are told"
        yield Defect("background", said, "quotations", hint)
    elif told and (what := uncarried(record.proposal, (words for _, words in told), seen)):
        said = f"the finding's {what} stands only in what is quoted from {where}, where others' work or plans are told"
        yield Defect("background", said, "quotations", hint)


def _of_others(record: EvidenceRecord, earlier: tuple[EvidenceRecord, ...]) -> Iterator[Defect]:
    """No other record of the version says the same on the same words."""
    for other in earlier:
        if other.key in (record.key, record.replaces) or other.version != record.version:
            continue
        if sameness(other) == sameness(record):
            yield Defect("duplicate", f"the version has this record already, as {other.key}", "record")


def sameness(record: EvidenceRecord) -> str:
    """What two records have in common that say the same on the same words: their kind, statement and places, hashed."""
    words = tuple(re.findall(r"[%<>=≤≥]|[−-]?\w+(?:[.,·]\d+)*", record.proposal.statement.casefold()))
    places = sorted({(span.start, span.end) for spans in record.spans for span in spans})
    return hashlib.sha256(repr((record.proposal.kind, words, places)).encode()).hexdigest()[:32]
