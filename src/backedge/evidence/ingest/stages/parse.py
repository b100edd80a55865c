"""Parsing: the content becomes sections with stable offsets, or the version is quarantined with its reason."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import Chunking, Judging, Parsed, Parsing
from backedge.evidence.notices import noticed
from backedge.evidence.reading import Unparsed
from backedge.evidence.versions import Text, Unread
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Parsing, ports: IngestPorts, lesson: Lesson) -> Parsed:
    """The content as its reader reads it. The text is kept by its hash; the journal holds where what stands."""
    fetched = state.version.fetched
    content = await ports.contents.get(fetched.content)
    read = await ports.reader.read(content, fetched.media_type, fetched.name)
    version = state.version.content
    if isinstance(read, Unparsed):
        return Parsed(None, Unread(version, read.why, read.message, read.reader, read.metadata))
    text = await ports.contents.put(read.text.encode("utf-8"))
    return Parsed(
        Text(
            version,
            text,
            read.reader,
            read.sections,
            read.tables,
            read.rows,
            read.issues,
            read.completeness,
            read.metadata,
        ),
        None,
    )


def settle(state: Parsing, parsed: Parsed) -> Settled[Chunking | Judging]:
    """What can be quoted is chunked; what cannot is quarantined, and judged all the same."""
    source = state.version.source
    if parsed.text is None:
        assert parsed.unread is not None
        records = (kinds.UNREAD.record(parsed.unread), *noticed(source, parsed.unread.metadata))
        return Settled(Judging(state.wanted, state.version, parsed.unread), records=records)
    records = (kinds.TEXT.record(parsed.text), *noticed(source, parsed.text.metadata))
    return Settled(Chunking(state.wanted, state.version), records=records)


PARSING = Stage(state=Parsing, proposal=Parsed, propose=propose, settle=settle)
