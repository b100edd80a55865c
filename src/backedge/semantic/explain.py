"""The forms that a spec passes through on its way to SQL, printed for a person."""

from __future__ import annotations

from collections.abc import Iterator

from backedge.semantic.compile import compiled
from backedge.semantic.dialects import dialect_of
from backedge.semantic.model import Model
from backedge.semantic.plan import Node, Plan, plan
from backedge.semantic.refusal import Refused
from backedge.semantic.resolve import resolve
from backedge.semantic.spec import Spec


def explain(model: Model, spec: Spec, dialect: str = "duckdb") -> str:
    """Spec, plan and SQL of one question as text, or the defects that stop it."""
    try:
        tables = dialect_of(dialect)
        question = resolve(model, spec)
        planned = plan(model, question, tables)
        result = compiled(question, planned, tables)
    except Refused as refused:
        return "\n".join(["refused", *(f"  {d.kind}: {d.message}. {d.hint}".rstrip(". ") for d in refused.defects)])
    values = [f"  ${i} = {value!r}" for i, value in enumerate(result.params, 1)]
    return "\n".join(
        ["spec", *_spec_lines(spec, result.filters), "plan", *_plan_lines(planned), "sql", result.sql, *values]
    )


def _spec_lines(spec: Spec, filters: tuple[str, ...]) -> Iterator[str]:
    yield f"  measures: {', '.join(spec.measures) or 'none'}"
    yield f"  by: {', '.join(by.name for by in spec.by) or 'nothing'}"
    yield from (f"  where: {text}" for text in filters)
    yield from (f"  order: {o.by}{' descending' if o.desc else ''}" for o in spec.order)
    if spec.limit is not None or spec.offset is not None:
        yield f"  rows: {'all' if spec.limit is None else spec.limit} after {spec.offset or 0}"


def _plan_lines(planned: Plan) -> Iterator[str]:
    for node in planned.nodes:
        yield from _node_lines(node)
    if planned.having:
        yield f"  where the nodes meet: {len(planned.having)} conditions on measures"
    yield from (f"  note: {note}" for note in planned.notes)


def _node_lines(node: Node) -> Iterator[str]:
    yield f"  rows of {node.view}{', each once for every group below it' if node.bridged else ''}"
    yield from (f"    joined {hop.parent} -> {hop.child}" for hop in node.hops)
    yield from (f"    where a row of {semi.hops[0].child} fits" for semi in node.semis)
    yield from (f"    total {total.label}" for total in node.totals)
