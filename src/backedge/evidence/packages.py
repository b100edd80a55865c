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
from backedge.kernel.defect import Defect

CHARACTERS_A_TOKEN = 4
LEFT_OUT = ("irrelevant",)
MOST_NAMED = 8  # questions that one sentence names


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


def without_invalid(made: Package) -> Package:
    """The package as a model is told of it: of an invalid one no record, and that nothing may rest on it, as a gap."""
    if not made.invalid:
        return made
    why = f"its package is invalid, so nothing may rest on it: {'; '.join(made.invalid)}"
    gap = CoverageGap(f"{made.question.key}/invalid", made.question.text, why)
    return replace(made, records=(), gaps=(*made.gaps, gap))


def nothing_verified(packages: Sequence[Package]) -> Defect | None:
    """Why no approach can be proposed: no valid package holds a record. It names the gap of each question."""
    if any(package.records and not package.invalid for package in packages):
        return None
    said = "; ".join(f"{package.question.key} ({_why_empty(package)})" for package in packages[:MOST_NAMED])
    more = f"; and {len(packages) - MOST_NAMED} more" if len(packages) > MOST_NAMED else ""
    hint = "ingest sources and review their records, then start the investigation again"
    return Defect("nothing_verified", f"nothing verified bears on {said}{more}", "packages", hint, retryable=False)


def _why_empty(made: Package) -> str:
    if made.invalid:
        return made.invalid[0]
    open_ = [gap.why for gap in made.gaps if not gap.closed_by]
    return (*open_, *made.sufficiency.critical_gaps, "no verified record was found")[0]


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
