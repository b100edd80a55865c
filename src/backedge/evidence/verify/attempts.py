"""How often a record is extracted, and how one whose budget is spent is quarantined."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.records import EvidenceRecord, Standing
from backedge.evidence.verify.states import Withheld
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Record

MOST_ATTEMPTS = 3  # the first extraction and two retries


def withheld(record: EvidenceRecord, number: int, defects: tuple[Defect, ...]) -> tuple[Withheld, Record]:
    """The end in quarantine, and the standing that says so."""
    reason = "; ".join(defect.message for defect in defects)
    said = Standing(record.key, number, "quarantined", "rules", reason, tuple(defect.kind for defect in defects))
    return Withheld(record, number, defects), kinds.STANDING.record(said)
