"""Waiting for the inquiries: each that ends is counted; a question whose inquiry failed is a stated gap."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.facet_rules import with_uninvestigated
from backedge.evidence.inquiry import CoverageGap
from backedge.evidence.investigate.states import AwaitingInquiries, Packaging
from backedge.kernel.stage import ChildEnd, Record, Settled, Stage


def settle(state: AwaitingInquiries, ended: ChildEnd) -> Settled[AwaitingInquiries | Packaging]:
    """The next inquiry is waited for, or all are through."""
    records = _gap(state, ended)
    done = replace(state, done=state.done + 1)
    if done.done < ended.of:
        return Settled(done, records=records)
    facets = with_uninvestigated(state.came_from.facets, state.derived.uninvestigated)
    return Settled(Packaging(state.request, facets, state.derived.questions), records=records)


def _gap(state: AwaitingInquiries, ended: ChildEnd) -> tuple[Record, ...]:
    """The gap that a failed inquiry leaves: it stopped for good, or one of its stages was given up."""
    failed = ended.reason if ended.outcome is None else str(ended.outcome.get("failed", ""))
    if ended.outcome is not None and not failed:
        return ()
    question = state.derived.questions[ended.index]
    key = f"{state.request.key}/{question.key}"
    return (
        kinds.GAP.record(kinds.Gap(key, CoverageGap(f"{key}/failed", question.text, f"its inquiry failed: {failed}"))),
    )


AWAITING_INQUIRIES = Stage(state=AwaitingInquiries, proposal=ChildEnd, settle=settle)
