"""Waiting for the inquiries: each that ends is counted; a question whose inquiry failed is a stated gap."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.inquiry import CoverageGap
from backedge.evidence.investigate.states import AwaitingInquiries, Packaging
from backedge.kernel.stage import ChildEnd, Record, Settled, Stage


def settle(state: AwaitingInquiries, ended: ChildEnd) -> Settled[AwaitingInquiries | Packaging]:
    """The next inquiry is waited for, or all are through."""
    question = state.questions[ended.index]
    key = f"{state.request.key}/{question.key}"
    failed = state.failed
    records: tuple[Record, ...] = ()
    if ended.outcome is None:
        gap = CoverageGap(f"{key}/failed", question.text, f"its inquiry failed: {ended.reason}")
        failed, records = (*failed, gap), (kinds.GAP.record(kinds.Gap(key, gap)),)
    done = replace(state, done=state.done + 1, failed=failed)
    if done.done < ended.of:
        return Settled(done, records=records)
    packaging = Packaging(state.request, state.facets, state.questions, state.uninvestigated, failed)
    return Settled(packaging, records=records)


AWAITING_INQUIRIES = Stage(state=AwaitingInquiries, proposal=ChildEnd, settle=settle)
