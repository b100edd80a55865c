"""The forms that a spec passes through on its way to SQL, printed for a person."""

from __future__ import annotations

from collections.abc import Iterator

from backedge.semantic.compile import compiled
from backedge.semantic.dialects import dialect_of
from backedge.semantic.model import Model, View
from backedge.semantic.motif_query import Over, prepared
from backedge.semantic.plan import Node, Plan
from backedge.semantic.policies import NOBODY, Attributes
from backedge.semantic.refusal import Refused
from backedge.semantic.resolve import Question
from backedge.semantic.roles import plain_paths, with_roles
from backedge.semantic.sources import Hop
from backedge.semantic.spec import Compiled, Spec
from backedge.semantic.speech import spoken


def explain(model: Model, spec: Spec, dialect: str = "", *, attributes: Attributes = NOBODY) -> str:
    """Spec, plan and SQL of one question as text, or the defects that stop it."""
    try:
        tables = dialect_of(dialect or spoken(model, spec))
        model = with_roles(model)
        question, plan, over = prepared(model, plain_paths(model, spec), tables, attributes)
        result = compiled(question, plan, over, tables)
    except Refused as refused:
        return "\n".join(["refused", *(f"  {d.kind}: {d.message}. {d.hint}".rstrip(". ") for d in refused.defects)])
    values = [f"  ${i} = {value!r}" for i, value in enumerate(result.params, 1)]
    forms = ["spec", *_spec_lines(spec, result.filters), "plan", *_plan_lines(question, plan, over, result)]
    return "\n".join([*forms, "sql", result.sql, *values])


def _spec_lines(spec: Spec, filters: tuple[str, ...]) -> Iterator[str]:
    if spec.topic:
        yield f"  topic: {spec.topic}"
    yield f"  measures: {', '.join(spec.measures) or ('none, a listing of rows' if spec.listing else 'none')}"
    yield f"  by: {', '.join(by.name for by in spec.by) or 'nothing'}"
    if spec.measures and spec.by:
        yield f"  groupings below the grain: {spec.grain}"
    if spec.through:
        yield f"  through: {', '.join(spec.through)}"
    yield from (f"  where: {text}" for text in filters)
    yield from (f"  variable: {name} = {value!r}" for name, value in spec.variables)
    if spec.motif:
        yield f"  motif: {' '.join([spec.motif, *(f'{name}={value}' for name, value in spec.motif_params)])}"
    if spec.part:
        yield f"  part: {len(spec.part)} conditions"
    if spec.per:
        yield f"  within each: {', '.join(spec.per)}"
    yield from (f"  order: {o.by}{' descending' if o.desc else ''}" for o in spec.order)
    if spec.limit is not None or spec.offset is not None:
        yield f"  rows: {'all' if spec.limit is None else spec.limit} after {spec.offset or 0}"


def _plan_lines(question: Question, plan: Plan, over: Over | None, result: Compiled) -> Iterator[str]:
    views = {source.view.name: source.view for source in plan.sources}
    for source in plan.sources:
        if source.inner:
            yield f"  sub-query {source.view.name}: one value for each row"
        yield from (f"  rows of {source.view.name} {_join(hop)}" for hop in source.hops)
    for node in plan.nodes:
        yield from _node_lines(question, node, views[node.view])
    if plan.having:
        yield f"  where the nodes meet: {len(plan.having)} conditions on measures"
    if over is not None:
        yield from (f"  motif column {column.name} of {column.member}" for column in over.outputs)
    for key in result.keys:
        yield f"  counts on {', '.join(key.columns)} telling the rows of {key.view} apart"
    yield from (f"  note: {note}" for note in result.notes)


def _node_lines(question: Question, node: Node, view: View) -> Iterator[str]:
    grain = f" (one row: {', '.join(view.primary.keys)})" if view.primary else ""
    yield f"  rows of {node.view}{', each once for every group below it' if node.bridged else ''}{grain}"
    if node.key and view.primary:
        yield f"    bridge: distinct {', '.join(view.primary.keys)} with each group"
    yield from (f"    {_join(hop)}" for hop in node.hops)
    for semi in node.semis:
        yield f"    where a row of {semi.hops[0].child} fits, {_join(semi.hops[0])}"
        yield from (f"      {_join(hop)}" for hop in semi.hops[1:])
    yield f"    by: {', '.join(question.groups[i].by.name for i in node.held) or 'all rows together'}"
    yield from (f"    over {words}" for words in node.framed.words)
    yield from (f"    total {total.label}" for total in node.totals)


def _join(hop: Hop) -> str:
    pairs = ", ".join(f"{mine} = {theirs}" for mine, theirs in hop.step.keys)
    return f"joined {hop.parent} -> {hop.child} ({'n:1' if hop.step.up else '1:n'} on {pairs})"
