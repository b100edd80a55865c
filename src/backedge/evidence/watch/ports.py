"""What a saved search needs of the outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backedge.agent.ports import Embedder
from backedge.evidence.library import Library
from backedge.evidence.ports import SearchableSource, SearchView


@dataclass(frozen=True)
class WatchPorts:
    """The chunk view with its embedder, and the sources that can be searched."""

    library: Library
    view: SearchView
    embedder: Embedder | None
    searchable: Mapping[str, SearchableSource]
