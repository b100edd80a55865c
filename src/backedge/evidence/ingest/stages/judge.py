"""Judging: whether the version may be used; what it says of others, or supersedes, is judged anew with it."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import Extracting, Ineligible, Ingested, Judged, Judging, Quarantined
from backedge.evidence.judging import affected, judged
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Judging, ports: IngestPorts, lesson: Lesson) -> Judged:
    """The judgement, with those of other versions that change by it."""
    version = state.version
    judgement = await judged(ports.library, version, ports.policy)
    others = await affected(ports.library, version, ports.policy)
    quotable = state.unread is None and bool((await ports.library.text(version.content)).sections)
    return Judged(judgement, others, quotable)


def settle(state: Judging, made: Judged) -> Settled[Extracting | Quarantined | Ineligible | Ingested]:
    """What cannot be read or may not be used ends here; what holds no text to quote is done."""
    records = tuple(kinds.JUDGEMENT.record(judgement) for judgement in (made.judgement, *made.others))
    source, version = state.version.source, state.version.content
    if state.unread is not None:
        end = Quarantined(source, version, state.unread.why, state.unread.message)
        return Settled(end, records=records)
    if not made.judgement.eligible:
        return Settled(Ineligible(source, version, made.judgement), records=records)
    if not made.quotable:
        return Settled(Ingested(source, version, 0, 0, 0), records=records)
    return Settled(Extracting(state.wanted, state.version), records=records)


JUDGING = Stage(state=Judging, proposal=Judged, propose=propose, settle=settle)
