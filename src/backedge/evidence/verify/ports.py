"""What the verification of a record needs of the outside."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.library import Library
from backedge.evidence.ports import Contents, Extractor, SearchView, Verifier


@dataclass(frozen=True)
class VerifyPorts:
    """The outside of a verification. Without the models it stops before it needs them; `mend` says what to do."""

    library: Library
    contents: Contents
    view: SearchView
    extractor: Extractor | None
    verifier: Verifier | None
    mend: str = "name a model for `evidence` under `models` in evidence.yml"
