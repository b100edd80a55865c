"""Searches the chunk view by words and by meaning, at one snapshot, and fuses what both find."""

from __future__ import annotations

from backedge.agent.ports import Embedder
from backedge.evidence.chunks import Found, Snapshot
from backedge.evidence.fusion import fused
from backedge.evidence.ports import SearchView

DEEP = 100  # hits of each arm that fusion sees


async def arms(
    view: SearchView, embedder: Embedder | None, query: str, at: Snapshot | None = None
) -> tuple[Found, ...]:
    """What each arm finds in one snapshot. Without an embedder there is the lexical arm alone."""
    snapshot = at or await view.snapshot()
    lexical = await view.lexical(query, DEEP, snapshot)
    if embedder is None:
        return (lexical,)
    (vector,) = await embedder.embed([query])
    return lexical, await view.semantic(query, vector, DEEP, snapshot)


async def search_view(
    view: SearchView, embedder: Embedder | None, query: str, limit: int, at: Snapshot | None = None
) -> Found:
    """The best chunks by both arms together."""
    return fused(await arms(view, embedder, query, at), limit)
