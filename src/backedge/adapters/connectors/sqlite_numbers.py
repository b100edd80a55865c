"""Makes SQLite refuse what it would count wrongly: text in a column that a query adds up, multiplies or compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from sqlglot import exp

from backedge.query.table import Cell

NUMBER, NUMERAL = "backedge_number", "backedge_numeral"
"""Functions of the worker: one raises for text whatever it says, the other where it does not say a number."""

_NUMBER_TYPES = (*exp.DataType.NUMERIC_TYPES, exp.DataType.Type.DECIMAL)

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)
_ORDERS = (exp.GT, exp.GTE, exp.LT, exp.LTE)


def with_checked_numbers(tree: exp.Expr, params: Sequence[Cell]) -> exp.Expr:
    """The statement with a check around each column that is used as a number, or is cast to one."""
    tree = _named(tree)
    found = [(column, check) for node in tree.walk() for column, check in _numbers(node, params)]
    for column, check in {id(column): (column, check) for column, check in reversed(found)}.values():
        column.replace(_checked(column, check))
    return tree


def _numbers(node: exp.Expr, params: Sequence[Cell]) -> Iterator[tuple[exp.Column, str]]:
    """Columns in a node that must hold numbers, each with its check."""
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Column) and node.is_type(*_NUMBER_TYPES):
        yield node.this, NUMERAL
    for used in _used(node, params):
        yield from ((column, NUMBER) for column in _columns(used))


def _named(tree: exp.Expr) -> exp.Expr:
    """The statement with a name for each expression that it selects: SQLite would name it by the text of the check."""
    for item in list(tree.selects) if isinstance(tree, exp.Query) else ():
        if not isinstance(item, exp.Alias | exp.Column) and not item.is_star:
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


def _checked(column: exp.Column, check: str) -> exp.Case:
    kind = exp.func("typeof", column.copy())
    is_text = exp.In(this=kind, expressions=[exp.Literal.string("text"), exp.Literal.string("blob")])
    call = exp.Anonymous(this=check, expressions=[column.copy(), exp.Literal.string(column.name)])
    return exp.Case(ifs=[exp.If(this=is_text, true=call)], default=column.copy())
