"""Retrying: a record with a defect that its source can mend is extracted again, and validated and verified anew."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import kinds
from backedge.evidence.extracting import Elsewhere, Place, place, together
from backedge.evidence.judging import forbids, refused
from backedge.evidence.records import EvidenceRecord, Standing
from backedge.evidence.texts import reading_of, shown
from backedge.evidence.verify.attempts import withheld
from backedge.evidence.verify.ports import VerifyPorts
from backedge.evidence.verify.states import GivingUp, Reextracting, Reextraction, Validating, Withheld
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Record, Reply, Settled, Stage, Unreadable


async def propose(state: Reextracting, ports: VerifyPorts, lesson: Lesson) -> Reply[Reextraction] | Unreadable:
    """The record anew, from the sections that it was taken from, with where its quotations stand."""
    record = state.record
    if (judgement := await forbids(ports.library, record.version)) is not None:
        return Reply(Reextraction(None, forbidden=judgement))
    if ports.extractor is None:
        raise Permanent("extracting again needs a model, and there is none here", mend=ports.mend)
    text = await ports.library.text(record.version)
    reading = await reading_of(text, ports.contents)
    keys = dict.fromkeys(quotation.section for quotation in record.proposal.quotations)
    found = [section for key in keys if (section := reading.section(key)) is not None]
    sections = tuple(shown(reading, s.key, s.start, s.end) for s in found)
    version = await ports.library.version(record.version)
    metadata = await ports.library.metadata(version)
    reply = await ports.extractor.extract_again(
        metadata, sections, record, replace(lesson, defects=(*state.defects, *lesson.defects))
    )
    if isinstance(reply, Unreadable):
        return reply
    others = Elsewhere(ports.library, ports.contents, ports.view)
    made = reply.proposal.records[:1]
    placed = await place(made, Place(version, text, reading, record.part), others, again=record)
    first = placed.records[0] if placed.records else None
    return Reply(Reextraction(first, placed.misses, reply.proposal.nothing), reply.usage, reply.details)


def record_may_be_used(_state: Reextracting, made: Reextraction) -> Defect | None:
    """Only a record whose version may be used now is extracted again."""
    return refused(made.forbidden)


def quotations_stand_again(_state: Reextracting, made: Reextraction) -> Defect | None:
    """Every quotation must be found in the section whose key it names."""
    return together(made.misses)


def settle(state: Reextracting, made: Reextraction) -> Settled[Validating | Withheld]:
    """The new attempt is validated; where the model says that there is none, the record is quarantined."""
    if made.record is None:
        said = made.nothing.strip() or "the model gave no record"
        defect = Defect("not_mended", f"extracted again, and not mended: {said}", "record")
        end, written = withheld(state.record, state.standing + 1, (*state.defects, defect))
        return Settled(end, records=(written,))
    replaced = _replaced(state, made.record)
    return Settled(
        Validating(made.record),
        because=state.defects,
        records=(kinds.RECORD.record(made.record), replaced),
    )


def _replaced(state: Reextracting, made: EvidenceRecord) -> Record:
    said = Standing(state.record.key, state.standing + 1, "replaced", "rules", f"extracted again as {made.key}")
    return kinds.STANDING.record(said)


def inputs(state: Reextracting) -> object:
    """What a reply depends on: the record, and what was wrong with it."""
    return (state.record, *state.defects)


REEXTRACTING = Stage(
    state=Reextracting,
    proposal=Reextraction,
    propose=propose,
    settle=settle,
    gates=(record_may_be_used, quotations_stand_again),
    otherwise=GivingUp,
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.extractor.settings if ports.extractor else None,
    model="evidence",
    varies=True,
)
