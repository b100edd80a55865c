"""The plan of a query: one node for each measure grain, how each reaches its groupings and filters, and how they meet.

A row of the node's view may meet many rows of a view below it. Groupings there are reached by a bridge: the distinct
pairs of row and grouping. Conditions there that concern no grouping are a semi-join. Neither can count a row twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from sqlglot import exp

from backedge.semantic import conditions
from backedge.semantic.comparing import comparison, share
from backedge.semantic.dialects import Dialect, bound, dialect_of
from backedge.semantic.expressions import bad, parse
from backedge.semantic.frames import Frame
from backedge.semantic.framing import Framed, Framing
from backedge.semantic.grain_policy import below_grain, refuse_many_rows, repeated
from backedge.semantic.joins import Joins, Step, described, only_up
from backedge.semantic.measures import Aggregate, Measures, measure_type, needs_primary_key
from backedge.semantic.model import Dimension, Measure, Model, Segment, View
from backedge.semantic.policies import Attributes, Policies
from backedge.semantic.refusal import Findings, refused
from backedge.semantic.resolve import Check, Clause, Group, Question, Some, checks
from backedge.semantic.slots import Slot
from backedge.semantic.sources import Hop, Nested, Source, Sources, refuse_unsupported
from backedge.semantic.spec import Value
from backedge.semantic.timeline import Timeline, cut_periods
from backedge.semantic.variables import Variables


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
    """Aggregates of one view at its own grain, by its groupings. `key` tells its rows apart where there is a bridge.

    `held` are the places of its groupings among the question's: all of them, but for totals that repeat (broadcast).
    """

    name: str
    view: str
    hops: tuple[Hop, ...]
    bridged: bool
    key: tuple[exp.Expr, ...]
    groups: tuple[exp.Expr, ...]
    held: tuple[int, ...]
    totals: tuple[Aggregate, ...]
    where: tuple[exp.Expr, ...]
    semis: tuple[Semi, ...]
    every_row: bool = False
    framed: Framed = field(default_factory=Framed)


@dataclass(frozen=True)
class Periods:
    """Every period from the first to the last: as the question says, else as the rows `of` the nodes have them.

    `fill` gives each of them a row of the result, in the grouping of that place.
    """

    line: Timeline
    first: exp.Expr | None
    last: exp.Expr | None
    of: tuple[tuple[Node, exp.Expr], ...]
    fill: bool


@dataclass(frozen=True)
class Plan:
    """Sources, nodes over them, and what is selected where the nodes meet: `measures` are trees over totals."""

    sources: tuple[Source, ...]
    nodes: tuple[Node, ...]
    measures: tuple[exp.Expr, ...]
    having: tuple[exp.Expr, ...]
    params: tuple[Value, ...]
    notes: tuple[str, ...]
    periods: Periods | None = None


Nesting = Callable[[View, Dimension, list[Value], list[str]], Nested]


def plan(
    model: Model,
    question: Question,
    dialect: Dialect,
    attributes: Attributes,
    nesting: Nesting,
    params: list[Value] | None = None,
) -> Plan:
    """Plan a question of somebody with those attributes; refuses with all defects that it finds.

    `nesting` makes the source of a sub-query dimension, whose values and notes join those of the question.
    """
    sources = Sources(model, Joins(model, question.spec.through), dialect, clock=question.clock)
    return _Planner(model, question, sources, attributes, nesting, [] if params is None else params).plan()


@dataclass
class _Planner:
    model: Model
    question: Question
    sources: Sources
    attributes: Attributes
    nesting: Nesting
    params: list[Value]
    notes: list[str] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)

    def __post_init__(self) -> None:
        self.measures = Measures(self.sources)
        self.framing = Framing(self.question, self.sources)
        self.sources.variables = Variables(dict(self.question.spec.variables), self._bind)
        self.sources.nest = lambda home, dimension: self.nesting(home, dimension, self.params, self.notes)

    def plan(self) -> Plan:
        asked = self.findings.each(lambda a: self.measures.value(a.view, a.measure), self.question.measures)
        asked += self._compared()
        where, having = self._split()
        after = self.findings.each(lambda c: self._tree(c, self._after), having)
        groups = self.findings.each(self._grouping, self.question.groups)
        every = [k for c in (*where, *self.question.part) for k in checks(c)]
        trees = dict(self.findings.each(lambda k: (id(k), self._before(k)), every))
        self.findings.close()
        nodes = self.findings.each(lambda cell: self._node(*cell, groups, where, trees), self._cells())
        if nodes and all(len(node.held) < len(groups) for node in nodes):
            view = self._rows_view()
            nodes += (self._node(f"{view.name} groups", view, Frame(), "", groups, where, trees),)
        periods = self.findings.attempt(lambda: self._periods(nodes, groups))
        sources = self.findings.attempt(self.sources.ordered)
        self.findings.close()
        self.sources.joins.check_through(hop.step for hop in hops_of(sources or (), nodes))
        self._refuse_mixed(sources or ())
        policies = Policies(self.sources, self.attributes, self._number)
        seen = self.findings.each(policies.restricted, sources or ())
        self.findings.close()
        notes = chain(self.question.notes, cut_periods(self.question), self.measures.notes, self.notes)
        told = tuple(dict.fromkeys(chain(notes, self.framing.notes, policies.notes)))
        return Plan(seen, nodes, asked, after, tuple(self.params), told, periods)

    def _compared(self) -> tuple[exp.Expr, ...]:
        """For each measure its earlier value, the change since then, the change in percent; or its part and percent."""
        if self.question.part:
            shares = self.findings.each(partial(share, self.measures), self.question.measures)
            return tuple(chain.from_iterable(shares))
        compare = self.question.spec.compare
        span = None if compare is None else self.findings.attempt(lambda: self.framing.compared(compare))
        if span is None:
            return ()
        found = self.findings.each(lambda asked: comparison(self.measures, asked, span), self.question.measures)
        return tuple(chain.from_iterable(found))

    def _periods(self, nodes: tuple[Node, ...], groups: tuple[exp.Expr, ...]) -> Periods | None:
        fill = any(group.by.fill for group in self.question.groups)
        if not fill and not self.framing.lines:
            return None
        line = self.framing.line("filling the gaps needs one line of periods")
        first, last = (None if m is None else self._bind(line.moment(m)) for m in (line.first, line.last))
        seeing = {node.view: node for node in sorted(nodes, key=lambda n: bool(n.framed.sees))}
        of = () if first and last else tuple((node, groups[line.index]) for node in seeing.values())
        return Periods(line, first, last, of, fill)

    def _grouping(self, group: Group) -> exp.Expr:
        return self.sources.dimension(group.view, group.dimension.name, group.by.grain, asked=True)

    def _split(self) -> tuple[list[Clause], list[Clause]]:
        where: list[Clause] = []
        having: list[Clause] = []
        for clause in self.question.clauses:
            measured = any(isinstance(c.member, Measure) for c in checks(clause))
            (having if measured else where).append(clause)
        return where, having

    def _cells(self) -> list[tuple[str, View, Frame, str]]:
        """The nodes to plan: name, view, frame, and the measure that each is first needed for."""
        if self.measures.frames:
            return [(name, *rest) for name, rest in self.measures.frames.items()]
        view = self._rows_view()
        return [(view.name, view, Frame(), "")]

    def _rows_view(self) -> View:
        """The view whose rows have one value of every grouping, or the first where none has."""
        candidates = list(dict.fromkeys(g.view.name for g in self.question.groups))
        return self.sources.view(next((c for c in candidates if self._above_all(c, candidates)), candidates[0]))

    def _above_all(self, name: str, others: list[str]) -> bool:
        ways = Findings().each(partial(self.sources.joins.path, name), others)
        return len(ways) == len(others) and all(only_up(way) for way in ways)

    def _bind(self, value: Value) -> exp.Expr:
        self.params.append(bound(self.sources.dialect, value))
        return Slot("value", len(self.params)).sql()

    def _number(self, value: Value) -> exp.Expr:
        self.params.append(value)
        return exp.Var(this=f"${len(self.params)}")

    def _before(self, check: Check) -> exp.Expr:
        if isinstance(check.member, Segment):
            return self._segment(check.view, check.member)
        assert isinstance(check.member, Dimension)
        column = self.sources.dimension(check.view, check.member.name, asked=True)
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

    def _node(
        self,
        name: str,
        view: View,
        frame: Frame,
        path: str,
        groups: tuple[exp.Expr, ...],
        where: list[Clause],
        trees: dict[int, exp.Expr],
    ) -> Node:
        refuse_unsupported(view.name, view.unsupported, view.at)
        self.sources.touch(view)
        framed = self.framing.place(path, frame)
        where, instead = self.framing.clauses(path, frame, where)
        if instead is not None:
            trees[id(instead)] = self._before(instead)
        steps, branches = self._reach(view, where, self.framing.views(frame))
        groups = self.framing.groups(path, frame, groups, branches)
        totals = tuple(self.measures.totals.get(name, {}).values())
        held = self._held(view, branches) if totals else tuple(range(len(groups)))
        grouped = {branches[self.question.groups[i].view.name] for i in held} - {""}
        bridged, outside, apart = _placed(where, branches, grouped)
        if self.question.spec.listing:
            refuse_many_rows(view, steps, bridged)
        return Node(
            name=name,
            view=view.name,
            hops=tuple(self.sources.hop(s) for s in steps if branches[s.child] in {"", *bridged}),
            bridged=bool(bridged),
            key=self._key(view, branches, bridged) if bridged and totals else (),
            groups=tuple(groups[i] for i in held),
            held=held,
            totals=totals,
            where=tuple(self._tree(c, lambda k: trees[id(k)]) for c in outside),
            semis=tuple(self._semi(b, cs, steps, branches, trees) for b, cs in apart.items()),
            every_row=self.question.spec.listing,
            framed=framed,
        )

    def _held(self, view: View, branches: dict[str, str]) -> tuple[int, ...]:
        """The groupings that totals of `view` are divided by, as the question's policy says."""
        groups = self.question.groups
        above = tuple(i for i, g in enumerate(groups) if not branches[g.view.name])
        below = [g.by.name for g in groups if branches[g.view.name]]
        if not below or self.question.spec.grain == "associate":
            return tuple(range(len(groups)))
        if self.question.spec.grain == "refuse":
            raise below_grain(view, below)
        self.notes.append(repeated(view, below))
        return above

    def _reach(self, view: View, where: list[Clause], also: list[str]) -> tuple[list[Step], dict[str, str]]:
        """The joins that lead to all views needed, and for each view the branch below `view` that it lies on, or ""."""
        wanted = dict.fromkeys([*(g.view.name for g in self.question.groups), *also])
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
        path = self.sources.joins.path(view.name, name, asked=True)
        for step in path:
            child = self.sources.view(step.child)
            refuse_unsupported(child.name, child.unsupported, child.at)
        other = self.sources.joins.longer(view.name, name, path)
        if other is not None and not self.sources.joins.chose(path):
            self.notes.append(f"joined {described(path)}; the way {described(other)} may give other values")
        return path

    def _key(self, view: View, branches: dict[str, str], bridged: set[str]) -> tuple[exp.Expr, ...]:
        if view.primary is None:
            raise needs_primary_key(view, f"one row of {view.name} has many rows of {', '.join(sorted(bridged))}")
        below = ", ".join(g.by.name for g in self.question.groups if branches[g.view.name])
        if below:
            self.notes.append(
                f"each row of {view.name} counts once for every {below} that it reaches, so groups may overlap; "
                f"where it reaches none it is in the group without a value"
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


def _placed(
    where: list[Clause], branches: dict[str, str], grouped: set[str]
) -> tuple[set[str], list[Clause], dict[str, list[Clause]]]:
    """The branches to bridge, the conditions on joined rows, and by branch those that one of its rows must fulfil."""
    touched = [{branches[k.view.name] for k in checks(c)} - {""} for c in where]
    bridged = grouped.union(*(t for t in touched if len(t) > 1))
    outside = [c for c, t in zip(where, touched, strict=True) if not t - bridged]
    apart: dict[str, list[Clause]] = {}
    for clause, branch in zip(where, touched, strict=True):
        if branch - bridged:
            apart.setdefault(next(iter(branch)), []).append(clause)
    return bridged, outside, apart


def hops_of(sources: Iterable[Source], nodes: Iterable[Node]) -> Iterator[Hop]:
    """Every join of a plan: inside its sources, in its nodes and in their semi-joins."""
    yield from (hop for source in sources for hop in source.hops)
    for node in nodes:
        yield from node.hops
        yield from (hop for semi in node.semis for hop in semi.hops)


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
