"""Waiting for a reviewer: a judgement that one record alone carries stands, or does not, for a reason."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.inquire.states import AwaitingSufficiency, Inquired, SufficiencyDecision
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Settled, Stage


def judged_by_a_reviewer(_state: AwaitingSufficiency, said: SufficiencyDecision) -> Defect | None:
    """Only a reviewer whom evidence.yml names decides."""
    if said.by in said.reviewers:
        return None
    named = ", ".join(said.reviewers) or "nobody"
    hint = "add the name under `reviewers` in evidence.yml, or decide --as one of them"
    return Defect("not_a_reviewer", f"{said.by or 'nobody'} is no configured reviewer; {named} is", "by", hint)


def judgement_has_a_reason(_state: AwaitingSufficiency, said: SufficiencyDecision) -> Defect | None:
    """Both ways a reason is needed."""
    if said.reason.strip():
        return None
    return Defect("reason_missing", "the decision needs a reason", "reason", "say why one record is, or is not, enough")


def settle(state: AwaitingSufficiency, said: SufficiencyDecision) -> Settled[Inquired]:
    """What does not stand is insufficient, whatever the model said."""
    status = state.sufficiency.status if said.stands else "insufficient"
    decided = replace(state.sufficiency, status=status, reviewed_by=said.by, review_reason=said.reason)
    end = Inquired(state.inquiry, state.assessments, state.gaps, decided)
    return Settled(end, records=(kinds.SUFFICIENCY.record(kinds.Weighed(state.inquiry.key, decided)),))


AWAITING_SUFFICIENCY = Stage(
    state=AwaitingSufficiency,
    proposal=SufficiencyDecision,
    settle=settle,
    gates=(judged_by_a_reviewer, judgement_has_a_reason),
)
