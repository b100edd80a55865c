"""The records of the evidence workflow: what was observed or asserted, the spans it rests on, and how it was judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backedge.evidence.reading import Role

RecordKind = Literal["finding", "claim"]
Direction = Literal["increase", "decrease", "no_difference", "association", "mixed", "not_stated"]
Label = Literal["entailed", "partly", "contradicted", "not_enough", "ambiguous"]
CheckName = Literal["negation", "scope", "species", "treatment", "endpoint"]
Outcome = Literal["passed", "failed", "unclear"]
Status = Literal["proposed", "accepted", "rejected", "in_review", "quarantined", "replaced"]

CHECKS: tuple[CheckName, ...] = ("negation", "scope", "species", "treatment", "endpoint")


@dataclass(frozen=True)
class Quotation:
    """Words that a model says stand in a section, by its key; `prefix` and `suffix` tell which of several places."""

    section: str
    text: str
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True)
class Span:
    """A stretch of a version's text, half-open, in code points: where words stand, and what they are.

    `version` is the hash of the content, `text` that of the text read from it. As in the W3C Web Annotation model a
    place is kept as position and as quote: `exact` is `text[start:end]`, `prefix` and `suffix` are what stands around.
    """

    version: str
    text: str
    section: str
    role: Role
    start: int
    end: int
    exact: str
    prefix: str
    suffix: str


@dataclass(frozen=True)
class Proposal:
    """One record as a model proposes it; it says nothing of its own status.

    A finding is what this source observed, a claim what it asserts. `n` is the number of subjects as it is written.
    `direction` is a `Direction`; that it is one is for validation to find, so that any proposal can be kept.
    """

    kind: RecordKind
    statement: str
    species: str
    population: str
    treatment: str
    comparator: str
    endpoint: str
    direction: str
    effect: str
    units: str
    n: str
    quotations: tuple[Quotation, ...]
    status: str = ""


@dataclass(frozen=True)
class EvidenceRecord:
    """A proposed record of a version: what was proposed, and the spans of its quotations where they were found.

    `key` begins with that of the version (`VERSION12.HASH12`), and is the same for the same proposal. `attempt` counts
    extractions of it from 1; `replaces` is the key of the one before. `spans[i]` are those of quotation i (several
    where it is elided); none where it was not found.
    """

    key: str
    version: str
    source: str
    proposal: Proposal
    spans: tuple[tuple[Span, ...], ...]
    part: int = 0
    attempt: int = 1
    replaces: str = ""


@dataclass(frozen=True)
class Check:
    """One of the five checks with its reason."""

    name: CheckName
    outcome: Outcome
    reason: str


@dataclass(frozen=True)
class Verification:
    """How a record stands to its passages: what the model said, and what it comes to beside the rules' flags.

    `label` is the model's, lowered where a check failed or a flag speaks against it; `said` is the model's own.
    """

    label: Label
    checks: tuple[Check, ...]
    reason: str
    said: Label
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True)
class Flag:
    """What a rule without a model found between a record and its passages. It can only lower a label to `at_most`."""

    kind: str
    check: CheckName
    message: str
    at_most: Label


@dataclass(frozen=True)
class Standing:
    """Where a record stands, and why; `number` counts its standings from 1, and the last one counts.

    `by` is a run (`run:ID`) or a reviewer; `reason` is a defect's or a person's.
    """

    record: str
    number: int
    status: Status
    by: str
    reason: str = ""
    defects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measurement:
    """A value as it is written, with its unit as it is written. `valid` only where the unit stands in the unit table.

    `number` is the value as a plain decimal text, or empty; nothing is converted. `place` is a row of the source's
    (`row 3, column 2`) or, with `start` and `end`, a stretch of its text.
    `table` is the version of the unit table that it was held against.
    """

    version: str
    name: str
    value: str
    number: str
    unit: str
    valid: bool
    reason: str
    uncertainty: str = ""
    uncertainty_kind: str = ""
    n: str = ""
    group: str = ""
    time_point: str = ""
    place: str = ""
    start: int = 0
    end: int = 0
    table: str = ""


@dataclass(frozen=True)
class Reason:
    """Why a version is ineligible, or what is to be known of it; `by` says what speaks or who set it."""

    kind: str
    by: str
    detail: str = ""


@dataclass(frozen=True)
class Judgement:
    """Whether a version may be used, and why not; `warnings` speak without forbidding. `number` counts from 1.

    `policy` is the hash of the policy that was applied.
    """

    version: str
    number: int
    eligible: bool
    reasons: tuple[Reason, ...]
    warnings: tuple[Reason, ...]
    policy: str
