"""The semantic model as data: views with their entities, dimensions, measures and segments, and topics over them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

DimensionType = Literal["string", "number", "date", "datetime", "boolean", "geo"]
MeasureType = Literal[
    "count",
    "sum",
    "average",
    "min",
    "max",
    "count_distinct",
    "count_distinct_approx",
    "median",
    "number",
    "custom",
]
ADDITIVE: frozenset[str] = frozenset({"count", "sum"})


@dataclass(frozen=True)
class Dimension:
    """One attribute of a view. `expr` is SQL over the view's own columns; `at` is `file:line` of its declaration."""

    name: str
    type: DimensionType
    expr: str
    description: str = ""
    synonyms: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    primary_key: bool = False
    unsupported: tuple[str, ...] = ()
    at: str = ""


@dataclass(frozen=True)
class Measure:
    """One aggregate of a view. `expr` is empty for a plain count; `filters` are SQL conditions, all of which must hold."""

    name: str
    type: MeasureType
    expr: str = ""
    filters: tuple[str, ...] = ()
    description: str = ""
    synonyms: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    at: str = ""


@dataclass(frozen=True)
class Entity:
    """A key of a view. `keys` are names of its dimensions; views that share an entity name join on it."""

    name: str
    type: Literal["primary", "foreign"]
    keys: tuple[str, ...]
    description: str = ""
    at: str = ""


@dataclass(frozen=True)
class Segment:
    """A named condition: SQL over the view's own columns."""

    name: str
    expr: str
    description: str = ""
    unsupported: tuple[str, ...] = ()
    at: str = ""


@dataclass(frozen=True)
class View:
    """One table (`table`, as the database names it) or one query (`sql`) and what can be asked of it.

    `unsupported` names constructs that load but cannot be asked for yet, as the file writes them.
    """

    name: str
    description: str = ""
    label: str = ""
    datasource: str = ""
    dialect: str = ""
    table: str = ""
    sql: str = ""
    entities: tuple[Entity, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    measures: tuple[Measure, ...] = ()
    segments: tuple[Segment, ...] = ()
    unsupported: tuple[str, ...] = ()
    at: str = ""

    def dimension(self, name: str) -> Dimension | None:
        """The dimension of that name, or None."""
        return next((d for d in self.dimensions if d.name == name), None)

    def measure(self, name: str) -> Measure | None:
        """The measure of that name, or None."""
        return next((m for m in self.measures if m.name == name), None)

    def segment(self, name: str) -> Segment | None:
        """The segment of that name, or None."""
        return next((s for s in self.segments if s.name == name), None)

    @property
    def primary(self) -> Entity | None:
        """The entity whose keys identify one row of this view, or None where none is declared."""
        return next((e for e in self.entities if e.type == "primary"), None)


@dataclass(frozen=True)
class TopicFilter:
    """One default filter of a topic. `field` is `view.dimension`, or a dimension of the topic's base view."""

    field: str
    op: str
    values: tuple[str | int | float | bool | None, ...]
    at: str = ""


@dataclass(frozen=True)
class Topic:
    """A named set of views with filters that every question asked through it obeys."""

    name: str
    description: str = ""
    views: tuple[str, ...] = ()
    base_view: str = ""
    default_filters: tuple[TopicFilter, ...] = ()
    unsupported: tuple[str, ...] = ()
    at: str = ""


@dataclass(frozen=True)
class Model:
    """All views and topics that one agent may ask about."""

    views: tuple[View, ...] = ()
    topics: tuple[Topic, ...] = ()

    def view(self, name: str) -> View | None:
        """The view of that name, or None."""
        return next((v for v in self.views if v.name == name), None)

    def topic(self, name: str) -> Topic | None:
        """The topic of that name, or None."""
        return next((t for t in self.topics if t.name == name), None)

    def members(self) -> Iterator[tuple[View, Dimension | Measure | Segment]]:
        """Every dimension, measure and segment with its view, in file order."""
        for view in self.views:
            members: tuple[Dimension | Measure | Segment, ...] = (*view.dimensions, *view.measures, *view.segments)
            yield from ((view, member) for member in members)
