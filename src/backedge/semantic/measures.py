"""What a measure is made of: aggregates, each at the grain of the one view whose rows it counts, and sums of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sqlglot import exp

from backedge.semantic import dialects
from backedge.semantic.expressions import (
    Parsed,
    aggregate_roots,
    bad,
    inside_aggregate,
    outside_aggregates,
    parse,
)
from backedge.semantic.frames import Edge, Frame, edge_of
from backedge.semantic.joins import described, only_up
from backedge.semantic.model import Measure, View
from backedge.semantic.refusal import did_you_mean, nearest, refused
from backedge.semantic.slots import Slot, fill, slot_of, slots_in
from backedge.semantic.sources import (
    Sources,
    mixed_levels,
    references_to,
    refuse_unsupported,
)
from backedge.semantic.timed import Span


@dataclass(frozen=True)
class Aggregate:
    """One aggregate over rows of one view; `zero` where a group without rows has 0 of it, not nothing."""

    label: str
    sql: exp.Expr
    zero: bool


@dataclass
class Measures:
    """Collects the aggregates that a query needs, by the view whose grain they have; equal ones are computed once."""

    sources: Sources
    totals: dict[str, dict[str, Aggregate]] = field(default_factory=dict)
    frames: dict[str, tuple[View, Frame, str]] = field(default_factory=dict)
    frame: Frame = field(default_factory=Frame)
    notes: list[str] = field(default_factory=list)

    def value(self, view: View, measure: Measure, trail: tuple[str, ...] = ()) -> exp.Expr:
        """The measure's value as a tree over slots of aggregates."""
        path = f"{view.name}.{measure.name}"
        if path in trail:
            raise bad(path, f"it refers to itself: {' -> '.join((*trail, path))}", "break the circle")
        refuse_unsupported(path, measure.unsupported, measure.at)
        self.sources.touch(view)
        outer, self.frame = self.frame, self.frame.at(view, measure)
        try:
            found = self._made(view, measure, path, (*trail, path))
        finally:
            self.frame = outer
        if measure.fill_nulls_with is None:
            return found
        return exp.Coalesce(this=found, expressions=[exp.Literal.number(measure.fill_nulls_with)])

    def earlier(self, view: View, measure: Measure, span: Span) -> exp.Expr:
        """The measure's value a span earlier."""
        outer, self.frame = self.frame, self.frame.earlier(span, f"{view.name}.{measure.name}")
        try:
            return self.value(view, measure)
        finally:
            self.frame = outer

    def part(self, view: View, measure: Measure) -> exp.Expr:
        """What of the measure's value is of the question's part."""
        outer, self.frame = self.frame, replace(self.frame, part=True)
        try:
            return self.value(view, measure)
        finally:
            self.frame = outer

    def _made(self, view: View, measure: Measure, path: str, trail: tuple[str, ...]) -> exp.Expr:
        if measure.shift is not None or measure.type == "ratio":
            if measure.filters:
                raise bad(
                    path, "filters on an expression over measures have no rows to act on", "filter those measures"
                )
            if measure.shift is not None:
                return self.value(*self._named(view, measure.shift.measure, path), trail)
            return self._ratio(view, measure, path, trail)
        if measure.type in ("number", "custom"):
            return self._composed(view, measure, path, trail)
        return self._simple(view, measure, path)

    def _ratio(self, view: View, measure: Measure, path: str, trail: tuple[str, ...]) -> exp.Expr:
        """Each part aggregated at its own grain, then divided; of nothing by zero there is no value."""
        parts = (measure.numerator, measure.denominator)
        top, bottom = (self.value(*self._named(view, name, path), trail) for name in parts)
        return dialects.divided(self.sources.dialect, top, bottom)

    def _named(self, view: View, text: str, path: str) -> tuple[View, Measure]:
        """The measure that a file names beside an expression: `name`, `view.name`, or either as a `{{reference}}`."""
        owner, _, name = text.strip().strip("{} ").rpartition(".")
        for found in self.sources.owners(view, owner):
            if (measure := found.measure(name)) is not None:
                return found, measure
        near = nearest(
            f"{owner or view.name}.{name}", (f"{v.name}.{m.name}" for v in self.sources.model.views for m in v.measures)
        )
        raise bad(path, f"{text!r} names no measure", did_you_mean(near) or "write a measure or view.measure")

    def _simple(self, view: View, measure: Measure, path: str) -> exp.Expr:
        text = measure.expr.strip()
        parsed = self._parse(view, text, path) if text else None
        if parsed is not None and parsed.aggregates:
            raise bad(path, f"a {measure.type} aggregates its expression, which aggregates already", "use type: custom")
        home = self._home(view, parsed, path)
        inputs = self._inputs(home, view, measure, parsed, path)
        wanted = self._row_filter(home, view, measure, path)
        edge = self._edge(home, view, measure, wanted)
        if wanted is not None and edge is None:  # an edge leaves out what is not wanted
            inputs = tuple(exp.Case().when(wanted.copy(), x) for x in inputs or (exp.Literal.number(1),))
        columns = [self.sources.column(home, f"{measure.name}_input", x) for x in inputs]
        return self._total(home, measure, self._aggregate(measure, columns, path), edge)

    def _edge(self, home: View, view: View, measure: Measure, wanted: exp.Expr | None) -> Edge | None:
        slot = None
        if wanted is not None and measure.non_additive is not None:
            slot = slot_of(self.sources.column(home, f"{measure.name}_filter", wanted))
        return edge_of(view, measure, slot)

    def _inputs(
        self, home: View, view: View, measure: Measure, parsed: Parsed | None, path: str
    ) -> tuple[exp.Expr, ...]:
        if parsed is not None:
            return (self.sources.expand(home, view, parsed, path),)
        if measure.type == "count":
            return ()
        primary = view.primary
        if measure.type not in ("count_distinct", "count_distinct_approx"):
            raise bad(path, f"a {measure.type} needs an expression", "add an expr")
        if primary is None:
            raise needs_primary_key(view, f"{path} counts distinct rows")
        return self.sources.keys(view, primary)

    def _aggregate(self, measure: Measure, columns: list[exp.Expr], path: str) -> exp.Expr:
        if not columns:
            return exp.Count(this=exp.Star())
        if len(columns) > 1:
            return self._distinct_rows(columns, path)
        column = columns[0]
        make: dict[str, Callable[[], exp.Expr]] = {
            "count": lambda: exp.Count(this=column),
            "sum": lambda: exp.Sum(this=column),
            "average": lambda: exp.Avg(this=column),
            "min": lambda: exp.Min(this=column),
            "max": lambda: exp.Max(this=column),
            "count_distinct": lambda: exp.Count(this=exp.Distinct(expressions=[column])),
            "count_distinct_approx": lambda: self._by_template(self.sources.dialect.approximate, column, path),
            "median": lambda: self._by_template(self.sources.dialect.median, column, path),
        }
        return make[measure.type]()

    def _distinct_rows(self, columns: list[exp.Expr], path: str) -> exp.Expr:
        dialect = self.sources.dialect
        if not dialect.row_keys:
            raise self._no_way(path, "counts distinct rows by a key of several columns")
        whole = exp.and_(*(exp.Not(this=exp.Is(this=c.copy(), expression=exp.Null())) for c in columns))
        row = exp.Case().when(whole, exp.Tuple(expressions=[c.copy() for c in columns]))
        return exp.Count(this=exp.Distinct(expressions=[row]))

    def _by_template(self, template: str, column: exp.Expr, path: str) -> exp.Expr:
        if not template:
            raise self._no_way(path, "is a median")
        if template.startswith("COUNT("):
            self.notes.append(f"{path} is counted exactly: {self.sources.dialect.name} has no approximate count")
        return dialects.apply(self.sources.dialect, template, column)

    def _no_way(self, path: str, what: str) -> Exception:
        name = self.sources.dialect.name
        message = f"{path} {what}, which {name} has no aggregate for"
        return refused("not_supported", message, where=path, hint="ask for another measure", retryable=False)

    def _composed(self, view: View, measure: Measure, path: str, trail: tuple[str, ...]) -> exp.Expr:
        parsed = _safely_divided(self._parse(view, measure.expr, path))
        if parsed.sql.find(exp.Window) is not None:
            raise bad(path, "it holds a window function", "window functions over groups cannot be asked for yet")
        refs = [s for s in slots_in(parsed.sql) if s.kind == "ref"]
        measures = {s: m for s in refs if (m := self._measure(view, parsed, s)) is not None}
        if not measures:
            return self._as_written(view, measure, parsed, path)
        if measure.filters or measure.non_additive:
            what = "filters" if measure.filters else "non_additive"
            raise bad(path, f"{what} on an expression over measures has no rows to act on", "set it on those measures")
        return self._over_measures(view, measure, parsed, measures, trail)

    def _over_measures(
        self,
        view: View,
        measure: Measure,
        parsed: Parsed,
        measures: dict[Slot, tuple[View, Measure]],
        trail: tuple[str, ...],
    ) -> exp.Expr:
        path = trail[-1]
        tree = exp.paren(parsed.sql.copy(), copy=False)
        for root in aggregate_roots(tree):
            if not any(s in measures for s in slots_in(root)):
                root.replace(self._as_written(view, measure, Parsed(root.copy(), parsed.refs), path))

        def give(slot: Slot) -> exp.Expr:
            if slot in measures:
                return exp.paren(self.value(*measures[slot], trail), copy=False)
            if slot.kind == "variable":
                return self.sources.variables.value(slot.view, path)
            if slot.kind == "ref":
                raise bad(path, f"{parsed.refs[slot.index]} is a dimension beside measures", "put it in an aggregate")
            return slot.sql()

        for root in aggregate_roots(tree):
            if any(s in measures for s in slots_in(root)) and isinstance(root, exp.AggFunc):
                raise bad(path, "it aggregates a measure, which is aggregated already", "take the aggregate away")
        if tree.find(exp.Column) is not None:
            raise bad(path, "it reads a column outside an aggregate", "put it in an aggregate")
        return fill(tree, give)

    def _as_written(self, view: View, measure: Measure, parsed: Parsed, path: str) -> exp.Expr:
        roots = aggregate_roots(parsed.sql)
        if not roots:
            raise bad(path, "it aggregates nothing", "use an aggregate such as SUM, or a reference to a measure")
        if outside_aggregates(parsed.sql):
            raise bad(path, "it reads a column outside an aggregate", "put it in an aggregate")
        home = self._home(view, parsed, path)
        tree = self._over_columns(home, view, parsed, path)
        wanted = self._row_filter(home, view, measure, path)
        edge = self._edge(home, view, measure, wanted)
        if wanted is not None and edge is None:
            tree = self._only_where(tree, self.sources.column(home, f"{measure.name}_filter", wanted), path)
        return self._total(home, measure, tree, edge)

    def _over_columns(self, home: View, view: View, parsed: Parsed, path: str) -> exp.Expr:
        def own(node: exp.Expr) -> exp.Expr:
            return self.sources.column(home, node.name, node.copy()) if isinstance(node, exp.Column) else node

        def give(slot: Slot) -> exp.Expr:
            if slot.kind == "variable":
                return self.sources.variables.value(slot.view, path)
            if slot.kind != "ref":
                return slot.sql()
            one = Parsed(slot.sql(), parsed.refs)
            label = parsed.refs[slot.index].name
            return self.sources.column(home, label, self.sources.expand(home, view, one, path))

        return fill(parsed.sql.transform(own), give)

    def _only_where(self, tree: exp.Expr, wanted: exp.Expr, path: str) -> exp.Expr:
        holder = exp.paren(tree, copy=False)
        for root in aggregate_roots(holder):
            if not isinstance(root, exp.AggFunc):
                raise bad(path, f"filters cannot be applied to {root.sql()}", "write the condition into the expression")
            root.replace(exp.Filter(this=root.copy(), expression=exp.Where(this=wanted.copy())))
        return holder

    def _row_filter(self, home: View, view: View, measure: Measure, path: str) -> exp.Expr | None:
        parts = []
        for text in measure.filters:
            parsed = self._parse(view, text, f"{path} filters")
            if parsed.aggregates:
                raise bad(f"{path} filters", "a filter of rows cannot aggregate", "write it as a custom measure")
            views = references_to(self.sources, view, parsed, path)
            level = home if views <= {home.name} else view
            sql = self.sources.expand(level, view, parsed, path)
            parts.append(exp.paren(self.sources.above(home, level, sql, f"{measure.name}_filter", path), copy=False))
        return exp.and_(*parts) if parts else None

    def _home(self, view: View, parsed: Parsed | None, path: str) -> View:
        """The view at whose rows a measure is aggregated: its own, or the one finer view that alone it reads."""
        if parsed is None:
            return view
        read = references_to(self.sources, view, parsed, path)
        ways = {name: self.sources.joins.path(view.name, name) for name in read}
        finer = [name for name, way in ways.items() if not only_up(way)]
        if not finer:
            return view
        if len(read) > 1:
            raise mixed_levels(path, described(ways[finer[0]]))
        home = self.sources.view(finer[0])
        self.sources.touch(home)
        return home

    def _measure(self, view: View, parsed: Parsed, slot: Slot) -> tuple[View, Measure] | None:
        ref = parsed.refs[slot.index]
        owners = self.sources.owners(view, ref.owner)
        if any(owner.dimension(ref.name) is not None for owner in owners):
            return None
        return next(((o, m) for o in owners if (m := o.measure(ref.name)) is not None), None)

    def _parse(self, view: View, text: str, path: str) -> Parsed:
        return parse(self.sources.model, view, text, self.sources.dialect, path)

    def _total(self, home: View, measure: Measure, tree: exp.Expr, edge: Edge | None) -> exp.Expr:
        frame = replace(self.frame, edge=edge)
        name = frame.name(home.name)
        self.frames.setdefault(name, (home, frame, f"{home.name}.{measure.name}"))
        totals = self.totals.setdefault(name, {})
        text = tree.sql(dialect=self.sources.dialect.name)
        inner = tree.unnest()
        counts = isinstance(inner.this if isinstance(inner, exp.Filter) else inner, exp.Count | exp.ApproxDistinct)
        totals.setdefault(text, Aggregate(measure.name, tree, zero=counts))
        return Slot("total", list(totals).index(text), name).sql()


def _safely_divided(parsed: Parsed) -> Parsed:
    """Division of totals by zero has no value: databases would say infinity, or fail."""
    tree = parsed.sql.copy()
    for division in list(tree.find_all(exp.Div)):
        if not inside_aggregate(division) and not isinstance(division.expression, exp.Nullif | exp.Literal):
            below = exp.Nullif(this=division.expression.copy(), expression=exp.Literal.number(0))
            division.set("expression", below)
    return Parsed(tree, parsed.refs)


def needs_primary_key(view: View, why: str) -> Exception:
    """The refusal where rows of `view` must be told apart and nothing says how."""
    return refused(
        "needs_primary_key",
        f"{why}, so rows of {view.name} must be told apart, and it declares no primary entity",
        where=view.name,
        hint=f"add an entity of type primary to view {view.name}",
        retryable=False,
    )


def measure_type(view: View, measure: Measure) -> str:
    """The type of a measure's values: that of the dimension it is the least or greatest of, else number."""
    if measure.type not in ("min", "max"):
        return "number"
    text = measure.expr.strip().strip("{} ").removeprefix(f"{view.name}.")
    same = (d.type for d in view.dimensions if measure.expr.strip() == d.expr.strip() or text == d.name)
    return next(same, "number")
