"""What a reviewer is shown: a record with its checks and decisions, and a run that waits for a decision on one."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence import kinds
from backedge.evidence.records import EvidenceRecord, Standing, Verification
from backedge.evidence.verify.states import InReview
from backedge.kernel.provenance import Activity

CHANGEABLE = (
    "statement",
    "species",
    "population",
    "treatment",
    "comparator",
    "endpoint",
    "direction",
    "effect",
    "units",
    "n",
    "quotation",
    "quotation2",
    "quotation3",
    "quotation4",
)
"""What a fix may change; `quotation` are the words of the first quotation, `quotation2` those of the second."""


@dataclass(frozen=True)
class Reviewed:
    """A record with all that a reviewer is shown of it: its standings, the last verification, and the decisions."""

    record: EvidenceRecord
    standings: tuple[Standing, ...]
    verification: Verification | None
    decided: tuple[kinds.Decided, ...]

    @property
    def standing(self) -> int:
        """The number of the standing that counts; 0 before any check."""
        return self.standings[-1].number if self.standings else 0


@dataclass(frozen=True)
class Waits:
    """A run that waits for a person's decision on a record; `attempts` are those of its stages."""

    run: str
    state: InReview
    attempts: tuple[Activity, ...] = ()

    @property
    def decided(self) -> int:
        """How many have decided; who skipped has not."""
        return len([decision for decision in self.state.decisions if decision.kind != "skip"])
