"""Recording: the content becomes a version of its source, unless it is one already."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.facts import Mark
from backedge.evidence.ingest.known import came_back, mended
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import Duplicate, Extracting, Parsing, Recorded, Recording
from backedge.evidence.judging import judge_source
from backedge.evidence.library import Library
from backedge.evidence.notices import noticed
from backedge.evidence.records import Judgement
from backedge.evidence.sources import Wanted
from backedge.evidence.versions import SourceEntry, Version
from backedge.evidence.works import source_of
from backedge.kernel.stage import Lesson, Record, Settled, Stage


async def propose(state: Recording, ports: IngestPorts, lesson: Lesson) -> Recorded:
    """Whose version the content is; of two runs that bring the same content, the first that claims it records it."""
    fetched, token = state.fetched, state.wanted.token
    known = await ports.library.one(kinds.VERSION, fetched.content)
    if known is not None:
        return await _known(known, state, ports)
    holder = await _claimed(fetched.content, token, ports)
    known = await ports.library.one(kinds.VERSION, fetched.content)  # a holder that is over may have recorded it since
    if known is not None or holder != token:
        return Recorded(None, None, known.source if known else f"run:{holder}")
    return await _new(state, ports)


async def _claimed(content: str, token: str, ports: IngestPorts) -> str:
    """Who claims the content: this run, unless another does that is not over."""
    holder = await ports.contents.claim(content, token)
    if holder != token and await ports.library.over(holder):
        await ports.contents.release(content, holder)
        holder = await ports.contents.claim(content, token)
    return holder


async def _known(version: Version, state: Recording, ports: IngestPorts) -> Recorded:
    """A duplicate, whose version counts again where another one had taken its place.

    But a version that could not be used when it came, and may be now, is extracted after all. Rows of values have no
    section that could be.
    """
    library, content = ports.library, version.content
    why = await mended(version, ports)
    back = await came_back(version, state.fetched, library)
    changed = await judge_source(library, version.source, ports.policy, content) if back else ()
    duplicate = Recorded(None, None, version.source, why, returned=back, judgements=changed)
    if not await _is_usable(content, changed, library) or await library.one(kinds.EXTRACTED, content) is not None:
        return duplicate
    holder = await _claimed(content, state.wanted.token, ports)
    if holder != state.wanted.token or await library.one(kinds.EXTRACTED, content) is not None:
        return duplicate
    return Recorded(version, None, why=why or "it may be used now", again=True, returned=back, judgements=changed)


async def _is_usable(content: str, changed: tuple[Judgement, ...], library: Library) -> bool:
    """Whether a version has something to quote and may be used, by its judgement that is to be or that is."""
    text = await library.one(kinds.TEXT, content)
    judgement = next((j for j in changed if j.version == content), None) or await library.judgement(content)
    return judgement is not None and judgement.eligible and text is not None and bool(text.sections)


async def _new(state: Recording, ports: IngestPorts) -> Recorded:
    fetched, library = state.fetched, ports.library
    metadata = fetched.metadata
    sources = await library.sources_named(metadata.identifiers)
    known = {source: await library.identifiers(source) for source in sources}
    titles = {source: (await library.versions(source))[-1].fetched.metadata.title for source in sources}
    chosen = source_of(
        fetched.adapter, fetched.identifier, metadata.identifiers, known, title=metadata.title, titles=titles
    )
    before, current = await library.versions(chosen.id), await library.current(chosen.id)
    number = max((version.number for version in before), default=0) + 1
    version = Version(fetched.content, chosen.id, number, fetched, current.content if current else "")
    source = None if before else SourceEntry(chosen.id, chosen.named)
    return Recorded(version, source, why=chosen.why, mark=await _mark(state.wanted, chosen.id, library))


async def _mark(wanted: Wanted, source: str, library: Library) -> Mark | None:
    """The operator's mark on the source, behind those that it has."""
    if not wanted.restricted:
        return None
    last = await library.mark(source)
    return Mark(source, last.number + 1 if last else 1, wanted.by, wanted.restricted)


def settle(state: Recording, recorded: Recorded) -> Settled[Parsing | Extracting | Duplicate]:
    """A duplicate ends the run, and no version is added."""
    back = () if recorded.returned is None else (kinds.RETURNED.record(recorded.returned),)
    rejudged = (*back, *(kinds.JUDGEMENT.record(judgement) for judgement in recorded.judgements))
    if recorded.version is None:
        return Settled(Duplicate(state.fetched.content, recorded.duplicate_of), records=rejudged)
    if recorded.again:
        return Settled(Extracting(state.wanted, recorded.version), records=rejudged)
    return Settled(Parsing(state.wanted, recorded.version), records=_records(state, recorded, recorded.version))


def _records(state: Recording, recorded: Recorded, version: Version) -> tuple[Record, ...]:
    metadata, source = state.fetched.metadata, version.source
    return (
        *([kinds.SOURCE.record(recorded.source)] if recorded.source else ()),
        kinds.VERSION.record(version),
        kinds.VERSION_OF.record(version),
        *(kinds.NAMED.record(kinds.Named(name, source)) for name in metadata.identifiers.named()),
        *noticed(source, metadata),
        *([kinds.MARK.record(recorded.mark)] if recorded.mark else ()),
    )


# Of two runs that number versions of one source at once, one is outrun, and numbers its own anew.
RECORDING = Stage(state=Recording, proposal=Recorded, propose=propose, settle=settle, anew=True)
