"""Which tables a statement reads: each must be in the catalog or a common table expression in scope, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from backedge.query.ports import Rejected
from backedge.query.sqlfunctions import function_name, is_allowed_table_function

_FILES = frozenset({"csv", "parquet", "tsv"})

# The schema that a dialect adds to a bare name, so `public.users` is `users`.
_DEFAULT_SCHEMAS = {
    "duckdb": {"main"},
    "postgres": {"public"},
    "snowflake": {"public"},
    "sqlite": {"main"},
    "tsql": {"dbo"},
}

# Dialects in which a common table expression may read itself without the word RECURSIVE.
_RECURSIVE_UNSAID = frozenset({"snowflake", "tsql"})


@dataclass(frozen=True)
class Known:
    """The tables of a database: `columns` by the name that the catalog gives, found by any spelling of it."""

    columns: Mapping[str, Sequence[str]]
    dialect: str
    by_name: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(tables: Mapping[str, Sequence[str]], dialect: str) -> Known:
        """Index the tables by their folded names."""
        return Known(tables, dialect, {name.casefold(): name for name in tables})

    def find(self, parts: Sequence[str]) -> str | None:
        """The catalog's name of a table written as `catalog.schema.table`, or None."""
        folded = [part.casefold() for part in parts]
        exact = self.by_name.get(".".join(folded))
        if exact is not None:
            return exact
        if len(folded) == 2 and folded[0] in _DEFAULT_SCHEMAS.get(self.dialect, ()):
            return self.by_name.get(folded[1])
        return None


def nearest(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """Up to three of `names` that look like `name`, the most alike first."""
    from rapidfuzz import fuzz, process  # only an unknown name pays for the import

    found = process.extract(name, list(dict.fromkeys(names)), scorer=fuzz.WRatio, processor=str.casefold, limit=3)
    return tuple(match for match, score, _ in found if score >= 60)


def did_you_mean(near: Sequence[str]) -> str:
    """The end of an error sentence that offers the nearest names."""
    return f"; did you mean {', '.join(f'`{name}`' for name in near)}?" if near else ""


def check_tables(root: exp.Expr, known: Known) -> tuple[str, ...] | Rejected:
    """The catalog's names of all tables read. An unquoted file name is rewritten to the one the catalog has."""
    read: dict[str, None] = {}
    if known.dialect == "mysql":
        _drop_dual(root)
    for table in list(root.find_all(exp.Table)):
        found = _check_table(table, known)
        if isinstance(found, Rejected):
            return found
        if found:
            read[found] = None
    return tuple(read)


def _drop_dual(root: exp.Expr) -> None:
    """`FROM dual` says that there is no table; the renderer would quote it into one."""
    for select in root.find_all(exp.Select):
        source = select.args.get("from_")
        if isinstance(source, exp.From) and isinstance(source.this, exp.Table) and not select.args.get("joins"):
            named = [part.name.casefold() for part in source.this.parts] == ["dual"]
            if named and not source.this.this.args.get("quoted"):
                select.set("from_", None)


def _check_table(table: exp.Table, known: Known) -> str | Rejected | None:
    if not isinstance(table.this, exp.Identifier):
        return _check_table_function(table, known.dialect)
    parts = [part.name for part in table.parts]
    if len(parts) == 1 and parts[0].casefold() in _visible_ctes(table, known.dialect):
        return None
    name = known.find(parts)
    if name is None:
        written = ".".join(parts)
        near = nearest(written, list(known.columns))
        return Rejected("unknown_table", f"there is no table `{written}`{did_you_mean(near)}", near)
    if len(parts) > 1 and parts[-1].casefold() in _FILES and name.casefold() == ".".join(parts).casefold():
        _name_file(table, name, parts[-1])
    return name


def _name_file(table: exp.Table, name: str, schema_table: str) -> None:
    """`FROM oxymart.csv` was parsed as table `csv` of schema `oxymart`; the engine must read the one name."""
    table.set("this", exp.to_identifier(name, quoted=True))
    table.set("db", None)
    table.set("catalog", None)
    if not table.alias:
        table.set("alias", exp.TableAlias(this=exp.to_identifier(schema_table)))


def _check_table_function(table: exp.Table, dialect: str) -> Rejected | None:
    inner = table.this
    if is_allowed_table_function(inner, dialect):
        return None
    written = function_name(inner) if isinstance(inner, exp.Func) else str(inner)
    return Rejected("function", f"`{written}` may not be read from; name a table of the catalog")


def _visible_ctes(table: exp.Expr, dialect: str) -> set[str]:
    return {name.casefold() for name in _ctes_around(table, dialect in _RECURSIVE_UNSAID)}


def _ctes_around(node: exp.Expr, may_recurse: bool) -> Iterator[str]:
    """Names that the WITH clauses around a node define: all for the body, inside the clause the earlier ones.

    Its own name means itself only in a recursive set operation: DuckDB reads `t AS (SELECT … FROM t)` as the table t.
    """
    child: exp.Expr = node
    parent = node.parent
    while parent is not None:
        if isinstance(parent, exp.With):
            for cte in parent.expressions:
                if cte is child:
                    if (may_recurse or parent.args.get("recursive")) and isinstance(cte.this, exp.SetOperation):
                        yield cte.alias
                    break
                yield cte.alias
        else:
            clause = parent.args.get("with_")
            if isinstance(clause, exp.With) and clause is not child:
                yield from (cte.alias for cte in clause.expressions)
        child, parent = parent, parent.parent
