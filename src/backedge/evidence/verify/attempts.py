"""How often a record is extracted, and how one is quarantined or goes to a person."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.records import EvidenceRecord, Standing, Verification
from backedge.evidence.verify.states import InReview, Withheld
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Record

MOST_ATTEMPTS = 3  # the first extraction and two retries


def withheld(record: EvidenceRecord, number: int, defects: tuple[Defect, ...]) -> tuple[Withheld, Record]:
    """The end in quarantine, and the standing that says so."""
    reason = "; ".join(defect.message for defect in defects)
    said = Standing(record.key, number, "quarantined", "rules", reason, tuple(defect.kind for defect in defects))
    return Withheld(record, number, defects), kinds.STANDING.record(said)


def returned(
    record: EvidenceRecord, number: int, found: Verification | None, why: str, defects: tuple[Defect, ...]
) -> tuple[InReview, Record]:
    """The record before a person, with what was found, and the standing that says so."""
    said = Standing(record.key, number, "in_review", "rules", why, tuple(defect.kind for defect in defects))
    return InReview(record, number, found, why), kinds.STANDING.record(said)
