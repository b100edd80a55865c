"""Rewrites a query so that it reads only some rows of its tables: each becomes a sub-query, or the query is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from backedge.semantic.dialects import Dialect
from backedge.semantic.refusal import Refused, refused
from backedge.semantic.slots import OWN

Conditions = Callable[[exp.Table], tuple[exp.Expr, ...]]
_ROW_MAKERS = (exp.Unnest, exp.GenerateSeries, exp.ExplodingGenerateSeries)
_NAMED_BY = frozenset({"this", "db", "catalog"})
_MOVED = ("alias", "joins", "laterals", "pivots", "sample")
_IN_A_TABLE = frozenset({"sqlite", "clickhouse"})  # there `x IN name` may read a table


def restrict(query: exp.Expr, conditions: Conditions, dialect: Dialect, where: str) -> exp.Expr:
    """A copy of `query` in which each table stands for its rows that fulfil `conditions`; with none it stays as it is.

    Common tables are renamed: engines do not agree on when a name means one; a name that means nothing reads nothing.
    """
    tree = query.copy()
    tables = list(tree.find_all(exp.Table))
    _refuse_hidden_tables(tree, tables, dialect, where)
    common = {id(table): cte for table in tables if (cte := _common_table(table)) is not None}
    given = [(table, conditions(table)) for table in tables if id(table) not in common and _is_named(table)]
    _rename(tree, [table for table in tables if id(table) in common])
    for table, tests in given:
        if tests:
            table.replace(_filtered(table, tests, where))
    return tree


def tables_of(query: exp.Expr) -> Iterator[exp.Table]:
    """Every table that a query reads by name, common tables of its own left out."""
    return (t for t in query.find_all(exp.Table) if _is_named(t) and _common_table(t) is None)


def not_permitted(message: str, where: str, hint: str) -> Refused:
    """The refusal of somebody who may not see what was asked for."""
    return refused("not_permitted", message, where=where, hint=hint, retryable=False)


def _is_named(table: exp.Table) -> bool:
    return isinstance(table.this, exp.Identifier)


def _refuse_hidden_tables(tree: exp.Expr, tables: list[exp.Table], dialect: Dialect, where: str) -> None:
    for table in tables:
        if not _is_named(table) and not isinstance(table.this, _ROW_MAKERS):
            message = f"{where} reads from {table.this.sql(dialect=dialect.name)}, whose rows no policy can hold"
            raise not_permitted(message, where, "read from a table")
    bare = [n for n in tree.find_all(exp.In) if isinstance(n.args.get("field"), exp.Column | exp.Identifier)]
    if bare and dialect.name in _IN_A_TABLE:
        message = f"{where} holds IN with a bare name, which may read a table past its row policies"
        raise not_permitted(message, where, "write a list or a query in parentheses")


def _common_table(table: exp.Table) -> exp.CTE | None:
    """The common table that a name means: all of a WITH for its body, earlier ones inside it, all if recursive."""
    if table.args.get("db") or not _is_named(table):
        return None
    child: exp.Expr = table
    parent = table.parent
    while parent is not None:
        found = _in_clause(table.name, parent, child)
        if found is not None:
            return found
        child, parent = parent, parent.parent
    return None


def _in_clause(name: str, parent: exp.Expr, child: exp.Expr) -> exp.CTE | None:
    if isinstance(parent, exp.With):
        seen = parent.expressions if parent.args.get("recursive") else _before(parent.expressions, child)
    else:
        clause = parent.args.get("with_")
        seen = clause.expressions if isinstance(clause, exp.With) and clause is not child else []
    return next((cte for cte in seen if cte.alias.casefold() == name.casefold()), None)


def _before(ctes: list[exp.CTE], child: exp.Expr) -> list[exp.CTE]:
    place = next((i for i, cte in enumerate(ctes) if cte is child), len(ctes))
    return ctes[:place]


def _rename(tree: exp.Expr, readers: list[exp.Table]) -> None:
    names: dict[str, str] = {}
    for cte in tree.find_all(exp.CTE):
        name = cte.alias
        new = names.setdefault(name.casefold(), f"__with_{len(names) + 1}_{name}")
        cte.args["alias"].set("this", exp.to_identifier(new, quoted=True))
    for table in readers:
        if not table.alias:
            table.set("alias", exp.TableAlias(this=table.this.copy()))
        table.set("this", exp.to_identifier(names[table.name.casefold()], quoted=True))


def _filtered(table: exp.Table, tests: tuple[exp.Expr, ...], where: str) -> exp.Subquery:
    lost = [key for key, value in table.args.items() if value and key not in _NAMED_BY and key not in _MOVED]
    if lost:
        message = f"{where} reads {table.name} with {', '.join(lost)}, which cannot be held to its row policies"
        raise not_permitted(message, where, "leave that out")
    plain = exp.Table(**{key: table.args[key].copy() for key in _NAMED_BY if table.args.get(key)})
    own = exp.to_identifier(OWN, quoted=True)
    rows = exp.select("*").from_(exp.alias_(plain, own, table=True)).where(*(t.copy() for t in tests))
    moved = {key: table.args[key] for key in _MOVED if table.args.get(key)}
    moved.setdefault("alias", exp.TableAlias(this=table.this.copy()))
    return exp.Subquery(this=rows, **moved)
