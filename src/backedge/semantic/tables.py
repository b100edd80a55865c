"""What a view reads: its table as one name or a dotted path, or its own query, as a tree to select from."""

from __future__ import annotations

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backedge.semantic.dialects import Dialect
from backedge.semantic.model import View
from backedge.semantic.refusal import refused

_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*){0,2}")
_FILES = (".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson")


def is_file(table: str) -> bool:
    """Whether a table's name is that of a file, whose dot separates nothing."""
    return table.lower().endswith(_FILES)


def relation(view: View, dialect: Dialect) -> exp.Expr:
    """The table, or the query in parentheses, not yet aliased. Refuses a view with neither or an unreadable query."""
    return exp.Subquery(this=query_of(view, dialect)) if view.sql else table_of(view, dialect)


def table_of(view: View, dialect: Dialect) -> exp.Table:
    """The table of a view that has no query."""
    if not view.table:
        raise refused("bad_expression", f"view {view.name} has no table and no sql", where=view.name, hint="add table:")
    _refuse_templates(view, view.table)
    return _table(view.table, dialect)


def table_names(view: View, dialect: Dialect) -> tuple[str, ...]:
    """The tables that a view reads, as its file names them."""
    if not view.sql:
        return (view.table,)
    query = query_of(view, dialect)
    inner = {cte.alias_or_name.lower() for cte in query.find_all(exp.CTE)}
    tables = [t for t in query.find_all(exp.Table) if t.args.get("db") or t.name.lower() not in inner]
    return tuple(dict.fromkeys(".".join(part.name for part in t.parts) for t in tables))


def _table(name: str, dialect: Dialect) -> exp.Table:
    if '"' in name or "`" in name:
        try:
            return exp.to_table(name, dialect=dialect.name)
        except SqlglotError:
            pass  # a name that merely holds a quote
    if is_file(name) or not _DOTTED.fullmatch(name):
        return exp.Table(this=exp.to_identifier(name, quoted=True))
    parts = [exp.to_identifier(part, quoted=not dialect.upper_case) for part in name.split(".")]
    return exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts), strict=False)))


def query_of(view: View, dialect: Dialect) -> exp.Query:
    """The query of a view that has one. Refuses what is not one SELECT."""
    _refuse_templates(view, view.sql)
    try:
        query = sqlglot.parse_one(view.sql, dialect=dialect.name)
    except SqlglotError as error:
        query, reason = None, str(error).splitlines()[0]
    else:
        reason = "it is not one SELECT"
    if not isinstance(query, exp.Query) or isinstance(query, exp.Table):
        raise refused("bad_expression", f"the sql of view {view.name} cannot be read: {reason}", where=view.name)
    return query


def _refuse_templates(view: View, text: str) -> None:
    if "{{" in text or "{%" in text or "${" in text:
        raise refused(
            "not_supported",
            f"view {view.name} reads {text.strip()[:80]}: variables cannot be filled in yet",
            where=view.name,
            hint="write the table's name",
            retryable=False,
        )
