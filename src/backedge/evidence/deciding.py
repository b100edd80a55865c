"""Who may decide, and on what: the gates that every waiting stage has in common."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.kernel.defect import Defect


def not_a_reviewer(by: str, reviewers: Sequence[str]) -> Defect | None:
    """Only a reviewer whom evidence.yml names decides."""
    if by in reviewers:
        return None
    named = ", ".join(reviewers) or "nobody"
    hint = "add the name under `reviewers` in evidence.yml, or decide --as one of them"
    return Defect("not_a_reviewer", f"{by or 'nobody'} is no configured reviewer; {named} is", "by", hint)


def not_an_approver(by: str, approvers: Sequence[str]) -> Defect | None:
    """Only who may approve by evidence.yml decides on a design."""
    if by in approvers:
        return None
    named = ", ".join(approvers) or "nobody"
    hint = "see `reviewers` and `approvers` in evidence.yml"
    return Defect("not_an_approver", f"{by or 'nobody'} may not approve designs; {named} may", "by", hint)


def rests_on_what_changed(stale: Sequence[str], hint: str) -> Defect | None:
    """What is decided may not rest on something that has changed since it was written."""
    if not stale:
        return None
    return Defect("stale", f"it rests on what has changed: {'; '.join(stale)}", "stale", hint)
