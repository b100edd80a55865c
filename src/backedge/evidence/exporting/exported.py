"""What an export holds: sources with their versions and judgements, records with their spans, checks and decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backedge.evidence import kinds
from backedge.evidence.records import EvidenceRecord, Judgement, Span, Standing, Verification
from backedge.evidence.sources import Metadata
from backedge.evidence.versions import Version
from backedge.kernel.codec import adapter


@dataclass(frozen=True)
class ExportedVersion:
    """A version with what is known of it."""

    version: Version
    metadata: Metadata
    judgement: Judgement | None
    text: str


@dataclass(frozen=True)
class ExportedRecord:
    """A record with how it stands, what it was checked for, and who decided on it."""

    record: EvidenceRecord
    standing: Standing | None
    verification: Verification | None
    decided: tuple[kinds.Decided, ...]
    eligible: bool


@dataclass(frozen=True)
class Exported:
    """All that is exported, in the order of keys."""

    versions: tuple[ExportedVersion, ...]
    records: tuple[ExportedRecord, ...]


def annotation(span: Span) -> dict[str, Any]:
    """A span as a target of the W3C Web Annotation model: where it stands, and what stands there."""
    return {
        "source": f"sha256:{span.version}",
        "state": {"type": "TextState", "value": f"sha256:{span.text}"},
        "selector": [
            {"type": "TextPositionSelector", "start": span.start, "end": span.end},
            {"type": "TextQuoteSelector", "exact": span.exact, "prefix": span.prefix, "suffix": span.suffix},
        ],
        "section": span.section,
        "role": span.role,
    }


def record_body(each: ExportedRecord) -> dict[str, Any]:
    """A record as one JSON object."""
    record = each.record
    proposal = adapter(type(record.proposal)).dump_python(record.proposal, mode="json")
    fields = {name: value for name, value in proposal.items() if name not in ("quotations", "status")}
    return {
        "key": record.key,
        "source": record.source,
        "version": record.version,
        **fields,
        "standing": each.standing.status if each.standing else "proposed",
        "standing_reason": each.standing.reason if each.standing else "",
        "source_may_be_used": each.eligible,
        "quotations": [
            {"said": quotation.text, "section": quotation.section, "targets": [annotation(span) for span in spans]}
            for quotation, spans in zip(record.proposal.quotations, record.spans, strict=True)
        ],
        "verification": adapter(Verification).dump_python(each.verification, mode="json")
        if each.verification
        else None,
        "decisions": [
            {"number": d.number, "kind": d.decision.kind, "by": d.decision.by, "reason": d.decision.reason}
            for d in each.decided
        ],
        "attempt": record.attempt,
        "replaces": record.replaces,
    }
