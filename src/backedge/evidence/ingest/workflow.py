"""The ingest workflow: one source, from what somebody typed to proposed records, each verified by a run of its own."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.evidence.ingest.stages.await_parts import AWAITING_PARTS
from backedge.evidence.ingest.stages.chunk import CHUNKING
from backedge.evidence.ingest.stages.divide import EXTRACTING
from backedge.evidence.ingest.stages.fetch import FETCHING
from backedge.evidence.ingest.stages.judge import JUDGING
from backedge.evidence.ingest.stages.measure import MEASURING
from backedge.evidence.ingest.stages.parse import PARSING
from backedge.evidence.ingest.stages.record import RECORDING
from backedge.evidence.ingest.states import (
    Again,
    AwaitingParts,
    Chunking,
    Duplicate,
    Extracting,
    ExtractionFailed,
    Fetching,
    Ineligible,
    Ingested,
    Judging,
    Measuring,
    Parsing,
    Quarantined,
    Recording,
)
from backedge.evidence.sources import Wanted
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow


def begin(subject: Wanted | Again, context: Context) -> Fetching | Extracting:
    """An ingest starts with its source; one that does a failed extraction over, with the version that is there."""
    if isinstance(subject, Again):
        return Extracting(subject.wanted, subject.version)
    return Fetching(subject)


def outcome(end: Ingested | Duplicate | Quarantined | Ineligible | ExtractionFailed) -> dict[str, JsonValue]:
    """What a parent is told: how it ended, and which source and version it is about."""
    version = end.content if isinstance(end, Duplicate) else end.version
    return {"status": type(end).__name__.lower(), "source": end.source, "version": version}


INGEST = Workflow(
    name="ingest",
    start=Fetching,
    edges={
        Fetching: (Recording,),
        Recording: (Parsing, Extracting, Duplicate),
        Parsing: (Chunking, Judging),
        Chunking: (Measuring,),
        Measuring: (Judging,),
        Judging: (Extracting, Quarantined, Ineligible, Ingested),
        Extracting: (AwaitingParts, Ingested, Ineligible),
        AwaitingParts: (AwaitingParts, Ingested, Ineligible, ExtractionFailed),
    },
    stages=(FETCHING, RECORDING, PARSING, CHUNKING, MEASURING, JUDGING, EXTRACTING, AWAITING_PARTS),
    begin=begin,
    outcome=outcome,
)
