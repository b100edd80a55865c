"""What is asked of a semantic model, as data: measures by dimensions under filters, and what compiling it gives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

Grain = Literal["year", "fiscal_year", "quarter", "fiscal_quarter", "month", "week", "day", "hour", "minute", "second"]
Value = str | int | float | bool | Decimal | date | datetime | None
Operator = Literal[
    "equals",
    "not_equals",
    "in",
    "not_in",
    "gt",
    "gte",
    "lt",
    "lte",
    "contains",
    "not_contains",
    "starts_with",
    "not_starts_with",
    "ends_with",
    "not_ends_with",
    "set",
    "not_set",
    "in_range",
    "not_in_range",
]


@dataclass(frozen=True)
class By:
    """One grouping: a dimension path `view.dimension`, truncated to `grain` where it is a date or datetime.

    `fill` gives every period a row: those between the bounds of the question, or from the first to the last with data.
    """

    member: str
    grain: Grain | None = None
    fill: bool = False

    @property
    def name(self) -> str:
        """The id that `order` and the result's columns use: the path, with `.grain` where there is one."""
        return f"{self.member}.{self.grain}" if self.grain else self.member


@dataclass(frozen=True)
class Filter:
    """One condition. `in_range` is half-open: `values` = (start included, end excluded); ISO text or dates."""

    member: str
    op: Operator
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class All:
    """Every one of `of` must hold."""

    of: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class AnyOf:
    """At least one of `of` must hold."""

    of: tuple[Condition, ...] = ()


Condition = Filter | All | AnyOf


@dataclass(frozen=True)
class Comparison:
    """Each measure beside its value `n` periods (of `grain`, or of the question) or years earlier."""

    to: Literal["previous_period", "previous_year"] = "previous_period"
    n: int = 1
    grain: Grain | None = None


@dataclass(frozen=True)
class Order:
    """A sort key: `by` is the name of a measure or a grouping of the same spec."""

    by: str
    desc: bool = False


Policy = Literal["associate", "refuse", "broadcast"]


@dataclass(frozen=True)
class Spec:
    """One question to the model. Paths are `view.member`. All of `where` must hold; what is on measures filters groups.

    `grain` says what a grouping below a measure's grain means, `through` which way to join where there are several,
    `listing` asks for rows instead of groups, `motif` adds columns over the result, `variables` fill expressions.
    `part` adds for each measure what of it fulfils these conditions too, and the percentage. `per` are names of
    groupings: order and limit hold within each combination of them.
    `timezone` is where days begin for datetimes; `week_start` (a weekday) and `fiscal_year_start` (a month) go before
    those of the topic and the project.
    """

    measures: tuple[str, ...] = ()
    by: tuple[By, ...] = ()
    where: tuple[Condition, ...] = ()
    segments: tuple[str, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int | None = None
    topic: str | None = None
    grain: Policy = "associate"
    through: tuple[str, ...] = ()
    listing: bool = False
    motif: str | None = None
    motif_params: tuple[tuple[str, Value], ...] = ()
    variables: tuple[tuple[str, Value], ...] = ()
    compare: Comparison | None = None
    part: tuple[Condition, ...] = ()
    per: tuple[str, ...] = ()
    timezone: str = ""
    week_start: str = ""
    fiscal_year_start: str = ""


@dataclass(frozen=True)
class OutputColumn:
    """One column of a compiled query. `name` is its name in the result; `member` the path it comes from."""

    name: str
    member: str
    kind: Literal["measure", "dimension"]
    type: str
    grain: Grain | None = None


@dataclass(frozen=True)
class Key:
    """Dimensions that must tell the rows of a view apart, or the query counts wrong; with `gaps`, NULLs are equal."""

    view: str
    columns: tuple[str, ...]
    gaps: bool = False


@dataclass(frozen=True)
class Compiled:
    """A compiled query: SQL text with `$n` placeholders, its bind values in order, columns, and what to know.

    `tables` are the tables it reads, as the views name them; `filters` the applied filters in words, defaults too;
    `canonical` is equal for two specs that give the same value whatever the members are called.
    """

    sql: str
    params: tuple[Value, ...]
    columns: tuple[OutputColumn, ...]
    notes: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    dialect: str = "duckdb"
    datasource: str = ""
    canonical: str = ""
    keys: tuple[Key, ...] = ()
