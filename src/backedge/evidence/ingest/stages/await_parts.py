"""Waiting for the parts: each that ends is counted; a part that failed is said, and the others stand."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import kinds
from backedge.evidence.ingest.states import AwaitingParts, ExtractionFailed, Ingested
from backedge.evidence.versions import Extraction
from backedge.kernel.stage import ChildEnd, Settled, Stage


def settle(state: AwaitingParts, ended: ChildEnd) -> Settled[AwaitingParts | Ingested | ExtractionFailed]:
    """The next part is waited for, or all are through. A part whose run was stopped for good has failed."""
    told = ended.outcome or {"proposed": 0, "failed": True}
    proposed = told["proposed"]
    assert isinstance(proposed, int)
    done = replace(
        state, done=state.done + 1, proposed=state.proposed + proposed, failed=state.failed + bool(told["failed"])
    )
    if done.done < done.parts:
        return Settled(done)
    source, version = state.version.source, state.version.content
    told_of = kinds.EXTRACTED.record(Extraction(version, done.parts, done.proposed, done.failed))
    if done.failed == done.parts:
        return Settled(ExtractionFailed(source, version, done.parts), records=(told_of,))
    return Settled(Ingested(source, version, done.proposed, done.parts, done.failed), records=(told_of,))


AWAITING_PARTS = Stage(state=AwaitingParts, proposal=ChildEnd, settle=settle)
