"""The states of the verification of one proposed record."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.decisions import Decision
from backedge.evidence.records import EvidenceRecord, Judgement, Standing, Verification
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Refusal


@dataclass(frozen=True)
class Reopened:
    """A record that is to be decided again: by whom, why, and with the number of the standing that was seen.

    `number` counts the decisions on it before.
    """

    record: EvidenceRecord
    by: str
    reason: str
    seen: int
    verification: Verification | None = None
    number: int = 0


@dataclass(frozen=True)
class Anew:
    """A record that was withheld while its version was forbidden, by the standing of that number; now it is not."""

    record: EvidenceRecord
    standing: int


# ---------------------------------------------------------------- proposals


@dataclass(frozen=True)
class Validation:
    """What is wrong with a record without asking a model; nothing where it is sound.

    `before` is how the record stands already, where a run before this one has decided on it.
    """

    defects: tuple[Defect, ...]
    before: Standing | None = None


@dataclass(frozen=True)
class Forbidden:
    """The version of the record may not be used any more, so no model was asked."""

    judgement: Judgement


@dataclass(frozen=True)
class Reextraction:
    """The record anew, or None where it cannot be mended (`nothing` says why); `misses` are quotations not found.

    `forbidden` is the judgement for which no model was asked.
    """

    record: EvidenceRecord | None
    misses: tuple[Defect, ...] = ()
    nothing: str = ""
    forbidden: Judgement | None = None


@dataclass(frozen=True)
class Spent:
    """A stage that was given up, by name, after so many attempts."""

    stage: str
    attempts: int


# ------------------------------------------------------------------- states


@dataclass(frozen=True)
class Validating:
    """A record is proposed; nothing of it is checked. `standing` is the number of its last standing.

    `mended` is the decision by which a reviewer made it of another.
    """

    record: EvidenceRecord
    standing: int = 0
    mended: Decision | None = None


@dataclass(frozen=True)
class Verifying:
    """Every span resolves; the record is to be held against its passages, also where a reviewer `mended` it."""

    record: EvidenceRecord
    standing: int
    mended: Decision | None = None


@dataclass(frozen=True)
class Reextracting:
    """The record has a defect that the source can mend; it is to be extracted again."""

    record: EvidenceRecord
    standing: int
    defects: tuple[Defect, ...]


@dataclass(frozen=True)
class GivingUp:
    """A stage was given up: the record goes to a person, or is quarantined where it could not be extracted again."""

    came_from: Verifying | Reextracting
    refusal: Refusal


@dataclass(frozen=True)
class InReview:
    """A person has to decide. `decisions` are those so far (skipped ones too); `number` counts all of the record's."""

    record: EvidenceRecord
    standing: int
    verification: Verification | None
    why: str
    decisions: tuple[Decision, ...] = ()
    number: int = 0


@dataclass(frozen=True)
class Accepted:
    """The end: a verified record."""

    record: EvidenceRecord
    standing: int


@dataclass(frozen=True)
class Rejected:
    """The end: the record is not what its source says."""

    record: EvidenceRecord
    standing: int
    why: str


@dataclass(frozen=True)
class Withheld:
    """The end: the record is quarantined with its defects."""

    record: EvidenceRecord
    standing: int
    defects: tuple[Defect, ...]


@dataclass(frozen=True)
class Kept:
    """The end: the record was there before this run, and stands as it did."""

    record: EvidenceRecord
    standing: int
