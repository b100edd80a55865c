"""The extract workflow: one part of a version, until its records are proposed."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.evidence.extract.stages.extract import EXTRACTING_PART, SALVAGING
from backedge.evidence.extract.states import ExtractingPart, Part, PartExtracted, PartFailed, Salvaging
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow


def begin(part: Part, context: Context) -> ExtractingPart:
    """Every extraction starts with its part."""
    return ExtractingPart(part)


def outcome(end: PartExtracted | PartFailed) -> dict[str, JsonValue]:
    """What the ingest is told: how many records are proposed, and whether the part failed."""
    return {"proposed": end.proposed, "failed": isinstance(end, PartFailed)}


EXTRACT = Workflow(
    name="extract",
    start=ExtractingPart,
    edges={ExtractingPart: (PartExtracted, Salvaging), Salvaging: (PartFailed,)},
    stages=(EXTRACTING_PART, SALVAGING),
    begin=begin,
    outcome=outcome,
)
