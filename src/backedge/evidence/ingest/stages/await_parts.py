"""Waiting for the parts: each that ends is counted; one that failed is said, and one that was forbidden forbids all."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import kinds
from backedge.evidence.ingest.states import AwaitingParts, ExtractionFailed, Ineligible, Ingested
from backedge.evidence.records import Judgement
from backedge.evidence.versions import Extraction
from backedge.kernel.codec import adapter
from backedge.kernel.stage import ChildEnd, Settled, Stage


def settle(state: AwaitingParts, ended: ChildEnd) -> Settled[AwaitingParts | Ingested | Ineligible | ExtractionFailed]:
    """The next part is waited for, or all are through. A part whose run was stopped for good has failed.

    Where the version was forbidden meanwhile, it counts as not extracted: once it may be used, it is.
    """
    told = ended.outcome or {"proposed": 0, "failed": True}
    proposed = told["proposed"]
    assert isinstance(proposed, int)
    forbidden = told.get("ineligible")
    done = replace(
        state,
        done=state.done + 1,
        proposed=state.proposed + proposed,
        failed=state.failed + bool(told["failed"]),
        forbidden=adapter(Judgement).validate_python(forbidden) if forbidden else state.forbidden,
    )
    if done.done < done.parts:
        return Settled(done)
    source, version = state.version.source, state.version.content
    if done.forbidden is not None:
        return Settled(Ineligible(source, version, done.forbidden))
    told_of = kinds.EXTRACTED.record(Extraction(version, done.parts, done.proposed, done.failed, done.number))
    if done.failed == done.parts:
        return Settled(ExtractionFailed(source, version, done.parts), records=(told_of,))
    return Settled(Ingested(source, version, done.proposed, done.parts, done.failed), records=(told_of,))


AWAITING_PARTS = Stage(state=AwaitingParts, proposal=ChildEnd, settle=settle)
