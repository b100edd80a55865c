"""What an inquiry needs of the outside: models by role, the searches, the library, and the clock's moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from backedge.agent.ports import Embedder
from backedge.evidence.chunks import Arm
from backedge.evidence.fusion import EVEN
from backedge.evidence.inquiry import Assessment, CoverageGap, InvestigationQuestion, SearchPlan, Sufficiency
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents, Passage, SearchableSource, SearchView
from backedge.evidence.records import EvidenceRecord
from backedge.kernel.stage import Lesson, Reply, Unreadable


@dataclass(frozen=True)
class Held:
    """A verified record beside its passages, as it is held against a question."""

    record: EvidenceRecord
    passages: tuple[Passage, ...]
    title: str


@dataclass(frozen=True)
class AssessedByModel:
    """The model's assessments; `applicability` of each is what it says, before any rule."""

    assessments: tuple[Assessment, ...]


class Planner(Protocol):
    """The search agent: a small model that plans searches."""

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        ...

    async def plan(
        self, question: InvestigationQuestion, targets: tuple[str, ...], lesson: Lesson
    ) -> Reply[SearchPlan] | Unreadable:
        """Queries, expansions and a stopping criterion, on some of the targets."""
        ...


class Assessor(Protocol):
    """The evidence agent, assessing and weighing."""

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        ...

    async def assess(
        self, question: InvestigationQuestion, held: tuple[Held, ...], lesson: Lesson
    ) -> Reply[AssessedByModel] | Unreadable:
        """Relationship and applicability of each record."""
        ...

    async def weigh(
        self,
        question: InvestigationQuestion,
        assessments: tuple[Assessment, ...],
        held: tuple[Held, ...],
        gaps: tuple[CoverageGap, ...],
        lesson: Lesson,
    ) -> Reply[Sufficiency] | Unreadable:
        """Whether the evidence suffices for the one decision that the question serves."""
        ...


@dataclass(frozen=True)
class InquirePorts:
    """The outside of an inquiry. `mends` say what to configure where a model is not there, by role.

    `weights` are those of the arms in the fused execution: by how good each is, measured on its embedder. At most
    `ingested_at_most` hits of registries are ingested in a round, and `records_per_question` records held against it.
    """

    library: Library
    contents: Contents
    view: SearchView
    embedder: Embedder | None
    searchable: Mapping[str, SearchableSource]
    planner: Planner | None
    assessor: Assessor | None
    moment: Callable[[], str]
    ingested_at_most: int = 5
    records_per_question: int = 24
    weights: Mapping[Arm, float] = field(default_factory=lambda: dict(EVEN))
    mends: Mapping[str, str] = field(
        default_factory=lambda: {
            role: f"name a model for `{role}` under `models` in evidence.yml, then `backedge investigate retry`"
            for role in ("search", "evidence")
        }
    )
