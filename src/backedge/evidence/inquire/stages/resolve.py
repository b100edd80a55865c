"""Resolving: each eligible hit in its context, and the verified records of the sources that were hit."""

from __future__ import annotations

from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.inquire.states import Assessing, InContext, Resolving
from backedge.evidence.inquiry import Ranked, Resolved
from backedge.evidence.reading import Reading
from backedge.evidence.studies import independent_of
from backedge.evidence.texts import reading_of
from backedge.kernel.stage import Lesson, Settled, Stage

AROUND = 600  # characters before and behind a chunk, within its section
MOST_HITS = 30


async def propose(state: Resolving, ports: InquirePorts, lesson: Lesson) -> InContext:
    """The hits in context; records whose last standing is accepted, in the order of the best hit of their version.

    A version that may not be used any more has none. What is too much is counted.
    """
    eligible = state.found.eligible if state.found else ()
    readings: dict[str, Reading] = {}
    verified: dict[str, tuple[str, ...]] = {}
    resolved: list[Resolved] = []
    for hit in eligible[:MOST_HITS]:
        assert hit.chunk is not None
        version = hit.chunk.version
        if version not in readings:
            readings[version] = await reading_of(await ports.library.text(version), ports.contents)
            verified[version] = await ports.library.verified(version)
        resolved.append(_in_context(hit, readings[version], verified[version]))
    keys = tuple(dict.fromkeys(key for hit in resolved for key in hit.records))
    most = ports.records_per_question
    studies = await _studies(keys[:most], ports)
    beyond, hits_beyond = len(keys[most:]), len(eligible[MOST_HITS:])
    return InContext(tuple(resolved), keys[:most], beyond, hits_beyond, studies)


async def _studies(keys: tuple[str, ...], ports: InquirePorts) -> tuple[tuple[str, str], ...]:
    """The study of each source of these records, by what the library knows of them now."""
    sources: dict[str, None] = {}
    for key in keys:
        record = await ports.library.one(kinds.RECORD, key)
        if record is not None:
            sources[record.source] = None
    return tuple(sorted((await independent_of(ports.library, ports.contents, tuple(sources))).items()))


def _in_context(hit: Ranked, reading: Reading, records: tuple[str, ...]) -> Resolved:
    chunk = hit.chunk
    assert chunk is not None
    section = reading.section(chunk.section)
    assert section is not None
    before = reading.text[max(section.start, chunk.start - AROUND) : chunk.start]
    after = reading.text[chunk.end : min(section.end, chunk.end + AROUND)]
    return Resolved(chunk, hit.rank, before, reading.text[chunk.start : chunk.end], after, records)


def settle(state: Resolving, found: InContext) -> Settled[Assessing]:
    """What was resolved is recorded; the records are held against the question."""
    hits = tuple((hit.chunk.key, hit.rank) for hit in found.resolved)
    made = inquiry_kinds.ResolvedHits(state.inquiry.key, hits, found.records, found.beyond, found.hits_beyond)
    return Settled(Assessing(state.inquiry, found, state.gaps), records=(inquiry_kinds.RESOLVED.record(made),))


RESOLVING = Stage(state=Resolving, proposal=InContext, propose=propose, settle=settle)
