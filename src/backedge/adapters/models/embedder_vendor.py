"""Vectors of texts from a vendor, or from any URL that speaks OpenAI's API of embeddings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from backedge.adapters.models.connection import Connection, unusable
from backedge.kernel.defect import Transient


class VendorEmbedder:
    """One model of vectors, of as many numbers as the project says. Its client is imported with the first text."""

    def __init__(self, connection: Connection, dimensions: int, environment: Mapping[str, str]) -> None:
        self._connection = connection
        self._environment = environment
        self.dimensions = dimensions

    @property
    def name(self) -> str:
        """The vendor, the model and where it is: vectors of another server's model of that name are not the same."""
        settings = self._connection.settings
        return f"{settings.vendor}:{settings.model}{f'@{settings.base_url}' if settings.base_url else ''}"

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `agent.ports.Embedder`."""
        self._connection.profile()
        key = self._connection.key(self._environment)
        try:
            from backedge.adapters.models.embedder_wire import vectors_of
        except ImportError as missing:
            said = f"embeddings of {self._connection.settings.vendor} need the extra `openai`"
            raise unusable(said, "pip install 'backedge[openai]'") from missing
        return [self._of_length_one(vector) for vector in await vectors_of(texts, self._connection, key)]

    def _of_length_one(self, vector: Sequence[float]) -> list[float]:
        if len(vector) != self.dimensions:
            said = f"vectors of {self.name} have {len(vector)} numbers, not {self.dimensions}"
            raise unusable(said, f"write `dimensions: {len(vector)}` under `embeddings`")
        length = math.sqrt(sum(number * number for number in vector))
        if not length or not math.isfinite(length):
            raise Transient(f"{self.name} gave a vector without a direction")
        return [number / length for number in vector]
