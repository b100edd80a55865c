"""A saved search, and what one look of it found."""

from __future__ import annotations

from dataclasses import dataclass

VIEW = "library"  # the target that is the chunk view, beside the names of source adapters


@dataclass(frozen=True)
class SavedSearch:
    """A search with a name: its words, and where it looks (`library`, or names of adapters that can search)."""

    name: str
    query: str
    targets: tuple[str, ...]
    by: str


@dataclass(frozen=True)
class Looked:
    """What one look found in one target: ids in their order, the first ones of `total` (None: not said).

    `at` is the snapshot of the chunk view (`INDEX:REVISION`), or the day on which a registry was asked.
    """

    target: str
    ids: tuple[str, ...]
    total: int | None
    at: str


@dataclass(frozen=True)
class Look:
    """What was found in each target, and in which of it nothing was found before; `number` counts looks from 1."""

    number: int
    found: tuple[Looked, ...]
    new: tuple[Looked, ...]
