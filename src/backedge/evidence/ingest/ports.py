"""What an ingest needs of the outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from backedge.agent.ports import Embedder
from backedge.evidence.facts import Policy
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents, Extractor, Reader, SearchView, SourceAdapter

INSTALL = "pip install 'backedge[embed]'"
ROOM = 6_000  # characters, where no model says how much it takes


@dataclass(frozen=True)
class IngestPorts:
    """The outside of an ingest. Without an embedder it pauses before chunking, without an extractor before extracting.

    `lacking` says of each of the two what to do, where it is not there.
    """

    library: Library
    contents: Contents
    sources: Mapping[str, SourceAdapter]
    reader: Reader
    view: SearchView
    embedder: Embedder | None
    extractor: Extractor | None
    policy: Policy = field(default_factory=Policy)
    room: int = ROOM
    lacking: Mapping[str, str] | None = None
