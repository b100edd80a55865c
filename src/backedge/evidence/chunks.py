"""Chunks of a version, the snapshot a search sees, and what a search finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backedge.evidence.reading import Role

Arm = Literal["lexical", "semantic", "fused"]


@dataclass(frozen=True)
class Chunk:
    """A stretch of a section, half-open, in code points of the version's text, cut at ends of sentences.

    `key` is `VERSION:NUMBER`. Chunks of one section overlap by whole sentences; none crosses a section's bounds.
    """

    key: str
    version: str
    section: str
    role: Role
    start: int
    end: int


@dataclass(frozen=True)
class Snapshot:
    """What a search saw: the index by its id, and its revision. The same search of the same snapshot finds the same."""

    index: str
    revision: int


@dataclass(frozen=True)
class Hit:
    """A chunk that a search found, by rank from 1. `arms`: name, rank and score in each arm that a fused hit is of."""

    chunk: Chunk
    rank: int
    score: float
    arms: tuple[tuple[str, int, float], ...] = ()


@dataclass(frozen=True)
class Found:
    """What one arm found for a query in a snapshot."""

    query: str
    arm: Arm
    snapshot: Snapshot
    hits: tuple[Hit, ...]
