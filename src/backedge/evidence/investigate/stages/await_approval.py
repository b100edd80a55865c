"""Approval: a configured approver with a rationale; changes requested run the design again with them as its lesson."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.deciding import not_an_approver, rests_on_what_changed
from backedge.evidence.investigate.states import Approve, Approved, AwaitingApproval, Designing
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Settled, Stage


def approved_by_an_approver(_state: AwaitingApproval, said: Approve) -> Defect | None:
    """Only who may approve by evidence.yml decides on a design."""
    return not_an_approver(said.approval.by, said.approvers)


def approval_has_a_rationale(_state: AwaitingApproval, said: Approve) -> Defect | None:
    """Both approval and changes are reasoned."""
    if said.approval.rationale.strip():
        return None
    return Defect("rationale_missing", "the decision needs a rationale", "rationale", "say why")


def version_was_seen(state: AwaitingApproval, said: Approve) -> Defect | None:
    """The decision is on the version that is there now."""
    if said.approval.version == state.design.version:
        return None
    told = f"the decision is on version {said.approval.version}, and version {state.design.version} waits"
    return Defect("stale_decision", told, "version", "look at the design again")


def changes_are_named(_state: AwaitingApproval, said: Approve) -> Defect | None:
    """Who does not approve says what is to change."""
    if said.approval.approved or any(change.strip() for change in said.approval.changes):
        return None
    return Defect("changes_missing", "no changes are named", "changes", "name what is to change")


def design_is_not_stale(_state: AwaitingApproval, said: Approve) -> Defect | None:
    """A design that cites what has changed since it was written is not approved."""
    hint = "request changes, to have it written on what still stands; for new evidence begin another investigation"
    return rests_on_what_changed(said.stale if said.approval.approved else (), hint)


def settle(state: AwaitingApproval, said: Approve) -> Settled[Approved | Designing]:
    """Approved, or designed again with the changes as its lesson."""
    designing, approval = state.came_from, said.approval
    kept = kinds.ApprovalOf(designing.request.key, state.design.version, approval)
    records = (kinds.APPROVAL.record(kept),)
    if approval.approved:
        return Settled(Approved(designing.request, state.design, approval), records=records)
    asked = tuple(
        Defect("change_requested", change, "design", approval.rationale)
        for change in approval.changes
        if change.strip()
    )
    again = replace(designing, version=state.design.version + 1)
    return Settled(again, because=asked, records=records, fresh=True)


AWAITING_APPROVAL = Stage(
    state=AwaitingApproval,
    proposal=Approve,
    settle=settle,
    gates=(approved_by_an_approver, approval_has_a_rationale, version_was_seen, changes_are_named, design_is_not_stale),
)
