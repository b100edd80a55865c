"""The states of an inquiry: one question, from its search plan to what its evidence comes to."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.inquiry import (
    Assessment,
    CoverageGap,
    Execution,
    InvestigationQuestion,
    Resolved,
    SearchPlan,
    Sorted,
    Sufficiency,
)
from backedge.kernel.stage import Refusal


@dataclass(frozen=True)
class Inquiry:
    """A question of an investigation: `key` is that of the investigation and the question, `by` who asks."""

    key: str
    question: InvestigationQuestion
    by: str


# ---------------------------------------------------------------- proposals


@dataclass(frozen=True)
class Planned:
    """A search plan as a model makes it; `known` are the targets that can be searched here."""

    plan: SearchPlan
    known: tuple[str, ...]


@dataclass(frozen=True)
class Executed:
    """The executions of a round: one for each query and target, and the fused one last."""

    executions: tuple[Execution, ...]


@dataclass(frozen=True)
class InContext:
    """The eligible hits in their context, and the keys of the verified records of their sources, best first.

    `beyond` counts verified records that are not assessed because there are too many, and `hits_beyond` hits that are
    not resolved. `studies` are (source, study) of the records: sources of one study are not independent.
    """

    resolved: tuple[Resolved, ...]
    records: tuple[str, ...]
    beyond: int = 0
    hits_beyond: int = 0
    studies: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Assessed:
    """An assessment of each record."""

    assessments: tuple[Assessment, ...]


@dataclass(frozen=True)
class SufficiencyDecision:
    """What a reviewer says of a judgement that rests on one record: it stands, or does not, and why.

    `stale` says what of that record has changed since it was assessed.
    """

    stands: bool
    by: str
    reason: str
    reviewers: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


# ------------------------------------------------------------------- states


@dataclass(frozen=True)
class Planning:
    """A question is to be planned for."""

    inquiry: Inquiry


@dataclass(frozen=True)
class Executing:
    """A round of searches is to be run; `gap` is what a supplemental round is for. `ingested`: the library again.

    `before` is what was executed before.
    """

    inquiry: Inquiry
    plan: SearchPlan
    round: int = 0
    gap: CoverageGap | None = None
    before: tuple[Executed, ...] = ()
    ingested: bool = False


@dataclass(frozen=True)
class Sorting:
    """What was found last is to be held to its eligibility, after ranking."""

    inquiry: Inquiry
    plan: SearchPlan
    round: int
    gap: CoverageGap | None
    executed: tuple[Executed, ...]
    ingested: bool


@dataclass(frozen=True)
class AwaitingIngests:
    """Sources that registries named are being ingested; `done` of `of` are through."""

    inquiry: Inquiry
    plan: SearchPlan
    round: int
    gap: CoverageGap | None
    executed: tuple[Executed, ...]
    of: int
    done: int = 0


@dataclass(frozen=True)
class Supplementing:
    """Nothing that was found may be used: another round is to be run, if the gap's budget allows it."""

    inquiry: Inquiry
    plan: SearchPlan
    round: int
    gap: CoverageGap
    executed: tuple[Executed, ...]


@dataclass(frozen=True)
class Resolving:
    """What may be used is to be put in its context, with the verified records of its sources; `found` may be none."""

    inquiry: Inquiry
    found: Sorted | None
    gaps: tuple[CoverageGap, ...]


@dataclass(frozen=True)
class Assessing:
    """The verified records are to be held against the question."""

    inquiry: Inquiry
    found: InContext
    gaps: tuple[CoverageGap, ...]


@dataclass(frozen=True)
class Weighing:
    """Whether the evidence suffices for the question's decision is to be judged."""

    inquiry: Inquiry
    found: InContext
    assessments: tuple[Assessment, ...]
    gaps: tuple[CoverageGap, ...]


@dataclass(frozen=True)
class AwaitingSufficiency:
    """The judgement rests on one record: a person has to decide whether it stands."""

    inquiry: Inquiry
    assessments: tuple[Assessment, ...]
    gaps: tuple[CoverageGap, ...]
    sufficiency: Sufficiency


@dataclass(frozen=True)
class Inquired:
    """The end: what the evidence of the question comes to."""

    inquiry: Inquiry
    assessments: tuple[Assessment, ...]
    gaps: tuple[CoverageGap, ...]
    sufficiency: Sufficiency


@dataclass(frozen=True)
class InquiryFailed:
    """The end: a stage was given up after its retries. The investigation goes on, with this as a stated gap."""

    came_from: Planning | Assessing | Weighing
    refusal: Refusal
