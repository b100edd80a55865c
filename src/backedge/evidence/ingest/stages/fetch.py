"""Fetching: an adapter brings the source's content and metadata; the content is kept before anything is said of it."""

from __future__ import annotations

from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import Fetching, Recording
from backedge.evidence.sources import Fetched
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Fetching, ports: IngestPorts, lesson: Lesson) -> Fetched:
    """What the adapter brings. A failure for good ends the run, one that may pass is tried twice more."""
    wanted = state.wanted
    adapter = ports.sources.get(wanted.adapter)
    if adapter is None:
        known = ", ".join(sorted(ports.sources))
        said = f"there is no source adapter {wanted.adapter!r} that may be used; these may be: {known}"
        raise Permanent(said, mend="name it under `sources.ingest` in evidence.yml, then `backedge sources retry`")
    brought = await adapter.fetch(wanted.identifier)
    content = await ports.contents.put(brought.content)
    return Fetched(
        wanted.adapter,
        wanted.identifier,
        content,
        len(brought.content),
        brought.media_type,
        brought.name,
        brought.metadata,
        brought.notes,
    )


def settle(state: Fetching, fetched: Fetched) -> Settled[Recording]:
    """The content is here."""
    return Settled(Recording(state.wanted, fetched))


FETCHING = Stage(state=Fetching, proposal=Fetched, propose=propose, settle=settle)
