"""The columns of a motif from a file: its expressions over the rows of a question, with everything else refused."""

from __future__ import annotations

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backedge.semantic.expressions import bad
from backedge.semantic.motif_frame import Frame
from backedge.semantic.refusal import did_you_mean, nearest

_PARAM = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_GIVEN = re.compile(r"__given_(\w+)__")
_REFUSED = (exp.Query, exp.Parameter, exp.Placeholder, exp.Star, exp.Lambda, exp.Anonymous, exp.AnonymousAggFunc)


def column(frame: Frame, text: str, place: int | None, where: str) -> exp.Expr:
    """One output of a motif, `place` being the measure that it takes in turn."""
    tree = parsed(text, [p.name for p in frame.used.motif.params], frame.dialect.name, where)
    _refuse_mixed_series(frame, tree, where)

    def give(node: exp.Expr) -> exp.Expr:
        found = _GIVEN.fullmatch(node.name) if isinstance(node, exp.Column) else None
        return _given(frame, found[1], place) if found else node

    return exp.paren(tree.transform(give), copy=False)


def parsed(text: str, names: list[str], dialect: str, where: str) -> exp.Expr:
    """The expression with a column in place of each parameter. Refuses whatever reads something else."""
    for name in _PARAM.findall(text):
        if name not in names:
            raise bad(where, f"{{{{{name}}}}} is no parameter of the motif", did_you_mean(nearest(name, names)))
    plain = _PARAM.sub(lambda found: f"__given_{found[1]}__", text)
    try:
        tree = sqlglot.parse_one(f"SELECT {plain}\n", dialect=dialect)
    except SqlglotError as error:
        raise bad(where, f"it cannot be read: {str(error).splitlines()[0]}") from None
    if not isinstance(tree, exp.Select) or [k for k, v in tree.args.items() if v] != ["expressions"]:
        raise bad(where, f"it is not one expression: {text.strip()}")
    if len(tree.expressions) != 1 or isinstance(tree.expressions[0], exp.Alias):
        raise bad(where, f"it is not one expression: {text.strip()}")
    found: exp.Expr = tree.expressions[0].pop()
    _refuse_others(found, where)
    if len(list(found.find_all(exp.Column))) != len(_PARAM.findall(text)):
        raise bad(where, "a {{parameter}} stands inside quotes or a name")
    return found


def _refuse_others(tree: exp.Expr, where: str) -> None:
    node = tree.find(*_REFUSED)
    if node is not None:
        raise bad(where, f"it holds {_shown(node)}", "compute over the parameters with functions that are known")
    others = [c.sql() for c in tree.find_all(exp.Column) if c.table or not _GIVEN.fullmatch(c.name)]
    if others:
        raise bad(where, f"it reads {others[0]}, which is no parameter", "write {{parameter}}")
    for aggregate in tree.find_all(exp.AggFunc):
        if aggregate.find_ancestor(exp.Window) is None:
            raise bad(where, f"{_shown(aggregate)} aggregates all rows", "add OVER ()")


def _shown(node: exp.Expr) -> str:
    return _GIVEN.sub(r"{{\1}}", node.sql())


def _refuse_mixed_series(frame: Frame, tree: exp.Expr, where: str) -> None:
    timed = {f"__given_{p.name}__" for p in frame.used.motif.params if p.temporal}
    for window in tree.find_all(exp.Window):
        order = window.args.get("order")
        along = order is not None and any(c.name in timed for c in order.find_all(exp.Column))
        if along and frame.others and not window.args.get("partition_by"):
            names = ", ".join(frame.question.groups[i].by.name for i in frame.others)
            raise bad(where, f"it goes along one series of time, and the question has one for each {names}")
        if along and "rows, not periods" not in " ".join(frame.notes):
            name = frame.used.motif.name
            frame.notes.append(f"motif {name} looks at rows, not periods: one without rows is left out of its order")


def _given(frame: Frame, name: str, place: int | None) -> exp.Expr:
    used = frame.used
    if name in used.dimensions:
        return frame.column(used.dimensions[name])
    if name in used.values:
        return exp.convert(used.values[name])
    chosen = used.measures.get(name, place)
    assert chosen is not None, name
    return frame.measure(chosen)
