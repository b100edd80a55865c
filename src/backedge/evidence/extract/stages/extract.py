"""Extracting: the evidence agent proposes findings and claims; each quotation must be found in the section it names."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.extract.ports import ExtractPorts
from backedge.evidence.extract.states import (
    Extracted,
    ExtractingPart,
    PartExtracted,
    PartFailed,
    PartIneligible,
    Salvaging,
)
from backedge.evidence.extracting import Elsewhere, Place, place, together
from backedge.evidence.judging import forbids, refused
from backedge.evidence.records import EvidenceRecord
from backedge.evidence.texts import reading_of, shown
from backedge.evidence.versions import GivenUp
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Child, Lesson, Record, Reply, Settled, Stage, Unreadable

VERIFY = "verify"


async def propose(state: ExtractingPart, ports: ExtractPorts, lesson: Lesson) -> Reply[Extracted] | Unreadable:
    """What a model takes from the part, with where its quotations stand."""
    version = state.part.version
    if (judgement := await forbids(ports.library, version.content)) is not None:
        return Reply(Extracted((), nothing="it may not be used", forbidden=judgement))
    if ports.extractor is None:
        raise Permanent("extracting needs a model, and there is none here", mend=ports.mend)
    text = await ports.library.text(version.content)
    reading = await reading_of(text, ports.contents)
    sections = tuple(shown(reading, s.section, s.start, s.end) for s in state.part.stretches)
    metadata = await ports.library.metadata(version)
    reply = await ports.extractor.extract(metadata, sections, lesson)
    if isinstance(reply, Unreadable):
        return reply
    others = Elsewhere(ports.library, ports.contents, ports.view)
    placed = await place(reply.proposal.records, Place(version, text, reading, state.part.number), others)
    return Reply(Extracted(placed.records, placed.misses, reply.proposal.nothing), reply.usage, reply.details)


def part_may_be_used(_state: ExtractingPart, extracted: Extracted) -> Defect | None:
    """The version must be one that may be used now, whatever was so when its ingest began."""
    return refused(extracted.forbidden)


def quotations_stand(_state: ExtractingPart, extracted: Extracted) -> Defect | None:
    """Every quotation must be found in the section whose key it names."""
    return together(extracted.misses)


def says_why_nothing(_state: ExtractingPart, extracted: Extracted) -> Defect | None:
    """A reply without records must say why there is nothing to record."""
    if extracted.records or extracted.nothing.strip():
        return None
    hint = "record what the sections say, or say in `nothing` why there is nothing to record"
    return Defect("nothing_said", "the reply holds no record and no reason", "records", hint)


def settle(state: ExtractingPart, extracted: Extracted) -> Settled[PartExtracted]:
    """Each record is verified by a run of its own, which starts with this move."""
    records = tuple(kinds.RECORD.record(record) for record in extracted.records)
    end = PartExtracted(len(records), extracted.nothing)
    return Settled(end, records=records, children=_verifications(extracted.records))


def _verifications(records: tuple[EvidenceRecord, ...]) -> tuple[Child, ...]:
    return tuple(
        Child(VERIFY, record, {"record": record.key, "source": record.source, "asked": f"verify {record.key}"})
        for record in records
    )


def inputs(state: ExtractingPart) -> object:
    """What a reply depends on: the content, and the part of it that is shown."""
    return (state.part.version.content, *state.part.stretches)


EXTRACTING_PART = Stage(
    state=ExtractingPart,
    proposal=Extracted,
    propose=propose,
    settle=settle,
    gates=(part_may_be_used, quotations_stand, says_why_nothing),
    otherwise=Salvaging,
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.extractor.settings if ports.extractor else None,
    model="evidence",
    varies=True,
)


async def salvage(state: Salvaging, ports: ExtractPorts, lesson: Lesson) -> Extracted:
    """The records of the last reply that was refused, if it was one: each is validated by itself."""
    last = state.refusal.proposal
    return last if isinstance(last, Extracted) else Extracted(())


def settle_salvaged(state: Salvaging, kept: Extracted) -> Settled[PartFailed | PartIneligible]:
    """The part is recorded as failed; the records that it left go on to validation, which no model takes part in.

    A part whose version may not be used has not failed.
    """
    if kept.forbidden is not None:
        return Settled(PartIneligible(kept.forbidden))
    part, refusal = state.came_from.part, state.refusal
    failed = GivenUp("Extracting", part.version.content, part.number, refusal.defects, refusal.attempts)
    records: tuple[Record, ...] = tuple(kinds.RECORD.record(record) for record in kept.records)
    why = "; ".join(defect.message for defect in refusal.defects)
    return Settled(
        PartFailed(len(records), why),
        records=(kinds.GIVEN_UP.record(failed), *records),
        children=_verifications(kept.records),
    )


SALVAGING = Stage(state=Salvaging, proposal=Extracted, propose=salvage, settle=settle_salvaged, outside=False)
