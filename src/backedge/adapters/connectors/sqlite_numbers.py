"""Makes SQLite refuse what it would count wrongly: text in a column that a query adds up, multiplies or compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

import sqlglot
from sqlglot import exp

from backedge.query.table import Cell

CHECK = "backedge_number"
"""The function of the worker that raises. It is called for values that are no number and for nothing else."""

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)
_ORDERS = (exp.GT, exp.GTE, exp.LT, exp.LTE)


def with_checked_numbers(sql: str, params: Sequence[Cell]) -> str:
    """The statement with a check around each column that is used as a number; without such a column, as it is."""
    tree = _named(sqlglot.parse_one(sql, read="sqlite"))
    columns = {id(column): column for node in tree.walk() for used in _used(node, params) for column in _columns(used)}
    if not columns:
        return sql
    for column in columns.values():
        column.replace(_checked(column))
    return tree.sql(dialect="sqlite", comments=False)


def _named(tree: exp.Expr) -> exp.Expr:
    """The statement with a name for each expression that it selects: SQLite would name it by the text of the check."""
    for item in tree.selects if isinstance(tree, exp.Query) else ():
        if not item.alias_or_name and not item.is_star:
            item.replace(exp.alias_(item.copy(), item.sql(dialect="sqlite"), quoted=True))
    return tree


def _used(node: exp.Expr, params: Sequence[Cell]) -> Iterator[exp.Expr]:
    """The operands of a node that must be numbers."""
    if isinstance(node, exp.Sum | exp.Avg) or (isinstance(node, exp.Anonymous) and node.name.lower() == "total"):
        yield node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    elif isinstance(node, exp.Neg):
        yield node.this
    elif isinstance(node, _ARITHMETIC) or (isinstance(node, _ORDERS) and _compares_numbers(node, params)):
        yield from (node.this, node.expression)
    elif isinstance(node, exp.Between) and _is_number(node.args["low"], params):
        yield node.this


def _compares_numbers(node: exp.Expr, params: Sequence[Cell]) -> bool:
    return _is_number(node.this, params) or _is_number(node.expression, params)


def _is_number(node: exp.Expr, params: Sequence[Cell]) -> bool:
    while isinstance(node, exp.Paren | exp.Neg):
        node = node.this
    if isinstance(node, exp.Parameter) and isinstance(node.this, exp.Literal):
        given = params[int(node.name) - 1] if 0 < int(node.name) <= len(params) else None
        return isinstance(given, int | float | Decimal) and not isinstance(given, bool)
    return isinstance(node, exp.Literal) and not node.is_string


def _columns(node: exp.Expr) -> Iterator[exp.Column]:
    """The columns whose value is the value of the operand. What a cast or a function gives is what it was asked for."""
    if isinstance(node, exp.Column):
        yield node
    elif isinstance(node, exp.Paren):
        yield from _columns(node.this)
    elif isinstance(node, exp.Distinct):
        yield from (column for part in node.expressions for column in _columns(part))
    elif isinstance(node, exp.Case):
        results = [branch.args["true"] for branch in node.args["ifs"]]
        yield from (column for part in (*results, node.args.get("default")) if part for column in _columns(part))
    elif isinstance(node, exp.If):
        yield from (c for part in (node.args["true"], node.args.get("false")) if part for c in _columns(part))
    elif isinstance(node, exp.Coalesce):
        yield from (column for part in (node.this, *node.expressions) for column in _columns(part))
    elif isinstance(node, exp.Nullif):
        yield from _columns(node.this)


def _checked(column: exp.Column) -> exp.Case:
    kind = exp.func("typeof", column.copy())
    is_text = exp.In(this=kind, expressions=[exp.Literal.string("text"), exp.Literal.string("blob")])
    call = exp.Anonymous(this=CHECK, expressions=[column.copy(), exp.Literal.string(column.name)])
    return exp.Case(ifs=[exp.If(this=is_text, true=call)], default=column.copy())
