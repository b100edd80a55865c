"""Fuses what several searches of one snapshot found into one order, by rank alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backedge.evidence.chunks import Arm, Chunk, Found, Hit

FLAT = 60
"""The k of reciprocal rank fusion: how little the first ranks differ from the next ones."""
EVEN: Mapping[Arm, float] = {"lexical": 1.0, "semantic": 1.0}


def fused(founds: Sequence[Found], limit: int, weights: Mapping[Arm, float] = EVEN) -> Found:
    """The best `limit` chunks by the sum of weight / (60 + rank) over what found them; ties go by the chunk's key.

    Ranks count, scores do not: those of two arms have no common scale. Each hit tells its rank and score in what found
    it. An arm without a weight counts nothing. Raises `ValueError` for none, or for findings of several snapshots.
    """
    if len({found.snapshot for found in founds}) != 1:
        raise ValueError(f"findings of one snapshot are fused, not of {len({found.snapshot for found in founds})}")
    chunks: dict[str, Chunk] = {}
    scores: dict[str, float] = {}
    arms: dict[str, list[tuple[str, int, float]]] = {}
    for found in founds:
        weight = weights.get(found.arm, 0.0)
        for hit in found.hits if weight > 0 else ():
            key = hit.chunk.key
            chunks[key] = hit.chunk
            scores[key] = scores.get(key, 0.0) + weight / (FLAT + hit.rank)
            arms.setdefault(key, []).append((found.arm, hit.rank, hit.score))
    best = sorted(scores, key=lambda key: (-scores[key], key))[: max(limit, 0)]
    hits = tuple(Hit(chunks[key], rank, scores[key], tuple(arms[key])) for rank, key in enumerate(best, 1))
    return Found(" | ".join(dict.fromkeys(found.query for found in founds)), "fused", founds[0].snapshot, hits)
