"""What the extraction of a part needs of the outside."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.library import Library
from backedge.evidence.ports import Contents, Extractor, SearchView


@dataclass(frozen=True)
class ExtractPorts:
    """The outside of an extraction. Without an extractor it stops; `mend` says what to configure."""

    library: Library
    contents: Contents
    view: SearchView
    extractor: Extractor | None
    mend: str = "name a model for `evidence` under `models` in evidence.yml"
