"""Chunks, texts and vectors for tests of the search view, and a view that is asked without `await`."""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections.abc import Sequence
from pathlib import Path

from backedge.adapters.search.view import SqliteSearchView
from backedge.evidence.chunks import Chunk, Found, Snapshot

DIMENSIONS = 8
EMBEDDER = "test:hashed"


def vector(text: str) -> list[float]:
    """Some direction that depends on the text alone."""
    told = [byte - 127.5 for byte in hashlib.sha256(text.encode("utf-8", "replace")).digest()[:DIMENSIONS]]
    length = math.sqrt(sum(number * number for number in told))
    return [number / length for number in told]


def chunk(version: str, number: int, text: str) -> Chunk:
    return Chunk(f"{version}:{number:04}", version, "s1", "results", 10 * number, 10 * number + len(text))


class View:
    """A search view and its file."""

    def __init__(self, path: Path, embedder: str = EMBEDDER, dimensions: int = DIMENSIONS) -> None:
        self.view = SqliteSearchView(path, embedder, dimensions)

    def add(self, version: str, *texts: str, vectors: Sequence[Sequence[float]] | None = None) -> Snapshot:
        chunks = [chunk(version, number, text) for number, text in enumerate(texts, 1)]
        return asyncio.run(self.view.add(chunks, texts, vectors or [vector(text) for text in texts]))

    def now(self) -> Snapshot:
        return asyncio.run(self.view.snapshot())

    def words(self, query: str, limit: int = 10, at: Snapshot | None = None) -> Found:
        return asyncio.run(self.view.lexical(query, limit, at))

    def meaning(self, query: str, limit: int = 10, at: Snapshot | None = None) -> Found:
        return asyncio.run(self.view.semantic(query, vector(query), limit, at))


def keys(found: Found) -> list[str]:
    return [hit.chunk.key for hit in found.hits]
