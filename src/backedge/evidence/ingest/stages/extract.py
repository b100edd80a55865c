"""Extracting: the evidence agent proposes findings and claims; each quotation must be found in the section it names."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.extracting import Elsewhere, Place, place, together
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import Extracted, Extracting, ExtractionFailed, GivenUp, Ingested, Salvaging
from backedge.evidence.texts import reading_of, shown
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Child, Lesson, Reply, Settled, Stage, Unreadable

CONFIGURE = "name a model for `evidence` under `models` in evidence.yml"
VERIFY = "verify"


async def propose(state: Extracting, ports: IngestPorts, lesson: Lesson) -> Reply[Extracted] | Unreadable:
    """What a model takes from the part that is next, with where its quotations stand."""
    if ports.extractor is None:
        mend = (ports.lacking or {}).get("extractor", CONFIGURE)
        raise Permanent("extracting needs a model, and there is none here", mend=mend)
    text = await ports.library.text(state.version.content)
    reading = await reading_of(text, ports.contents)
    sections = tuple(shown(reading, s.section, s.start, s.end) for s in state.parts[state.at])
    metadata = await ports.library.metadata(state.version)
    reply = await ports.extractor.extract(metadata, sections, lesson)
    if isinstance(reply, Unreadable):
        return reply
    others = Elsewhere(ports.library, ports.contents, ports.view)
    placed = await place(reply.proposal.records, Place(state.version, text, reading, state.at), others)
    return Reply(Extracted(placed.records, placed.misses, reply.proposal.nothing), reply.usage, reply.details)


def quotations_stand(_state: Extracting, extracted: Extracted) -> Defect | None:
    """Every quotation must be found in the section whose key it names."""
    return together(extracted.misses)


def says_why_nothing(_state: Extracting, extracted: Extracted) -> Defect | None:
    """A reply without records must say why there is nothing to record."""
    if extracted.records or extracted.nothing.strip():
        return None
    hint = "record what the sections say, or say in `nothing` why there is nothing to record"
    return Defect("nothing_said", "the reply holds no record and no reason", "records", hint)


def settle(state: Extracting, extracted: Extracted) -> Settled[Extracting | Ingested | ExtractionFailed]:
    """Each record is verified by a run of its own, which starts with this move; the next part follows."""
    children = tuple(Child(VERIFY, record, labels_of(record.key, state)) for record in extracted.records)
    records = tuple(kinds.RECORD.record(record) for record in extracted.records)
    return Settled(after(state, len(children), failed=False), records=records, children=children)


def labels_of(record: str, state: Extracting) -> dict[str, str]:
    """What a list of runs shows of a record's run."""
    return {"record": record, "source": state.version.source, "asked": f"verify {record}"}


def after(state: Extracting, proposed: int, *, failed: bool) -> Extracting | Ingested | ExtractionFailed:
    """The next part, or the end."""
    done = Extracting(
        state.wanted,
        state.version,
        state.parts,
        state.at + 1,
        state.proposed + proposed,
        state.failed + failed,
    )
    if done.at < len(done.parts):
        return done
    source, version = state.version.source, state.version.content
    if done.failed == len(done.parts):
        return ExtractionFailed(source, version, len(done.parts))
    return Ingested(source, version, done.proposed, len(done.parts), done.failed)


def inputs(state: Extracting) -> object:
    """What a reply depends on: the content, and the part of it that is shown."""
    return (state.version.content, *state.parts[state.at])


EXTRACTING = Stage(
    state=Extracting,
    proposal=Extracted,
    propose=propose,
    settle=settle,
    gates=(quotations_stand, says_why_nothing),
    otherwise=Salvaging,
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.extractor.settings if ports.extractor else None,
    model="evidence",
    varies=True,
)


async def salvage(state: Salvaging, ports: IngestPorts, lesson: Lesson) -> Extracted:
    """The records of the last reply that was refused, if it was one: each is validated by itself."""
    last = state.refusal.proposal
    return last if isinstance(last, Extracted) else Extracted(())


def settle_salvaged(state: Salvaging, kept: Extracted) -> Settled[Extracting | Ingested | ExtractionFailed]:
    """The part is recorded as failed; the records that it left go on to validation, which no model takes part in."""
    extracting, refusal = state.came_from, state.refusal
    given_up = GivenUp("Extracting", extracting.version.content, extracting.at, refusal.defects, refusal.attempts)
    children = tuple(Child(VERIFY, record, labels_of(record.key, extracting)) for record in kept.records)
    records = (kinds.GIVEN_UP.record(given_up), *(kinds.RECORD.record(record) for record in kept.records))
    return Settled(after(extracting, len(children), failed=True), records=records, children=children)


SALVAGING = Stage(state=Salvaging, proposal=Extracted, propose=salvage, settle=settle_salvaged, outside=False)
