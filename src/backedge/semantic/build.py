"""A plan and names as one SELECT: sources and nodes as common tables, met NULL-safely on their groupings."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from backedge.semantic.dialects import Dialect
from backedge.semantic.names import Names
from backedge.semantic.plan import Node, Plan, Semi
from backedge.semantic.resolve import Question
from backedge.semantic.slots import OWN, Slot, fill, slots_in
from backedge.semantic.sources import Hop, Source
from backedge.semantic.tables import relation

_EVERY_ROW = 2**63 - 1


def build(plan: Plan, question: Question, names: Names, dialect: Dialect) -> exp.Select:
    """The query's tree."""
    return _Builder(plan, question, names, dialect).query()


def _column(table: str, name: str) -> exp.Column:
    return exp.column(_name(name), table=_name(table))


def _name(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


@dataclass(frozen=True)
class _Builder:
    plan: Plan
    question: Question
    names: Names
    dialect: Dialect

    def query(self) -> exp.Select:
        query = self._final()
        for source in self.plan.sources:
            query = query.with_(_name(self.names.sources[source.view.name]), as_=self._source(source), copy=False)
        for node in self.plan.nodes:
            query = query.with_(_name(self.names.nodes[node.view]), as_=self._node(node), copy=False)
        if self._met:
            query = query.with_(_name(self.names.meeting), as_=self._meeting(), copy=False)
        return query

    @property
    def _met(self) -> bool:
        return len(self.plan.nodes) > 1 and bool(self.names.groups)

    def _source(self, source: Source) -> exp.Select:
        alias = self.names.aliases[source.view.name]
        columns = [
            exp.alias_(self._filled(c.sql, alias), _name(self.names.columns[source.view.name, i]))
            for i, c in enumerate(source.columns)
        ]
        table = exp.alias_(relation(source.view, self.dialect), _name(alias), table=True)
        query = exp.select(*(columns or [exp.alias_(exp.Literal.number(1), _name("row_exists"))])).from_(table)
        return self._joined(query, source.hops, alias)

    def _joined(self, query: exp.Select, hops: tuple[Hop, ...], own: str = "") -> exp.Select:
        for hop in hops:
            on = exp.and_(*(exp.EQ(this=self._filled(a, own), expression=self._filled(b, own)) for a, b in hop.on))
            query = query.join(self._read(hop.child), on=on, join_type="left", copy=False)
        return query

    def _read(self, view: str) -> exp.Expr:
        return exp.alias_(exp.Table(this=_name(self.names.sources[view])), _name(self.names.aliases[view]), table=True)

    def _filled(self, tree: exp.Expr, own: str = "") -> exp.Expr:
        """The tree with names for its slots, and its own columns under the alias `own`."""

        def rename(node: exp.Expr) -> exp.Expr:
            return _name(own) if isinstance(node, exp.Identifier) and node.name == OWN else node

        return fill(tree, self._give).transform(rename, copy=False)

    def _give(self, slot: Slot) -> exp.Expr:
        if slot.kind == "value":
            return exp.Var(this=f"${slot.index}")
        if slot.kind == "column":
            return _column(self.names.aliases[slot.view], self.names.columns[slot.view, slot.index])
        if slot.kind == "group":
            return self._group(slot.index)
        column = _column(self.names.nodes[slot.view], self.names.totals[slot.view, slot.index])
        node = next(n for n in self.plan.nodes if n.view == slot.view)
        if self._met and node.totals[slot.index].zero:
            return exp.Coalesce(this=column, expressions=[exp.Literal.number(0)])
        return column

    def _group(self, index: int) -> exp.Column:
        table = self.names.meeting if self._met else self.names.nodes[self.plan.nodes[0].view]
        return _column(table, self.names.groups[index])

    def _node(self, node: Node) -> exp.Select:
        if not node.totals:
            return self._rows(node, [(g, n) for g, n in zip(node.groups, self.names.groups, strict=True)]).distinct()
        if node.bridged:
            return self._over_bridge(node)
        groups = [(g, n) for g, n in zip(node.groups, self.names.groups, strict=True)]
        totals = [(t.sql, self.names.totals[node.view, i]) for i, t in enumerate(node.totals)]
        query = self._rows(node, [*groups, *totals])
        return query.group_by(*(self._filled(g) for g in node.groups), copy=False)

    def _rows(self, node: Node, columns: list[tuple[exp.Expr, str]]) -> exp.Select:
        query = exp.select(*(exp.alias_(self._filled(c), _name(n)) for c, n in columns)).from_(self._read(node.view))
        query = self._joined(query, node.hops)
        conditions = [*(self._filled(w) for w in node.where), *(self._semi(s) for s in node.semis)]
        return query.where(*conditions, copy=False) if conditions else query

    def _semi(self, semi: Semi) -> exp.Expr:
        first, *rest = semi.hops
        tie = exp.and_(*(exp.EQ(this=self._filled(b), expression=self._filled(a)) for a, b in first.on))
        some = exp.select("1").from_(self._read(first.child)).where(tie)
        found = self._joined(some.copy(), tuple(rest)).where(self._filled(semi.where), copy=False)
        exists: exp.Expr = exp.Exists(this=found)
        if semi.without is None:
            return exists
        nothing = exp.and_(exp.not_(exp.Exists(this=some)), *(self._filled(w) for w in semi.without))
        return exp.paren(exp.or_(exists, nothing), copy=False)

    def _over_bridge(self, node: Node) -> exp.Select:
        needed = [*node.key, *node.groups, *(s.sql() for t in node.totals for s in slots_in(t.sql))]
        slots = list(dict.fromkeys(s for tree in needed for s in slots_in(tree)))
        inside = {slot: f"k{i}" for i, slot in enumerate(slots, 1)}
        bridge = self._rows(node, [(slot.sql(), name) for slot, name in inside.items()]).distinct()
        table = "bridge"

        def outside(tree: exp.Expr) -> exp.Expr:
            return fill(tree, lambda slot: _column(table, inside[slot]))

        groups = [exp.alias_(outside(g), _name(n)) for g, n in zip(node.groups, self.names.groups, strict=True)]
        totals = [exp.alias_(outside(t.sql), _name(self.names.totals[node.view, i])) for i, t in enumerate(node.totals)]
        query = exp.select(*groups, *totals).from_(bridge.subquery(_name(table), copy=False))
        return query.group_by(*(outside(g) for g in node.groups), copy=False)

    def _meeting(self) -> exp.Expr:
        """Every group that any node has: UNION counts NULLs as equal."""
        parts = [
            exp.select(*(_column(self.names.nodes[n.view], g) for g in self.names.groups)).from_(
                exp.Table(this=_name(self.names.nodes[n.view]))
            )
            for n in self.plan.nodes
        ]
        query: exp.Query = parts[0]
        for part in parts[1:]:
            query = query.union(part)
        return query

    def _final(self) -> exp.Select:
        trees = [*(Slot("group", i).sql() for i in range(len(self.names.groups))), *self.plan.measures]
        columns = [exp.alias_(self._filled(t), _name(n)) for t, n in zip(trees, self.names.outputs, strict=True)]
        query = self._from(exp.select(*columns))
        if self.plan.having:
            query = query.where(*(self._filled(h) for h in self.plan.having), copy=False)
        order = self._order()
        return self._cut(query.order_by(*order, copy=False) if order else query)

    def _from(self, query: exp.Select) -> exp.Select:
        first, *rest = (exp.Table(this=_name(self.names.nodes[n.view])) for n in self.plan.nodes)
        if not self._met:
            query = query.from_(first)
            for table in rest:
                query = query.join(table, join_type="cross", copy=False)
            return query
        query = query.from_(exp.Table(this=_name(self.names.meeting)))
        for table in (first, *rest):
            pairs = ((_column(self.names.meeting, g), _column(table.name, g)) for g in self.names.groups)
            on = exp.and_(*(exp.NullSafeEQ(this=a, expression=b) for a, b in pairs))
            query = query.join(table, on=on, join_type="left", copy=False)
        return query

    def _order(self) -> list[exp.Expr]:
        """What was asked for, then every grouping, so that the same question gives the same rows in the same order."""
        asked = dict(self.question.order)
        keys = [*asked.items(), *((i, False) for i in range(len(self.names.groups)) if i not in asked)]
        names = self.names.outputs
        return [exp.Ordered(this=exp.column(_name(names[i])), desc=desc, nulls_first=False) for i, desc in keys]

    def _cut(self, query: exp.Select) -> exp.Select:
        limit, offset = self.question.limit, self.question.offset
        if limit is None and offset is None:
            return query
        query = query.limit(_EVERY_ROW if limit is None else limit, copy=False)
        return query.offset(offset, copy=False) if offset else query
