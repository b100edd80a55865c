"""What a reviewer decides on a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backedge.evidence.records import EvidenceRecord
from backedge.kernel.defect import Defect

DecisionKind = Literal["accept", "fix", "reject", "skip"]


@dataclass(frozen=True)
class Decision:
    """What a reviewer decides. `seen` is the number of the standing that was looked at; `fixed` is the record mended.

    `defects` are what validation found in the mended one. `reviewers` and `double` are what `evidence.yml` said when
    it was offered: who may decide, and whether two must agree.
    """

    kind: DecisionKind
    by: str
    reason: str = ""
    seen: int = 0
    fixed: EvidenceRecord | None = None
    defects: tuple[Defect, ...] = ()
    reviewers: tuple[str, ...] = ()
    double: bool = False
