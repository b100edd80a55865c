"""Extracting: the version is divided into parts that fit the model, and each part gets a run of its own."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.extract.states import Part
from backedge.evidence.ingest.parts import parts_of
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import AwaitingParts, Divided, Extracting, Ineligible, Ingested
from backedge.evidence.judging import forbids
from backedge.evidence.texts import reading_of
from backedge.evidence.versions import Extraction
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Child, Lesson, Settled, Stage

EXTRACT = "extract"


async def propose(state: Extracting, ports: IngestPorts, lesson: Lesson) -> Divided:
    """The parts, as large as the model takes. Without a model the run pauses here, everything before it done."""
    content = state.version.content
    if (judgement := await forbids(ports.library, content)) is not None:
        return Divided((), judgement)
    if ports.extractor is None:
        raise Permanent("extracting needs a model, and there is none here", mend=ports.mends["extractor"])
    reading = await reading_of(await ports.library.text(content), ports.contents)
    number = len(await ports.library.all(kinds.EXTRACTED, content)) + 1
    return Divided(parts_of(reading, ports.extractor.room), number=number)


def settle(state: Extracting, divided: Divided) -> Settled[AwaitingParts | Ingested | Ineligible]:
    """A run for each part starts with this move. What may not be used any more ends here."""
    version, of = state.version, len(divided.parts)
    if divided.forbidden is not None:
        return Settled(Ineligible(version.source, version.content, divided.forbidden))
    if not divided.parts:
        done = kinds.EXTRACTED.record(Extraction(version.content, 0, 0, 0, divided.number))
        return Settled(Ingested(version.source, version.content, 0, 0, 0), records=(done,))
    children = tuple(
        Child(EXTRACT, Part(version, number, of, stretches), _labels(version.source, number, of))
        for number, stretches in enumerate(divided.parts)
    )
    return Settled(AwaitingParts(version, of, number=divided.number), children=children)


def _labels(source: str, number: int, of: int) -> dict[str, str]:
    return {"source": source, "asked": f"extract part {number + 1} of {of} of {source}"}


EXTRACTING = Stage(state=Extracting, proposal=Divided, propose=propose, settle=settle)
