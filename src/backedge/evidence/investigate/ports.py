"""What an investigation needs of the outside: models by role, and what its inquiries recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from backedge.evidence.designs import ApproachDecision, Candidates, Design
from backedge.evidence.facets import Facet, FacetName, Importance, Origin, RoundTrip
from backedge.evidence.inquiry import DerivedQuestions, Package
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents
from backedge.evidence.tables import USUAL, Tables
from backedge.kernel.stage import Lesson, Reply, Unreadable


@dataclass(frozen=True)
class SaidValue:
    """A value of a facet as a model says it: an explicit one with the words of the request, verbatim."""

    text: str
    origin: Origin
    quote: str = ""
    reason: str = ""


@dataclass(frozen=True)
class SaidFacet:
    """A facet as a model says it."""

    name: FacetName
    importance: Importance
    values: tuple[SaidValue, ...]


@dataclass(frozen=True)
class SaidFacets:
    """All that a model says of a request's facets."""

    facets: tuple[SaidFacet, ...]


class RequestAgent(Protocol):
    """The request agent: facets, the round trip by a prompt of its own, and questions."""

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        ...

    async def facets(self, request: str, lesson: Lesson) -> Reply[SaidFacets] | Unreadable:
        """The eight facets of a request."""
        ...

    async def round_trip(
        self, request: str, facets: tuple[Facet, ...], lesson: Lesson
    ) -> Reply[RoundTrip] | Unreadable:
        """The request told again from its facets, and what differs."""
        ...

    async def questions(self, facets: tuple[Facet, ...], lesson: Lesson) -> Reply[DerivedQuestions] | Unreadable:
        """Questions that investigate the facets."""
        ...


class DesignAgent(Protocol):
    """The design agent: candidates and the design."""

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        ...

    async def candidates(
        self, facets: tuple[Facet, ...], packages: tuple[Package, ...], lesson: Lesson
    ) -> Reply[Candidates] | Unreadable:
        """At least two approaches, compared on the eight criteria."""
        ...

    async def design(
        self,
        facets: tuple[Facet, ...],
        packages: tuple[Package, ...],
        candidates: Candidates,
        decision: ApproachDecision,
        version: int,
        lesson: Lesson,
    ) -> Reply[Design] | Unreadable:
        """The twelve sections of the chosen approach."""
        ...


@dataclass(frozen=True)
class InvestigatePorts:
    """The outside of an investigation. `package_tokens` bounds what one package tells a model.

    `tables` are those of the project; the agents are made with the same.
    """

    library: Library
    contents: Contents
    requests: RequestAgent | None
    designs: DesignAgent | None
    package_tokens: int = 4_000
    tables: Tables = USUAL
    mends: Mapping[str, str] = field(
        default_factory=lambda: {
            role: f"name a model for `{role}` under `models` in evidence.yml, then `backedge investigate retry`"
            for role in ("request", "design")
        }
    )
