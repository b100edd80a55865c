"""Review: a configured reviewer accepts, mends, rejects with a reason or skips; where two must decide, they agree."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.deciding import not_a_reviewer
from backedge.evidence.decisions import Decision
from backedge.evidence.records import Standing, Status
from backedge.evidence.verify.states import Accepted, InReview, Rejected, Validating
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Settled, Stage

AGREED = 2  # who decide alike where two must


def reviewer_is_configured(_state: InReview, decision: Decision) -> Defect | None:
    """Only a reviewer whom evidence.yml names decides."""
    return not_a_reviewer(decision.by, decision.reviewers)


def standing_was_seen(state: InReview, decision: Decision) -> Defect | None:
    """A decision is on the record as it stands now, not as it stood when somebody looked."""
    if decision.seen == state.standing:
        return None
    said = f"the decision is on standing {decision.seen}, and the record stands at {state.standing} now"
    return Defect("stale_decision", said, "seen", "look at the record again, then decide")


def rejection_has_a_reason(_state: InReview, decision: Decision) -> Defect | None:
    """Who rejects says why."""
    if decision.kind != "reject" or decision.reason.strip():
        return None
    return Defect("reason_missing", "a rejection needs a reason", "reason", "say why the record is wrong")


def fix_is_sound(_state: InReview, decision: Decision) -> Defect | None:
    """A mended record is held to what any other is: its spans resolve and its fields are there."""
    if decision.kind != "fix":
        return None
    if decision.fixed is None:
        return Defect("fix_missing", "a fix needs the mended record", "fixed", "give the fields that change")
    if not decision.defects:
        return None
    said = "; ".join(defect.message for defect in decision.defects)
    return Defect("fix_refused", f"the mended record is refused: {said}", "fixed", decision.defects[0].hint)


def decides_once(state: InReview, decision: Decision) -> Defect | None:
    """Where two reviewers must agree, they are two."""
    before = [d.by for d in state.decisions if d.kind != "skip"]
    if decision.kind == "skip" or decision.by not in before:
        return None
    return Defect(
        "decided_before", f"{decision.by} has decided already; another reviewer must", "by", "ask another reviewer"
    )


def settle(state: InReview, decision: Decision) -> Settled[InReview | Validating | Accepted | Rejected]:
    """One decision settles it, or two that agree, or the third where they do not; a skip leaves it where it is.

    A mended record is gated like any other, before the acceptance of who mended it counts.
    """
    number = state.number + 1
    decided = kinds.DECIDED.record(kinds.Decided(state.record.key, number, decision))
    decisions = (*state.decisions, decision)
    if decision.kind == "skip" or not _settled(decisions, double=decision.double):
        waiting = InReview(state.record, state.standing, state.verification, state.why, decisions, number)
        return Settled(waiting, records=(decided,))
    at, by = state.standing + 1, f"reviewer:{decision.by}"
    if decision.fixed is not None:
        said = f"mended as {decision.fixed.key}: {decision.reason}"
        replaced = kinds.STANDING.record(Standing(state.record.key, at, "replaced", by, said))
        made = kinds.RECORD.record(decision.fixed)
        return Settled(Validating(decision.fixed, mended=decision), records=(decided, made, replaced))
    status: Status = "rejected" if decision.kind == "reject" else "accepted"
    written = kinds.STANDING.record(Standing(state.record.key, at, status, by, decision.reason))
    if decision.kind == "reject":
        return Settled(Rejected(state.record, at, decision.reason), records=(decided, written))
    return Settled(Accepted(state.record, at), records=(decided, written))


def _settled(decisions: tuple[Decision, ...], *, double: bool) -> bool:
    """The third settles it whatever is decided: a fourth need not be there."""
    said = [_meant(d) for d in decisions if d.kind != "skip"]
    return not double or said.count(said[-1]) >= AGREED or len(said) > AGREED


def _meant(decision: Decision) -> tuple[str, str]:
    """Two decisions agree where they do the same to the same record; two fixes where they mend it alike."""
    return decision.kind, decision.fixed.key if decision.fixed else ""


IN_REVIEW = Stage(
    state=InReview,
    proposal=Decision,
    settle=settle,
    gates=(reviewer_is_configured, standing_was_seen, rejection_has_a_reason, fix_is_sound, decides_once),
)
