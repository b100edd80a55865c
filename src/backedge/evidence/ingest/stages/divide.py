"""Extracting: the version is divided into parts that fit the model, and each part gets a run of its own."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.extract.states import Part
from backedge.evidence.ingest.parts import parts_of
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import AwaitingParts, Divided, Extracting, Ingested
from backedge.evidence.judging import must_be_eligible
from backedge.evidence.texts import reading_of
from backedge.evidence.versions import Extraction
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Child, Lesson, Settled, Stage

EXTRACT = "extract"


async def propose(state: Extracting, ports: IngestPorts, lesson: Lesson) -> Divided:
    """The parts, as large as the model takes. Without a model the run pauses here, everything before it done."""
    await must_be_eligible(ports.library, state.version.content)
    if ports.extractor is None:
        raise Permanent("extracting needs a model, and there is none here", mend=ports.mends["extractor"])
    reading = await reading_of(await ports.library.text(state.version.content), ports.contents)
    return Divided(parts_of(reading, ports.extractor.room))


def settle(state: Extracting, divided: Divided) -> Settled[AwaitingParts | Ingested]:
    """A run for each part starts with this move."""
    version, of = state.version, len(divided.parts)
    if not divided.parts:
        done = kinds.EXTRACTED.record(Extraction(version.content, 0, 0, 0))
        return Settled(Ingested(version.source, version.content, 0, 0, 0), records=(done,))
    children = tuple(
        Child(EXTRACT, Part(version, number, of, stretches), _labels(version.source, number, of))
        for number, stretches in enumerate(divided.parts)
    )
    return Settled(AwaitingParts(version, of), children=children)


def _labels(source: str, number: int, of: int) -> dict[str, str]:
    return {"source": source, "asked": f"extract part {number + 1} of {of} of {source}"}


EXTRACTING = Stage(state=Extracting, proposal=Divided, propose=propose, settle=settle)
