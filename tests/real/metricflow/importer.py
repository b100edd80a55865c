"""A case of MetricFlow as a model, a spec and the names of its columns, or the reason why it is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Literal

from sqlglot import exp, parse_one

from backedge.semantic.model import Dimension, DimensionType, Entity, Measure, MeasureType, Model, View
from backedge.semantic.spec import All, AnyOf, By, Condition, Filter, Operator, Order, Spec
from backedge.semantic.timed import NonAdditive, Shift
from tests.real.metricflow.manifest import Json, Manifest, SemanticModel
from tests.real.metricflow.metrics import GRAINS, Inexpressible, Input, Inputs, coarsest
from tests.real.metricflow.templates import PARTS, Reference, filter_with_references

_KINDS: dict[str, DimensionType] = {
    "TIMESTAMP": "datetime",
    "VARCHAR": "string",
    "DOUBLE": "number",
    "BIGINT": "number",
    "BOOLEAN": "boolean",
}
_AGGREGATES: dict[str, MeasureType] = {
    "sum": "sum", "average": "average", "min": "min", "max": "max", "count": "count", "median": "median",
    "count_distinct": "count_distinct", "sum_boolean": "sum",
}  # fmt: skip
_FINE = ("nanosecond", "microsecond", "millisecond")
_COMPARED: dict[type[exp.Expr], Operator] = {exp.GT: "gt", exp.GTE: "gte", exp.LT: "lt", exp.LTE: "lte"}

Types = dict[str, dict[str, str]]


@dataclass(frozen=True)
class Imported:
    """A case in our words; `columns` are MetricFlow's names of the columns, each with the place of ours.

    `timed` where a metric is over other periods than the ones that show it.
    """

    model: Model
    spec: Spec
    columns: tuple[tuple[str, int], ...]
    timed: bool = False


@dataclass(frozen=True)
class Role:
    """A semantic model in the time that its measures are counted in: one of our views."""

    model: SemanticModel
    time: str

    @property
    def name(self) -> str:
        """The view's name."""
        return self.model.name if self.time in ("", self.model.time) else f"{self.model.name}_by_{self.time}"


@dataclass
class Draft:
    """A view being put together: only what the case needs of it, so that one way leads to each field."""

    role: Role
    entities: dict[str, Entity] = field(default_factory=dict)
    dimensions: dict[str, Dimension] = field(default_factory=dict)
    measures: dict[str, Measure] = field(default_factory=dict)


# The time spine as a view: `metric_time` of several tables, and custom periods of days.
CALENDAR = Role(SemanticModel("calendar", "mf_time_spine", {"ds": {"name": "ds", "type": "time"}}, {}, {}, "", ""), "")


def imported(case: Json, manifest: Manifest, types: Types) -> Imported:
    """The case in our words. Raises Inexpressible."""
    return _Importer(case, manifest, types).imported()


class _Importer:
    def __init__(self, case: Json, manifest: Manifest, types: Types) -> None:
        self.case, self.manifest, self.types = case, manifest, types
        self.inputs = Inputs(manifest)
        self.drafts: dict[str, Draft] = {}
        self.roles: list[Role] = []
        self.calendar = False
        self.spine, self.spine_time = "mf_time_spine", "ds"

    def imported(self) -> Imported:
        for key in ("saved_query_name", "apply_group_by"):
            if key in self.case:
                raise Inexpressible(f"queries of another shape ({key})")
        if "min_max_only" in self.case:
            return self._extremes(**next(self._asked()))
        metrics = self.case.get("metrics") or []
        expressions = {name: self.inputs.expression(name) for name in metrics}
        self.roles = list(dict.fromkeys(Role(one.model, one.time) for one in self.inputs.found))
        self.calendar = len({role.name for role in self.roles}) > 1
        groups = [self._group(**given) for given in self._asked()]
        where = [*self._where(), *self._time_constraint()]
        measures = [self._measure(name, sql) for name, sql in expressions.items()]
        if groups and any(one.filters for one in self.inputs.found):
            where.append(AnyOf(tuple(Filter(self._rows(i), "gt", (0,)) for i in range(len(self.inputs.found)))))
        order = tuple(self._order(text, expressions) for text in self.case.get("order_bys", ()))
        by = tuple(dict.fromkeys(by for by, _ in groups))  # metric_time and the dimension that it is are one grouping
        spec = Spec(tuple(measures), by, tuple(where), order=order, limit=self.case.get("limit"))
        places = [(name, by.index(group)) for group, name in groups]
        columns = (*places, *((name, len(by) + i) for i, name in enumerate(expressions)))
        timed = any(one.window or one.back for one in self.inputs.found)
        return Imported(self._model(), spec, columns, timed)

    def _extremes(self, name: str, grain: str | None = None) -> Imported:
        """The first and last value of one grouping, as two measures."""
        by, column = self._group(name, grain)
        draft, dimension = self._dimension(by.member)
        expr = f"DATE_TRUNC('{by.grain}', {dimension.expr})" if by.grain else dimension.expr
        for kind in ("min", "max"):
            draft.measures[kind] = Measure(kind, kind, expr)
        view = by.member.partition(".")[0]
        columns = ((f"{column}__min", 0), (f"{column}__max", 1))
        return Imported(self._model(), Spec((f"{view}.min", f"{view}.max")), columns)

    def _asked(self) -> Iterator[Json]:
        for text in self.case.get("group_bys", ()):
            base, _, last = text.rpartition("__")
            custom = last.startswith(("alien", "fiscal"))
            yield {"name": base, "grain": last} if base and (last in (*GRAINS, *_FINE) or custom) else {"name": text}
        yield from self.case.get("group_by_objs", ())

    def _group(self, name: str, grain: str | None = None, date_part: str | None = None) -> tuple[By, str]:
        if name.endswith("__day"):
            name, grain = name.removesuffix("__day"), "day"
        if date_part is not None:
            return By(self._date_part(name, date_part)), f"{name}__extract_{date_part}"
        grain = self._grain_of(name, grain)
        path = self._member(name, grain)
        if _is_custom(grain):
            return By(path), f"{name}__{grain}"
        if grain is None:
            return By(path), name
        return By(path, grain), f"{name}__{grain}"  # type: ignore[arg-type]

    def _grain_of(self, name: str, grain: str | None) -> Any:
        """The grain asked for, or the one that the dimension has; None for what is no time."""
        if name == "metric_time":
            metrics = self.case.get("metrics") or []
            grain = grain or coarsest(*[self.inputs.default_grain(metric) for metric in metrics] or ["day"])
        elif grain is None:
            model, last = self._target(name)
            dimension = model.dimensions.get(last, {})
            grain = dimension["type_params"]["time_granularity"] if dimension.get("type") == "time" else None
        if grain in _FINE:
            raise Inexpressible("grains finer than a second")
        if name == "metric_time" and grain in ("second", "minute", "hour"):
            self.spine, self.spine_time = f"mf_time_spine_{grain}", "ts"
        return grain

    def _target(self, name: str) -> tuple[SemanticModel, str]:
        _, model, last = self._resolved(self.roles[0] if self.roles else None, name)
        return model, last

    def _member(self, name: str, grain: str | None = None) -> str:
        """Our path of a dimension or entity, the same from every input; what lies between becomes part of the model."""
        path = self._plain_member(name)
        return self._of_calendar(path, grain) if grain is not None and _is_custom(grain) else path

    def _date_part(self, name: str, part: str) -> str:
        path = self._member(name)
        draft, dimension = self._dimension(path)
        made = Dimension(
            f"{dimension.name}_{part}", "number", f"EXTRACT({PARTS.get(part, part)} FROM {dimension.expr})"
        )
        draft.dimensions[made.name] = made
        return f"{path}_{part}"

    def _of_calendar(self, path: str, grain: str) -> str:
        """The path of a custom period: a column of the calendar, joined to the day of a dimension."""
        if path == "calendar.ds":
            self._draft(CALENDAR).dimensions[grain] = Dimension(grain, "datetime", grain)
            return f"calendar.{grain}"
        if not self.inputs.found:
            raise Inexpressible("queries without metrics over several tables")
        draft, dimension = self._dimension(path)
        name = path.replace(".", "_") + "_days"
        draft.dimensions[f"{name}_key"] = Dimension(f"{name}_key", "datetime", f"DATE_TRUNC('day', {dimension.expr})")
        draft.entities[name] = Entity(name, "foreign", (f"{name}_key",))
        days = Draft(Role(replace(CALENDAR.model, name=name), ""))
        days.dimensions = {"ds": Dimension("ds", "datetime", "ds"), grain: Dimension(grain, "datetime", grain)}
        days.entities[name] = Entity(name, "primary", ("ds",))
        self.drafts[name] = days
        return f"{name}.{grain}"

    def _dimension(self, path: str) -> tuple[Draft, Dimension]:
        view, _, name = path.partition(".")
        draft = self.drafts[view]
        return draft, draft.dimensions[name]

    def _plain_member(self, name: str) -> str:
        if name == "metric_time":
            return self._metric_time()
        starts: list[Role | None] = [*self.roles] or [None]
        found = {self._reached(role, name) for role in starts}
        if len(found) > 1:
            raise Inexpressible("one grouping or filter that is a column of several tables")
        return found.pop()

    def _metric_time(self) -> str:
        if not self.roles:
            self.calendar = True
        if self.calendar:
            return self._local(CALENDAR, "ds")
        role = self.roles[0]
        self._draft(role)
        return self._local(role, role.time)

    def _reached(self, role: Role | None, name: str) -> str:
        way, model, last = self._resolved(role, name)
        if not way:
            if role is None:
                self.roles = [Role(model, "")]
                self.calendar = False
            return self._local(role or self.roles[0], last)
        assert role is not None
        at = role
        for entity, step in way:
            if step.over_time:
                raise Inexpressible("slowly changing dimensions (validity windows)")
            if not self.inputs.found:
                raise Inexpressible("queries without metrics over several tables")
            below, at = at, Role(step, "")
            keys = [(entity, entity)]
            if step.partitioned and below.model.partitioned:
                keys.append((below.model.partition, step.partition))
            elif step.partitioned:
                raise Inexpressible(
                    "joins to a table with one row for each key and partition from one without partitions"
                )
            self._join(below, entity, "foreign", tuple(mine for mine, _ in keys))
            self._join(at, entity, "primary", tuple(theirs for _, theirs in keys))
        return self._local(at, last)

    def _join(self, role: Role, entity: str, kind: Literal["primary", "foreign"], keys: tuple[str, ...]) -> None:
        for key in keys:
            self._local(role, key)
        self._draft(role).entities.setdefault(entity, Entity(entity, kind, keys))

    def _resolved(
        self, role: Role | None, name: str
    ) -> tuple[tuple[tuple[str, SemanticModel], ...], SemanticModel, str]:
        """The joins (entity, semantic model) from a role's table to where a name lives, and its last part."""
        *path, last = name.split("__")
        starts = [role.model] if role else list(self.manifest.models.values())
        for model in starts:
            own = not path or path == [model.primary]
            if own and (last in model.dimensions or last in model.entities):
                return (), model, last
        for model in starts if role else ():
            found = self._search(model, path, last)
            if found is not None:
                return found, found[-1][1], last
        several = role is None or not self.inputs.found
        raise Inexpressible(
            "queries without metrics over several tables" if several else "paths that leave out an entity on the way"
        )

    def _search(self, model: SemanticModel, path: list[str], last: str) -> tuple[tuple[str, SemanticModel], ...] | None:
        entity, *rest = path
        if entity not in model.entities:
            return None
        for other in self.manifest.models.values():
            kind = other.entities.get(entity, {}).get("type")
            if other is model or kind not in ("primary", "unique", "natural"):
                continue
            if not rest and (last in other.dimensions or (last in other.entities and last != entity)):
                return ((entity, other),)
            deeper = self._search(other, rest, last) if rest else None
            if deeper is not None:
                return ((entity, other), *deeper)
        return None

    def _draft(self, role: Role) -> Draft:
        return self.drafts.setdefault(role.name, Draft(role))

    def _local(self, role: Role, name: str) -> str:
        """The path of a dimension, or of an entity's key, which becomes a dimension of the view."""
        draft = self._draft(role)
        given = role.model.dimensions.get(name) or role.model.entities[name]
        expr = str(given.get("expr") or name)
        kind = _KINDS[self.types[role.model.table][expr]] if expr in self.types[role.model.table] else "string"
        draft.dimensions[name] = Dimension(name, kind, f'"{expr}"' if expr in self.types[role.model.table] else expr)
        return f"{role.name}.{name}"

    def _role_of(self, one: Input) -> Role:
        return Role(one.model, one.time)

    def _measure(self, name: str, sql: str) -> str:
        """The metric as a measure of its first input's view, over one measure for each input."""
        for index in {int(found) for found in re.findall(r"\{(\d+)\}", sql)}:
            self._input(index)
        owner = self._role_of(self.inputs.found[int(re.findall(r"\{(\d+)\}", sql)[0])])
        plain = re.fullmatch(r"\{(\d+)\}", sql)
        if plain:
            return f"{owner.name}.{self._input_name(int(plain[1]))}"
        text = re.sub(r"\{(\d+)\}", lambda found: f"{{{{{self._input_path(int(found[1]))}}}}}", sql)
        self._draft(owner).measures[f"metric_{name}"] = Measure(f"metric_{name}", "number", text)
        return f"{owner.name}.metric_{name}"

    def _input_name(self, index: int) -> str:
        return f"{self.inputs.found[index].measure}_{index}"

    def _input_path(self, index: int) -> str:
        return f"{self._role_of(self.inputs.found[index]).name}.{self._input_name(index)}"

    def _input(self, index: int) -> None:
        one = self.inputs.found[index]
        given = one.model.measures[one.measure]
        expr, kind = str(given.get("expr") or one.measure), given["agg"].lower()
        filters = tuple(self._filter_sql(text, one) for text in one.filters)
        name = self._input_name(index)
        if kind == "percentile":
            measure = Measure(name, "custom", _percentile(expr, given["agg_params"], filters))
        else:
            if kind == "sum_boolean":
                expr = f"CASE WHEN {expr} THEN 1 ELSE 0 END"
            measure = Measure(name, _AGGREGATES[kind], expr, filters, window=one.window, non_additive=self._edge(one))
        measures = self._draft(self._role_of(one)).measures
        measures[name] = measure
        if one.back:
            measures[f"{name}_then"] = replace(measure, name=f"{name}_then")
            measures[name] = Measure(name, "number", shift=Shift(f"{name}_then", one.back))

    def _edge(self, one: Input) -> NonAdditive | None:
        """That only the last or first moment of a measure counts; its dimension and groups become part of the view."""
        rule = one.model.measures[one.measure].get("non_additive_dimension")
        if rule is None:
            return None
        names = (rule["name"], *rule.get("window_groupings", ()))
        for name in names:
            self._local(self._role_of(one), name)
        return NonAdditive(names[0], "first" if rule["window_choice"] == "min" else "last", names[1:])

    def _rows(self, index: int) -> str:
        """A measure that counts the rows that an input takes, so that groups without any can be left out."""
        one = self.inputs.found[index]
        name = f"rows_{index}"
        filters = tuple(self._filter_sql(text, one) for text in one.filters)
        self._draft(self._role_of(one)).measures[name] = Measure(name, "count", filters=filters)
        return f"{self._role_of(one).name}.{name}"

    def _filter_sql(self, text: str, one: Input) -> str:
        sql, references = filter_with_references(text)
        for index, reference in enumerate(references):
            if reference.kind == "Metric":
                raise Inexpressible("filters by a metric for each entity")
            if reference.name == "metric_time" or reference.grain:
                raise Inexpressible("filters of a metric by time")
            path = self._reached(self._role_of(one), reference.name)
            sql = sql.replace(f"__{index}", f"{{{{{path}}}}}")
        return sql

    def _where(self) -> list[Condition]:
        text = self.case.get("where_filter")
        if text is None:
            return []
        sql, references = filter_with_references(text)
        return [self._condition(parse_one(sql, dialect="duckdb"), references)]

    def _condition(self, tree: exp.Expr, references: list[Reference]) -> Condition:
        """A boolean expression as a condition, with SQL's own meaning of NULL."""
        if isinstance(tree, exp.Paren):
            return self._condition(tree.this, references)
        if isinstance(tree, exp.And | exp.Or):
            of = (self._condition(tree.left, references), self._condition(tree.right, references))
            return All(of) if isinstance(tree, exp.And) else AnyOf(of)
        if isinstance(tree, exp.Column):
            return Filter(self._referred(tree, references)[0], "equals", (True,))
        if isinstance(tree, exp.Not) and isinstance(tree.this, exp.Column):
            return Filter(self._referred(tree.this, references)[0], "equals", (False,))
        if isinstance(tree, exp.Is) and isinstance(tree.expression, exp.Null):
            return Filter(self._referred(tree.this, references)[0], "not_set")
        if isinstance(tree, exp.EQ | exp.GT | exp.GTE | exp.LT | exp.LTE):
            return self._comparison(tree, references)
        raise Inexpressible("filters in free SQL")

    def _comparison(self, tree: exp.Binary, references: list[Reference]) -> Condition:
        path, grain = self._referred(tree.left, references)
        value = _value(tree.right)
        if grain is None or not isinstance(value, datetime):
            op: Operator = "equals" if isinstance(tree, exp.EQ) else _COMPARED[type(tree)]
            return Filter(path, op, (value,))
        if value != _start(value, grain):
            raise Inexpressible("filters in free SQL")
        after = _next(value, grain)
        if isinstance(tree, exp.EQ):
            return Filter(path, "in_range", (value, after))
        # what is cut off to its grain is at most the value where the whole is before the next period
        return Filter(path, "gte" if isinstance(tree, exp.GT | exp.GTE) else "lt",
                      (after if isinstance(tree, exp.GT | exp.LTE) else value,))  # fmt: skip

    def _referred(self, tree: exp.Expr, references: list[Reference]) -> tuple[str, str | None]:
        while isinstance(tree, exp.Cast | exp.Paren):
            tree = tree.this
        if not isinstance(tree, exp.Column) or not tree.name.startswith("__"):
            raise Inexpressible("filters in free SQL")
        reference = references[int(tree.name[2:])]
        if reference.kind == "Metric":
            raise Inexpressible("filters by a metric for each entity")
        asked = next(iter(self._named(reference)))
        grain = self._grain_of(asked["name"], asked.get("grain"))
        return self._member(asked["name"], grain), None if grain is not None and _is_custom(grain) else grain

    def _named(self, reference: Reference) -> Iterator[Json]:
        base, _, last = reference.name.rpartition("__")
        if base and last in GRAINS:
            yield {"name": base, "grain": last}
        yield {"name": reference.name, "grain": reference.grain}

    def _time_constraint(self) -> list[Condition]:
        given = self.case.get("time_constraint")
        if given is None:
            return []
        first, last = (datetime.fromisoformat(text) for text in given)
        asked = [found.get("grain") for found in self._asked() if found["name"] == "metric_time"]
        grain = self._grain_of("metric_time", asked[0] if asked else None)
        return [Filter(self._metric_time(), "in_range", (_start(first, grain), _next(_start(last, grain), grain)))]

    def _order(self, text: str, expressions: dict[str, str]) -> Order:
        name, desc = text.removeprefix("-"), text.startswith("-")
        if name in expressions:
            return Order(self._measure(name, expressions[name]), desc)
        base, _, last = name.rpartition("__")
        by, _ = self._group(base, last) if base and last in GRAINS else self._group(name)
        return Order(by.name, desc)

    def _model(self) -> Model:
        if self.calendar:
            days = self._draft(CALENDAR)
            days.dimensions["ds"] = Dimension("ds", "datetime", self.spine_time)
            days.entities["metric_time"] = Entity("metric_time", "primary", ("ds",))
        return Model(tuple(self._view(draft) for draft in self.drafts.values()))

    def _view(self, draft: Draft) -> View:
        entities, dimensions = list(draft.entities.values()), dict(draft.dimensions)
        is_calendar = draft.role == CALENDAR
        timed = next((role for role in self.roles if role.name == draft.role.name), None)
        if self.calendar and timed is not None:
            column = timed.model.dimensions[timed.time].get("expr") or timed.time
            dimensions["metric_day"] = Dimension("metric_day", "datetime", f"DATE_TRUNC('day', \"{column}\")")
            entities.append(Entity("metric_time", "foreign", ("metric_day",)))
        return View(
            draft.role.name,
            table=self.spine if is_calendar else draft.role.model.table,
            entities=tuple(entities),
            dimensions=tuple(dimensions.values()),
            measures=tuple(draft.measures.values()),
        )


def _percentile(expr: str, params: Json, filters: tuple[str, ...]) -> str:
    if params.get("use_approximate_percentile"):
        raise Inexpressible("approximate percentiles")
    name = "QUANTILE_DISC" if params.get("use_discrete_percentile") else "QUANTILE_CONT"
    rows = f"CASE WHEN {' AND '.join(filters)} THEN {expr} END" if filters else expr
    return f"{name}({rows}, {params['percentile']})"


def _value(tree: exp.Expr) -> Any:
    if isinstance(tree, exp.Cast):
        return datetime.fromisoformat(tree.this.name)
    if isinstance(tree, exp.Literal):
        return tree.name if tree.is_string else float(tree.name) if "." in tree.name else int(tree.name)
    raise Inexpressible("filters in free SQL")


def _start(moment: datetime, grain: str) -> datetime:
    """The start of the period in which a moment lies."""
    day = datetime(moment.year, moment.month, moment.day)
    month = 3 * ((day.month - 1) // 3) + 1 if grain == "quarter" else 1 if grain == "year" else day.month
    if grain in ("month", "quarter", "year"):
        return datetime(day.year, month, 1)
    if grain == "week":
        return day - timedelta(days=day.weekday())
    if grain == "day":
        return day
    return day + timedelta(hours=moment.hour, minutes=moment.minute if grain != "hour" else 0,
                           seconds=moment.second if grain == "second" else 0)  # fmt: skip


def _is_custom(grain: str | None) -> bool:
    return grain is not None and grain not in GRAINS


def _next(start: datetime, grain: str) -> datetime:
    """The start of the period after the one that starts then."""
    months = {"month": 1, "quarter": 3, "year": 12}.get(grain)
    if months is None:
        return start + timedelta(**{f"{grain}s": 1})
    index = start.month - 1 + months
    return datetime(date(start.year, 1, 1).year + index // 12, index % 12 + 1, 1)
