"""The states of a saved search: it is run again, and what it had not found before is told."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.saved_searches import Looked, SavedSearch

# ---------------------------------------------------------------- proposals


# ------------------------------------------------------------------- states


@dataclass(frozen=True)
class Looking:
    """A saved search is to be run."""

    saved: SavedSearch
    day: str


@dataclass(frozen=True)
class Seen:
    """The end: what is new since the last look (all, at the first)."""

    saved: SavedSearch
    number: int
    new: tuple[Looked, ...]
