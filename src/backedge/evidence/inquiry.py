"""What a question is, how it is searched for, and what its evidence comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backedge.evidence.chunks import Chunk, Snapshot
from backedge.evidence.facets import FacetName
from backedge.evidence.records import Span

Relationship = Literal["supports", "contradicts", "context", "irrelevant"]
Applicability = Literal["direct", "indirect", "not_applicable", "unknown"]
SufficiencyStatus = Literal["sufficient", "partial", "insufficient", "conflicting"]
Arm = Literal["lexical", "semantic", "fused"]

VIEW = "library"  # the target that is the chunk view, beside the names of source adapters


@dataclass(frozen=True)
class Wants:
    """What a record must be about to be direct evidence; empty where the facets leave it open."""

    species: str = ""
    population: str = ""
    treatment: str = ""
    comparator: str = ""
    endpoint: str = ""


@dataclass(frozen=True)
class InvestigationQuestion:
    """A question of an investigation: the facets that it investigates, the fields of an answer, and its decision.

    `decision` is the one decision that the answer serves, from the objective.
    """

    key: str
    text: str
    facets: tuple[FacetName, ...]
    answer_fields: tuple[str, ...]
    decision: str
    wants: Wants = Wants()


@dataclass(frozen=True)
class SearchQuery:
    """One query of a plan, and the arm it is for."""

    text: str
    arm: Literal["lexical", "semantic"]


@dataclass(frozen=True)
class SearchPlan:
    """How a question is searched for: queries, targets, expansions for later rounds, and when to stop."""

    queries: tuple[SearchQuery, ...]
    targets: tuple[str, ...]
    expansions: tuple[SearchQuery, ...]
    stopping: str


@dataclass(frozen=True)
class ExternalSnapshot:
    """What a registry was asked and gave: its query, the moment (ISO), the total it said, and the hash of the ids."""

    query: str
    at: str
    total: int | None
    ids: str


@dataclass(frozen=True)
class Ranked:
    """A hit of an execution: a chunk of the view, or something that a registry named; `rank` from 1.

    `source` is the stored source that the latter is already.
    """

    rank: int
    score: float
    chunk: Chunk | None = None
    external: str = ""
    title: str = ""
    source: str = ""


@dataclass(frozen=True)
class Execution:
    """One query run on one target (or the fused one of a round): its snapshot and what it found, in order."""

    round: int
    target: str
    arm: Arm
    query: str
    snapshot: Snapshot | ExternalSnapshot | None
    hits: tuple[Ranked, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Excluded:
    """A version that was found and may not be used, and why."""

    version: str
    source: str
    rank: int
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class CoverageGap:
    """Something that could not be covered: nothing eligible for a question, or a facet without a question.

    `round` is that which opened it; `closed_by` the round that closed it (0: still open). `refused` says why no further
    round is run for it.
    """

    key: str
    about: str
    why: str
    round: int = 0
    closed_by: int = 0
    refused: str = ""


@dataclass(frozen=True)
class Resolved:
    """An eligible hit in its context, with the keys of the verified records of its version."""

    chunk: Chunk
    rank: int
    before: str
    text: str
    after: str
    records: tuple[str, ...]


@dataclass(frozen=True)
class Assessment:
    """How a verified record stands to a question. What the rules and the model say are both kept; the stricter counts.

    `applicability` is the one that counts.
    """

    record: str
    source: str
    relationship: Relationship
    applicability: Applicability
    said: Applicability
    ruled: Applicability
    reason: str
    rule_reason: str = ""


@dataclass(frozen=True)
class Sufficiency:
    """Whether the evidence of a question suffices for its decision: assumptions, critical gaps, and what it covers.

    `beyond` counts verified records of the hit sources that were not assessed because there were too many, and
    `hits_beyond` hits that were not resolved.
    """

    status: SufficiencyStatus
    assumptions: tuple[str, ...]
    critical_gaps: tuple[str, ...]
    coverage: str
    only_affirmative: str = ""
    reviewed_by: str = ""
    review_reason: str = ""
    beyond: int = 0
    hits_beyond: int = 0


@dataclass(frozen=True)
class PackagedRecord:
    """A record in a package: what it states, its spans, and how it stands to the question."""

    record: str
    source: str
    version: str
    kind: str
    statement: str
    spans: tuple[Span, ...]
    relationship: Relationship
    applicability: Applicability
    critical: bool


@dataclass(frozen=True)
class Package:
    """The evidence of one question. `key` is the hash of its content; an invalid one says why.

    `trimmed` are the keys of records that were left out to keep to the token budget, none of them critical.
    """

    key: str
    question: InvestigationQuestion
    records: tuple[PackagedRecord, ...]
    sufficiency: Sufficiency
    gaps: tuple[CoverageGap, ...]
    trimmed: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sorted:
    """The fused hits in their order, those that may be used apart from those that may not, with the reasons.

    `wanted` are hits of registries that are not stored yet, as `ADAPTER:IDENTIFIER`; `wanted_beyond` counts those that
    are more than one round ingests.
    """

    eligible: tuple[Ranked, ...]
    excluded: tuple[Excluded, ...]
    wanted: tuple[str, ...] = ()
    wanted_beyond: int = 0


@dataclass(frozen=True)
class DerivedQuestions:
    """Questions, and mandatory facets that are named as uninvestigated with the reason."""

    questions: tuple[InvestigationQuestion, ...]
    uninvestigated: tuple[tuple[FacetName, str], ...]
