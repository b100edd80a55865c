"""What a search of the sources finds, as people see it: one form for all faces."""

from __future__ import annotations

from typing import Any

from backedge.assembling.evidence import EvidenceApp
from backedge.evidence.chunks import Hit, Snapshot
from backedge.kernel.defect import Permanent


async def search_data(app: EvidenceApp, query: str, limit: int, arm: str, at: Snapshot | None = None) -> dict[str, Any]:
    """What an arm finds, and the snapshot by which it is found again. Raises `Permanent` where the arm is not there."""
    founds = await app.search(query, limit, at, words_alone=arm == "lexical")
    found = next((f for f in founds if f.arm == arm), None)
    if found is None:
        raise Permanent(
            "there is no embedder, so nothing is found by meaning",
            mend="pip install 'backedge[embed]', or search by words: --arm lexical",
        )
    return {
        "query": query,
        "arm": arm,
        "snapshot": f"{found.snapshot.index}:{found.snapshot.revision}",
        "arms": [f.arm for f in founds],
        "hits": [await _hit(app, hit) for hit in found.hits[:limit]],
    }


async def _hit(app: EvidenceApp, hit: Hit) -> dict[str, Any]:
    chunk = hit.chunk
    version = await app.library.version(chunk.version)
    metadata, judgement = await app.library.metadata(version), await app.library.judgement(chunk.version)
    kept = await app.library.text(chunk.version)
    text = (await app.contents.get(kept.text)).decode("utf-8")
    return {
        "rank": hit.rank,
        "score": hit.score,
        "arms": {name: {"rank": rank, "score": score} for name, rank, score in hit.arms},
        "source": version.source,
        "title": metadata.title,
        "version": chunk.version,
        "section": chunk.section,
        "role": chunk.role,
        "start": chunk.start,
        "end": chunk.end,
        "eligible": judgement is not None and judgement.eligible,
        "text": " ".join(text[chunk.start : chunk.end].split()),
    }
