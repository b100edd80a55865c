"""One record as people see it: fields, quotations in their context, checks, flags, history; one form for all faces."""

from __future__ import annotations

from typing import Any

from backedge.evidence.library import Library
from backedge.evidence.ports import Contents
from backedge.evidence.reading import Reading
from backedge.evidence.records import EvidenceRecord, Span
from backedge.evidence.reviewed import Reviewed
from backedge.evidence.spans import resolve
from backedge.evidence.texts import reading_of
from backedge.kernel.codec import adapter

AROUND = 160  # characters of its section that are shown before and behind a span
FIELDS = (
    "species",
    "population",
    "treatment",
    "comparator",
    "endpoint",
    "direction",
    "effect",
    "units",
    "n",
)


async def record_data(library: Library, contents: Contents, reviewed: Reviewed) -> dict[str, Any]:
    """The record with all that is shown of it; spans are read against the text as it is stored now."""
    record = reviewed.record
    text = await library.text(record.version)
    reading = await reading_of(text, contents)
    judgement = await library.judgement(record.version)
    version = await library.version(record.version)
    metadata = await library.metadata(version)
    quotations = [_quotation(record, number, spans, reading, text.text) for number, spans in enumerate(record.spans)]
    standing = reviewed.standings[-1] if reviewed.standings else None
    return {
        "key": record.key,
        "kind": record.proposal.kind,
        "statement": record.proposal.statement,
        "fields": {name: getattr(record.proposal, name) for name in FIELDS},
        "source": record.source,
        "source_title": metadata.title,
        "version": record.version,
        "standing": standing.status if standing else "proposed",
        "standing_number": reviewed.standing,
        "reason": standing.reason if standing else "",
        "usable": bool(standing and standing.status == "accepted" and judgement and judgement.eligible),
        "source_reasons": [reason.kind for reason in judgement.reasons] if judgement else ["not judged"],
        "attempt": record.attempt,
        "replaces": record.replaces,
        "quotations": quotations,
        "verification": adapter(type(reviewed.verification)).dump_python(reviewed.verification, mode="json")
        if reviewed.verification
        else None,
        "standings": [adapter(type(each)).dump_python(each, mode="json") for each in reviewed.standings],
        "decisions": [_decision(each.decision, each.number) for each in reviewed.decided],
    }


def _quotation(
    record: EvidenceRecord, number: int, spans: tuple[Span, ...], reading: Reading, text_hash: str
) -> dict[str, Any]:
    quoted = record.proposal.quotations[number]
    return {
        "said": quoted.text,
        "section": quoted.section,
        "found": bool(spans),
        "spans": [_span(span, reading, text_hash) for span in spans],
    }


def _span(span: Span, reading: Reading, text_hash: str) -> dict[str, Any]:
    section = reading.section(span.section)
    defect = resolve(span, reading.text, text_hash)
    low, high = (section.start, section.end) if section else (0, len(reading.text))
    return {
        "section": span.section,
        "role": span.role,
        "title": (section.label or section.title) if section else "",
        "start": span.start,
        "end": span.end,
        "exact": span.exact,
        "before": reading.text[max(low, span.start - AROUND) : span.start],
        "after": reading.text[span.end : min(high, span.end + AROUND)],
        "broken": defect.message if defect else "",
    }


def _decision(decision: Any, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "kind": decision.kind,
        "by": decision.by,
        "reason": decision.reason,
        "seen": decision.seen,
    }
