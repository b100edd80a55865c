"""The chunk view in a SQLite file of its own: searched at a snapshot, the same search finds the same for ever."""

from __future__ import annotations

import asyncio
import heapq
import sqlite3
import threading
from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from backedge.adapters.search import words
from backedge.adapters.search.file import about, changing, failure_of, hold_to, opened, reading
from backedge.adapters.search.vectors import Matrix, unit
from backedge.evidence.chunks import Arm, Chunk, Found, Hit, Snapshot
from backedge.kernel.defect import Permanent

T = TypeVar("T")
_COLUMNS = "key, version, section, role, first, last"


class SqliteSearchView:
    """Fulfils `evidence.ports.SearchView`. It is a projection: removed, it is made anew from the stored chunks.

    Several processes may use one file. `embedder` and `dimensions` are those whose vectors it is given; without them it
    adds nothing, and finds by words alone.
    """

    def __init__(self, path: Path, embedder: str = "", dimensions: int = 0) -> None:
        self._path = path
        self._embedder = embedder
        self._dimensions = dimensions
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._lengths: array[int] = array("I")
        self._matrix = Matrix(dimensions or 1)
        self._vectors = 0  # the last revision whose vectors are in the matrix

    @property
    def embedder(self) -> str:
        """See `evidence.ports.SearchView`: where none was given, whose vectors the file holds."""
        return self._embedder or self._locked(lambda file: about(file).get("embedder", ""))

    async def add(self, chunks: Sequence[Chunk], texts: Sequence[str], vectors: Sequence[Sequence[float]]) -> Snapshot:
        """See `evidence.ports.SearchView`. All of them are added, or none.

        Raises `Permanent` where the view has vectors of another embedder, or other chunks under these keys.
        """
        return await asyncio.to_thread(self._locked, lambda file: self._add(file, chunks, texts, vectors))

    async def snapshot(self) -> Snapshot:
        """See `evidence.ports.SearchView`."""
        return await asyncio.to_thread(self._locked, _now)

    async def lexical(self, query: str, limit: int, at: Snapshot | None = None) -> Found:
        """See `evidence.ports.SearchView`. A query without a word that is no stop word finds nothing."""
        clean = query.encode("utf-8", "replace").decode("utf-8")
        return await asyncio.to_thread(self._locked, lambda file: self._lexical(file, query, clean, limit, at))

    async def semantic(self, query: str, vector: Sequence[float], limit: int, at: Snapshot | None = None) -> Found:
        """See `evidence.ports.SearchView`. `query` is what the vector was made of; it is only recorded."""
        return await asyncio.to_thread(self._locked, lambda file: self._semantic(file, query, vector, limit, at))

    def close(self) -> None:
        """Let go of the file. A later call opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def clear(self) -> None:
        """Remove the file, with all snapshots. A later call makes it anew, empty."""
        self.close()
        with self._lock:
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            self._lengths, self._matrix, self._vectors = array("I"), Matrix(self._dimensions or 1), 0

    def _locked(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = opened(self._path)
                return work(self._connection)
            except (sqlite3.Error, OSError) as error:
                raise failure_of(error, self._path) from error

    def _add(
        self,
        file: sqlite3.Connection,
        chunks: Sequence[Chunk],
        texts: Sequence[str],
        vectors: Sequence[Sequence[float]],
    ) -> Snapshot:
        told = list(zip(chunks, texts, vectors, strict=True))
        with changing(file):
            self._same_embedder(file)
            new = [(c, text.encode("utf-8", "replace").decode("utf-8"), v) for c, text, v in told if _new(file, c)]
            if new:
                numbers = b"".join(unit(v, self._dimensions, self._embedder).tobytes() for _, _, v in new)
                hold_to(file, self._embedder, self._dimensions)
                _write(file, [chunk for chunk, _, _ in new], [text for _, text, _ in new], numbers)
            return _now(file)

    def _lexical(self, file: sqlite3.Connection, query: str, clean: str, limit: int, at: Snapshot | None) -> Found:
        asked = words.terms(file, clean)
        with reading(file):
            at, seen, total = _seen(file, at)
            self._read_lengths(file)
            found = words.scores(file, asked, self._lengths[:seen], total, limit) if limit > 0 else {}
            return Found(query, "lexical", at, _ranked(file, found, limit))

    def _semantic(
        self, file: sqlite3.Connection, query: str, vector: Sequence[float], limit: int, at: Snapshot | None
    ) -> Found:
        arm: Arm = "semantic"
        with reading(file):
            self._same_embedder(file)
            asked = unit(vector, self._dimensions, self._embedder)
            at, seen, _ = _seen(file, at)
            self._read_vectors(file)
            found = self._matrix.scores(asked, seen, limit) if seen and limit > 0 else {}
            return Found(query, arm, at, _ranked(file, found, limit))

    def _same_embedder(self, file: sqlite3.Connection) -> None:
        """Raises `Permanent` where the vectors that are there could not be compared with the embedder's."""
        if not self._embedder:
            raise Permanent("there is no embedder for the chunk view", mend="pip install 'backedge[embed]'")
        held = about(file)
        mine = (self._embedder, str(self._dimensions))
        theirs = (held.get("embedder", mine[0]), held.get("dimensions", mine[1]))
        if theirs != mine:
            said = f"{self._path} holds vectors of {theirs[0]} ({theirs[1]} numbers), not of {mine[0]} ({mine[1]})"
            mend = f"set `embeddings` back, or remove {self._path}: the chunk view is made anew with the new embedder"
            raise Permanent(said, mend=mend)

    def _read_lengths(self, file: sqlite3.Connection) -> None:
        after = (len(self._lengths),)
        self._lengths.extend(n for (n,) in file.execute("SELECT words FROM chunk WHERE id > ? ORDER BY id", after))

    def _read_vectors(self, file: sqlite3.Connection) -> None:
        after = (self._vectors,)
        rows = file.execute("SELECT revision, numbers FROM vectors WHERE revision > ? ORDER BY revision", after)
        for self._vectors, numbers in rows:
            self._matrix.extend(numbers)


def _now(file: sqlite3.Connection) -> Snapshot:
    (revision,) = file.execute("SELECT max(revision) FROM added").fetchone()
    return Snapshot(about(file)["index"], revision)


def _seen(file: sqlite3.Connection, at: Snapshot | None) -> tuple[Snapshot, int, int]:
    """The snapshot, how many chunks it sees, and how many words these have. Raises `Permanent` for one not of here."""
    now = _now(file)
    at = at or now
    row = file.execute("SELECT chunks, words FROM added WHERE revision = ?", (at.revision,)).fetchone()
    if at.index != now.index or row is None:
        said = f"snapshot {at.index}@{at.revision} is none of this chunk view, which is {now.index}@{now.revision}"
        raise Permanent(said, mend="search again without a snapshot: the chunk view was made anew since")
    return at, row[0], row[1]


def _new(file: sqlite3.Connection, chunk: Chunk) -> bool:
    """Whether a chunk is not there yet. Raises `Permanent` where another is there under its key."""
    row = file.execute(f"SELECT {_COLUMNS} FROM chunk WHERE key = ?", (chunk.key,)).fetchone()
    if row is not None and Chunk(*row) != chunk:
        said = f"chunk {chunk.key} is in the chunk view with other bounds: its version was read or cut otherwise then"
        raise Permanent(said, mend="remove the chunk view's file: it is made anew from what is stored")
    return row is None


def _write(file: sqlite3.Connection, chunks: Sequence[Chunk], texts: Sequence[str], numbers: bytes) -> None:
    before, there, told = file.execute("SELECT * FROM added ORDER BY revision DESC LIMIT 1").fetchone()
    lengths = [words.words_in(text) for text in texts]
    rows = [
        (there + place, c.key, c.version, c.section, c.role, c.start, c.end, length)
        for place, (c, length) in enumerate(zip(chunks, lengths, strict=True), 1)
    ]
    file.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    file.executemany("INSERT INTO word(rowid, text) VALUES (?, ?)", enumerate(texts, there + 1))
    file.execute("INSERT INTO vectors VALUES (?, ?)", (before + 1, numbers))
    file.execute("INSERT INTO added VALUES (?, ?, ?)", (before + 1, there + len(rows), told + sum(lengths)))


def _ranked(file: sqlite3.Connection, found: Mapping[int, float], limit: int) -> tuple[Hit, ...]:
    """The best by score; of those with the same score, the one whose key comes first."""
    if limit <= 0 or not found:
        return ()
    last = heapq.nlargest(limit, found.values())[-1]
    numbers = [number for number, score in found.items() if score >= last]
    hits = []
    for number in numbers:
        row = file.execute(f"SELECT {_COLUMNS} FROM chunk WHERE id = ?", (number,)).fetchone()
        hits.append((-found[number], Chunk(*row)))
    hits.sort(key=lambda hit: (hit[0], hit[1].key))
    return tuple(Hit(chunk, rank, -score) for rank, (score, chunk) in enumerate(hits[:limit], 1))
