"""The decision: a configured reviewer chooses an approach, with a reason for each that is rejected."""

from __future__ import annotations

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.deciding import not_a_reviewer
from backedge.evidence.investigate.states import AwaitingDecision, Decide, Designing
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Settled, Stage


def decided_by_a_reviewer(_state: AwaitingDecision, said: Decide) -> Defect | None:
    """Only a reviewer whom evidence.yml names decides."""
    return not_a_reviewer(said.decision.by, said.reviewers)


def chosen_is_a_candidate(state: AwaitingDecision, said: Decide) -> Defect | None:
    """The approach that is chosen is one of the candidates."""
    keys = [approach.key for approach in state.candidates.approaches]
    if said.decision.chosen in keys:
        return None
    return Defect("unknown_approach", f"there is no approach {said.decision.chosen!r}", "chosen", near=tuple(keys))


def rejected_have_reasons(state: AwaitingDecision, said: Decide) -> Defect | None:
    """Every approach that is not chosen is rejected for a reason."""
    reasons = {key: reason for key, reason in said.decision.rejected if reason.strip()}
    keys = [approach.key for approach in state.candidates.approaches if approach.key != said.decision.chosen]
    missing = [key for key in keys if key not in reasons]
    strange = [key for key in reasons if key not in keys]
    if not missing and not strange:
        return None
    told = "; ".join(
        f"{what} {', '.join(names)}"
        for what, names in (("no reason for", missing), ("not rejected:", strange))
        if names
    )
    return Defect("reasons_missing", told, "rejected", "give a reason for each approach that is not chosen")


def settle(state: AwaitingDecision, said: Decide) -> Settled[Designing]:
    """The chosen approach is designed. What the packages rest on that has changed is kept with the decision."""
    record = kinds.DECISION.record(kinds.Chosen(state.request.key, said.decision, said.stale))
    designing = Designing(state.request, state.facets, state.packages, state.candidates, said.decision)
    return Settled(designing, records=(record,))


AWAITING_DECISION = Stage(
    state=AwaitingDecision,
    proposal=Decide,
    settle=settle,
    gates=(decided_by_a_reviewer, chosen_is_a_candidate, rejected_have_reasons),
)
