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
    """A version with what is known of it. `judgements` are all, the oldest first; `judgement` is the one that counts.

    `text` is the hash of the text that was read from it, or empty.
    """

    version: Version
    metadata: Metadata
    judgement: Judgement | None
    judgements: tuple[Judgement, ...] = ()
    text: str = ""

    @property
    def usable(self) -> bool:
        """Whether it may be used now."""
        return self.judgement is not None and self.judgement.eligible

    @property
    def restricted(self) -> bool:
        """Whether an operator, its licence or its access flag forbids it: then its content is not handed on."""
        return self.judgement is not None and any(reason.kind == "restricted" for reason in self.judgement.reasons)

    @property
    def title(self) -> str:
        """Its title, or what it was fetched by."""
        fetched = self.version.fetched
        return " ".join(self.metadata.title.split()) or fetched.name or fetched.identifier


@dataclass(frozen=True)
class ExportedRecord:
    """A record with how it stands, what it was checked for, and who decided on it.

    `standings` are all, the last one counts. `decided` are the decisions on it, and on those that it was mended from.
    """

    record: EvidenceRecord
    standings: tuple[Standing, ...]
    verification: Verification | None
    decided: tuple[kinds.Decided, ...]
    usable: bool

    @property
    def standing(self) -> Standing | None:
        """The standing that counts."""
        return self.standings[-1] if self.standings else None


@dataclass(frozen=True)
class Exported:
    """All that is exported, in the order of keys."""

    versions: tuple[ExportedVersion, ...]
    records: tuple[ExportedRecord, ...]


def annotation(span: Span) -> dict[str, Any]:
    """A span as a target of the W3C Web Annotation model: where it stands in a text, and what stands there.

    The `source` is the text that was read, by its SHA-256, `version` the content that it was read from; both
    selectors find the same stretch, in code points.
    """
    return {
        "type": "SpecificResource",
        "source": f"urn:sha256:{span.text}",
        "version": f"urn:sha256:{span.version}",
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
    verification = each.verification and adapter(Verification).dump_python(each.verification, mode="json")
    return {
        "key": record.key,
        "source": record.source,
        "version": record.version,
        **fields,
        "standing": each.standing.status if each.standing else "proposed",
        "standings": [adapter(Standing).dump_python(standing, mode="json") for standing in each.standings],
        "source_may_be_used": each.usable,
        "quotations": [
            {"said": quotation.text, "section": quotation.section, "targets": [annotation(span) for span in spans]}
            for quotation, spans in zip(record.proposal.quotations, record.spans, strict=True)
        ],
        "verification": verification,
        "decisions": [decision_body(decided) for decided in each.decided],
        "attempt": record.attempt,
        "replaces": record.replaces,
    }


def decision_body(decided: kinds.Decided) -> dict[str, Any]:
    """A decision as one JSON object; `fixed` is the key of the mended record, or empty."""
    decision = decided.decision
    return {
        "record": decided.record,
        "number": decided.number,
        "kind": decision.kind,
        "by": decision.by,
        "reason": decision.reason,
        "seen": decision.seen,
        "fixed": decision.fixed.key if decision.fixed else "",
        "double": decision.double,
    }


def version_body(each: ExportedVersion) -> dict[str, Any]:
    """A version as one JSON object: its hashes, what is known of it, and every judgement on it."""
    version = each.version
    return {
        "content": version.content,
        "text": each.text,
        "source": version.source,
        "number": version.number,
        "supersedes": version.supersedes,
        "media_type": version.fetched.media_type,
        "size": version.fetched.size,
        "metadata": adapter(Metadata).dump_python(each.metadata, mode="json"),
        "may_be_used": each.usable,
        "judgements": [adapter(Judgement).dump_python(judgement, mode="json") for judgement in each.judgements],
    }
