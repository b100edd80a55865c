"""What an ingest of many sources came to: how each ended, what was checked, and what could not be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from backedge.evidence.extract.states import PartExtracted, PartFailed
from backedge.evidence.ingest.states import Duplicate, ExtractionFailed, Ineligible, Ingested, Quarantined
from backedge.evidence.records import EvidenceRecord
from backedge.evidence.verify.states import Accepted, GivingUp, InReview, Kept, Rejected, Withheld
from backedge.kernel.journal import Stopped
from backedge.kernel.run import Run

SOURCE_ENDS = {
    Ingested: "ingested",
    Duplicate: "duplicate",
    Quarantined: "quarantined",
    Ineligible: "ineligible",
    ExtractionFailed: "failed",
}
RECORD_ENDS = {
    Accepted: "accepted",
    Rejected: "rejected",
    Withheld: "quarantined",
    InReview: "in review",
    Kept: "there before",
}


@dataclass(frozen=True)
class Told:
    """One source of an ingest: its run, and the runs of its parts and of its records.

    `sent_back` are quotations that were refused and went back to the model.
    """

    run: Run
    parts: tuple[Run, ...] = ()
    records: tuple[Run, ...] = ()
    sent_back: int = 0

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
            run = state.source.removeprefix("run:")
            other = f"what run {run} is recording" if run != state.source else f"a version of {state.source} already"
            return f"its content is {other}"
        if isinstance(state, Ingested) and not state.parts:
            return "it holds no text to quote"
        if isinstance(state, Ingested) and not state.proposed and not state.failed:
            said = [part.state.nothing for part in self.parts if isinstance(part.state, PartExtracted)]
            return f"no record: {'; '.join(dict.fromkeys(said))}"
        if isinstance(state, ExtractionFailed | Ingested) and self._failed_parts:
            first = self._failed_parts[0].why
            return f"{len(self._failed_parts)} of its {state.parts} parts could not be extracted: {first}"
        return ""

    @property
    def _failed_parts(self) -> tuple[PartFailed, ...]:
        return tuple(part.state for part in self.parts if isinstance(part.state, PartFailed))


@dataclass(frozen=True)
class Summary:
    """Counts of sources and records by how they ended, and of quotations by whether they are there.

    `not_checkable` are sources of which nothing can be quoted, and parts of sources that could not be extracted.
    `sent_back` are quotations of replies that were refused, which no record has. `without_text` are those of the
    sources that hold rows of values and no text.
    """

    sources: Counter[str] = field(default_factory=Counter)
    records: Counter[str] = field(default_factory=Counter)
    checked: int = 0
    passed: int = 0
    not_checkable: int = 0
    sent_back: int = 0
    without_text: int = 0

    def joined(self, other: Summary) -> Summary:
        """The counts of both together."""
        return Summary(
            self.sources + other.sources,
            self.records + other.records,
            self.checked + other.checked,
            self.passed + other.passed,
            self.not_checkable + other.not_checkable,
            self.sent_back + other.sent_back,
            self.without_text + other.without_text,
        )

    @property
    def failed(self) -> int:
        """Quotations that are not where they were said to be."""
        return self.checked - self.passed

    @property
    def nothing_checked(self) -> bool:
        """Whether sources were extracted, or should have been, and not one quotation was checked."""
        return self.checked == 0 and self.sources.total() > self.sources["duplicate"] + self.without_text

    @property
    def unfinished(self) -> int:
        """How many sources and records did not come to an end that says what they are."""
        return sum(counts[end] for counts in (self.sources, self.records) for end in ("paused", "failed", "unfinished"))

    def as_data(self) -> dict[str, Any]:
        """As plain data."""
        quotations = {
            "checked": self.checked,
            "passed": self.passed,
            "failed": self.failed,
            "not_checkable": self.not_checkable,
            "sent_back": self.sent_back,
        }
        return {"sources": dict(self.sources), "records": dict(self.records), "quotations": quotations}


def summed(told: Iterable[Told]) -> Summary:
    """The counts of some sources together."""
    sources: Counter[str] = Counter()
    records: Counter[str] = Counter()
    checked = passed = unfit = sent_back = rows = 0
    for source in told:
        sources[source.status] += 1
        sent_back += source.sent_back
        unfit += source.status in ("quarantined", "failed")
        state = source.run.state
        if isinstance(state, Ingested):
            rows += not state.parts
            unfit += state.failed or not state.parts
        for run in source.records:
            records[record_status(run)] += 1
            found = [bool(spans) for spans in record_of(run).spans]
            checked += len(found)
            passed += sum(found)
    return Summary(sources, records, checked, passed, unfit, sent_back, rows)


def record_status(run: Run) -> str:
    """One word for where the run of a record is."""
    if run.stopped is not None:
        return "paused" if run.stopped.resumable else "failed"
    return RECORD_ENDS.get(type(run.state), "unfinished")


def record_of(run: Run) -> EvidenceRecord:
    """The record that the run is about as it is now; attempts before it are in the journal."""
    state = run.state.came_from if isinstance(run.state, GivingUp) else run.state
    record: EvidenceRecord = state.record
    return record


def counted(counts: Counter[str]) -> str:
    """Counts in words, the most first."""
    return ", ".join(f"{count} {name}" for name, count in counts.most_common()) or "none"
