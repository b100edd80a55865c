"""The plan of a query: one node for each measure grain, how each reaches its groupings and filters, and how they meet.

A row of the node's view may meet many rows of a view below it. Groupings there are reached by a bridge: the distinct
pairs of row and grouping. Conditions there that concern no grouping are a semi-join. Neither can count a row twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from sqlglot import exp

from backedge.semantic import conditions
from backedge.semantic.dialects import Dialect, bound, dialect_of
from backedge.semantic.expressions import bad, parse
from backedge.semantic.joins import Joins, Step, described, only_up
from backedge.semantic.measures import Aggregate, Measures, needs_primary_key
from backedge.semantic.model import Dimension, Measure, Model, Segment, View
from backedge.semantic.refusal import Findings, refused
from backedge.semantic.resolve import Check, Clause, Group, Question, Some, checks
from backedge.semantic.slots import Slot
from backedge.semantic.sources import Hop, Source, Sources, refuse_unsupported
from backedge.semantic.spec import Value


@dataclass(frozen=True)
class Semi:
    """Rows for which a row below fulfils `where`: the first hop ties it to its parent, the rest are joined.

    `without` are the conditions left where there is no row below at all, or None where they cannot hold then.
    """

    hops: tuple[Hop, ...]
    where: exp.Expr
    without: tuple[exp.Expr, ...] | None


@dataclass(frozen=True)
class Node:
    """Aggregates of one view at its own grain, by all groupings. `key` tells its rows apart where there is a bridge."""

    view: str
    hops: tuple[Hop, ...]
    bridged: bool
    key: tuple[exp.Expr, ...]
    groups: tuple[exp.Expr, ...]
    totals: tuple[Aggregate, ...]
    where: tuple[exp.Expr, ...]
    semis: tuple[Semi, ...]


@dataclass(frozen=True)
class Plan:
    """Sources, nodes over them, and what is selected where the nodes meet: `measures` are trees over totals."""

    sources: tuple[Source, ...]
    nodes: tuple[Node, ...]
    measures: tuple[exp.Expr, ...]
    having: tuple[exp.Expr, ...]
    params: tuple[Value, ...]
    notes: tuple[str, ...]


def plan(model: Model, question: Question, dialect: Dialect) -> Plan:
    """Plan a question; refuses with all defects that it finds."""
    return _Planner(model, question, Sources(model, Joins(model), dialect)).plan()


@dataclass
class _Planner:
    model: Model
    question: Question
    sources: Sources
    params: list[Value] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)

    def __post_init__(self) -> None:
        self.measures = Measures(self.sources)

    def plan(self) -> Plan:
        asked = self.findings.each(lambda a: self.measures.value(a.view, a.measure), self.question.measures)
        where, having = self._split()
        after = self.findings.each(lambda c: self._tree(c, self._after), having)
        groups = self.findings.each(self._grouping, self.question.groups)
        trees = dict(self.findings.each(lambda k: (id(k), self._before(k)), [k for c in where for k in checks(c)]))
        self.findings.close()
        nodes = self.findings.each(lambda v: self._node(v, groups, where, trees), self._views())
        sources = self.findings.attempt(self.sources.ordered)
        self.findings.close()
        self._refuse_mixed(sources or ())
        notes = tuple(dict.fromkeys([*self.question.notes, *self.measures.notes, *self.notes]))
        return Plan(sources or (), nodes, asked, after, tuple(self.params), notes)

    def _grouping(self, group: Group) -> exp.Expr:
        return self.sources.dimension(group.view, group.dimension.name, group.by.grain)

    def _split(self) -> tuple[list[Clause], list[Clause]]:
        where: list[Clause] = []
        having: list[Clause] = []
        for clause in self.question.clauses:
            measured = any(isinstance(c.member, Measure) for c in checks(clause))
            (having if measured else where).append(clause)
        return where, having

    def _views(self) -> tuple[View, ...]:
        if self.measures.totals:
            return tuple(self.sources.view(name) for name in self.measures.totals)
        candidates = list(dict.fromkeys(g.view.name for g in self.question.groups))
        return (self.sources.view(next((c for c in candidates if self._above_all(c, candidates)), candidates[0])),)

    def _above_all(self, name: str, others: list[str]) -> bool:
        ways = Findings().each(partial(self.sources.joins.path, name), others)
        return len(ways) == len(others) and all(only_up(way) for way in ways)

    def _bind(self, value: Value) -> exp.Expr:
        self.params.append(bound(self.sources.dialect, value))
        return Slot("value", len(self.params)).sql()

    def _before(self, check: Check) -> exp.Expr:
        if isinstance(check.member, Segment):
            return self._segment(check.view, check.member)
        assert isinstance(check.member, Dimension)
        column = self.sources.dimension(check.view, check.member.name)
        return conditions.test(column, check.member.type, check.filter, self._bind)

    def _segment(self, view: View, segment: Segment) -> exp.Expr:
        path = f"{view.name}.{segment.name}"
        refuse_unsupported(path, segment.unsupported, segment.at)
        refuse_unsupported(view.name, view.unsupported, view.at)
        parsed = parse(self.model, view, segment.expr, self.sources.dialect, path)
        if parsed.aggregates:
            raise bad(path, "a segment cannot aggregate", "filter by a measure")
        return self.sources.column(view, segment.name, self.sources.expand(view, view, parsed, path))

    def _after(self, check: Check) -> exp.Expr:
        if isinstance(check.member, Measure):
            column = exp.paren(self.measures.value(check.view, check.member))
            return conditions.test(column, measure_type(check.view, check.member), check.filter, self._bind)
        path = check.filter.member
        for index, group in enumerate(self.question.groups):
            if group.by.member == path and group.by.grain is None and isinstance(check.member, Dimension):
                return conditions.test(Slot("group", index).sql(), check.member.type, check.filter, self._bind)
        raise refused(
            "mixed_condition",
            f"an OR of measures and {path} can only be decided where {path} is a grouping",
            where=path,
            hint=f"group by {path}, or ask in two questions",
        )

    def _tree(self, clause: Clause, make: Callable[[Check], exp.Expr]) -> exp.Expr:
        if isinstance(clause, Check):
            return make(clause)
        parts = [self._tree(c, make) for c in clause.of]
        return exp.or_(*parts) if isinstance(clause, Some) else exp.and_(*parts)

    def _node(self, view: View, groups: tuple[exp.Expr, ...], where: list[Clause], trees: dict[int, exp.Expr]) -> Node:
        refuse_unsupported(view.name, view.unsupported, view.at)
        self.sources.touch(view)
        steps, branches = self._reach(view, where)
        grouped = {branches[g.view.name] for g in self.question.groups} - {""}
        touched = [{branches[k.view.name] for k in checks(c)} - {""} for c in where]
        bridged = grouped.union(*(t for t in touched if len(t) > 1))
        outside = [c for c, t in zip(where, touched, strict=True) if not t - bridged]
        apart: dict[str, list[Clause]] = {}
        for clause, branch in zip(where, touched, strict=True):
            if branch - bridged:
                apart.setdefault(next(iter(branch)), []).append(clause)
        totals = tuple(self.measures.totals.get(view.name, {}).values())
        return Node(
            view=view.name,
            hops=tuple(self.sources.hop(s) for s in steps if branches[s.child] in {"", *bridged}),
            bridged=bool(bridged),
            key=self._key(view, branches, bridged) if bridged and totals else (),
            groups=groups,
            totals=totals,
            where=tuple(self._tree(c, lambda k: trees[id(k)]) for c in outside),
            semis=tuple(self._semi(b, cs, steps, branches, trees) for b, cs in apart.items()),
        )

    def _reach(self, view: View, where: list[Clause]) -> tuple[list[Step], dict[str, str]]:
        """The joins that lead to all views needed, and for each view the branch below `view` that it lies on, or ""."""
        wanted = dict.fromkeys([*(g.view.name for g in self.question.groups)])
        wanted |= dict.fromkeys(k.view.name for c in where for k in checks(c))
        steps: dict[str, Step] = {}
        branches = {view.name: ""}
        findings = Findings()
        for step in (s for path in findings.each(partial(self._path, view), wanted) for s in path):
            steps.setdefault(step.child, step)
            branches.setdefault(step.child, branches[step.parent] or ("" if step.up else step.child))
        findings.close()
        return list(steps.values()), branches

    def _path(self, view: View, name: str) -> tuple[Step, ...]:
        path = self.sources.joins.path(view.name, name)
        for step in path:
            child = self.sources.view(step.child)
            refuse_unsupported(child.name, child.unsupported, child.at)
        other = self.sources.joins.longer(view.name, name, path)
        if other is not None:
            self.notes.append(f"joined {described(path)}; the way {described(other)} may give other values")
        return path

    def _key(self, view: View, branches: dict[str, str], bridged: set[str]) -> tuple[exp.Expr, ...]:
        if view.primary is None:
            raise needs_primary_key(view, f"one row of {view.name} has many rows of {', '.join(sorted(bridged))}")
        below = ", ".join(g.by.name for g in self.question.groups if branches[g.view.name])
        if below:
            self.notes.append(
                f"each row of {view.name} counts once for every {below} that it reaches, so groups may overlap"
            )
        return self.sources.keys(view, view.primary)

    def _semi(
        self,
        branch: str,
        clauses: list[Clause],
        steps: list[Step],
        branches: dict[str, str],
        trees: dict[int, exp.Expr],
    ) -> Semi:
        where = [self._tree(c, lambda k: trees[id(k)]) for c in clauses]
        missing = [_without(c, {v for v, b in branches.items() if b == branch}, trees) for c in clauses]
        left = [m for m in missing if isinstance(m, exp.Expr)]
        without = None if any(m is False for m in missing) else tuple(left)
        hops = tuple(self.sources.hop(s) for s in steps if branches[s.child] == branch)
        return Semi(hops, exp.and_(*where), without)

    def _refuse_mixed(self, sources: tuple[Source, ...]) -> None:
        found = dict.fromkeys(s.view.datasource for s in sources)
        if len(found) > 1:
            places = ", ".join(f"{s.view.name} is in {s.view.datasource or 'the default database'}" for s in sources)
            message = f"one query reads one database, but {places}"
            raise refused("mixed_datasource", message, hint="ask in two questions", near=tuple(found))
        for view in (s.view for s in sources if s.view.dialect):
            if dialect_of(view.dialect) != self.sources.dialect:
                message = f"view {view.name} is written for {view.dialect}, not for {self.sources.dialect.name}"
                raise refused("not_supported", message, where=view.name, hint="ask another view", retryable=False)


def measure_type(view: View, measure: Measure) -> str:
    """The type of a measure's values: that of the dimension it is the least or greatest of, else number."""
    if measure.type not in ("min", "max"):
        return "number"
    text = measure.expr.strip().strip("{} ").removeprefix(f"{view.name}.")
    same = (d.type for d in view.dimensions if measure.expr.strip() == d.expr.strip() or text == d.name)
    return next(same, "number")


def _without(clause: Clause, views: set[str], trees: dict[int, exp.Expr]) -> exp.Expr | bool:
    """What a condition says where no row of `views` is there: true, false, or what is left of it."""
    if isinstance(clause, Check):
        if clause.view.name not in views:
            return trees[id(clause)]
        return not isinstance(clause.member, Segment) and conditions.keeps_missing(clause.filter)
    parts = [_without(c, views, trees) for c in clause.of]
    decides = isinstance(clause, Some)
    if any(p is decides for p in parts):
        return decides
    left = [p for p in parts if isinstance(p, exp.Expr)]
    if not left:
        return not decides
    return exp.or_(*left) if isinstance(clause, Some) else exp.and_(*left)
