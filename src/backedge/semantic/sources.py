"""The views that a query reads, each as one row set that computes its own expressions before anything is joined to it.

Expressions are computed inside their view: joined outside, `CASE ... ELSE 'Hot' END` of a missing row would be 'Hot'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from backedge.semantic import dialects
from backedge.semantic.dialects import Dialect
from backedge.semantic.expressions import Parsed, Reference, bad, parse
from backedge.semantic.joins import Joins, Step, described, only_up
from backedge.semantic.model import Dimension, Entity, Model, View
from backedge.semantic.refusal import Refused, did_you_mean, nearest, refused
from backedge.semantic.slots import Slot, fill, slot_of, slots_in
from backedge.semantic.spec import Grain, Key
from backedge.semantic.timed import Clock
from backedge.semantic.variables import Variables


@dataclass(frozen=True)
class SourceColumn:
    """One computed column; `label` is the name that it would like to have."""

    label: str
    sql: exp.Expr


@dataclass(frozen=True)
class Hop:
    """A join from `parent` to `child`: pairs of trees that must be equal, the parent's first; `step` declares it."""

    parent: str
    child: str
    on: tuple[tuple[exp.Expr, exp.Expr], ...]
    step: Step


@dataclass(frozen=True)
class Source:
    """One view's rows with the columns that the query needs; `hops` join views above it that its expressions read.

    `where` are conditions on its rows that no question may escape; `reads` takes the place of its table or query.
    A sub-query has its own sources (`inner`) and the `keys` that it counts on.
    """

    view: View
    columns: tuple[SourceColumn, ...]
    hops: tuple[Hop, ...]
    where: tuple[exp.Expr, ...] = ()
    reads: exp.Expr | None = None
    inner: tuple[Source, ...] = ()
    keys: tuple[Key, ...] = ()


Trail = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Nested:
    """A sub-query as a source: key columns, then the value; `missing` is the value of a row that it has no row for."""

    source: Source
    missing: int | float | None


Nest = Callable[[View, Dimension], Nested]


@dataclass
class Sources:
    """Collects the columns that a query needs of each view; asking twice for the same one gives the same slot."""

    model: Model
    joins: Joins
    dialect: Dialect
    columns: dict[str, dict[str, SourceColumn]] = field(default_factory=dict)
    hops: dict[str, dict[str, Hop]] = field(default_factory=dict)
    dimensions: dict[tuple[str, str, Grain | None, str], Slot] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    variables: Variables = field(default_factory=Variables)
    nest: Nest | None = None
    nested: dict[str, Nested] = field(default_factory=dict)

    def dimension(
        self, view: View, name: str, grain: Grain | None = None, trail: Trail = (), *, asked: bool = False
    ) -> exp.Expr:
        """The slot of a dimension, truncated to `grain` where one is given.

        What the question groups or filters by is `asked`, and on its clock; keys are not, which would make two one.
        """
        zone = self.clock.zone if asked else ""
        found = self.dimensions.get((view.name, name, grain, zone))
        if found is None:
            dimension = self.declared(view, name)
            sql = self._dimension_sql(view, dimension, trail)
            if dimension.type == "datetime":
                sql = dialects.local(self.dialect, sql, zone)
            if grain is not None:
                sql = dialects.truncated(self.dialect, sql, grain, dimension.type, self.clock.calendar)
            found = slot_of(self.column(view, f"{name}_{grain}" if grain else name, sql))
            assert found is not None
            self.dimensions[view.name, name, grain, zone] = found
        return found.sql()

    def column(self, view: View, label: str, sql: exp.Expr) -> exp.Expr:
        """The slot of a column computed by `sql`, a tree over the view's own columns."""
        columns = self.columns.setdefault(view.name, {})
        text = sql.sql(dialect=self.dialect.name, comments=False)  # trees compare without regard to case
        columns.setdefault(text, SourceColumn(label, sql))
        return Slot("column", list(columns).index(text), view.name).sql()

    def keys(self, view: View, entity: Entity) -> tuple[exp.Expr, ...]:
        """The slots of an entity's key columns."""
        return tuple(self.dimension(view, key) for key in entity.keys)

    def hop(self, step: Step) -> Hop:
        """A join between two sources."""
        parent, child = self.view(step.parent), self.view(step.child)
        on = tuple((self.dimension(parent, mine), self.dimension(child, theirs)) for mine, theirs in step.keys)
        return Hop(step.parent, step.child, on, step)

    def view(self, name: str) -> View:
        """The view of that name, which the caller knows to exist."""
        view = self.model.view(name)
        assert view is not None, name
        return view

    def declared(self, view: View, name: str) -> Dimension:
        """The dimension of that name; refuses one that is not there or that cannot be served."""
        dimension = view.dimension(name)
        if dimension is None:
            near = nearest(name, (d.name for d in view.dimensions))
            message = f"view {view.name} has no dimension {name}"
            raise refused("unknown_member", message, where=f"{view.name}.{name}", hint=did_you_mean(near), near=near)
        refuse_unsupported(f"{view.name}.{name}", dimension.unsupported, dimension.at)
        refuse_unsupported(view.name, view.unsupported, view.at)
        return dimension

    def expand(self, home: View, declared: View, parsed: Parsed, where: str, trail: Trail = ()) -> exp.Expr:
        """`parsed`, written in view `declared`, as a tree over own columns of `home` and slots of views above it."""

        def give(slot: Slot) -> exp.Expr:
            if slot.kind == "variable":
                return self.variables.value(slot.view, where)
            target, dimension = self.reference(declared, parsed.refs[slot.index], where)
            if target.name == home.name:
                return exp.paren(self._dimension_sql(home, dimension, trail), copy=False)
            self._reach(home, target, where, trail)
            return self.dimension(target, dimension.name, trail=trail)

        return fill(parsed.sql, give)

    def above(self, home: View, target: View, sql: exp.Expr, label: str, where: str) -> exp.Expr:
        """A column of `target` as rows of `home` see it."""
        if target.name == home.name:
            return sql
        self._reach(home, target, where, ())
        return self.column(target, label, sql)

    def reference(self, declared: View, ref: Reference, where: str) -> tuple[View, Dimension]:
        """The dimension that a reference in view `declared` means; refuses one that is unknown or means two things."""
        views = self.owners(declared, ref.owner)
        found = [(v, d) for v in views if (d := v.dimension(ref.name)) is not None]
        if not found:
            names = [f"{v.name}.{d.name}" for v in views or self.model.views for d in v.dimensions]
            near = nearest(ref.name, names)
            raise bad(where, f"{ref} names no dimension", did_you_mean(near) or "check the name")
        if len(found) > 1:
            raise bad(where, f"{ref} may mean {' or '.join(f'{v.name}.{d.name}' for v, d in found)}", "name the view")
        return found[0]

    def owners(self, declared: View, owner: str) -> list[View]:
        """The views that `owner` in a reference may mean: itself, a view's name, or the primary views of an entity."""
        if owner in ("", declared.name) or owner in self._seen_as(declared):
            return [declared]
        by_entity = [v for v in self.model.views if any(e.name == owner and e.type == "primary" for e in v.entities)]
        named = self.model.view(owner)
        return list({v.name: v for v in [*([named] if named else []), *by_entity]}.values())

    def _seen_as(self, declared: View) -> set[str]:
        """What a view in a role is called in its own file: the view's name and its primary entities."""
        whole = self.model.view(declared.role_of) if declared.role_of else None
        return {whole.name, *(e.name for e in whole.entities if e.type == "primary")} if whole else set()

    def ordered(self) -> tuple[Source, ...]:
        """All sources, those that others read first."""
        done: dict[str, Source] = {}
        for name in list(self.columns):
            self._place(name, done, ())
        return tuple(done.values())

    def touch(self, view: View) -> None:
        """Make `view` a source even where no column of it is read, as for a plain count."""
        refuse_unsupported(view.name, view.unsupported, view.at)
        self.columns.setdefault(view.name, {})

    def _place(self, name: str, done: dict[str, Source], trail: tuple[str, ...]) -> None:
        if name in trail:
            raise bad(name, f"views read each other: {' -> '.join((*trail, name))}", "remove one of the references")
        if name in done:
            return
        hops = self.hops.get(name, {})
        for child in hops:
            self._place(child, done, (*trail, name))
        if name in self.nested:
            done[name] = self.nested[name].source
        else:
            done[name] = Source(self.view(name), tuple(self.columns[name].values()), tuple(hops.values()))

    def _dimension_sql(self, view: View, dimension: Dimension, trail: Trail) -> exp.Expr:
        where = f"{view.name}.{dimension.name}"
        if (view.name, dimension.name) in trail:
            way = " -> ".join(".".join(part) for part in (*trail, (view.name, dimension.name)))
            raise bad(where, f"it refers to itself: {way}", "break the circle")
        sql = self._sub_query(view, dimension, trail) if dimension.sub_query else self._own_sql(view, dimension, trail)
        template = {"date": self.dialect.as_date, "datetime": self.dialect.as_datetime}.get(dimension.type, "x")
        return dialects.apply(self.dialect, template, sql)

    def _own_sql(self, view: View, dimension: Dimension, trail: Trail) -> exp.Expr:
        where = f"{view.name}.{dimension.name}"
        parsed = parse(self.model, view, dimension.expr, self.dialect, where)
        if parsed.aggregates:
            raise bad(where, "a dimension cannot aggregate", "declare it as a measure")
        return self.expand(view, view, parsed, where, (*trail, (view.name, dimension.name)))

    def _sub_query(self, home: View, dimension: Dimension, trail: Trail) -> exp.Expr:
        """The column of a measure for each row of `home`, joined by its primary key."""
        name = f"{home.name}.{dimension.name}"
        if name not in self.nested:
            assert self.nest is not None
            self.nested[name] = self.nest(home, dimension)
        nested = self.nested[name]
        self.columns[name] = {column.label: column for column in nested.source.columns}
        assert home.primary is not None
        mine = [self._parent_key(home, home, key, trail) for key in home.primary.keys]
        theirs = [Slot("column", i, name).sql() for i in range(len(mine))]
        step = Step(home.name, name, home.primary.name, tuple((key, key) for key in home.primary.keys), up=True)
        self.hops.setdefault(home.name, {})[name] = Hop(home.name, name, tuple(zip(mine, theirs, strict=True)), step)
        value = Slot("column", len(mine), name).sql()
        missing = exp.convert(nested.missing)
        return value if nested.missing is None else exp.Coalesce(this=value, expressions=[missing])

    def _reach(self, home: View, target: View, where: str, trail: Trail) -> None:
        path = self.joins.path(home.name, target.name)
        if not only_up(path):
            raise mixed_levels(where, described(path))
        hops = self.hops.setdefault(home.name, {})
        for step in path:
            if step.child in hops:
                continue
            parent, child = self.view(step.parent), self.view(step.child)
            on = tuple(
                (self._parent_key(home, parent, mine, trail), self.dimension(child, theirs, trail=trail))
                for mine, theirs in step.keys
            )
            hops[step.child] = Hop(step.parent, step.child, on, step)

    def _parent_key(self, home: View, parent: View, name: str, trail: Trail) -> exp.Expr:
        if parent.name == home.name:
            return self._dimension_sql(home, self.declared(home, name), trail)
        return self.dimension(parent, name, trail=trail)


def flat(sources: Iterable[Source]) -> Iterator[View]:
    """The views that sources read, those of their sub-queries in place of these."""
    for source in sources:
        yield from flat(source.inner) if source.inner else (source.view,)


def mixed_levels(where: str, way: str) -> Refused:
    """The refusal of an expression over rows of two levels."""
    return refused(
        "mixed_levels",
        f"{where} mixes rows of two levels ({way} leads to many rows), so no single row has its value",
        where=where,
        hint="move the measure to the finer view, where the other fields have one value for each row",
    )


def refuse_unsupported(where: str, constructs: tuple[str, ...], at: str) -> None:
    """Refuse a member or view that uses what loads but cannot be asked for yet."""
    if constructs:
        place = f" ({at})" if at else ""
        raise refused(
            "not_supported",
            f"{where} uses {', '.join(constructs)}{place}, which cannot be asked for yet",
            where=where,
            hint="ask for another member",
            retryable=False,
        )


def references_to(sources: Sources, declared: View, parsed: Parsed, where: str) -> set[str]:
    """Names of the views that an expression reads, its own included where it reads own columns."""
    own = {declared.name} if parsed.own_columns else set()
    used = [slot.index for slot in slots_in(parsed.sql) if slot.kind == "ref"]
    return own | {sources.reference(declared, parsed.refs[i], where)[0].name for i in used}
