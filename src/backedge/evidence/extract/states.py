"""The states of an extraction: one part of a version, from which findings and claims are taken."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.records import EvidenceRecord, Judgement
from backedge.evidence.versions import Stretch, Version
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Refusal


@dataclass(frozen=True)
class Part:
    """Some stretches of a version that a model is shown together; `number` is the part's place, of `of`."""

    version: Version
    number: int
    of: int
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True)
class Extracted:
    """Records of the part, with where their quotations stand; `misses` are quotations that do not stand there.

    `forbidden` is the judgement for which no model was asked.
    """

    records: tuple[EvidenceRecord, ...]
    misses: tuple[Defect, ...] = ()
    nothing: str = ""
    forbidden: Judgement | None = None


@dataclass(frozen=True)
class ExtractingPart:
    """A part is to be shown to the evidence agent."""

    part: Part


@dataclass(frozen=True)
class Salvaging:
    """The part was given up; what its last reply held is still to be validated, record by record.

    Where its version may not be used any more, there is none.
    """

    came_from: ExtractingPart
    refusal: Refusal


@dataclass(frozen=True)
class PartExtracted:
    """The end: so many records are proposed, and verified by runs of their own."""

    proposed: int
    nothing: str = ""


@dataclass(frozen=True)
class PartFailed:
    """The end: the part could not be extracted; records of its last reply are validated all the same."""

    proposed: int
    why: str


@dataclass(frozen=True)
class PartIneligible:
    """The end: the version may not be used any more, so the part was shown to no model."""

    judgement: Judgement
