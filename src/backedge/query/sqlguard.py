"""The first two locks before a database: only a statement that provably just reads passes, and only as re-rendered."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import Token, TokenType, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import OptimizeError, ParseError, SqlglotError, TokenError

from backedge.query.ports import Rejected
from backedge.query.sqlcolumns import check_columns
from backedge.query.sqlfunctions import function_name, is_allowed_function, oversized
from backedge.query.sqlnodes import ROOTS, refused_node
from backedge.query.sqltables import Known, check_tables

_LONGEST_SQL = 200_000
_NUMBERED = re.compile(r"\$(\d{1,4})")
_MISREAD = (SqlglotError, AttributeError, IndexError, KeyError, TypeError, ValueError)

# What sqlglot cannot parse it also warns about; the refusal says it already, so a terminal need not show it twice.
logging.getLogger("sqlglot").addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Guarded:
    """A statement that may run: `sql` as re-rendered from its tree, and the names of the `tables` it reads."""

    sql: str
    tables: tuple[str, ...]


def guard(sql: str, dialect: str, tables: Mapping[str, Sequence[str]], *, caps_rows: int) -> Guarded | Rejected:
    """Judge one statement against the tables (name to column names) of its database.

    Only SELECT, WITH and set operations pass, made of allowed nodes, allowed functions and known tables. At most
    `caps_rows + 1` rows come, so a reader knows that there are more. Nothing is raised: the rest is `Rejected`.
    """
    try:
        return _guard(sql, dialect, tables, caps_rows)
    except RecursionError:
        return Rejected("parse", "the statement is nested too deeply")
    except OptimizeError as error:
        return Rejected("parse", f"{_first_line(error)}: give each table and each subquery an alias of its own")


def _guard(sql: str, dialect: str, tables: Mapping[str, Sequence[str]], caps_rows: int) -> Guarded | Rejected:
    known = Known.of(tables, dialect)
    judged = _judged(sql, known)
    if isinstance(judged, Rejected):
        return judged
    named = _column_names(judged.root)
    printed = _printed(_limited(judged.root, caps_rows + 1), dialect)
    if isinstance(printed, Rejected):
        return printed
    again = _judged(printed, known)
    if isinstance(again, Rejected):
        return Rejected(again.kind, f"the statement would be run as something else: {again.message}", again.near)
    if _column_names(again.root) != named:
        return Rejected("parse", "the statement would be run with other columns than it is written with")
    return Guarded(printed, judged.tables)


@dataclass(frozen=True)
class _Judged:
    """A statement that passed, as a tree, and the tables it reads."""

    root: exp.Expr
    tables: tuple[str, ...]


def _judged(sql: str, known: Known) -> _Judged | Rejected:
    """One reading of a text. What is printed is read too: sqlglot prints some calls as what would not have passed."""
    root = _one_statement(sql, known.dialect)
    if isinstance(root, Rejected):
        return root
    refused = _check_nodes(root, known.dialect)
    if refused:
        return refused
    read = check_tables(root, known)
    if isinstance(read, Rejected):
        return read
    return check_columns(root, known) or _Judged(root, read)


def _printed(root: exp.Expr, dialect: str) -> str | Rejected:
    try:
        return root.sql(dialect=dialect, comments=False)
    except _MISREAD as error:
        return _misread(error)


def _misread(error: Exception) -> Rejected:
    """The refusal of a call that sqlglot fails on, such as one with too few arguments, which it tells by any error."""
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    return Rejected("parse", f"a call in the statement cannot be read ({reason}); check the arguments of its functions")


def _column_names(root: exp.Expr) -> frozenset[str]:
    return frozenset(column.name.casefold() for column in root.find_all(exp.Column))


def _one_statement(sql: str, dialect: str) -> exp.Expr | Rejected:
    if len(sql) > _LONGEST_SQL:
        return Rejected("parse", f"the statement is longer than {_LONGEST_SQL:,} characters")
    if "\0" in sql:
        return Rejected("parse", "the statement holds a NUL character")
    try:
        spoken = Dialect.get_or_raise(dialect)
        tokens = spoken.tokenize(sql)
        if _is_cast_of_literal(tokens, spoken):
            return Rejected("parse", "`date '…'::type` is read in two ways; write cast(date '…' as type)")
        parsed = spoken.parser().parse(tokens, sql)
    except (ParseError, TokenError) as error:
        return Rejected("parse", f"the statement cannot be parsed: {_first_line(error)}")
    except _MISREAD as error:
        return _misread(error)
    found = [root for root in parsed if root and not isinstance(root, exp.Semicolon)]
    if len(found) != 1:
        return Rejected("not_one_statement", f"exactly one statement may be given, not {len(found)}")
    root = found[0]
    if not isinstance(root, ROOTS):
        return Rejected("not_read_only", f"only SELECT may be run, not {type(root).__name__.upper()}")
    return root.transform(_numbered) if dialect == "sqlite" else root


def _numbered(node: exp.Expr) -> exp.Expr:
    """`$1` as a parameter: sqlglot reads it as a column of that name, as which SQLite itself would never read it."""
    if isinstance(node, exp.Column) and not node.table and not node.this.args.get("quoted"):
        number = _NUMBERED.fullmatch(node.name)
        if number:
            return exp.Parameter(this=exp.Literal.number(int(number[1])))
    return node


def _is_cast_of_literal(tokens: Sequence[Token], spoken: Dialect) -> bool:
    """Whether a typed literal is followed by `::`: the engines cast the literal, sqlglot casts the string inside it."""
    return any(
        cast.token_type is TokenType.DCOLON
        and text.token_type is TokenType.STRING
        and kind.token_type in spoken.parser_class.TYPE_TOKENS
        for kind, text, cast in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def _first_line(error: SqlglotError) -> str:
    return str(error).splitlines()[0].rstrip(". ") if str(error) else "no reason given"


def _check_nodes(root: exp.Expr, dialect: str) -> Rejected | None:
    for node in root.walk():
        reason = refused_node(node)
        if reason:
            return Rejected("not_read_only", reason)
        if dialect == "clickhouse" and isinstance(node, exp.In) and node.args.get("field"):
            return Rejected("not_read_only", "IN with a bare name may read a table; write a list or a query")
        if isinstance(node, exp.Func):
            refused = _check_function(node, dialect)
            if refused:
                return refused
    return None


def _check_function(node: exp.Func, dialect: str) -> Rejected | None:
    if not is_allowed_function(node, dialect):
        return Rejected("function", f"the function `{function_name(node)}` is not known to only compute; use another")
    if isinstance(node.parent, exp.Dot) and node.parent.expression is node and not _is_own_schema(node.parent, dialect):
        return Rejected("function", f"`{node.parent.sql(dialect=dialect)}` names a function of another schema")
    reason = oversized(node)
    return Rejected("function", reason) if reason else None


def _is_own_schema(dot: exp.Dot, dialect: str) -> bool:
    """DuckDB calls methods with a dot (`name.upper()`); elsewhere a dot names a schema, whose functions do anything."""
    return dialect == "duckdb" or dot.this.name.casefold() == "pg_catalog"


def _is_soft(limit: exp.Expr) -> bool:
    """Whether the limit's number is not the most rows that can come: a percentage, or more where the last ones tie."""
    options = limit.args.get("limit_options")
    return options is not None and bool(options.args.get("percent") or options.args.get("with_ties"))


def _limited(root: exp.Expr, rows: int) -> exp.Expr:
    """The query with a limit of `rows`, unless it has a smaller one of its own."""
    limit = root.args.get("limit")
    if isinstance(root, exp.Select | exp.SetOperation):
        if limit is None:
            return root.limit(rows, copy=False)
        count = limit.args.get("count") if isinstance(limit, exp.Fetch) else limit.expression
        plain = isinstance(count, exp.Literal) and not count.is_string and not _is_soft(limit)
        if plain and count is not None and float(count.name) <= rows:
            return root
        if plain and isinstance(limit, exp.Limit):
            return root.limit(rows, copy=False)
    bare = isinstance(root, exp.Subquery) and not any(value for name, value in root.args.items() if name != "this")
    inner = root.this if bare else root
    return (
        exp.select("*").from_(exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("q")))).limit(rows)
    )
