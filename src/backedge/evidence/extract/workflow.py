"""The extract workflow: one part of a version, until its records are proposed."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.evidence.extract.stages.extract import EXTRACTING_PART, SALVAGING
from backedge.evidence.extract.states import (
    ExtractingPart,
    Part,
    PartExtracted,
    PartFailed,
    PartIneligible,
    Salvaging,
)
from backedge.evidence.records import Judgement
from backedge.kernel.codec import adapter
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow


def begin(part: Part, context: Context) -> ExtractingPart:
    """Every extraction starts with its part."""
    return ExtractingPart(part)


def outcome(end: PartExtracted | PartFailed | PartIneligible) -> dict[str, JsonValue]:
    """What the ingest is told: how many records are proposed, whether the part failed, and what forbids it."""
    if isinstance(end, PartIneligible):
        forbids: JsonValue = adapter(Judgement).dump_python(end.judgement, mode="json")
        return {"proposed": 0, "failed": False, "ineligible": forbids}
    return {"proposed": end.proposed, "failed": isinstance(end, PartFailed)}


EXTRACT = Workflow(
    name="extract",
    start=ExtractingPart,
    edges={ExtractingPart: (PartExtracted, Salvaging), Salvaging: (PartFailed, PartIneligible)},
    stages=(EXTRACTING_PART, SALVAGING),
    begin=begin,
    outcome=outcome,
)
