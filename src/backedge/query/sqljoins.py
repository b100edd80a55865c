"""Which joins of a statement may repeat rows: the queries that count them, to be run, and what their counts mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect, NormalizationStrategy
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope
from sqlglot.schema import MappingSchema

from backedge.query.sqltables import Known

MOST_CHECKS = 8
_ROW = "backedge_row_"
_HIDDEN_SIDES = frozenset({"SEMI", "ANTI"})


@dataclass(frozen=True)
class JoinCheck:
    """One SELECT over several sources. `sql` counts, in one row: the joined rows, and of each source its own rows,
    its rows in the join, and how many different ones these are. `reason` says why there is no such query."""

    place: int
    sources: tuple[str, ...]
    sql: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Counts:
    """What a check counted: the joined rows, and (own, in the join, different ones) of each source in its order."""

    joined: int
    sources: tuple[tuple[int, int, int], ...]

    @staticmethod
    def of(row: Sequence[int]) -> Counts:
        """The counts out of a check's row."""
        triples = tuple((row[i], row[i + 1], row[i + 2]) for i in range(1, len(row), 3))
        return Counts(row[0], triples)


class JoinedSql:
    """A statement that only reads, with every column told to which source it belongs. Raises `SqlglotError`."""

    def __init__(self, sql: str, dialect: str, tables: Mapping[str, Sequence[str]]) -> None:
        self._dialect = dialect
        tree = sqlglot.parse_one(sql, dialect=dialect)
        longer = _flattened(tree, Known.of(tables, dialect))
        self.root = qualify(tree, schema=_schema(tables, dialect), dialect=dialect, validate_qualify_columns=False)
        self.scopes = tuple(s for s in traverse_scope(self.root) if isinstance(s.expression, exp.Select))
        self._longer = longer

    def checks(self) -> tuple[JoinCheck, ...]:
        """A check for each SELECT that joins, the innermost first."""
        joining = [(i, sources) for i, scope in enumerate(self.scopes) if len(sources := sources_of(scope)) > 1]
        return tuple(self._check(place, tuple(sources), n) for n, (place, sources) in enumerate(joining))

    def _check(self, place: int, sources: tuple[str, ...], number: int) -> JoinCheck:
        scope = self.scopes[place]
        if number >= MOST_CHECKS:
            return JoinCheck(place, sources, reason=f"it joins in more than {MOST_CHECKS} places")
        if scope.external_columns:
            return JoinCheck(place, sources, reason="it is a subquery that looks at the query around it")
        return JoinCheck(place, sources, self._restored(_counting(scope, sources)).sql(dialect=self._dialect))

    def _restored(self, query: exp.Select) -> exp.Select:
        """The query with its tables named as the statement named them."""
        for table in query.find_all(exp.Table):
            if (own := self._longer.get(table.name)) is not None:
                for part in ("this", "db", "catalog"):
                    value = own.args.get(part)
                    table.set(part, value.copy() if isinstance(value, exp.Expr) else None)
        return query


def sources_of(scope: Scope) -> dict[str, exp.Expr | Scope]:
    """What a SELECT joins, by alias. The right side of a semi or anti join gives no rows."""
    hidden = {
        join.this.alias_or_name
        for join in scope.expression.args.get("joins") or ()
        if str(join.args.get("kind") or "").upper() in _HIDDEN_SIDES
    }
    return {name: source for name, (_, source) in scope.selected_sources.items() if name not in hidden}


def _schema(tables: Mapping[str, Sequence[str]], dialect: str) -> MappingSchema:
    """The columns of each table; names are compared as the dialect compares them."""
    strategy = Dialect.get_or_raise(dialect).normalization_strategy
    folds = strategy is NormalizationStrategy.CASE_INSENSITIVE
    schema = MappingSchema(dialect=dialect, normalize=folds)
    for name, columns in tables.items():
        table = exp.Table(this=exp.to_identifier(name, quoted=True))
        schema.add_table(table, dict.fromkeys(columns, "unknown"), match_depth=False)
    return schema


def _flattened(tree: exp.Expr, known: Known) -> dict[str, exp.Table]:
    """Give tables of schemas one name, which is how their columns are known; what they were called before, by it."""
    before: dict[str, exp.Table] = {}
    for table in list(tree.find_all(exp.Table)):
        name = known.find([part.name for part in table.parts]) if len(table.parts) > 1 else None
        if name is not None:
            flat = name.casefold() if known.dialect in ("duckdb", "sqlite") else name
            before[flat] = table.copy()
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
            table.set("this", exp.to_identifier(flat, quoted=True))
            table.set("db", None)
            table.set("catalog", None)
    return before


def _counting(scope: Scope, sources: tuple[str, ...]) -> exp.Select:
    """Number the rows of each source before they are joined, and count them behind the join and its conditions."""
    select = scope.expression
    assert isinstance(select, exp.Select)
    parts: list[exp.Expr] = [exp.Count(this=exp.Star())]
    query = exp.Select()
    for key in ("from_", "joins", "laterals", "where"):
        value = select.args.get(key)
        if value:
            query.set(key, [v.copy() for v in value] if isinstance(value, list) else value.copy())
    for number, name in enumerate(sources):
        node = _source_node(query, name)
        row = exp.column(f"{_ROW}{number}", table=name, quoted=True)
        own: exp.Expr = exp.Null()
        if isinstance(node, exp.Table | exp.Subquery) and not isinstance(node.this, exp.Func):
            own = exp.Subquery(this=exp.select(exp.Count(this=exp.Star())).from_(node.copy()))
            node.replace(_numbered(node, name, number))
            parts += [own, exp.Count(this=row), exp.Count(this=exp.Distinct(expressions=[row.copy()]))]
        else:
            # what is unfolded out of another source's rows is as fine as they are, unless a third source joins in
            once = exp.Count(this=exp.Star()) if len(sources) == 2 else exp.Literal.number(0)
            parts += [own, exp.Count(this=exp.Star()), once]
    query.set("expressions", [exp.alias_(part, f"n{i}") for i, part in enumerate(parts)])
    if ctes := list(_ctes_above(select)):
        query.set("with_", exp.With(expressions=[cte.copy() for cte in ctes], recursive=_recursive(select)))
    return query


def _source_node(query: exp.Select, name: str) -> exp.Expr | None:
    nodes = [query.args["from_"].this, *(join.this for join in query.args.get("joins") or ())]
    return next((node for node in nodes if node.alias_or_name == name), None)


def _numbered(node: exp.Expr, name: str, number: int) -> exp.Subquery:
    rows = exp.Window(this=exp.RowNumber())
    inner = exp.select(exp.Star(), exp.alias_(rows, f"{_ROW}{number}", quoted=True)).from_(node.copy())
    return exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(name, quoted=True)))


def _ctes_above(node: exp.Expr) -> Iterator[exp.CTE]:
    """The common table expressions that a SELECT may read, the outermost first."""
    found: list[list[exp.CTE]] = []
    child: exp.Expr | None = None
    at: exp.Expr | None = node
    while at is not None:
        if isinstance(at, exp.With):
            place = next((i for i, cte in enumerate(at.expressions) if cte is child), 0)
            found.append(list(at.expressions[:place]))
        elif isinstance(clause := at.args.get("with_"), exp.With) and clause is not child:
            found.append(list(clause.expressions))
        child, at = at, at.parent
    yield from {cte.alias: cte for ctes in reversed(found) for cte in ctes}.values()


def _recursive(node: exp.Expr) -> bool:
    clauses = [a.args.get("with_") for a in (node, *_parents(node))]
    return any(isinstance(clause, exp.With) and clause.args.get("recursive") for clause in clauses)


def _parents(node: exp.Expr) -> Iterator[exp.Expr]:
    at = node.parent
    while at is not None:
        yield at
        at = at.parent


def read_joins(sql: str, dialect: str, tables: Mapping[str, Sequence[str]]) -> JoinedSql | str:
    """The statement with its joins, or why they cannot be read."""
    try:
        return JoinedSql(sql, dialect, tables)
    except (SqlglotError, RecursionError) as error:
        return str(error).splitlines()[0] if str(error) else type(error).__name__
