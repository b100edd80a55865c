"""Candidates and designs: approaches compared on eight criteria, a decision, twelve sections, and approvals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Criterion = Literal[
    "evidence_support",
    "model_relevance",
    "internal_validity",
    "sensitivity",
    "feasibility",
    "ethics_and_welfare",
    "time",
    "cost",
]
Rating = Literal["strong", "adequate", "weak", "unknown"]
SectionName = Literal[
    "question_and_hypothesis",
    "evidence_basis",
    "chosen_approach",
    "model_system",
    "groups_and_intervention",
    "endpoints",
    "sample_size",
    "allocation_and_blinding",
    "procedures",
    "analysis",
    "ethics",
    "limitations",
]


@dataclass(frozen=True)
class CriterionRow:
    """One row of the table of criteria."""

    name: Criterion
    judges: str


CRITERIA: tuple[CriterionRow, ...] = (
    CriterionRow("evidence_support", "directness, consistency and contradictions of the verified records"),
    CriterionRow("model_relevance", "construct and external validity of the model for the question"),
    CriterionRow("internal_validity", "randomisation, blinding and confounders that the approach allows"),
    CriterionRow("sensitivity", "whether it can detect the effect that matters: noise of the endpoint, n, design"),
    CriterionRow("feasibility", "skill, equipment, supply, facility"),
    CriterionRow("ethics_and_welfare", "the 3Rs, severity, humane endpoints, rules on human data"),
    CriterionRow("time", "time to an answer, and what it depends on"),
    CriterionRow("cost", "animals, reagents, people"),
)


@dataclass(frozen=True)
class SectionRow:
    """One row of the table of design sections."""

    name: SectionName
    title: str


SECTIONS: tuple[SectionRow, ...] = (
    SectionRow("question_and_hypothesis", "Question and hypothesis"),
    SectionRow("evidence_basis", "Evidence basis, with contradictions"),
    SectionRow("chosen_approach", "Chosen approach, rejected approaches and reasons"),
    SectionRow("model_system", "Model system"),
    SectionRow("groups_and_intervention", "Groups, intervention and comparators"),
    SectionRow("endpoints", "Endpoints and measurements with units"),
    SectionRow("sample_size", "Experimental unit and sample size"),
    SectionRow("allocation_and_blinding", "Allocation, blinding, inclusion and exclusion"),
    SectionRow("procedures", "Procedures and schedule"),
    SectionRow("analysis", "Analysis plan and decision rule"),
    SectionRow("ethics", "Ethics, welfare and safety"),
    SectionRow("limitations", "Limitations, assumptions, uninvestigated facets, registration and data"),
)


@dataclass(frozen=True)
class Assumption:
    """Something taken for granted, labelled as such, and what it rests on."""

    text: str
    rests_on: str


@dataclass(frozen=True)
class Rated:
    """One criterion of one approach."""

    criterion: Criterion
    rating: Rating
    rationale: str
    records: tuple[str, ...]


@dataclass(frozen=True)
class Approach:
    """One way to answer the request."""

    key: str
    title: str
    summary: str
    assumptions: tuple[Assumption, ...]
    ratings: tuple[Rated, ...]
    records: tuple[str, ...]


@dataclass(frozen=True)
class Candidates:
    """At least two approaches, and what the comparison comes to. No chance of success is stated anywhere."""

    approaches: tuple[Approach, ...]
    comparison: str


@dataclass(frozen=True)
class ApproachDecision:
    """Which approach was chosen, by whom, and a reason for each that was rejected."""

    chosen: str
    by: str
    rejected: tuple[tuple[str, str], ...]
    reason: str = ""


@dataclass(frozen=True)
class Citation:
    """A claim of a design and the verified records that it rests on."""

    sentence: str
    records: tuple[str, ...]


@dataclass(frozen=True)
class DesignSection:
    """One of the twelve sections: its prose, with the claims in it that are cited."""

    name: SectionName
    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True)
class Design:
    """One version of a design, a proposal until it is approved."""

    version: int
    sections: tuple[DesignSection, ...]
    facets: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Approval:
    """What was decided on a version of a design, by whom and why: approved, or changes requested."""

    version: int
    approved: bool
    by: str
    rationale: str
    changes: tuple[str, ...] = ()
