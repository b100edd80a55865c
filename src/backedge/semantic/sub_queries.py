"""Dimensions that are a measure of each row of their view: a query of its own, by the view's primary key."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sqlglot import exp

from backedge.semantic.build import build
from backedge.semantic.dialects import Dialect
from backedge.semantic.expressions import bad
from backedge.semantic.keys import keys_of
from backedge.semantic.measures import needs_primary_key
from backedge.semantic.model import Dimension, Measure, Model, View
from backedge.semantic.names import readable
from backedge.semantic.plan import Plan, plan
from backedge.semantic.policies import Attributes
from backedge.semantic.resolve import Question, resolve
from backedge.semantic.slots import OWN
from backedge.semantic.sources import Nested, Source, SourceColumn, flat
from backedge.semantic.spec import By, Spec, Value
from backedge.semantic.tables import table_names

_PATH = re.compile(r"\s*(?:\{\{\s*)?(\w+\.\w+)(?:\s*\}\})?\s*")
_COUNTS = ("count", "count_distinct", "count_distinct_approx")


def planned(
    model: Model, question: Question, dialect: Dialect, attributes: Attributes, params: list[Value] | None = None
) -> Plan:
    """The plan of a question, its sub-query dimensions planned as questions of their own under the same topic."""
    return plan(model, question, dialect, attributes, _Nesting(model, question.spec, dialect, attributes), params)


@dataclass(frozen=True)
class _Nesting:
    model: Model
    spec: Spec
    dialect: Dialect
    attributes: Attributes
    within: tuple[str, ...] = ()

    def __call__(self, home: View, dimension: Dimension, params: list[Value], notes: list[str]) -> Nested:
        name = f"{home.name}.{dimension.name}"
        if name in self.within:
            raise bad(name, f"it refers to itself: {' -> '.join((*self.within, name))}", "break the circle")
        question = resolve(self.model, self._asked(home, dimension, name))
        deeper = replace(self, within=(*self.within, name))
        inner = plan(self.model, question, self.dialect, self.attributes, deeper, params)
        notes.extend(inner.notes)
        return Nested(self._source(name, inner, question), _missing(question.measures[0].measure))

    def _asked(self, home: View, dimension: Dimension, name: str) -> Spec:
        if home.primary is None:
            raise needs_primary_key(home, f"{name} is a measure of each row of {home.name}")
        found = _PATH.fullmatch(dimension.expr)
        if found is None:
            raise bad(name, f"sub_query wants a measure, not {dimension.expr.strip()}", "write expr: view.measure")
        asked = self.spec
        return Spec(
            measures=(found[1],),
            by=tuple(By(f"{home.name}.{key}") for key in home.primary.keys),
            topic=asked.topic,
            variables=asked.variables,
            timezone=asked.timezone,
            week_start=asked.week_start,
            fiscal_year_start=asked.fiscal_year_start,
        )

    def _source(self, name: str, inner: Plan, question: Question) -> Source:
        tables = [t for view in flat(inner.sources) for t in table_names(view, self.dialect)]
        names = readable(inner, question, tables)
        own = exp.to_identifier(OWN, quoted=True)
        columns = (exp.Column(this=exp.to_identifier(o, quoted=True), table=own.copy()) for o in names.outputs)
        return Source(
            view=View(name=name, datasource=inner.sources[0].view.datasource),
            columns=tuple(SourceColumn(o, c) for o, c in zip(names.outputs, columns, strict=True)),
            hops=(),
            reads=exp.Subquery(this=build(inner, question, names, self.dialect)),
            inner=inner.sources,
            keys=keys_of(inner),
        )


def _missing(measure: Measure) -> int | float | None:
    """The value for a row that the measure has no group for."""
    return 0 if measure.type in _COUNTS else measure.fill_nulls_with
