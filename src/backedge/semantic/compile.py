"""Compile a spec to SQL: names to members, members to a plan, the plan to a tree, the tree to text."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from backedge.kernel.defect import Defect
from backedge.semantic.build import build
from backedge.semantic.dialects import Dialect, dialect_of
from backedge.semantic.keys import keys_of
from backedge.semantic.measures import measure_type
from backedge.semantic.model import Model
from backedge.semantic.motif_query import Over, prepared
from backedge.semantic.names import Names, Spelling, output_names
from backedge.semantic.plan import Plan
from backedge.semantic.policies import NOBODY, Attributes
from backedge.semantic.refusal import Refused
from backedge.semantic.resolve import Question, compared
from backedge.semantic.roles import plain_paths, with_roles
from backedge.semantic.sources import flat
from backedge.semantic.spec import Compiled, OutputColumn, Spec, Value
from backedge.semantic.speech import spoken
from backedge.semantic.tables import table_names


def compile_spec(
    model: Model, spec: Spec, dialect: str = "", *, attributes: Attributes = NOBODY
) -> Compiled | tuple[Defect, ...]:
    """The query that answers `spec` for somebody with those attributes, or every reason why there is none.

    It is written in `dialect`, or else in that of the database that the spec's views are in.

    Every defect names the member it is about, says why, and offers the nearest thing that can be asked. Kinds:
    unknown_member, unknown_topic, outside_topic, ambiguous_topic, unknown_grain, unknown_order, ambiguous_order,
    type_mismatch, bad_value, bad_expression, mixed_levels, mixed_condition, mixed_datasource, no_join, ambiguous_join,
    needs_primary_key, needs_time_grouping, unaligned_range, unfit_grain, below_grain, not_additive, unknown_motif,
    unknown_parameter, missing_parameter, not_supported, not_permitted, empty_spec.
    """
    try:
        tables = dialect_of(dialect or spoken(model, spec))
        model = with_roles(model)
        return compiled(*prepared(model, plain_paths(model, spec), tables, attributes), tables)
    except Refused as refused:
        return refused.defects


def compiled(question: Question, plan: Plan, over: Over | None, dialect: Dialect) -> Compiled:
    """The text of a plan with everything that a reader must know."""
    tables = tuple(dict.fromkeys(t for view in flat(plan.sources) for t in table_names(view, dialect)))
    spelling = Spelling(tables)
    tree, notes = _tree(question, plan, over, dialect, spelling.marked)
    params = _numbered(tree, plan.params)
    datasource = plan.sources[0].view.datasource
    text = tree.sql(dialect=dialect.name, pretty=True, comments=False, copy=False)  # the tree is used nowhere else
    return Compiled(
        sql=spelling.spelled(text),
        params=params,
        columns=(*_columns(question), *(over.outputs if over else ())),
        notes=(*plan.notes, *notes),
        tables=tables,
        filters=question.filters,
        dialect=dialect.name,
        datasource=datasource,
        canonical=f"{datasource}: {text} {params!r}",
        keys=keys_of(plan),
    )


def _tree(
    question: Question, plan: Plan, over: Over | None, dialect: Dialect, named: Callable[[Plan, Question], Names]
) -> tuple[exp.Select, list[str]]:
    names = named(plan, question)
    tree = build(plan, question, names, dialect)
    if over is None:
        return tree, []
    total = named(over.total[1], over.total[0]) if over.total else None
    return over.query(tree, names.outputs, total)


def _numbered(tree: exp.Select, params: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values that the query reads, its placeholders numbered without gaps: a condition may have lost its place."""
    found = [node for node in tree.find_all(exp.Var) if node.name.startswith("$")]
    numbers = {old: new for new, old in enumerate(sorted({int(node.name[1:]) for node in found}), 1)}
    for node in found:
        node.set("this", f"${numbers[int(node.name[1:])]}")
    return tuple(params[old - 1] for old in numbers)


def _columns(question: Question) -> tuple[OutputColumn, ...]:
    names = iter(output_names(question))
    groups = [
        OutputColumn(next(names), g.by.member, "dimension", g.dimension.type, g.by.grain) for g in question.groups
    ]
    measures = [
        OutputColumn(next(names), m.path, "measure", measure_type(m.view, m.measure)) for m in question.measures
    ]
    parts = [
        OutputColumn(next(names), f"{m.path}.{part}", "measure", measure_type(m.view, m.measure))
        for m, part in compared(question)
    ]
    return (*groups, *measures, *parts)
