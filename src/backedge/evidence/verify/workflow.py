"""The verify workflow: one proposed record, until it is accepted, rejected, quarantined or before a person."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.evidence.records import EvidenceRecord
from backedge.evidence.verify.stages.give_up import GIVING_UP
from backedge.evidence.verify.stages.reextract import REEXTRACTING
from backedge.evidence.verify.stages.review import IN_REVIEW
from backedge.evidence.verify.stages.validate import VALIDATING
from backedge.evidence.verify.stages.verify import VERIFYING
from backedge.evidence.verify.states import (
    Accepted,
    Anew,
    GivingUp,
    InReview,
    Kept,
    Reextracting,
    Rejected,
    Reopened,
    Validating,
    Verifying,
    Withheld,
)
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow


def begin(subject: EvidenceRecord | Reopened | Anew, context: Context) -> Validating | InReview:
    """A proposed record is validated first; one that was decided before goes to a person again."""
    if isinstance(subject, EvidenceRecord):
        return Validating(subject)
    if isinstance(subject, Anew):
        return Validating(subject.record, subject.standing)
    why = f"opened again by {subject.by}" + (f": {subject.reason}" if subject.reason else "")
    return InReview(subject.record, subject.seen, subject.verification, why, number=subject.number)


def outcome(end: Accepted | Rejected | Withheld | Kept) -> dict[str, JsonValue]:
    """What a parent is told."""
    return {"record": end.record.key, "status": type(end).__name__.lower()}


VERIFY = Workflow(
    name="verify",
    start=Validating,
    edges={
        Validating: (Verifying, InReview, Withheld, Kept),
        Verifying: (Accepted, Rejected, InReview, Reextracting, Withheld, GivingUp),
        Reextracting: (Validating, Withheld, GivingUp),
        GivingUp: (InReview, Withheld),
        InReview: (InReview, Validating, Accepted, Rejected),
    },
    stages=(VALIDATING, VERIFYING, REEXTRACTING, GIVING_UP, IN_REVIEW),
    begin=begin,
    outcome=outcome,
)
