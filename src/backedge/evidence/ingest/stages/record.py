"""Recording: the content becomes a version of its source, unless it is one already."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.facts import Mark
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import Duplicate, Extracting, Parsing, Recorded, Recording
from backedge.evidence.notices import noticed
from backedge.evidence.versions import SourceEntry, Version
from backedge.evidence.works import source_of
from backedge.kernel.stage import Lesson, Record, Settled, Stage


async def propose(state: Recording, ports: IngestPorts, lesson: Lesson) -> Recorded:
    """Whose version the content is; of two runs that bring the same content, the first that claims it records it."""
    fetched, token = state.fetched, state.wanted.token
    known = await ports.library.one(kinds.VERSION, fetched.content)
    if known is not None:
        return await _known(known, token, ports)
    holder = await ports.contents.claim(fetched.content, token)
    if holder != token and await ports.library.over(holder):
        await ports.contents.release(fetched.content, holder)
        holder = await ports.contents.claim(fetched.content, token)
    known = await ports.library.one(kinds.VERSION, fetched.content)  # a holder that is over may have recorded it since
    if known is not None or holder != token:
        return Recorded(None, None, known.source if known else f"run:{holder}")
    return await _new(state, ports)


async def _known(version: Version, token: str, ports: IngestPorts) -> Recorded:
    """A duplicate; but a version that could not be used when it came, and may be now, is extracted after all.

    Rows of values have no section that could be.
    """
    library, content = ports.library, version.content
    judgement = await library.judgement(content)
    text = await library.one(kinds.TEXT, content)
    usable = judgement is not None and judgement.eligible and text is not None and text.sections
    if not usable or await library.one(kinds.EXTRACTED, content) is not None:
        return Recorded(None, None, version.source)
    holder = await ports.contents.claim(content, token)
    if holder != token and await library.over(holder):
        await ports.contents.release(content, holder)
        holder = await ports.contents.claim(content, token)
    if holder != token or await library.one(kinds.EXTRACTED, content) is not None:
        return Recorded(None, None, version.source)
    return Recorded(version, None, why="it may be used now", again=True)


async def _new(state: Recording, ports: IngestPorts) -> Recorded:
    fetched, library = state.fetched, ports.library
    metadata = fetched.metadata
    sources = await library.sources_named(metadata.identifiers)
    known = {source: await library.identifiers(source) for source in sources}
    titles = {source: (await library.versions(source))[-1].fetched.metadata.title for source in sources}
    chosen = source_of(
        fetched.adapter, fetched.identifier, metadata.identifiers, known, title=metadata.title, titles=titles
    )
    before = await library.versions(chosen.id)
    supersedes = before[-1].content if before else ""
    version = Version(fetched.content, chosen.id, len(before) + 1, fetched, supersedes)
    source = None if before else SourceEntry(chosen.id, chosen.named)
    return Recorded(version, source, why=chosen.why)


def settle(state: Recording, recorded: Recorded) -> Settled[Parsing | Extracting | Duplicate]:
    """A duplicate ends the run, and nothing is added."""
    if recorded.version is None:
        return Settled(Duplicate(state.fetched.content, recorded.duplicate_of))
    if recorded.again:
        return Settled(Extracting(state.wanted, recorded.version))
    records = _records(state, recorded.version)
    if recorded.source is not None:
        records = (kinds.SOURCE.record(recorded.source), *records)
    return Settled(Parsing(state.wanted, recorded.version), records=records)


def _records(state: Recording, version: Version) -> tuple[Record, ...]:
    metadata, source = state.fetched.metadata, version.source
    found = [
        kinds.VERSION.record(version),
        kinds.VERSION_OF.record(version),
        *(kinds.NAMED.record(kinds.Named(name, source)) for name in metadata.identifiers.named()),
        *noticed(source, metadata),
    ]
    if state.wanted.restricted:
        mark = Mark(source, version.number, state.wanted.by, state.wanted.restricted)
        found.append(kinds.MARK.record(mark))
    return tuple(found)


RECORDING = Stage(state=Recording, proposal=Recorded, propose=propose, settle=settle)
