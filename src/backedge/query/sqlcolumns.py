"""Whether every column that a statement names can exist; where the tables alone cannot tell, the engine decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import OptimizeError
from sqlglot.optimizer.scope import Scope, traverse_scope

from backedge.query.ports import Rejected
from backedge.query.sqltables import Known, did_you_mean, nearest

_PSEUDO = frozenset({"all", "ctid", "excluded", "filename", "oid", "rowid", "tableoid", "value", "xmin"})


@dataclass(frozen=True)
class _Place:
    """Where a column stands: the scopes around it, innermost first, and what their sources give (None: unknown)."""

    scopes: tuple[Scope, ...]
    columns: tuple[str, ...] | None


def check_columns(root: exp.Expr, known: Known) -> Rejected | None:
    """The first column that no table in scope has, or None. A source that cannot be resolved has every column."""
    try:
        scopes = {id(scope.expression): scope for scope in traverse_scope(root)}
    except OptimizeError:
        return None
    for column in list(root.find_all(exp.Column)):
        rejected = _check_column(column, scopes, known)
        if rejected:
            return rejected
    return None


def _check_column(column: exp.Column, scopes: dict[int, Scope], known: Known) -> Rejected | None:
    place = _place(column, scopes, known)
    if not place.scopes or place.columns is None or column.args.get("db") or column.find_ancestor(exp.Pivot):
        return None
    if column.table:
        return _check_qualified(column, place, known)
    name = column.name.casefold()
    if name in _PSEUDO or name in _fold(place.columns) or name in _names_around(column, place):
        return None
    if known.dialect == "sqlite" and _is_compared_text(column):
        column.replace(exp.Literal.string(column.name))
        return None
    return _unknown(column.name, place.columns, "in the tables of this query", known)


def _is_compared_text(column: exp.Column) -> bool:
    """SQLite reads `name = "Ann"` as text where no column is called Ann; elsewhere that is a misspelling."""
    parent, key = column.parent, column.arg_key
    if parent is None or not column.this.args.get("quoted"):
        return False
    if isinstance(parent, exp.GT | exp.GTE | exp.LT | exp.LTE) and not column.name[:1].isdigit():
        return False
    compares = isinstance(parent, exp.EQ | exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE | exp.Like | exp.Glob)
    lists = isinstance(parent, exp.In) and key == "expressions"
    spans = isinstance(parent, exp.Between) and key in ("low", "high")
    return ((compares and key == "expression") or lists or spans) and parent.this.find(exp.Column) is not None


def _check_qualified(column: exp.Column, place: _Place, known: Known) -> Rejected | None:
    table = column.table.casefold()
    source = _find_source(table, place.scopes)
    if source is None:
        sources = [name for scope in place.scopes for name in scope.selected_sources]
        if table in _fold(place.columns or ()) | _names_around(column, place):
            return None
        near = nearest(column.table, sources)
        message = f"`{column.table}` is no table or alias of this query{did_you_mean(near)}"
        return Rejected("unknown_column", message, near)
    columns = _outputs(source, known)
    if columns is None or isinstance(column.this, exp.Star) or column.name.casefold() in _fold(columns) | _PSEUDO:
        return None
    return _unknown(column.name, columns, f"in `{column.table}`", known)


def _unknown(name: str, columns: tuple[str, ...], where: str, known: Known) -> Rejected:
    near = nearest(name, columns)
    owners = [table for table, names in known.columns.items() if name.casefold() in _fold(tuple(names))]
    elsewhere = f"; `{owners[0]}` has one" if owners else ""
    return Rejected("unknown_column", f"there is no column `{name}` {where}{elsewhere}{did_you_mean(near)}", near)


def _place(column: exp.Column, scopes: dict[int, Scope], known: Known) -> _Place:
    around = tuple(_scopes_around(column, scopes))
    columns: list[str] = []
    for scope in around:
        for _, source in scope.selected_sources.values():
            given = _outputs(source, known)
            if given is None:
                return _Place(around, None)
            columns.extend(given)
    return _Place(around, tuple(columns))


def _scopes_around(node: exp.Expr, scopes: dict[int, Scope]) -> Iterator[Scope]:
    parent = node.parent
    while parent is not None:
        scope = scopes.get(id(parent)) if isinstance(parent, exp.Select) else None
        if scope is not None:
            yield scope
        parent = parent.parent


def _names_around(column: exp.Column, place: _Place) -> set[str]:
    """Names besides columns that a bare name may mean: aliases, tables as rows, lambda parameters."""
    names = {name for scope in place.scopes for name in scope.selected_sources}
    for scope in place.scopes:
        names.update(alias.alias for alias in scope.find_all(exp.Alias))
        names.update(window.alias for window in scope.find_all(exp.Window))
    parent = column.parent
    while parent is not None:
        if isinstance(parent, exp.Lambda):
            names.update(parameter.name for parameter in parent.expressions)
        if isinstance(parent, exp.Comprehension):
            names.update(part.name for part in parent.find_all(exp.Column, exp.Identifier))
        parent = parent.parent
    return _fold(tuple(names))


def _find_source(table: str, scopes: tuple[Scope, ...]) -> exp.Expr | Scope | None:
    for scope in scopes:
        for name, (_, source) in scope.selected_sources.items():
            if name.casefold() == table:
                return source
    return None


def _outputs(source: exp.Expr | Scope, known: Known) -> tuple[str, ...] | None:
    """The columns that a table, subquery or common table expression gives, or None where they cannot be told."""
    if isinstance(source, Scope):
        is_struct = source.is_udtf and known.dialect == "bigquery"  # there the alias is the value, whose fields it has
        return None if is_struct else _selected(source, known)
    if not isinstance(source, exp.Table) or source.args.get("pivots") or not isinstance(source.this, exp.Identifier):
        return None
    name = known.find([part.name for part in source.parts])
    if name is None or (source.alias and source.alias_column_names):
        return None
    return tuple(known.columns[name]) or None  # a table that could not be read has no columns that are known


def _selected(scope: Scope, known: Known) -> tuple[str, ...] | None:
    if scope.outer_columns:
        return tuple(scope.outer_columns)
    select = scope.expression
    if isinstance(select, exp.SetOperation):
        sides = scope.set_operation_scopes
        return _selected(sides[0], known) if sides and not select.args.get("by_name") else None
    if not isinstance(select, exp.Select) or select.args.get("pivots"):
        return None
    names: list[str] = []
    for item in select.selects:
        if item.is_star:
            sources = [_outputs(source, known) for _, source in scope.selected_sources.values()]
            if not isinstance(item, exp.Star) or item.args.get("rename") or None in sources:
                return None
            names.extend(name for source in sources for name in source or ())
        elif item.find(exp.Columns):
            return None
        else:
            names.append(item.alias_or_name)
    return tuple(names) if all(names) else None


def _fold(names: tuple[str, ...]) -> set[str]:
    return {name.casefold() for name in names}
