"""The states of an investigation: a request, until a design is approved."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.designs import ApproachDecision, Approval, Candidates, Design
from backedge.evidence.facets import Facet, RoundTrip
from backedge.evidence.inquiry import DerivedQuestions, InvestigationQuestion, Package


@dataclass(frozen=True)
class Request:
    """What somebody wants to find out: `key` names the investigation, and is the id of its run."""

    key: str
    text: str
    by: str


# ---------------------------------------------------------------- proposals


@dataclass(frozen=True)
class ProposedFacets:
    """The eight facets as a model reads them, with the spans of the explicit ones."""

    facets: tuple[Facet, ...]


@dataclass(frozen=True)
class Packages:
    """A package for each question, in their order."""

    packages: tuple[Package, ...]


@dataclass(frozen=True)
class Decide:
    """Which approach a reviewer chooses. `reviewers` are those of evidence.yml then.

    `stale` says what the packages rest on that has changed since they were made: it is kept with the decision, and the
    design may not cite it.
    """

    decision: ApproachDecision
    reviewers: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True)
class Approve:
    """What is decided on a version of a design. `approvers` are those of evidence.yml then.

    `stale` says what it cites that has changed since it was written.
    """

    approval: Approval
    approvers: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True)
class Designed:
    """A design as a model writes it, and what is wrong with its citations and quoted strings, if anything."""

    design: Design
    problems: tuple[str, ...] = ()


# ------------------------------------------------------------------- states


@dataclass(frozen=True)
class ExtractingFacets:
    """A request; nothing is read from it."""

    request: Request


@dataclass(frozen=True)
class RoundTripping:
    """The facets are there; whether they tell the request again is to be seen. `changes` counts their changes."""

    request: Request
    facets: tuple[Facet, ...]
    changes: int = 0


@dataclass(frozen=True)
class AwaitingFacets:
    """A reviewer has to confirm the facets."""

    request: Request
    facets: tuple[Facet, ...]
    round_trip: RoundTrip
    changes: int = 0


@dataclass(frozen=True)
class DerivingQuestions:
    """The facets are confirmed; questions are to be derived from them."""

    request: Request
    facets: tuple[Facet, ...]


@dataclass(frozen=True)
class AwaitingInquiries:
    """Each question is inquired by a run of its own; `done` are through, with or without an answer."""

    request: Request
    came_from: DerivingQuestions
    derived: DerivedQuestions
    done: int = 0


@dataclass(frozen=True)
class Packaging:
    """Every inquiry is through: what they recorded is to be packaged. Facets that nothing investigates say so."""

    request: Request
    facets: tuple[Facet, ...]
    questions: tuple[InvestigationQuestion, ...]


@dataclass(frozen=True)
class Proposing:
    """The packages are there, with the keys of the records of valid ones; approaches are to be proposed."""

    request: Request
    facets: tuple[Facet, ...]
    packages: tuple[str, ...]
    records: tuple[str, ...]


@dataclass(frozen=True)
class AwaitingDecision:
    """A reviewer has to choose an approach."""

    request: Request
    facets: tuple[Facet, ...]
    packages: tuple[str, ...]
    candidates: Candidates


@dataclass(frozen=True)
class Designing:
    """An approach is chosen; its design is to be written. `version` is the number of the version to be."""

    request: Request
    facets: tuple[Facet, ...]
    packages: tuple[str, ...]
    candidates: Candidates
    decision: ApproachDecision
    version: int = 1


@dataclass(frozen=True)
class AwaitingApproval:
    """A version of the design is a proposal; it is to be approved, or sent back with changes."""

    came_from: Designing
    design: Design


@dataclass(frozen=True)
class Approved:
    """The end: an approved design."""

    request: Request
    design: Design
    approval: Approval
