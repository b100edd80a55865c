"""Makes the package of a question: only what is verified, eligible and resolves; nothing critical is trimmed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from backedge.evidence.inquiry import (
    Assessment,
    CoverageGap,
    InvestigationQuestion,
    Package,
    PackagedRecord,
    Sufficiency,
)
from backedge.evidence.records import EvidenceRecord
from backedge.kernel.codec import adapter

CHARACTERS_A_TOKEN = 4
LEFT_OUT = ("irrelevant",)


@dataclass(frozen=True)
class Packable:
    """A record that was assessed: whether it is verified and eligible now, and which of its spans do not resolve."""

    record: EvidenceRecord
    assessment: Assessment
    verified: bool
    eligible: bool
    broken: tuple[str, ...]


def package(
    question: InvestigationQuestion,
    packable: Sequence[Packable],
    sufficiency: Sufficiency,
    gaps: tuple[CoverageGap, ...],
    tokens: int,
) -> Package:
    """The package. What contradicts, what is direct and what alone affirms is critical and is never trimmed.

    Irrelevant and inapplicable records are left out. It is invalid, and says why, where a record is no longer verified
    or eligible, a span does not resolve, or what is critical does not fit into `tokens`.
    """
    bears = [p for p in packable if p.assessment.relationship not in LEFT_OUT]
    bears = [p for p in bears if p.assessment.applicability != "not_applicable"]
    invalid = [why for each in bears for why in _unfit(each)]
    records = [_packaged(each, sufficiency) for each in bears]
    room = tokens * CHARACTERS_A_TOKEN
    kept, trimmed = _trimmed(records, room)
    if sum(map(_size, kept)) > room:
        invalid.append(f"what is critical does not fit into {tokens} tokens")
    made = Package("", question, tuple(kept), sufficiency, gaps, tuple(trimmed), tuple(invalid))
    return replace(made, key=package_key(made))


def package_key(made: Package) -> str:
    """The hash of all that is in a package but its key."""
    body = adapter(Package).dump_python(replace(made, key=""), mode="json")
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]


def _unfit(each: Packable) -> list[str]:
    key = each.record.key
    found = [f"record {key}: {broken}" for broken in each.broken]
    if not each.verified:
        found.append(f"record {key} is no longer accepted")
    if not each.eligible:
        found.append(f"record {key}: its source may not be used")
    return found


def _packaged(each: Packable, sufficiency: Sufficiency) -> PackagedRecord:
    said, record = each.assessment, each.record
    critical = (
        said.relationship == "contradicts"
        or said.applicability == "direct"
        or record.key == sufficiency.only_affirmative
    )
    spans = tuple(span for spans in record.spans for span in spans)
    return PackagedRecord(
        record.key,
        record.source,
        record.version,
        record.proposal.kind,
        record.proposal.statement,
        spans,
        said.relationship,
        said.applicability,
        critical,
    )


def _trimmed(records: list[PackagedRecord], room: int) -> tuple[list[PackagedRecord], list[str]]:
    """The records that fit, critical ones first to be kept, in their order; and the keys of those that do not."""
    left = room - sum(_size(record) for record in records if record.critical)
    kept, trimmed = [], []
    for record in records:
        if record.critical:
            kept.append(record)
        elif (size := _size(record)) <= left:
            left -= size
            kept.append(record)
        else:
            trimmed.append(record.record)
    return kept, trimmed


def _size(record: PackagedRecord) -> int:
    return len(record.statement) + sum(len(span.exact) for span in record.spans)
