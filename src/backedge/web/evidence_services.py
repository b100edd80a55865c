"""What the review pages need of a project: its queue, records, sources and investigations; given by the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from backedge.evidence.decisions import DecisionKind
from backedge.evidence.designs import ApproachDecision, Approval
from backedge.evidence.exporting.design_diff import DesignDiff
from backedge.evidence.exporting.design_view import DesignView
from backedge.evidence.facets import FacetCommand
from backedge.evidence.views import (
    CandidatesView,
    FacetsView,
    GapsView,
    InvestigationView,
    PackagesView,
    QuestionsView,
)

SearchArm = Literal["fused", "lexical", "semantic"]
Data = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A decision on a record: `seen` is the standing that was looked at, `changes` what a fix changes."""

    kind: DecisionKind
    by: str
    reason: str
    seen: int | None = None
    changes: Mapping[str, str] = field(default_factory=dict)


class Evidence(Protocol):
    """The evidence of a project. What is named and is not there raises `Permanent`, or `UnknownRun`.

    What is decided raises `OfferRefused` with the gates' reasons, which are kept.
    """

    @property
    def double(self) -> bool:
        """Whether two reviewers must agree, neither seeing what the other decided."""
        ...

    async def queue(self, limit: int) -> Data:
        """What waits for a person (`waiting`), judgements first, and whether there is `more`."""
        ...

    async def record(self, key: str, by: str) -> Data:
        """A record as `by` may see it, beside its passages, with checks, flags, attempts and history."""
        ...

    async def decide(self, key: str, said: Said) -> Data:
        """Decide on a record: its `key` then (a fix makes a new one), `standing`, whether it `waits`, `paused` why."""
        ...

    async def judgement(self, key: str) -> Data:
        """A judgement that waits, by INVESTIGATION/QUESTION."""
        ...

    async def judge(self, key: str, stands: bool, *, by: str, reason: str) -> None:
        """Say whether a judgement stands; its investigation goes on in the background."""
        ...

    async def ingests(self, limit: int) -> Data:
        """How far ingests are, the newest first."""
        ...

    async def sources(self, status: str, limit: int) -> Data:
        """A line for each source, or each of one status."""
        ...

    async def source(self, named: str) -> Data:
        """All that is recorded of a source."""
        ...

    async def passage(self, version: str, start: int, end: int) -> Data:
        """The section of a version's text that holds a stretch of it."""
        ...

    async def search(self, query: str, arm: SearchArm, limit: int) -> Data:
        """What of the sources is found."""
        ...

    async def investigations(self, limit: int, before: str) -> Data:
        """Investigations, the newest first; of those begun before a run, if one is named."""
        ...

    async def start(self, request: str, *, by: str) -> str:
        """Begin an investigation, which goes on in the background; its run."""
        ...

    async def investigation(self, run: str) -> InvestigationView:
        """How an investigation stands."""
        ...

    async def retry(self, run: str, *, by: str) -> None:
        """Open fresh budgets where something paused, and go on. Raises `CannotRetry`."""
        ...

    async def facets(self, run: str) -> FacetsView:
        """The facets of its request."""
        ...

    async def command(self, run: str, command: FacetCommand) -> None:
        """Change or confirm facets. Raises also `NotAsked` where none are reviewed now."""
        ...

    async def questions(self, run: str) -> QuestionsView:
        """Its questions, and how they were searched for."""
        ...

    async def gaps(self, run: str) -> GapsView:
        """What it could not cover."""
        ...

    async def packages(self, run: str) -> PackagesView:
        """The evidence of its questions."""
        ...

    async def candidates(self, run: str) -> CandidatesView:
        """The approaches, or those that were refused."""
        ...

    async def choose(self, run: str, decision: ApproachDecision) -> None:
        """Choose an approach. Raises also `NotAsked`."""
        ...

    async def design(self, run: str, version: int | None) -> DesignView:
        """A version of its design; the newest without a number."""
        ...

    async def changes(self, run: str, old: int, new: int) -> DesignDiff:
        """What changed between two versions."""
        ...

    async def approve(self, run: str, approval: Approval) -> None:
        """Approve a version, or send it back with changes. Raises also `NotAsked`."""
        ...
