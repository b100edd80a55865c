"""SQL templates: values go in as values, after the SQL is parsed, so that none of them can change the query."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import sqlglot
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backedge.automations.outputs import cell_text
from backedge.automations.templates import ERRORS, TemplateProblem, evaluate, render, single
from backedge.kernel.defect import Defect

_MARK = re.compile(r"backedge_(\d+)_value")
_PLAIN = re.compile(r"\w+(\.\w+)*")


def sql_of(template: str, names: Mapping[str, Any], dialect: str) -> str:
    """The SQL of a template. A template that is one expression is SQL itself, such as an earlier task's.

    Raises `TemplateProblem` where a value stands where none can, or the SQL does not parse.
    """
    expression = single(template)
    if expression is not None:
        return str(evaluate(expression, names))
    values: list[Any] = []
    marked = _marked(template, names, values)
    if not values:
        return render(template, names)
    try:
        trees = [tree for tree in sqlglot.parse(marked, read=dialect) if tree is not None]
    except SqlglotError as error:
        raise TemplateProblem(Defect("sql_parse", f"the SQL does not parse: {error}", where="sql")) from error
    return ";\n".join(_filled(tree, values).sql(dialect=dialect, comments=False) for tree in trees)


def _marked(template: str, names: Mapping[str, Any], values: list[Any]) -> str:
    """The template with a mark for each value."""

    def mark(value: Any) -> str:
        str(value)  # an unknown name raises here
        values.append(value)
        return f"backedge_{len(values) - 1}_value"

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, finalize=mark)
    try:
        return environment.from_string(template).render(names)
    except ERRORS:
        render(template, names)  # raises the same, told as every template's
        raise


def _filled(tree: exp.Expr, values: list[Any]) -> exp.Expr:
    for node in list(tree.find_all(exp.Literal, exp.Identifier)):
        marks = _MARK.findall(str(node.this))
        column = node.parent
        if not marks:
            continue
        if isinstance(column, exp.Column) and _MARK.fullmatch(str(node.this)) and not column.table:
            column.replace(_expression(values[int(marks[0])], column))
        else:
            _fill_text(node, values)
    return tree


def _fill_text(node: exp.Expr, values: list[Any]) -> None:
    node.set("this", _MARK.sub(lambda mark: _text(values[int(mark[1])], node), str(node.this)))
    if isinstance(node, exp.Identifier):
        node.set("quoted", True)


def _expression(value: Any, column: exp.Expr) -> exp.Expr:
    """What a value is where an expression stands: a number, a list, nothing, or a column of that name."""
    match value:
        case bool():
            return exp.Boolean(this=value)
        case int() | float() | Decimal():
            return exp.Literal.number(str(value))
        case None:
            return exp.Null()
        case date():
            return exp.Literal.string(cell_text(value))
        case list() | tuple() if value and all(isinstance(item, str | int | float | Decimal | date) for item in value):
            return _listed(value, column)
        case str() if _PLAIN.fullmatch(value):
            return exp.column(*reversed(value.split(".")), quoted=True)
    raise TemplateProblem(_misplaced(value))


def _listed(values: list[Any] | tuple[Any, ...], column: exp.Expr) -> exp.Expr:
    items = [_literal(value) for value in values]
    parent = column.parent
    if isinstance(parent, exp.In):
        parent.set("expressions", [item for e in parent.expressions for item in (items if e is column else [e])])
        return items[0]
    return exp.Tuple(expressions=items)


def _literal(value: Any) -> exp.Expr:
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    return exp.Literal.string(cell_text(value)) if isinstance(value, str | date) else exp.Literal.number(str(value))


def _text(value: Any, node: exp.Expr) -> str:
    """A value inside a quoted text or a name."""
    if isinstance(value, dict | list | tuple):
        raise TemplateProblem(_misplaced(value))
    text = cell_text(value)
    if isinstance(node, exp.Identifier) and not _PLAIN.fullmatch(text):
        raise TemplateProblem(_misplaced(value))
    return text


def _misplaced(value: Any) -> Defect:
    kind = "a table or a list" if isinstance(value, dict | list | tuple) else f"the text {str(value)[:40]!r}"
    hint = "put quotes around it; of a table name one cell: {{ task.column[0] }}"
    return Defect("sql_value", f"{kind} cannot stand in SQL there", where="sql", hint=hint)
