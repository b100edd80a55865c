"""Whether two statements are the same but for how they are written: letter case, aliases, the order of conditions."""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.optimizer.simplify import simplify


def canonical_sql(sql: str, dialect: str) -> str:
    """A text that two statements share only if they give the same rows, whatever their columns are called.

    Statements that give the same rows in different ways have different texts. One that cannot be read is its own.
    """
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
        tree = qualify(tree, dialect=dialect, quote_identifiers=False, validate_qualify_columns=False)
        _number_columns(tree)
        _rename_sources(tree)
        return _sorted_conditions(simplify(tree, dialect=dialect)).sql(dialect=dialect, comments=False)
    except SqlglotError:
        return " ".join(sql.split())


def _rename_sources(tree: exp.Expr) -> None:
    """Each table under a name that its place gives it."""
    known = 0
    scopes = traverse_scope(tree)
    for scope in scopes:
        names: dict[str, str] = {}
        for table in scope.tables:
            known += 1
            names[table.alias_or_name] = f"t{known}"
            table.set("alias", exp.TableAlias(this=exp.to_identifier(f"t{known}")))
        for column in scope.columns:
            of = column.table or (next(iter(names), "") if len(scopes) == len(names) == 1 else "")
            if of in names:
                column.set("table", exp.to_identifier(names[of]))


def _number_columns(tree: exp.Expr) -> None:
    """The columns of the result by their place: what they are called changes no row."""
    if not isinstance(tree, exp.Select):
        return
    places = {shown.alias_or_name: place for place, shown in enumerate(tree.expressions, 1)}
    order = tree.args.get("order")
    for column in list(order.find_all(exp.Column)) if order else ():
        if not column.table and column.name in places:
            column.replace(exp.Literal.number(places[column.name]))
    if not any(not column.table and column.name in places for column in _elsewhere(tree)):
        tree.set("expressions", [shown.unalias() for shown in tree.expressions])


def _elsewhere(tree: exp.Select) -> Iterator[exp.Column]:
    """The columns of a statement outside of what it shows."""
    for name, part in tree.args.items():
        if isinstance(part, exp.Expr) and name != "expressions":
            yield from part.find_all(exp.Column)


def _sorted_conditions(tree: exp.Expr) -> exp.Expr:
    for both in list(tree.find_all(exp.And, exp.Or)):
        if not isinstance(both.parent, type(both)):
            parts = sorted(both.flatten(), key=lambda part: part.sql())
            joined = exp.and_(*parts) if isinstance(both, exp.And) else exp.or_(*parts)
            if both.parent is None:
                return joined
            both.replace(joined)
    return tree
