"""Chunking: the sections become chunks with vectors in the chunk view."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.chunking import chunked
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import Chunked, Chunking, Measuring
from backedge.evidence.texts import reading_of
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Chunking, ports: IngestPorts, lesson: Lesson) -> Chunked:
    """The chunks, which are in the view when this returns; adding them again changes nothing there."""
    version = state.version.content
    kept = await ports.library.text(version)
    reading = await reading_of(kept, ports.contents)
    chunks = chunked(reading, version)
    if not chunks:
        snapshot = await ports.view.snapshot()
        return Chunked((), ports.view.embedder, snapshot.index, snapshot.revision)
    if ports.embedder is None:
        raise Permanent("chunks need vectors, and there is no embedder here", mend=ports.mends["embedder"])
    texts = [reading.text[chunk.start : chunk.end] for chunk in chunks]
    vectors = await ports.embedder.embed(texts)
    snapshot = await ports.view.add(chunks, texts, vectors)
    return Chunked(chunks, ports.view.embedder, snapshot.index, snapshot.revision)


def settle(state: Chunking, made: Chunked) -> Settled[Measuring]:
    """The chunks are recorded, so that the view can be made anew."""
    chunks = kinds.Chunks(state.version.content, made.embedder, made.chunks)
    return Settled(Measuring(state.wanted, state.version), records=(kinds.CHUNKS.record(chunks),))


CHUNKING = Stage(state=Chunking, proposal=Chunked, propose=propose, settle=settle)
