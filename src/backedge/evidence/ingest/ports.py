"""What an ingest needs of the outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from backedge.agent.ports import Embedder
from backedge.evidence.facts import Policy
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents, Extractor, Reader, SearchView, SourceAdapter
from backedge.evidence.units import STANDARD, UnitTable

MENDS = {
    "embedder": "pip install 'backedge[embed]', then `backedge sources retry`",
    "extractor": "name a model for `evidence` under `models` in evidence.yml, then `backedge sources retry`",
}


@dataclass(frozen=True)
class IngestPorts:
    """The outside of an ingest. Without an embedder it pauses before chunking, without an extractor before extracting.

    `mends` say of each of the two what to do where it is not there. `units` are those that values are held against.
    """

    library: Library
    contents: Contents
    sources: Mapping[str, SourceAdapter]
    reader: Reader
    view: SearchView
    embedder: Embedder | None
    extractor: Extractor | None
    policy: Policy = field(default_factory=Policy)
    mends: Mapping[str, str] = field(default_factory=lambda: MENDS)
    units: UnitTable = STANDARD
