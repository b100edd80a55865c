"""`.view.yml`: a table or query with entities, dimensions, measures and segments, as Oxygen and airlayer write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from backedge.config.problem import Problem, nearest
from backedge.config.shape import Name, Shape, Text, read_shape
from backedge.config.timed_measure import TimedMeasure, timed_problems
from backedge.config.yaml_file import Block, Scalar
from backedge.semantic.model import Dimension, DimensionType, Entity, Measure, MeasureType, RowPolicy, Segment, View

_NEEDS_EXPR = frozenset({"sum", "average", "min", "max", "median", "number", "custom"})
_RESERVED = (
    "all|and|any|as|asc|between|by|case|cast|check|column|create|cross|default|delete|desc|distinct|drop|else|end|except"
    "|exists|false|for|foreign|from|full|group|having|in|inner|insert|intersect|into|is|join|left|like|limit|natural|not"
    "|null|offset|on|or|order|outer|primary|references|right|select|table|then|to|true|union|unique|update|using|values"
    "|when|where|window|with"
)
_BARE_COLUMN = re.compile(rf"(?!(?:{_RESERVED})\Z)[a-z_][a-z0-9_]*", re.IGNORECASE | re.ASCII)
Dialect = Literal[
    "postgres",
    "mysql",
    "bigquery",
    "snowflake",
    "duckdb",
    "motherduck",
    "clickhouse",
    "databricks",
    "redshift",
    "sqlite",
    "domo",
    "presto",
    "trino",
]


class _Lifespan(Shape):
    what: ClassVar[str] = "a lifespan"
    start: str | None = None
    end: str | None = None
    source: str | None = Field(None, alias="from")


class _Entity(Shape):
    what: ClassVar[str] = "an entity"
    name: Name
    type: Literal["primary", "foreign"] = "primary"
    description: str = ""
    key: Text | None = None
    keys_: tuple[Text, ...] = Field((), alias="keys")
    role: Name | None = None
    inherits_from: str | None = None
    parent: str | None = None
    lifespan: _Lifespan | None = None
    meta: object = None


class _Dimension(Shape):
    what: ClassVar[str] = "a dimension"
    name: Name
    type: DimensionType | None = None
    expr: Text | None = None
    label: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    primary_key: bool = False
    sub_query: bool = False
    sensitive: bool = False
    segmentable: bool = False
    inherits_from: str | None = None
    meta: object = None


class _Condition(Shape):
    what: ClassVar[str] = "a measure filter"
    expr: Text
    description: str = ""


class _Driver(Shape):
    what: ClassVar[str] = "a driver"
    measure: Text
    direction: str | None = None
    strength: str | None = None
    confidence: str | None = None
    description: str = ""
    refs: object = None


def _full_name(value: object) -> object:
    return "average" if value == "avg" else value


class _Measure(TimedMeasure):
    name: Name
    type: Annotated[MeasureType | None, BeforeValidator(_full_name)] = None
    filters: tuple[_Condition, ...] = ()
    label: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    drivers: tuple[_Driver, ...] = ()
    inherits_from: str | None = None
    meta: object = None


class _Segment(Shape):
    what: ClassVar[str] = "a segment"
    name: Name
    expr: Text
    description: str = ""
    meta: object = None


def _as_list(value: object) -> object:
    """A single value under `except` is a list of one."""
    return [value] if isinstance(value, Scalar) else value


class _RowPolicy(Shape):
    what: ClassVar[str] = "a row policy"
    name: Name
    expr: Text
    description: str = ""
    except_: dict[Name, Annotated[tuple[Text, ...], BeforeValidator(_as_list)]] = Field({}, alias="except")


class _PreAggregation(Shape):
    what: ClassVar[str] = "a pre-aggregation"
    name: Name
    dimensions: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    time_dimension: str | None = None
    granularity: str | None = None
    refresh_key: object = None


class _View(Shape):
    what: ClassVar[str] = "a view"
    name: Name
    description: str = ""
    label: str = ""
    datasource: str = ""
    data_source: str = ""
    dialect: Dialect | None = None
    table: Text | None = None
    sql: Text | None = None
    entities: tuple[_Entity, ...] = ()
    dimensions: tuple[_Dimension, ...] = ()
    measures: tuple[_Measure, ...] = ()
    segments: tuple[_Segment, ...] = ()
    row_policies: tuple[_RowPolicy, ...] = ()
    pre_aggregations: tuple[_PreAggregation, ...] = ()
    meta: object = None


_Member = _Entity | _Dimension | _Measure | _Segment | _RowPolicy


def read_view(file: str, tree: Block, found: list[Problem]) -> View | None:
    """The view that a file declares, or None with every problem in `found`; what is not served yet is a note there."""
    raw = read_shape(_View, tree, file, found)
    if raw is None:
        return None
    found.extend(_checks(file, raw))
    found.extend(_notes(file, raw))
    return View(
        name=raw.name,
        description=raw.description.strip(),
        label=raw.label,
        datasource=raw.datasource or raw.data_source,
        dialect="duckdb" if raw.dialect == "motherduck" else raw.dialect or "",
        table=raw.table or "",
        sql=raw.sql or "",
        entities=tuple(_entity(file, entity) for entity in raw.entities if entity.key or entity.keys_),
        dimensions=tuple(_dimension(file, dimension, raw.dialect) for dimension in raw.dimensions),
        measures=tuple(_measure(file, measure) for measure in raw.measures),
        segments=tuple(_segment(file, segment) for segment in raw.segments),
        row_policies=tuple(_row_policy(file, policy) for policy in raw.row_policies),
        unsupported=("dialect: domo",) if raw.dialect == "domo" else (),
        at=_at(file, raw),
    )


def _at(file: str, shape: Shape) -> str:
    return f"{file}:{shape.line}"


def _words(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text.strip() for text in texts if text.strip())


def _entity(file: str, raw: _Entity) -> Entity:
    keys = (raw.key,) if raw.key else raw.keys_
    return Entity(raw.name, raw.type, keys, raw.description.strip(), _at(file, raw), raw.role or "")


def _column(name: str, dialect: str | None) -> str:
    """The column of that name as SQL: quoted where it could not stand bare."""
    if _BARE_COLUMN.fullmatch(name):
        return name
    quote = "`" if dialect in ("mysql", "bigquery", "databricks") else '"'
    return quote + name.replace(quote, quote * 2) + quote


def _dimension(file: str, raw: _Dimension, dialect: str | None) -> Dimension:
    return Dimension(
        name=raw.name,
        type=raw.type or "string",
        expr=raw.expr or _column(raw.name, dialect),
        description=raw.description.strip(),
        synonyms=_words(raw.synonyms),
        samples=_words(raw.samples),
        primary_key=raw.primary_key,
        sub_query=raw.sub_query,
        unsupported=_blocking(raw),
        at=_at(file, raw),
        sensitive=raw.sensitive,
    )


def _measure(file: str, raw: _Measure) -> Measure:
    return Measure(
        name=raw.name,
        type=raw.type or "custom",
        expr=raw.expr or "",
        filters=tuple(condition.expr for condition in raw.filters),
        numerator=raw.numerator or "",
        denominator=raw.denominator or "",
        window=raw.rolling_window.window() if raw.rolling_window else None,
        non_additive=raw.non_additive.rule() if raw.non_additive else None,
        shift=raw.shift.shift() if raw.shift else None,
        fill_nulls_with=raw.fill_nulls_with,
        description=raw.description.strip(),
        synonyms=_words(raw.synonyms),
        samples=_words(raw.samples),
        unsupported=_blocking(raw),
        at=_at(file, raw),
    )


def _segment(file: str, raw: _Segment) -> Segment:
    return Segment(raw.name, raw.expr, raw.description.strip(), at=_at(file, raw))


def _row_policy(file: str, raw: _RowPolicy) -> RowPolicy:
    return RowPolicy(raw.name, raw.expr, tuple(raw.except_.items()), raw.description.strip(), _at(file, raw))


def _blocking(raw: _Dimension | _Measure) -> tuple[str, ...]:
    """Keys that change what the member means and are not served yet: it must be refused when it is asked for."""
    inherits = ("inherits_from",) if raw.inherits_from else ()
    return (*(raw.shift.blocking() if isinstance(raw, _Measure) and raw.shift else ()), *inherits)


def _checks(file: str, raw: _View) -> Iterator[Problem]:
    if raw.table and raw.sql:
        yield Problem(file, raw.line, f"view `{raw.name}` has both `table` and `sql`: keep one")
    if not raw.table and not raw.sql:
        yield Problem(file, raw.line, f"view `{raw.name}` needs `table` (a table's name) or `sql` (a query)")
    if raw.datasource and raw.data_source and raw.datasource != raw.data_source:
        yield Problem(
            file, raw.line, f"view `{raw.name}` has `datasource` and `data_source`, and they differ: keep one"
        )
    yield from _repeated(file, "entity", raw.entities)
    yield from _repeated(file, "member", (*raw.dimensions, *raw.measures, *raw.segments))
    yield from _repeated(file, "row policy", raw.row_policies)
    for policy in raw.row_policies:
        for name in (name for name, values in policy.except_.items() if not values):
            message = f"`except` of row policy `{policy.name}` gives no value of `{name}`: write `{name}: [VALUE]`"
            yield Problem(file, policy.line, message)
    for entity in raw.entities:
        yield from _entity_checks(file, raw, entity)
    for dimension in raw.dimensions:
        if dimension.type is None and not dimension.inherits_from:
            yield Problem(file, dimension.line, f"dimension `{dimension.name}` needs `type`")
        if dimension.sub_query and not dimension.expr:
            message = f"dimension `{dimension.name}` needs `expr`: the measure (`view.measure`) that its sub-query is"
            yield Problem(file, dimension.line, message)
    for measure in raw.measures:
        yield from _measure_checks(file, measure)
        yield from timed_problems(file, measure.name, measure, (d.name for d in raw.dimensions))


def _repeated(file: str, kind: str, members: tuple[_Member, ...]) -> Iterator[Problem]:
    first: dict[str, _Member] = {}
    for member in members:
        called = (member.role if isinstance(member, _Entity) else None) or member.name
        other = first.setdefault(called, member)
        if other is not member:
            where = f"the first is {other.what} on line {other.line}"
            mend = "give each a `role`" if isinstance(member, _Entity) else "rename one"
            yield Problem(file, member.line, f"{kind} name `{called}` stands twice ({where}): {mend}")


def _entity_checks(file: str, raw: _View, entity: _Entity) -> Iterator[Problem]:
    if entity.key and entity.keys_:
        yield Problem(file, entity.line, f"entity `{entity.name}` has both `key` and `keys`: keep one")
    if not (entity.key or entity.keys_ or entity.inherits_from):
        yield Problem(
            file, entity.line, f"entity `{entity.name}` needs `key` (or `keys`): names of dimensions of the view"
        )
    names = [dimension.name for dimension in raw.dimensions]
    for key in (entity.key,) if entity.key else entity.keys_:
        if key not in names:
            message = f"key `{key}` of entity `{entity.name}` is no dimension of view `{raw.name}`: declare it there"
            yield Problem(file, entity.line, message, near=nearest(key, names))


def _measure_checks(file: str, measure: _Measure) -> Iterator[Problem]:
    if measure.type is None:
        if not (measure.inherits_from or measure.shift):
            yield Problem(file, measure.line, f"measure `{measure.name}` needs `type`")
    elif measure.type in _NEEDS_EXPR and not (measure.expr or measure.shift or measure.inherits_from):
        yield Problem(file, measure.line, f"measure `{measure.name}` needs `expr`: what `{measure.type}` is taken of")


def _notes(file: str, raw: _View) -> Iterator[Problem]:
    members: tuple[_Dimension | _Measure, ...] = (*raw.dimensions, *raw.measures)
    for member in members:
        kind = member.what.removeprefix("a ")
        for key in _blocking(member):
            message = f"`{key}` is not supported yet: {kind} `{raw.name}.{member.name}` is refused when asked for"
            yield Problem(file, member.line, message, "note")
    for entity in raw.entities:
        for key in ("parent", "lifespan", "inherits_from"):
            if getattr(entity, key):
                yield Problem(file, entity.line, f"`{key}` of entity `{entity.name}` is not supported yet", "note")
    if raw.pre_aggregations:
        message = f"`pre_aggregations` of view `{raw.name}` are not used yet: the table itself is read"
        yield Problem(file, raw.pre_aggregations[0].line, message, "note")
    if raw.dialect == "domo":
        yield Problem(file, raw.line, f"dialect `domo` is not supported yet: view `{raw.name}` is refused", "note")
