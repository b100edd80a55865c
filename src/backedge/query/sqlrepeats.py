"""Which aggregates of a statement count rows more than once, by how often its joins repeat those of each source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from backedge.query.sqljoins import Counts, JoinCheck, JoinedSql, sources_of

_INDIFFERENT = (
    exp.Min, exp.Max, exp.ApproxDistinct, exp.LogicalAnd, exp.LogicalOr, exp.AnyValue, exp.First, exp.Last,
    exp.ArgMax, exp.ArgMin, exp.FirstValue, exp.LastValue, exp.NthValue, exp.Lag, exp.Lead, exp.Rank, exp.DenseRank,
    exp.Grouping, exp.GroupingId, exp.Hll, exp.BitwiseAndAgg, exp.BitwiseOrAgg, exp.ArrayUniqueAgg,
)  # fmt: skip
_CALLED = frozenset({"favg", "fsum", "kahan_sum", "sumkahan", "product", "mean"})
_ANY = (exp.Mul, exp.Div, exp.IntDiv)


@dataclass(frozen=True)
class Repeat:
    """An aggregate that counts rows of a source more than once, and the counts where they are known."""

    aggregate: str
    source: str
    check: JoinCheck
    counts: Counts | None

    @property
    def told(self) -> str:
        """The counts in words, or why there are none."""
        if self.counts is None:
            return f"{self.aggregate} stands over a join whose rows could not be counted: {self.check.reason}"
        own, within, different = self.counts.sources[self.check.sources.index(self.source)]
        sides = ", ".join(f"{n} {c[0]}" for n, c in zip(self.check.sources, self.counts.sources, strict=True))
        return (
            f"{self.aggregate} counts rows of {self.source} more than once: {different} of its {own} rows come "
            f"{within} times in the join (rows of each side: {sides}; joined: {self.counts.joined})"
        )


def repeats(joined: JoinedSql, checks: Mapping[int, JoinCheck], counted: Mapping[int, Counts]) -> tuple[Repeat, ...]:
    """Every aggregate over repeated rows. A check without counts repeats every row, as far as anybody knows."""
    reader = _Reader(joined, checks, counted)
    found = (reader.of(scope, aggregate) for scope in joined.scopes for aggregate in _aggregates(scope))
    return tuple(repeat for repeat in found if repeat is not None)


def _aggregates(scope: Scope) -> Iterator[exp.Expr]:
    """The aggregates of a SELECT itself whose value changes where a row comes twice."""
    for node in scope.find_all(exp.AggFunc, exp.Anonymous):
        if isinstance(node, exp.Anonymous):
            if node.name.lower() in _CALLED:
                yield node
        elif not isinstance(node, _INDIFFERENT) and not isinstance(node.this, exp.Distinct):
            yield node


@dataclass
class _Reader:
    joined: JoinedSql
    checks: Mapping[int, JoinCheck]
    counted: Mapping[int, Counts]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {id(scope.expression): place for place, scope in enumerate(self.joined.scopes)}

    def of(self, scope: Scope, aggregate: exp.Expr) -> Repeat | None:
        """The aggregate with the source whose rows it repeats, or None."""
        told = aggregate.sql(comments=False)
        values = [part for part in (aggregate.this, *aggregate.expressions) if isinstance(part, exp.Expr)]
        return _first(self._value(scope, value, told) for value in values)

    def _value(self, scope: Scope, node: exp.Expr, told: str) -> Repeat | None:
        """Whether a value comes as often as its rows do, looked up where it is made."""
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            return self._column(scope, node, told)
        columns = list(node.find_all(exp.Column))
        if not columns or isinstance(node, exp.Star | exp.Column):
            return self._row(scope, told)
        if isinstance(node, exp.Case | exp.If):
            return _first(self._value(scope, value, told) for value in _results(node))
        parts = [p for p in node.iter_expressions() if p.find(exp.Column)]
        each = [self._value(scope, part, told) for part in parts]
        if isinstance(node, _ANY) and None in each:
            return None
        return _first(each)

    def _column(self, scope: Scope, column: exp.Column, told: str) -> Repeat | None:
        source = sources_of(scope).get(column.table)
        if source is None:  # nobody says whose it is, so it may be anybody's
            return _first(self._repeated(scope, name, told) for name in sources_of(scope))
        made = [s.alias_or_name for s in _selected(source)] if isinstance(source, Scope) else []
        at = made.index(column.name) if column.name in made else None
        return self._repeated(scope, column.table, told) or _inside(source, lambda inner: self._made(inner, at, told))

    def _made(self, inner: Scope, at: int | None, told: str) -> Repeat | None:
        if at is None:
            return _first(self._repeated(inner, name, told) for name in sources_of(inner))
        return self._value(inner, _selected(inner)[at].unalias(), told)

    def _row(self, scope: Scope, told: str) -> Repeat | None:
        """Whether some source gives each of the rows once."""
        each = [
            self._repeated(scope, name, told) or _inside(source, lambda inner: self._row(inner, told))
            for name, source in sources_of(scope).items()
        ]
        return None if None in each else _first(each)

    def _repeated(self, scope: Scope, source: str, told: str) -> Repeat | None:
        check = self.checks.get(self._places.get(id(scope.expression), -1))
        if check is None:
            return None
        counts = self.counted.get(check.place)
        if counts is None:
            return Repeat(told, source, check, None)
        _, within, different = counts.sources[check.sources.index(source)]
        return Repeat(told, source, check, counts) if within > different else None


def _inside(source: exp.Expr | Scope, look: Callable[[Scope], Repeat | None]) -> Repeat | None:
    """What `look` finds in a subquery that hands rows on as they are; one that groups them makes new rows."""
    if not isinstance(source, Scope):
        return None
    select = source.expression
    if isinstance(select, exp.Union) and not select.args.get("distinct"):
        return _first(_inside(side, look) for side in source.set_operation_scopes or ())
    if not isinstance(select, exp.Select) or select.args.get("group") or select.args.get("distinct"):
        return None
    return (
        None if any(node.find_ancestor(exp.Window) is None for node in source.find_all(exp.AggFunc)) else look(source)
    )


def _selected(scope: Scope) -> list[exp.Expr]:
    query = scope.expression
    return list(query.selects) if isinstance(query, exp.Query) else []


def _first(found: Iterable[Repeat | None]) -> Repeat | None:
    return next((repeat for repeat in found if repeat is not None), None)


def _results(node: exp.Expr) -> list[exp.Expr]:
    """The values that a condition chooses between."""
    if isinstance(node, exp.Case):
        chosen = [branch.args.get("true") for branch in node.args.get("ifs") or ()]
        return [value for value in (*chosen, node.args.get("default")) if isinstance(value, exp.Expr)]
    return [value for value in (node.args.get("true"), node.args.get("false")) if isinstance(value, exp.Expr)]
