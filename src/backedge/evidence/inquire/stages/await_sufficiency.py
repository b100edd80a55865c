"""Waiting for a reviewer: a judgement that one record alone carries stands, or does not, for a reason."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.deciding import not_a_reviewer, rests_on_what_changed
from backedge.evidence.inquire.states import AwaitingSufficiency, Inquired, SufficiencyDecision
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Settled, Stage


def judged_by_a_reviewer(_state: AwaitingSufficiency, said: SufficiencyDecision) -> Defect | None:
    """Only a reviewer whom evidence.yml names decides."""
    return not_a_reviewer(said.by, said.reviewers)


def judgement_has_a_reason(_state: AwaitingSufficiency, said: SufficiencyDecision) -> Defect | None:
    """Both ways a reason is needed."""
    if said.reason.strip():
        return None
    return Defect("reason_missing", "the decision needs a reason", "reason", "say why one record is, or is not, enough")


def judgement_is_not_stale(_state: AwaitingSufficiency, said: SufficiencyDecision) -> Defect | None:
    """A judgement does not stand on a record that has been rejected, or whose source may not be used any more."""
    return rests_on_what_changed(said.stale if said.stands else (), "say that it does not stand")


def settle(state: AwaitingSufficiency, said: SufficiencyDecision) -> Settled[Inquired]:
    """What does not stand is insufficient, whatever the model said, and the reason is one of its gaps."""
    decided = replace(state.sufficiency, reviewed_by=said.by, review_reason=said.reason)
    if not said.stands:
        gaps = (*decided.critical_gaps, f"{said.by} does not let one record carry it: {said.reason}")
        decided = replace(decided, status="insufficient", critical_gaps=gaps)
    end = Inquired(state.inquiry, state.assessments, state.gaps, decided)
    return Settled(end, records=(kinds.SUFFICIENCY.record(kinds.Weighed(state.inquiry.key, decided)),))


AWAITING_SUFFICIENCY = Stage(
    state=AwaitingSufficiency,
    proposal=SufficiencyDecision,
    settle=settle,
    gates=(judged_by_a_reviewer, judgement_has_a_reason, judgement_is_not_stale),
)
