"""Refuses a column that SQLite would take from any row of a group: other databases refuse it themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

Keys = Mapping[str, Sequence[str]]
"""The key of each table, by its name in lower case."""


def bare_column(tree: exp.Expr, keys: Keys) -> str | None:
    """The first column that is selected beside an aggregate, and neither grouped by nor decided by what is."""
    for select in tree.find_all(exp.Select):
        aggregates = [node for item in select.expressions for node in _aggregates(item, select)]
        group = select.args.get("group")
        if group is None and (not aggregates or _takes_one_row(aggregates)):
            continue
        grouped = _grouped(select, group)
        for item in select.expressions:
            for column in item.find_all(exp.Column):
                if not _is_decided(column, select, grouped, keys):
                    return str(column.name)
    return None


def _aggregates(item: exp.Expr, select: exp.Select) -> Iterator[exp.AggFunc]:
    for node in item.find_all(exp.AggFunc):
        if node.parent_select is select and not isinstance(node.parent, exp.Window):
            yield node


def _takes_one_row(aggregates: Sequence[exp.AggFunc]) -> bool:
    """SQLite takes other columns from the row that a single MIN or MAX found."""
    return len(aggregates) == 1 and isinstance(aggregates[0], exp.Min | exp.Max)


def _grouped(select: exp.Select, group: exp.Expr | None) -> list[exp.Expr]:
    """What is grouped by; a number or an alias stands for what is selected there."""
    found: list[exp.Expr] = []
    aliased = {item.alias.lower(): item.unalias() for item in select.expressions if item.alias}
    for term in group.expressions if group is not None else ():
        if isinstance(term, exp.Literal) and term.is_int and 0 < int(term.name) <= len(select.expressions):
            term = select.expressions[int(term.name) - 1].unalias()
        elif isinstance(term, exp.Column) and not term.table:
            found.append(term)
            term = aliased.get(term.name.lower(), term)
        found.append(term)
    return found


def _is_decided(column: exp.Column, select: exp.Select, grouped: Sequence[exp.Expr], keys: Keys) -> bool:
    if column.parent_select is not select:
        return True
    node: exp.Expr | None = column
    while node is not None and node is not select:
        if node in grouped or (isinstance(node, exp.AggFunc) and not isinstance(node.parent, exp.Window)):
            return True
        node = node.parent
    names = {term.name.lower() for term in grouped if isinstance(term, exp.Column)}
    key = keys.get(_table(column, select).lower(), ())
    return column.name.lower() in names or (bool(key) and {name.lower() for name in key} <= names)


def _table(column: exp.Column, select: exp.Select) -> str:
    """The name of the table that a column is of, as far as it can be told."""
    joins = select.args.get("joins") or ()
    sources = [source.this for source in (select.args.get("from_"), *joins) if source is not None]
    tables = [source for source in sources if isinstance(source, exp.Table)]
    named = [table for table in tables if table.alias_or_name.lower() == column.table.lower()]
    if named:
        return str(named[0].name)
    return str(tables[0].name) if len(sources) == len(tables) == 1 else ""
