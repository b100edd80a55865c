"""Rejudging: the versions of sources of which something new is known, and of those that they name, are judged anew."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.judging import judge_source, says_the_same
from backedge.evidence.records import Judgement
from backedge.evidence.refresh.ports import RefreshPorts
from backedge.evidence.refresh.states import Refreshed, Rejudged, Rejudging
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Rejudging, ports: RefreshPorts, lesson: Lesson) -> Rejudged:
    """The judgements that change, and those that another policy makes anew without a change."""
    found = dict.fromkeys(state.sources)
    for source in state.sources:
        for related in await ports.library.all(kinds.RELATED, f"{source}/"):
            found |= dict.fromkeys(await ports.library.sources_named(related.relation.other))
    changed: list[Judgement] = []
    renewed: list[Judgement] = []
    for source in found:
        for judgement in await judge_source(ports.library, source, ports.policy):
            before = await ports.library.judgement(judgement.version)
            (renewed if before and says_the_same(before, judgement) else changed).append(judgement)
    return Rejudged(tuple(changed), tuple(renewed))


def settle(state: Rejudging, made: Rejudged) -> Settled[Refreshed]:
    """Every later stage reads the last judgement, so records of a version that is forbidden now are withheld by it."""
    end = Refreshed(state.checked, state.news, state.unknown, state.silent, made.judgements)
    written = (*made.judgements, *made.renewed)
    return Settled(end, records=tuple(kinds.JUDGEMENT.record(judgement) for judgement in written))


REJUDGING = Stage(state=Rejudging, proposal=Rejudged, propose=propose, settle=settle)
