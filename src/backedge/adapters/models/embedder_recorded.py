"""Vectors kept in a file by the hash of their text: for demonstrations, which need no model and no network."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from backedge.agent.ports import Embedder
from backedge.kernel.defect import Permanent

RECORD = (
    "search by words alone (--arm lexical), "
    "or record them: run once with BACKEDGE_RECORD=1 where backedge[embed] is installed"
)


class RecordedEmbedder:
    """Gives kept vectors. With an embedder `behind` it asks that one for what is not kept, and keeps it."""

    def __init__(self, file: Path, behind: Embedder | None = None) -> None:
        self._file = file
        self._behind = behind
        self._kept: dict[str, list[float]] | None = None
        self._name, self._dimensions = "", 0

    @property
    def name(self) -> str:
        """See `agent.ports.Embedder`: the name of the embedder whose vectors these are, marked as recorded."""
        self._read()
        return f"recorded:{self._name}"

    @property
    def dimensions(self) -> int:
        """See `agent.ports.Embedder`."""
        self._read()
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `agent.ports.Embedder`. Raises `Permanent` for a text whose vector is not kept."""
        kept = self._read()
        missing = [text for text in dict.fromkeys(texts) if _key(text) not in kept]
        if missing and self._behind is None:
            said = f"{self._file} keeps no vector of {missing[0][:60]!r}"
            raise Permanent(f"{said}: its vectors are recorded, none is made", mend=RECORD)
        if missing and self._behind is not None:
            made = await self._behind.embed(missing)
            kept |= {_key(text): [round(x, 4) for x in v] for text, v in zip(missing, made, strict=True)}
            self._write(kept)
        return [kept[_key(text)] for text in texts]

    def _read(self) -> dict[str, list[float]]:
        if self._kept is None:
            try:
                told = json.loads(self._file.read_text(encoding="utf-8"))
                self._name, self._dimensions = told["embedder"], told["dimensions"]
                self._kept = told["vectors"]
            except FileNotFoundError:
                if self._behind is None:
                    raise Permanent(f"there is no file of vectors {self._file}", mend=RECORD) from None
                self._name, self._dimensions, self._kept = self._behind.name, self._behind.dimensions, {}
            except (ValueError, KeyError, TypeError) as error:
                raise Permanent(f"{self._file} is no file of vectors: {error}", mend=RECORD) from error
        return self._kept

    def _write(self, kept: dict[str, list[float]]) -> None:
        told = {"embedder": self._name, "dimensions": self._dimensions, "vectors": dict(sorted(kept.items()))}
        self._file.write_text(json.dumps(told, separators=(",", ":")) + "\n", encoding="utf-8")


def _key(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]
