"""Compile a spec to SQL: names to members, members to a plan, the plan to a tree, the tree to text."""

from __future__ import annotations

from backedge.kernel.defect import Defect
from backedge.semantic.build import build
from backedge.semantic.dialects import Dialect, dialect_of
from backedge.semantic.model import Model
from backedge.semantic.names import output_names, positional, readable
from backedge.semantic.plan import Plan, measure_type, plan
from backedge.semantic.refusal import Refused
from backedge.semantic.resolve import Question, resolve
from backedge.semantic.spec import Compiled, OutputColumn, Spec
from backedge.semantic.tables import table_names


def compile_spec(model: Model, spec: Spec, dialect: str = "duckdb") -> Compiled | tuple[Defect, ...]:
    """The query that answers `spec`, or every reason why there is none.

    Every defect names the member it is about, says why, and offers the nearest thing that can be asked. Kinds:
    unknown_member, unknown_topic, outside_topic, ambiguous_topic, unknown_grain, unknown_order, ambiguous_order,
    type_mismatch, bad_value, bad_expression, mixed_levels, mixed_condition, mixed_datasource, no_join, ambiguous_join,
    needs_primary_key, not_supported, empty_spec.
    """
    try:
        tables = dialect_of(dialect)
        question = resolve(model, spec)
        return compiled(question, plan(model, question, tables), tables)
    except Refused as refused:
        return refused.defects


def compiled(question: Question, planned: Plan, dialect: Dialect) -> Compiled:
    """The text of a plan with everything that a reader must know."""
    tables = tuple(dict.fromkeys(t for s in planned.sources for t in table_names(s.view, dialect)))
    tree = build(planned, question, readable(planned, question, tables), dialect)
    plain = build(planned, question, positional(planned, question), dialect)
    datasource = planned.sources[0].view.datasource
    text = plain.sql(dialect=dialect.name, comments=False)
    return Compiled(
        sql=tree.sql(dialect=dialect.name, pretty=True, comments=False),
        params=planned.params,
        columns=_columns(question),
        notes=planned.notes,
        tables=tables,
        filters=question.filters,
        dialect=dialect.name,
        datasource=datasource,
        canonical=f"{datasource}: {text} {planned.params!r}",
    )


def _columns(question: Question) -> tuple[OutputColumn, ...]:
    names = iter(output_names(question))
    groups = [
        OutputColumn(next(names), g.by.member, "dimension", g.dimension.type, g.by.grain) for g in question.groups
    ]
    measures = [
        OutputColumn(next(names), m.path, "measure", measure_type(m.view, m.measure)) for m in question.measures
    ]
    return (*groups, *measures)
