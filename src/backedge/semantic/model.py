"""The semantic model as data: views with their entities, dimensions, measures and segments, and topics over them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from backedge.semantic.timed import USUAL, Calendar, NonAdditive, Shift, Window

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
    "ratio",
    "custom",
]
ADDITIVE: frozenset[str] = frozenset({"count", "sum"})


@dataclass(frozen=True)
class Dimension:
    """One attribute of a view. `expr` is SQL over the view's own columns; `at` is `file:line` of its declaration.

    The values of a `sensitive` one are shown to no language model.
    """

    name: str
    type: DimensionType
    expr: str
    description: str = ""
    synonyms: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    primary_key: bool = False
    sub_query: bool = False
    unsupported: tuple[str, ...] = ()
    at: str = ""
    sensitive: bool = False


@dataclass(frozen=True)
class Measure:
    """One aggregate of a view. `expr` is empty for a plain count; `filters` are SQL conditions, all of which must hold.

    A ratio has `numerator` and `denominator`, names of measures. `fill_nulls_with` stands where there is no value.
    """

    name: str
    type: MeasureType
    expr: str = ""
    filters: tuple[str, ...] = ()
    description: str = ""
    synonyms: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    at: str = ""
    numerator: str = ""
    denominator: str = ""
    window: Window | None = None
    non_additive: NonAdditive | None = None
    shift: Shift | None = None
    fill_nulls_with: int | float | None = None


@dataclass(frozen=True)
class Entity:
    """A key of a view. `keys` are names of its dimensions; views that share an entity name join on it.

    A foreign entity with a `role` sees the other view under that name, as a view of its own.
    """

    name: str
    type: Literal["primary", "foreign"]
    keys: tuple[str, ...]
    description: str = ""
    at: str = ""
    role: str = ""


@dataclass(frozen=True)
class Segment:
    """A named condition: SQL over the view's own columns."""

    name: str
    expr: str
    description: str = ""
    unsupported: tuple[str, ...] = ()
    at: str = ""


@dataclass(frozen=True)
class RowPolicy:
    """Which rows of a view may be seen: SQL over its own columns, in which `{{user.NAME}}` is an attribute of who asks.

    `exempt` are (attribute, values): having one of them switches the policy off.
    """

    name: str
    expr: str
    exempt: tuple[tuple[str, tuple[str, ...]], ...] = ()
    description: str = ""
    at: str = ""


@dataclass(frozen=True)
class View:
    """One table (`table`, as the database names it) or one query (`sql`) and what can be asked of it.

    `unsupported` names constructs that load but cannot be asked for yet, as the file writes them. `role_of` is the view
    that this one is, seen through a role.
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
    row_policies: tuple[RowPolicy, ...] = ()
    unsupported: tuple[str, ...] = ()
    at: str = ""
    role_of: str = ""

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
    calendar: Calendar = USUAL


@dataclass(frozen=True)
class MotifParam:
    """What a motif is given: a measure or a dimension of the question, or a number or text that is bound."""

    name: str
    type: Literal["measure", "dimension", "number", "string"]
    default: str | int | float | None = None
    temporal: bool = False
    description: str = ""


@dataclass(frozen=True)
class Motif:
    """Columns computed over the rows of a question: `outputs` are (name, SQL over `{{param}}`)."""

    name: str
    params: tuple[MotifParam, ...]
    outputs: tuple[tuple[str, str], ...]
    description: str = ""
    at: str = ""


@dataclass(frozen=True)
class Model:
    """All views, topics and motifs that one agent may ask about.

    `guards` are views that the agent may not ask about, whose row policies hold for it nonetheless.
    """

    views: tuple[View, ...] = ()
    topics: tuple[Topic, ...] = ()
    motifs: tuple[Motif, ...] = ()
    guards: tuple[View, ...] = ()
    calendar: Calendar = USUAL

    @cached_property
    def memo(self) -> dict[object, object]:
        """What was worked out of this model once, by what it was worked out from: it never changes."""
        return {}

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
