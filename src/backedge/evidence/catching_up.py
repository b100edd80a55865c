"""Makes the chunk view anew from what is stored: it is a projection, and may be removed at any time."""

from __future__ import annotations

from backedge.agent.ports import Embedder
from backedge.evidence import kinds
from backedge.evidence.chunks import Snapshot
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents, SearchView
from backedge.evidence.texts import reading_of
from backedge.kernel.defect import Permanent


class Damaged(Permanent):
    """The stored texts of some versions are damaged or gone; all others are in the view."""


async def caught_up(view: SearchView, embedder: Embedder, library: Library, contents: Contents) -> Snapshot:
    """The snapshot once every stored chunk is in the view. Nothing is embedded where all of them are there.

    Raises what the embedder and the view raise; what was added until then stays, and the next call goes on from there.
    Raises `Damaged` last, where a text cannot be had.
    """
    snapshot = await view.snapshot()
    stored = [kept for kept in await library.all(kinds.CHUNKS) if kept.chunks]
    if snapshot.revision >= len(stored):  # each version with chunks made one revision
        return snapshot
    damaged = []
    for kept in stored:
        try:
            text = (await reading_of(await library.text(kept.version), contents)).text
        except Permanent as damage:
            damaged.append(f"{kept.version[:12]} ({damage.message})")
            continue
        texts = [text[chunk.start : chunk.end] for chunk in kept.chunks]
        snapshot = await view.add(kept.chunks, texts, await embedder.embed(texts))
    if damaged:
        said = f"{len(damaged)} versions have no text that could be searched: {'; '.join(damaged)}"
        raise Damaged(
            said,
            mend="add them again with `backedge ingest`, then `backedge search --rebuild`; all others can be searched",
        )
    return snapshot
