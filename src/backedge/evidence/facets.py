"""The eight facets of a request: their names in one table, where each value comes from, and how it was confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FacetName = Literal[
    "objective",
    "condition",
    "model_system",
    "intervention",
    "comparator",
    "endpoint",
    "timing",
    "constraints",
]
Importance = Literal["mandatory", "important", "optional"]
Origin = Literal["explicit", "inferred", "default", "reviewer"]
Confirmation = Literal["open", "confirmed", "assumed", "unresolved"]


@dataclass(frozen=True)
class FacetRow:
    """One row of the table of facets: what it asks, and how important it is unless somebody says otherwise."""

    name: FacetName
    asks: str
    importance: Importance


FACETS: tuple[FacetRow, ...] = (
    FacetRow("objective", "the question or hypothesis, and the decision that it serves", "mandatory"),
    FacetRow("condition", "the disease, injury, process or target", "mandatory"),
    FacetRow("model_system", "species, strain, sex and age; or cells or tissue", "mandatory"),
    FacetRow("intervention", "agent, dose, route and schedule", "mandatory"),
    FacetRow("comparator", "vehicle, sham, standard of care or baseline", "important"),
    FacetRow("endpoint", "primary and secondary outcome, how measured, in which unit", "mandatory"),
    FacetRow("timing", "onset, duration, follow-up, time points", "important"),
    FacetRow("constraints", "ethics, facility, budget, deadline, regulation", "important"),
)
FACET_NAMES: tuple[FacetName, ...] = tuple(row.name for row in FACETS)


@dataclass(frozen=True)
class RequestSpan:
    """A stretch of the request, half-open, in code points; `exact` is what stands there."""

    start: int
    end: int
    exact: str


@dataclass(frozen=True)
class FacetValue:
    """One value of a facet and where it comes from: an explicit one with its span, an inferred one with its reason."""

    text: str
    origin: Origin
    spans: tuple[RequestSpan, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class FacetChange:
    """One change of a facet: who made it, what it was and became. `number` counts those of the investigation."""

    number: int
    facet: FacetName
    what: str
    by: str
    before: str
    after: str
    reason: str = ""


@dataclass(frozen=True)
class Facet:
    """One of the eight, with its values; with none it is not stated. `flagged` says that it is left open on purpose."""

    name: FacetName
    importance: Importance
    values: tuple[FacetValue, ...]
    confirmation: Confirmation = "open"
    flagged: bool = False
    note: str = ""


@dataclass(frozen=True)
class RoundTrip:
    """The request told again from its facets, and what differs: shown to a reviewer, not gated."""

    reconstruction: str
    omissions: tuple[str, ...]
    additions: tuple[str, ...]
    contradictions: tuple[str, ...]


CommandKind = Literal["edit", "add", "split", "remove", "confirm_facet", "assume", "flag", "round_trip", "confirm"]


@dataclass(frozen=True)
class FacetCommand:
    """What a reviewer does with the facets. `seen` is the number of the change that was looked at last.

    `value` counts the values of the facet from 1; `texts` are new ones. `reviewers` are those of evidence.yml then.
    """

    kind: CommandKind
    by: str
    seen: int
    facet: FacetName | None = None
    value: int = 1
    texts: tuple[str, ...] = ()
    importance: Importance | None = None
    reason: str = ""
    reviewers: tuple[str, ...] = ()
