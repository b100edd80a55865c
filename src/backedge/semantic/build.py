"""A plan and names as one SELECT: sources and nodes as common tables, met NULL-safely on their groupings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from backedge.semantic.dialects import Dialect
from backedge.semantic.framing import PERIOD
from backedge.semantic.names import Names
from backedge.semantic.period_sql import PERIOD as PERIOD_NAME
from backedge.semantic.period_sql import column, ends_of, every, every_period, filled, joined, quoted, selecting, span
from backedge.semantic.plan import Node, Periods, Plan, Semi
from backedge.semantic.resolve import Question
from backedge.semantic.slots import OWN, Slot, fill, slots_in
from backedge.semantic.sources import Hop, Source
from backedge.semantic.tables import relation

_EVERY_ROW = 2**63 - 1


def build(plan: Plan, question: Question, names: Names, dialect: Dialect) -> exp.Select:
    """The query's tree."""
    return _Builder(plan, question, names, dialect).query()


@dataclass(frozen=True)
class _Builder:
    plan: Plan
    question: Question
    names: Names
    dialect: Dialect

    def query(self) -> exp.Select:
        query = self._final()
        for source in self.plan.sources:
            query = query.with_(quoted(self.names.sources[source.view.name]), as_=self._source(source), copy=False)
        if self.plan.periods is not None:
            query = self._with_periods(query, self.plan.periods)
        for node in self.plan.nodes:
            query = query.with_(quoted(self.names.nodes[node.name]), as_=self._node(node), copy=False)
        if self._met:
            query = self._with_meeting(query)
        if self.plan.periods is not None and not self.dialect.series:
            query.args["with_"].set("recursive", True)  # at last, for sqlglot forgets it with the next common table
        return query

    @property
    def _met(self) -> bool:
        return (len(self.plan.nodes) > 1 or self._fills) and bool(self.names.groups)

    @property
    def _fills(self) -> bool:
        return self.plan.periods is not None and self.plan.periods.fill

    def _source(self, source: Source) -> exp.Select:
        alias = self.names.aliases[source.view.name]
        columns = [
            exp.alias_(self._filled(c.sql, alias), quoted(self.names.columns[source.view.name, i]), copy=False)
            for i, c in enumerate(source.columns)
        ]
        table = exp.alias_(self._table(source), quoted(alias), table=True, copy=False)
        columns = columns or [exp.alias_(exp.Literal.number(1), quoted("row_exists"), copy=False)]
        query = selecting(columns).from_(table, copy=False)
        seen = query.where(*(self._filled(w, alias) for w in source.where), copy=False) if source.where else query
        return self._joined(seen, source.hops, alias)

    def _table(self, source: Source) -> exp.Expr:
        return source.reads.copy() if source.reads is not None else relation(source.view, self.dialect)

    def _joined(self, query: exp.Select, hops: tuple[Hop, ...], own: str = "") -> exp.Select:
        for hop in hops:
            on = every(exp.EQ(this=self._filled(a, own), expression=self._filled(b, own)) for a, b in hop.on)
            query = joined(query, self._read(hop.child), on, side="LEFT")
        return query

    def _read(self, view: str) -> exp.Expr:
        return exp.alias_(
            exp.Table(this=quoted(self.names.sources[view])), quoted(self.names.aliases[view]), table=True, copy=False
        )

    def _filled(self, tree: exp.Expr, own: str = "") -> exp.Expr:
        """The tree with names for its slots, and its own columns under the alias `own`."""

        def rename(node: exp.Expr) -> exp.Expr:
            return quoted(own) if isinstance(node, exp.Identifier) and node.name == OWN else node

        found = fill(tree, self._give)
        return found.transform(rename, copy=False) if own else found

    def _give(self, slot: Slot) -> exp.Expr:
        if slot.kind == "value":
            return exp.Var(this=f"${slot.index}")
        if slot.kind == "column":
            return column(self.names.aliases[slot.view], self.names.columns[slot.view, slot.index])
        if slot.kind == "period":
            return column(self.names.periods, PERIOD_NAME)
        if slot.kind == "group":
            return self._group(slot.index)
        total = column(self.names.nodes[slot.view], self.names.totals[slot.view, slot.index])
        node = next(n for n in self.plan.nodes if n.name == slot.view)
        if self._met and node.totals[slot.index].zero:
            return exp.Coalesce(this=total, expressions=[exp.Literal.number(0)])
        return total

    def _group(self, index: int) -> exp.Column:
        table = self.names.meeting if self._met else self.names.nodes[self.plan.nodes[0].name]
        return column(table, self.names.groups[index])

    def _node(self, node: Node) -> exp.Select:
        groups = self._groups(node)
        if not node.totals:
            rows = self._rows(node, groups)
            return rows if node.every_row else rows.distinct()
        if node.bridged or node.framed.moment is not None:
            return self._over_bridge(node)
        totals = [(t.sql, self.names.totals[node.name, i]) for i, t in enumerate(node.totals)]
        query = self._seen(self._rows(node, [*groups, *totals]), [self._filled(s) for s in node.framed.sees])
        return query.group_by(*(self._filled(g) for g in node.groups), copy=False)

    def _groups(self, node: Node) -> list[tuple[exp.Expr, str]]:
        return [(g, self.names.groups[i]) for g, i in zip(node.groups, node.held, strict=True)]

    def _rows(self, node: Node, columns: list[tuple[exp.Expr, str]]) -> exp.Select:
        query = selecting(exp.alias_(self._filled(c), quoted(n), copy=False) for c, n in columns)
        query = query.from_(self._read(node.view), copy=False)
        query = self._joined(query, node.hops)
        conditions = [*(self._filled(w) for w in node.where), *(self._semi(s) for s in node.semis)]
        return query.where(*conditions, copy=False) if conditions else query

    def _semi(self, semi: Semi) -> exp.Expr:
        first, *rest = semi.hops
        tie = every(exp.EQ(this=self._filled(b), expression=self._filled(a)) for a, b in first.on)
        some = selecting([exp.Literal.number(1)]).from_(self._read(first.child), copy=False).where(tie, copy=False)
        found = self._joined(some.copy(), tuple(rest)).where(self._filled(semi.where), copy=False)
        exists: exp.Expr = exp.Exists(this=found)
        if semi.without is None:
            return exists
        nothing = exp.and_(exp.not_(exp.Exists(this=some)), *(self._filled(w) for w in semi.without))
        return exp.paren(exp.or_(exists, nothing), copy=False)

    def _over_bridge(self, node: Node) -> exp.Select:
        framed = node.framed
        moment = () if framed.moment is None else (framed.moment,)
        needed = [*node.key, *node.groups, *framed.sees, *framed.per, *moment, *(t.sql for t in node.totals)]
        slots = dict.fromkeys(s for tree in needed for s in slots_in(tree) if s.kind != "period")
        inside = {slot: f"k{i}" for i, slot in enumerate(slots, 1)}
        rows = self._rows(node, [(slot.sql(), name) for slot, name in inside.items()])
        table = "bridge"
        bridge = (rows.distinct() if node.bridged else rows).subquery(quoted(table), copy=False)

        def outside(tree: exp.Expr) -> exp.Expr:
            return fill(tree, lambda slot: column(table, inside[slot]) if slot in inside else self._give(slot))

        if framed.moment is None:
            query = self._totalled(node, outside).from_(bridge, copy=False)
            return self._seen(query, [outside(s) for s in framed.sees])
        return self._at_edge(node, outside, list(inside.values()), bridge)

    def _totalled(self, node: Node, outside: Callable[[exp.Expr], exp.Expr]) -> exp.Select:
        groups = [exp.alias_(outside(g), quoted(n), copy=False) for g, n in self._groups(node)]
        totals = [
            exp.alias_(outside(t.sql), quoted(self.names.totals[node.name, i]), copy=False)
            for i, t in enumerate(node.totals)
        ]
        return selecting([*groups, *totals]).group_by(*(outside(g) for g in node.groups), copy=False)

    def _at_edge(
        self, node: Node, outside: Callable[[exp.Expr], exp.Expr], columns: list[str], bridge: exp.Expr
    ) -> exp.Select:
        """Totals over the rows of the last (or first) moment of their group."""
        framed, table = node.framed, "edged"
        assert framed.moment is not None
        moment = outside(framed.moment)
        parts = [outside(tree) for tree in (*node.groups, *framed.per)]
        extreme = (exp.Max if framed.last else exp.Min)(this=moment.copy())
        edge = exp.Window(this=extreme, partition_by=parts)
        seen = [exp.alias_(self._give(PERIOD), quoted(PERIOD_NAME), copy=False)] if framed.sees else []
        query = selecting([*(column("bridge", c) for c in columns), *seen]).from_(bridge, copy=False)
        query = query.select(
            exp.alias_(moment, quoted("moment"), copy=False), exp.alias_(edge, quoted("edge"), copy=False), copy=False
        )
        query = self._seen(query, [outside(s) for s in framed.sees])

        def moved(tree: exp.Expr) -> exp.Expr:
            """The tree with every column of the bridge or the periods taken from the rows with their edge."""
            return outside(tree).transform(
                lambda n: column(table, n.name) if isinstance(n, exp.Column) else n, copy=False
            )

        at = exp.EQ(this=column(table, "moment"), expression=column(table, "edge"))
        return (
            self._totalled(node, moved)
            .from_(query.subquery(quoted(table), copy=False), copy=False)
            .where(at, copy=False)
        )

    def _seen(self, query: exp.Select, tests: list[exp.Expr]) -> exp.Select:
        """The rows once for every period whose frame they are in."""
        if not tests:
            return query
        return joined(query, exp.Table(this=quoted(self.names.periods)), every(tests))

    def _with_periods(self, query: exp.Select, found: Periods) -> exp.Select:
        line, names = found.line, self.names
        rows = [self._rows(node, []).select(*ends_of(self._filled(of)), copy=False) for node, of in found.of]
        first, last = (None if e is None else self._filled(e) for e in (found.first, found.last))
        query = query.with_(quoted(names.span), as_=span(line, first, last, rows, self.dialect), copy=False)
        all_of = every_period(line, names.periods, names.span, self.dialect)
        return query.with_(quoted(names.periods), as_=all_of, copy=False)

    def _with_meeting(self, query: exp.Select) -> exp.Select:
        found = self.plan.periods
        if found is None or not found.fill:
            return query.with_(quoted(self.names.meeting), as_=self._meeting(), copy=False)
        query = query.with_(quoted(self.names.kept), as_=self._meeting(), copy=False)
        cells = filled(self.names.kept, self.names.periods, self.names.groups, found.line.index)
        return query.with_(quoted(self.names.meeting), as_=cells, copy=False)

    def _meeting(self) -> exp.Expr:
        """Every group that any node has: UNION counts NULLs as equal."""
        parts = [
            selecting(column(self.names.nodes[n.name], g) for g in self.names.groups).from_(
                exp.Table(this=quoted(self.names.nodes[n.name])), copy=False
            )
            for n in self.plan.nodes
            if len(n.held) == len(self.names.groups)
        ]
        query: exp.Query = parts[0]
        for part in parts[1:]:
            query = query.union(part, copy=False)
        return query

    def _final(self) -> exp.Select:
        trees = [*(Slot("group", i).sql() for i in range(len(self.names.groups))), *self.plan.measures]
        if self.question.per:
            inside = [f"c{i}" for i in range(len(trees))]  # in names of their own: no output is called like the place
            return self._cut_within(self._held(inside, trees), inside)
        query = self._held(self.names.outputs, trees)
        order = self._order(self.names.outputs)
        return self._cut(query.order_by(*order, copy=False) if order else query)

    def _held(self, names: Sequence[str], trees: Sequence[exp.Expr]) -> exp.Select:
        """Every group that the conditions on measures leave."""
        columns = [exp.alias_(self._filled(t), quoted(n), copy=False) for t, n in zip(trees, names, strict=True)]
        query = self._from(selecting(columns))
        if not self.plan.having:
            return query
        return query.where(*(self._filled(h) for h in self.plan.having), copy=False)

    def _cut_within(self, rows: exp.Select, inside: list[str]) -> exp.Select:
        """The limit within each group of `per`: rows are numbered in the question's order."""
        per = self.question.per
        number = exp.Window(
            this=exp.RowNumber(),
            partition_by=[exp.column(quoted(inside[i])) for i in per],
            order=exp.Order(expressions=self._order(inside)),
        )
        place = quoted("place")
        placed = selecting([*(exp.column(quoted(c)) for c in inside), exp.alias_(number, place, copy=False)])
        placed = placed.from_(rows.subquery(quoted("every_row"), copy=False), copy=False)
        outputs = [
            exp.alias_(exp.column(quoted(c)), quoted(n), copy=False)
            for c, n in zip(inside, self.names.outputs, strict=True)
        ]
        first, limit = self.question.offset or 0, self.question.limit or 0
        query = selecting(outputs).from_(placed.subquery(quoted("placed"), copy=False), copy=False)
        query = query.where(
            exp.GT(this=exp.column(place), expression=exp.Literal.number(first)),
            exp.LTE(this=exp.column(place), expression=exp.Literal.number(first + limit)),
            copy=False,
        )
        return query.order_by(*self._order(self.names.outputs, first=per), copy=False)

    def _from(self, query: exp.Select) -> exp.Select:
        first, *rest = (exp.Table(this=quoted(self.names.nodes[n.name])) for n in self.plan.nodes)
        if not self._met:
            query = query.from_(first, copy=False)
            for table in rest:
                query = joined(query, table, kind="CROSS")
            return query
        query = query.from_(exp.Table(this=quoted(self.names.meeting)), copy=False)
        for node, table in zip(self.plan.nodes, (first, *rest), strict=True):
            names = [self.names.groups[i] for i in node.held]
            pairs = ((column(self.names.meeting, g), column(table.name, g)) for g in names)
            on = every(exp.NullSafeEQ(this=a, expression=b) for a, b in pairs) if names else exp.true()
            query = joined(query, table, on, side="LEFT")
        return query

    def _order(self, names: Sequence[str], first: tuple[int, ...] = ()) -> list[exp.Expr]:
        """What was asked for, then every grouping, so that the same question gives the same rows in the same order."""
        asked = {**dict.fromkeys(first, False), **dict(self.question.order)}
        keys = [*asked.items(), *((i, False) for i in range(len(self.names.groups)) if i not in asked)]
        return [exp.Ordered(this=exp.column(quoted(names[i])), desc=desc, nulls_first=False) for i, desc in keys]

    def _cut(self, query: exp.Select) -> exp.Select:
        limit, offset = self.question.limit, self.question.offset
        if limit is None and offset is None:
            return query
        query = query.limit(_EVERY_ROW if limit is None else limit, copy=False)
        return query.offset(offset, copy=False) if offset else query
