"""Searching by meaning: the exact cosine of every chunk, with numpy where it is, and the same figures without."""

from __future__ import annotations

import math
import operator
from array import array
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from backedge.kernel.defect import Permanent

# Single precision is off by far less than this. What lies within it of the last place is computed exactly, so that
# neither numpy, nor its version, nor how many chunks came later can change a rank.
_DOUBT = 1e-4


def unit(vector: Sequence[float], dimensions: int, whose: str) -> array[float]:
    """A vector of length one in single precision. Raises `Permanent` for one of another size or without direction."""
    if len(vector) != dimensions:
        said = f"a vector of {whose} has {len(vector)} numbers, not {dimensions}"
        raise Permanent(said, mend=f"set the `dimensions` of `embeddings` to {len(vector)}, if that is the model's")
    length = math.sqrt(math.fsum(number * number for number in vector))
    if not length or not math.isfinite(length):
        raise Permanent(f"{whose} gave a vector without a direction", mend="use another embedder")
    return array("f", [number / length for number in vector])


class Matrix:
    """The vectors of all chunks in the order of their numbers, kept in memory: 4 bytes a number."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._numbers = array("f")

    def __len__(self) -> int:
        return len(self._numbers) // self._dimensions

    def extend(self, numbers: bytes) -> None:
        """Vectors of further chunks."""
        self._numbers.frombytes(numbers)

    def scores(self, asked: array[float], seen: int, limit: int) -> dict[int, float]:
        """The cosine of the first `seen` chunks, by number from 1: at least of the best `limit` and all that tie."""
        wanted = range(1, seen + 1) if find_spec("numpy") is None else self._nearest(asked, seen, limit)
        return {chunk: self._exact(asked, chunk) for chunk in wanted}

    def _exact(self, asked: array[float], chunk: int) -> float:
        start = (chunk - 1) * self._dimensions
        row = self._numbers[start : start + self._dimensions]
        return math.fsum(map(operator.mul, row, asked))

    def _nearest(self, asked: array[float], seen: int, limit: int) -> list[int]:
        import numpy as np

        held: Any = np.frombuffer(self._numbers, dtype=np.float32, count=seen * self._dimensions)
        rough = held.reshape(seen, self._dimensions) @ np.frombuffer(asked, dtype=np.float32)
        if seen <= limit:
            return list(range(1, seen + 1))
        last = np.partition(rough, seen - limit)[seen - limit]
        return [int(place) + 1 for place in np.flatnonzero(rough >= last - 2 * _DOUBT)]
