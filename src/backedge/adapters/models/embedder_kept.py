"""Keeps vectors on disk by the hash of their text, in one file for each model, so that no two models' are mixed."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from backedge.agent.ports import Embedder

MOST = 200_000  # vectors in one file; the oldest go


class KeptVectors:
    """An embedder that is asked for a text once. The texts themselves are not kept."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        named = hashlib.sha256(f"{embedder.name} {embedder.dimensions}".encode()).hexdigest()[:16]
        self._file = folder / f"vectors-{named}.db"

    @property
    def name(self) -> str:
        """See `agent.ports.Embedder`."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """See `agent.ports.Embedder`."""
        return self._embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `agent.ports.Embedder`. A file that cannot be read or written is done without."""
        keys = [hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in texts]
        known = await asyncio.to_thread(self._kept, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            made = await self._embedder.embed(list(missing.values()))
            new = {key: array("f", vector) for key, vector in zip(missing, made, strict=True)}
            await asyncio.to_thread(self._keep, new)
            known |= new
        return [list(known[key]) for key in keys]

    def _kept(self, keys: Iterable[bytes]) -> dict[bytes, array[float]]:
        found: dict[bytes, array[float]] = {}
        try:
            with closing(self._opened()) as file:
                for key in dict.fromkeys(keys):
                    for (numbers,) in file.execute("SELECT numbers FROM vector WHERE text = ?", (key,)):
                        vector = array("f", numbers) if len(numbers) % 4 == 0 else array("f")
                        if len(vector) == self.dimensions:
                            found[key] = vector
        except (OSError, sqlite3.Error):
            return found
        return found

    def _keep(self, new: dict[bytes, array[float]]) -> None:
        rows = [(key, vector.tobytes()) for key, vector in new.items()]
        try:
            with closing(self._opened()) as file, file:
                file.executemany("INSERT OR REPLACE INTO vector (text, numbers) VALUES (?, ?)", rows)
                file.execute("DELETE FROM vector WHERE id <= (SELECT max(id) FROM vector) - ?", (MOST,))
        except (OSError, sqlite3.Error):
            return

    def _opened(self) -> sqlite3.Connection:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(self._file, timeout=5)
        file.execute(
            "CREATE TABLE IF NOT EXISTS vector"
            " (id INTEGER PRIMARY KEY, text BLOB UNIQUE NOT NULL, numbers BLOB NOT NULL)"
        )
        return file
