"""Periods as SQL: every period of a line as a table, its first and last taken from the question or from the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from backedge.semantic.dialects import Dialect, fitted, plus, typed
from backedge.semantic.timed import periods
from backedge.semantic.timeline import Timeline

PERIOD = "period"
_LOW, _HIGH = "low", "high"


def quoted(name: str) -> exp.Identifier:
    """A name as SQL writes it whatever it holds."""
    return exp.to_identifier(name, quoted=True)


def column(table: str, name: str) -> exp.Column:
    """A column of a table."""
    return exp.column(quoted(name), table=quoted(table))


def selecting(columns: Iterable[exp.Expr]) -> exp.Select:
    """SELECT of trees that nobody else holds: sqlglot's own would copy each."""
    return exp.Select(expressions=list(columns))


def joined(
    query: exp.Select, table: exp.Expr, on: exp.Expr | None = None, *, side: str = "", kind: str = ""
) -> exp.Select:
    """The query with one more join: sqlglot's own would parse the kind of join each time."""
    query.append("joins", exp.Join(this=table, on=on, side=side or None, kind=kind or None))
    return query


def every(tests: Iterable[exp.Expr]) -> exp.Expr:
    """All of some tests that nobody else holds."""
    return exp.and_(*tests, copy=False)


def span(
    line: Timeline, first: exp.Expr | None, last: exp.Expr | None, rows: Sequence[exp.Select], dialect: Dialect
) -> exp.Select:
    """One row: where the first and the last period begin. `rows` give (low, high) where the question does not."""
    low = first or exp.Min(this=exp.column(quoted(_LOW)))
    high = last or exp.Max(this=exp.column(quoted(_HIGH)))
    ends = ((low, _LOW), (high, _HIGH))
    query = exp.select(*(exp.alias_(_moment(line, end, dialect), quoted(name)) for end, name in ends))
    if not rows:
        return query
    found: exp.Query = rows[0]
    for more in rows[1:]:
        found = found.union(more, distinct=False)
    return query.from_(found.subquery(quoted("reach"), copy=False))


def ends_of(period: exp.Expr) -> list[exp.Expr]:
    """The columns of `rows`: the least and the greatest period."""
    ends = ((exp.Min(this=period.copy()), _LOW), (exp.Max(this=period.copy()), _HIGH))
    return [exp.alias_(end, quoted(name)) for end, name in ends]


def every_period(line: Timeline, table: str, span_table: str, dialect: Dialect) -> exp.Expr:
    """One row for each period of the line: its start."""
    low, high = column(span_table, _LOW), column(span_table, _HIGH)
    one = periods(1, line.grain)
    type_ = line.group.dimension.type
    if dialect.series:
        step = plus(dialect, exp.column("x"), one).find(exp.Interval)
        assert step is not None
        found = typed(dialect, fitted(dialect, dialect.series, low=low, high=high, step=step), type_)
        return exp.select(exp.alias_(found, quoted(PERIOD))).from_(exp.Table(this=quoted(span_table)))
    start = exp.select(exp.alias_(low, quoted(PERIOD))).from_(exp.Table(this=quoted(span_table)))
    following = typed(dialect, plus(dialect, column(table, PERIOD), one), type_)
    more = exp.select(following).from_(exp.Table(this=quoted(table)))
    more = joined(more, exp.Table(this=quoted(span_table)), kind="CROSS")
    return start.where(exp.LTE(this=low, expression=high)).union(
        more.where(exp.LTE(this=following.copy(), expression=high)), distinct=False
    )


def filled(kept: str, table: str, groups: Sequence[str], index: int) -> exp.Expr:
    """The groups that are there, and each of them in every period. Where nothing is there, no period is made up."""
    others = [g for i, g in enumerate(groups) if i != index]
    there = exp.select(*(column(kept, g) for g in groups)).from_(exp.Table(this=quoted(kept)))
    one = exp.alias_(exp.Literal.number(1), quoted("there"))
    some = selecting([column(kept, g) for g in others] or [one]).from_(exp.Table(this=quoted(kept))).distinct()
    cells: list[exp.Expr] = [
        exp.alias_(column(table, PERIOD), quoted(g)) if i == index else column("others", g)
        for i, g in enumerate(groups)
    ]
    in_periods = selecting(cells).from_(exp.Table(this=quoted(table)), copy=False)
    return there.union(joined(in_periods, some.subquery(quoted("others"), copy=False), kind="CROSS"))


def _moment(line: Timeline, end: exp.Expr, dialect: Dialect) -> exp.Expr:
    if dialect.text_times:
        return typed(dialect, end, line.group.dimension.type)
    return exp.cast(end, "timestamp")
