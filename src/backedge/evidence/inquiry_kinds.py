"""The kinds of records of investigations and inquiries, each with its type and with what its key is made of."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.designs import ApproachDecision, Approval, Candidates, Design
from backedge.evidence.facets import Facet, FacetChange, RoundTrip
from backedge.evidence.inquiry import (
    Assessment,
    CoverageGap,
    Execution,
    InvestigationQuestion,
    Package,
    SearchPlan,
    Sorted,
    Sufficiency,
)
from backedge.evidence.kinds import Kind, numbered


@dataclass(frozen=True)
class FacetsAt:
    """The facets of an investigation after so many changes."""

    investigation: str
    number: int
    facets: tuple[Facet, ...]


@dataclass(frozen=True)
class Changed:
    """A change of a facet."""

    investigation: str
    change: FacetChange


@dataclass(frozen=True)
class Told:
    """A round trip over the facets as they were after so many changes."""

    investigation: str
    number: int
    round_trip: RoundTrip


@dataclass(frozen=True)
class Confirmed:
    """That the facets, as they were after so many changes, are what is investigated, and who says so."""

    investigation: str
    number: int
    by: str
    reason: str = ""


@dataclass(frozen=True)
class Questions:
    """The questions of an investigation, and facets that are named as uninvestigated with the reason."""

    investigation: str
    questions: tuple[InvestigationQuestion, ...]
    uninvestigated: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Gap:
    """A coverage gap of an inquiry or an investigation, as it is opened or closed."""

    inquiry: str
    gap: CoverageGap


@dataclass(frozen=True)
class PlannedSearch:
    """The search plan of an inquiry, with its stopping criterion."""

    inquiry: str
    plan: SearchPlan


@dataclass(frozen=True)
class ResolvedHits:
    """The hits of an inquiry in context, each by its chunk and rank, and the verified records that it assesses.

    `beyond` and `hits_beyond` count what was left out because there was too much.
    """

    inquiry: str
    hits: tuple[tuple[str, int], ...]
    records: tuple[str, ...]
    beyond: int
    hits_beyond: int


@dataclass(frozen=True)
class Ran:
    """One execution of an inquiry; `number` counts them, `gap` is what a supplemental one is for."""

    inquiry: str
    number: int
    gap: str
    execution: Execution


@dataclass(frozen=True)
class SortedRound:
    """What of a round may be used, and what may not; `again` after registries' hits were ingested."""

    inquiry: str
    round: int
    again: bool
    sorted: Sorted


@dataclass(frozen=True)
class Assessing:
    """An assessment of an inquiry."""

    inquiry: str
    assessment: Assessment


@dataclass(frozen=True)
class Weighed:
    """What the evidence of an inquiry comes to."""

    inquiry: str
    sufficiency: Sufficiency


@dataclass(frozen=True)
class Packaged:
    """A package of an investigation."""

    investigation: str
    package: Package


@dataclass(frozen=True)
class Proposed:
    """The candidates of an investigation."""

    investigation: str
    candidates: Candidates


@dataclass(frozen=True)
class Chosen:
    """The decision on the candidates of an investigation; `stale` is what their packages rested on that had changed."""

    investigation: str
    decision: ApproachDecision
    stale: tuple[str, ...] = ()


@dataclass(frozen=True)
class DesignVersion:
    """A version of the design of an investigation."""

    investigation: str
    design: Design


@dataclass(frozen=True)
class ApprovalOf:
    """What was decided on a version of a design."""

    investigation: str
    number: int
    approval: Approval


FACETS_AT = Kind("facets", FacetsAt, lambda f: numbered(f.investigation, f.number))
CHANGED = Kind("facet_change", Changed, lambda c: numbered(c.investigation, c.change.number))
TOLD = Kind("round_trip", Told, lambda t: numbered(t.investigation, t.number), many=True)
CONFIRMED = Kind("facets_confirmed", Confirmed, lambda c: numbered(c.investigation, c.number))
QUESTIONS = Kind("questions", Questions, lambda q: q.investigation)
GAP = Kind("gap", Gap, lambda g: f"{g.inquiry}/{g.gap.round}", many=True)
PLAN = Kind("search_plan", PlannedSearch, lambda p: p.inquiry)
EXECUTION = Kind("execution", Ran, lambda r: numbered(r.inquiry, r.number))
SORTED = Kind("sorted", SortedRound, lambda s: f"{s.inquiry}/{s.round}/{int(s.again)}")
RESOLVED = Kind("resolved", ResolvedHits, lambda r: r.inquiry)
ASSESSMENT = Kind("assessment", Assessing, lambda a: f"{a.inquiry}/{a.assessment.record}")
SUFFICIENCY = Kind("sufficiency", Weighed, lambda w: w.inquiry)
PACKAGE = Kind("package", Packaged, lambda p: f"{p.investigation}/{p.package.question.key}/{p.package.key}")
CANDIDATES = Kind("candidates", Proposed, lambda p: p.investigation)
DECISION = Kind("approach_decision", Chosen, lambda c: c.investigation)
DESIGN = Kind("design", DesignVersion, lambda d: numbered(d.investigation, d.design.version))
APPROVAL = Kind("approval", ApprovalOf, lambda a: numbered(a.investigation, a.number))
