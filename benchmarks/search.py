"""How the chunk view grows from 5,000 to 100,000 chunks: adds, both arms, the file; against FTS5 and numpy bare."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from backedge.adapters.search.view import SqliteSearchView
from backedge.evidence.chunks import Chunk

SIZES = (5_000, 20_000, 100_000)
VERSION = 50  # chunks of one version
WORDS = 120  # of a chunk
VOCABULARY = 30_000
DIMENSIONS = 384
QUERIES = 20
TERMS = 10
LIMIT = 100
COMMON = 40  # words that stand for the stop words, a quarter of all; no query has them

Texts = list[str]


class Corpus:
    """Words as often as in prose (Zipf), and vectors in random directions; the same in every run."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(6)
        chances = 1 / np.arange(3, VOCABULARY + 3)
        self._chances = chances / chances.sum()

    def texts(self, count: int, words: int) -> Texts:
        """That many texts."""
        drawn = self._random.choice(VOCABULARY, size=(count, words), p=self._chances)
        return [" ".join(f"w{word}" for word in row) for row in drawn]

    def queries(self) -> Texts:
        """Words as often as in texts, the most common ones left out."""
        drawn = self._random.choice(VOCABULARY, size=(QUERIES, TERMS * 3), p=self._chances)
        return [" ".join([f"w{word}" for word in row if word >= COMMON][:TERMS]) for row in drawn]

    def vectors(self, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        """That many, of length one."""
        drawn = self._random.standard_normal((count, DIMENSIONS))
        return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


class Bare:
    """FTS5 with its own ranking, and one matrix: what there is without snapshots."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.execute("CREATE VIRTUAL TABLE word USING fts5(text, content='', tokenize='porter unicode61')")
        self.matrix = np.zeros((0, DIMENSIONS), dtype=np.float32)

    def add(self, texts: Texts, vectors: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
        """The texts of one version; the vectors are only held."""
        self._file.execute("BEGIN IMMEDIATE")
        self._file.executemany("INSERT INTO word(text) VALUES (?)", ((text,) for text in texts))
        self._file.execute("COMMIT")
        self.matrix = np.vstack([self.matrix, vectors.astype(np.float32)])

    def lexical(self, query: str) -> int:
        """The best by FTS5's own bm25, over all that there is."""
        match = " OR ".join(f'"{word}"' for word in query.split())
        rows = f"SELECT rowid, rank FROM word WHERE word MATCH ? ORDER BY rank LIMIT {LIMIT}"
        return len(self._file.execute(rows, (match,)).fetchall())

    def semantic(self, vector: np.ndarray[tuple[int], np.dtype[np.float64]]) -> int:
        """The best of one product."""
        scores = self.matrix @ vector.astype(np.float32)
        return len(np.argpartition(-scores, LIMIT)[:LIMIT])


def versions(corpus: Corpus, first: int, last: int) -> Iterator[tuple[list[Chunk], Texts, np.ndarray]]:
    """Chunks of the versions from one count of chunks to another."""
    for start in range(first, last, VERSION):
        name = f"v{start:07}"
        texts = corpus.texts(VERSION, WORDS)
        chunks = [Chunk(f"{name}:{n:04}", name, "s1", "results", 0, len(text)) for n, text in enumerate(texts, 1)]
        yield chunks, texts, corpus.vectors(VERSION)


async def grow(view: SqliteSearchView, bare: Bare, corpus: Corpus, first: int, last: int) -> tuple[float, float]:
    """Seconds that adding took: ours and bare."""
    ours = theirs = 0.0
    for chunks, texts, vectors in versions(corpus, first, last):
        told = vectors.tolist()
        began = time.perf_counter()
        await view.add(chunks, texts, told)
        ours += time.perf_counter() - began
        began = time.perf_counter()
        bare.add(texts, vectors)
        theirs += time.perf_counter() - began
    return ours, theirs


async def searches(view: SqliteSearchView, bare: Bare, corpus: Corpus) -> dict[str, float]:
    """Median milliseconds of each arm, ours and bare, in turn; at an older snapshot too."""
    now = await view.snapshot()
    older = type(now)(now.index, now.revision // 2)
    found: dict[str, list[float]] = {"lexical": [], "older": [], "fts5": [], "semantic": [], "numpy": []}
    queries, vectors = corpus.queries(), corpus.vectors(QUERIES)
    await view.semantic("warm", vectors[0].tolist(), LIMIT)
    for query, vector in zip(queries, vectors, strict=True):
        told = vector.tolist()
        marks = [time.perf_counter()]
        await view.lexical(query, LIMIT)
        marks.append(time.perf_counter())
        await view.lexical(query, LIMIT, older)
        marks.append(time.perf_counter())
        bare.lexical(query)
        marks.append(time.perf_counter())
        await view.semantic(query, told, LIMIT)
        marks.append(time.perf_counter())
        bare.semantic(vector)
        marks.append(time.perf_counter())
        for name, start, end in zip(found, marks, marks[1:], strict=False):
            found[name].append(1000 * (end - start))
    return {name: statistics.median(times) for name, times in found.items()}


def held(folder: Path) -> float:
    """The megabytes of the view's file and its log."""
    return sum(file.stat().st_size for file in folder.glob("view.db*")) / 1e6


async def measure(folder: Path) -> None:
    """Print one row for each size."""
    view, bare, corpus = SqliteSearchView(folder / "view.db", "random", DIMENSIONS), Bare(folder / "bare.db"), Corpus()
    print("chunks   adds/s  (bare: without keys, counts, vectors)  lexical ms (half as old, FTS5, ratio)"
          "  semantic ms (numpy, ratio)  first semantic s  file MB (vectors)")  # fmt: skip
    before = 0
    for size in SIZES:
        ours, theirs = await grow(view, bare, corpus, before, size)
        fresh = SqliteSearchView(folder / "view.db", "random", DIMENSIONS)
        began = time.perf_counter()
        await fresh.semantic("first", corpus.vectors(1)[0].tolist(), LIMIT)
        first = time.perf_counter() - began
        fresh.close()
        took = await searches(view, bare, corpus)
        megabytes = held(folder)
        print(
            f"{size:7,} {(size - before) / ours:7.0f} ({(size - before) / theirs:.0f})"
            f" {took['lexical']:9.1f} ({took['older']:.1f}, {took['fts5']:.1f}, {took['lexical'] / took['fts5']:.2f})"
            f" {took['semantic']:9.1f} ({took['numpy']:.1f}, {took['semantic'] / took['numpy']:.2f})"
            f" {first:9.2f} {megabytes:9.0f} ({size * DIMENSIONS * 4 / 1e6:.0f})"
        )
        before = size
    view.close()


def main() -> None:
    """Measure in a folder that is named, or in a temporary one."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
