"""What an ingest of many sources came to: how each ended, what was checked, and what could not be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from backedge.evidence.ingest.states import Duplicate, ExtractionFailed, Ineligible, Ingested, Quarantined
from backedge.evidence.records import EvidenceRecord
from backedge.evidence.verify.states import Accepted, GivingUp, InReview, Rejected, Withheld
from backedge.kernel.journal import Stopped
from backedge.kernel.run import Run

SOURCE_ENDS = {
    Ingested: "ingested",
    Duplicate: "duplicate",
    Quarantined: "quarantined",
    Ineligible: "ineligible",
    ExtractionFailed: "failed",
}
RECORD_ENDS = {Accepted: "accepted", Rejected: "rejected", Withheld: "quarantined", InReview: "in review"}


@dataclass(frozen=True)
class Told:
    """One source of an ingest: its run, and the runs of its parts and of its records."""

    run: Run
    parts: tuple[Run, ...] = ()
    records: tuple[Run, ...] = ()

    @property
    def stopped(self) -> Stopped | None:
        """Why it does not go on: its own stop, or the first of its parts'."""
        own = self.run.stopped
        return own or next((part.stopped for part in self.parts if part.stopped is not None), None)

    @property
    def status(self) -> str:
        """One word: how it ended, `paused` where it can go on, `failed` where it cannot, else `unfinished`."""
        if self.run.status == "ended":
            return SOURCE_ENDS[type(self.run.state)]
        if self.stopped is not None:
            return "paused" if self.stopped.resumable else "failed"
        return "unfinished"

    @property
    def why(self) -> str:
        """Why it did not become records, in a sentence; empty where it did."""
        state = self.run.state
        if self.run.status != "ended" and self.stopped is not None:
            mend = f"; {self.stopped.mend}" if self.stopped.mend else ""
            return f"{self.stopped.reason}{mend}"
        if isinstance(state, Quarantined):
            return f"{state.why}: {state.message}"
        if isinstance(state, Ineligible):
            return "; ".join(f"{reason.kind} ({reason.by})" for reason in state.judgement.reasons)
        if isinstance(state, Duplicate):
            return f"its content is a version of {state.source} already"
        if isinstance(state, ExtractionFailed):
            return f"none of its {state.parts} parts could be extracted"
        return ""


@dataclass(frozen=True)
class Summary:
    """Counts of sources and records by how they ended, and of quotations by whether they are there.

    `not_checkable` are sources of which nothing can be quoted, and parts of sources that could not be extracted.
    """

    sources: Counter[str] = field(default_factory=Counter)
    records: Counter[str] = field(default_factory=Counter)
    checked: int = 0
    passed: int = 0
    not_checkable: int = 0

    @property
    def failed(self) -> int:
        """Quotations that are not where they were said to be."""
        return self.checked - self.passed

    @property
    def nothing_checked(self) -> bool:
        """Whether sources were extracted, or should have been, and not one quotation was checked."""
        return self.checked == 0 and any(count for end, count in self.sources.items() if end != "duplicate")

    def as_data(self) -> dict[str, Any]:
        """As plain data."""
        quotations = {
            "checked": self.checked,
            "passed": self.passed,
            "failed": self.failed,
            "not_checkable": self.not_checkable,
        }
        return {"sources": dict(self.sources), "records": dict(self.records), "quotations": quotations}


def summed(told: Iterable[Told]) -> Summary:
    """The counts of some sources together."""
    sources: Counter[str] = Counter()
    records: Counter[str] = Counter()
    checked = passed = unfit = 0
    for source in told:
        sources[source.status] += 1
        unfit += source.status in ("quarantined", "failed")
        state = source.run.state
        unfit += state.failed if isinstance(state, Ingested) else 0
        for run in source.records:
            records[record_status(run)] += 1
            found = [bool(spans) for spans in _record(run).spans]
            checked += len(found)
            passed += sum(found)
    return Summary(sources, records, checked, passed, unfit)


def record_status(run: Run) -> str:
    """One word for where the run of a record is."""
    if run.stopped is not None:
        return "paused" if run.stopped.resumable else "failed"
    return RECORD_ENDS.get(type(run.state), "unfinished")


def _record(run: Run) -> EvidenceRecord:
    """The record that the run is about as it is now; attempts before it are in the journal."""
    state = run.state.came_from if isinstance(run.state, GivingUp) else run.state
    record: EvidenceRecord = state.record
    return record
