"""Row policies: which rows of each view and table somebody may see, as conditions with bound values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from sqlglot import exp

from backedge.semantic import conditions
from backedge.semantic.dialects import bound, dialect_of
from backedge.semantic.expressions import Parsed, Reference, bad, parse
from backedge.semantic.identity import likeness
from backedge.semantic.joins import Joins
from backedge.semantic.model import Model, RowPolicy, View
from backedge.semantic.refusal import Refused
from backedge.semantic.restrict import not_permitted, restrict, tables_of
from backedge.semantic.slots import Slot, fill, slot_of, slots_in
from backedge.semantic.sources import Source, Sources
from backedge.semantic.spec import Filter, Value
from backedge.semantic.tables import query_of, table_of

Attributes = Mapping[str, str | tuple[str, ...]]
NOBODY: Attributes = MappingProxyType({})
_USER = "user"
_ATTRIBUTE = re.compile(r"(?:\{\{|\$\{)\s*user\.(\w+)\s*\}")
_COMPARES = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)


def attribute_names(model: Model) -> frozenset[str]:
    """The attributes of a person that the row policies of a model look at."""
    policies = [policy for view in (*model.views, *model.guards) for policy in view.row_policies]
    read = {name for policy in policies for name in _ATTRIBUTE.findall(policy.expr)}
    return frozenset(read | {name for policy in policies for name, _ in policy.exempt})


def held(model: Model, attributes: Attributes) -> frozenset[str]:
    """Names of the views of which somebody with these attributes may not see every row."""
    return frozenset(view.name for view in (*model.views, *model.guards) if _active(view, attributes))


def policy_problems(model: Model) -> Iterator[tuple[RowPolicy, str]]:
    """Every policy that would refuse all questions, with the reason: it is no condition on the view's own rows."""
    for view in (*model.views, *model.guards):
        for policy in view.row_policies:
            try:
                sources = Sources(model, Joins(model), dialect_of(view.dialect or "duckdb"))
                Policies(sources, NOBODY, lambda _: exp.Null()).parsed(view, policy)
            except Refused as refusal:
                if refusal.defects[0].kind == "bad_expression":  # a dialect that is not served is refused as such
                    yield policy, str(refusal)


def without_policies(model: Model) -> Model:
    """The model for what only looks at meanings, never at rows."""
    views = tuple(replace(v, row_policies=()) if v.row_policies else v for v in model.views)
    return replace(model, views=views, guards=())


def without_samples(model: Model) -> Model:
    """The model without the values that its files give as samples: a file does not know who reads them."""
    views = (replace(v, dimensions=tuple(replace(d, samples=()) for d in v.dimensions)) for v in model.views)
    return replace(model, views=tuple(views))


def _active(view: View, attributes: Attributes) -> tuple[RowPolicy, ...]:
    return tuple(policy for policy in view.row_policies if not _is_exempt(policy, attributes))


def _is_exempt(policy: RowPolicy, attributes: Attributes) -> bool:
    return any(set(values).intersection(_given(attributes, name)) for name, values in policy.exempt)


def _given(attributes: Attributes, name: str) -> tuple[str, ...]:
    """The values of an attribute. An empty text is no value: it is what an unset variable of a shell gives."""
    values = attributes.get(name, ())
    return tuple(v for v in ((values,) if isinstance(values, str) else values) if v)


@dataclass
class Policies:
    """The policies of a model for one person. `bind` takes a value and gives the tree that stands for it.

    A policy belongs to its view's table: whoever reads that table by another way is held to it as well.
    """

    sources: Sources
    attributes: Attributes
    bind: Callable[[Value], exp.Expr]
    notes: list[str] = field(default_factory=list)
    known: dict[tuple[str, str], tuple[exp.Expr, ...]] = field(default_factory=dict)

    @property
    def views(self) -> tuple[View, ...]:
        """The views that declare policies; a view that is seen through a role is its own original."""
        model = self.sources.model
        return tuple(view for view in (*model.views, *model.guards) if view.row_policies and not view.role_of)

    def restricted(self, source: Source) -> Source:
        """The source with the rows alone that may be seen."""
        if not self.views or source.inner:  # a sub-query was planned under the policies already
            return source
        view = self.sources.model.view(source.view.role_of) or source.view
        if not view.sql:
            table = table_of(view, self.sources.dialect)
            return replace(source, where=self.of_table(table, view.datasource, f"view {view.name}", view))
        query = query_of(view, self.sources.dialect)

        def conditions_of(table: exp.Table) -> tuple[exp.Expr, ...]:
            return self.of_table(table, view.datasource, f"view {view.name}", view)

        rewritten = restrict(query, conditions_of, self.sources.dialect, f"the sql of view {view.name}")
        return replace(source, reads=exp.Subquery(this=rewritten), where=self.of_view(view))

    def of_table(
        self, table: exp.Table, datasource: str, reader: str, view: View | None = None
    ) -> tuple[exp.Expr, ...]:
        """What rows of a table must fulfil for `reader`; refused where that cannot be said of single rows of it."""
        declared = [v for v in self.views if not v.sql and _one_place(v.datasource, datasource)]
        governing = [v for v in declared if self._is(v, table, reader)]
        if governing:
            return tuple(test for v in governing for test in self.of_view(v))
        for sealing in self._sealing(table, datasource) if view is None or not view.row_policies else ():
            raise not_permitted(
                f"{reader} reads {table.name}, of which view {sealing.name} shows only rows that its policies allow",
                table.name,
                f"declare row_policies on a view with table: {table.name} (expr: 'true' where every row may be seen)",
            )
        return ()

    def of_view(self, view: View) -> tuple[exp.Expr, ...]:
        """What rows of a view must fulfil, over its own columns."""
        key = (view.name, view.at)
        if key not in self.known:
            active = _active(view, self.attributes)
            self.known[key] = tuple(self._condition(view, policy) for policy in active)
            self.notes += [f"only rows of {view.name} that row policy {policy.name} allows" for policy in active]
        return self.known[key]

    def holds_any(self, datasource: str) -> bool:
        """Whether some rows of a database may not be seen."""
        return any(_active(v, self.attributes) for v in self.views if _one_place(v.datasource, datasource))

    def _is(self, view: View, table: exp.Table, reader: str) -> bool:
        found = likeness(table_of(view, self.sources.dialect), table)
        if found == "unclear":
            message = f"{reader} reads {table.name}, which may be the table {view.table} that row policies hold"
            raise not_permitted(message, table.name, f"write its full name, as in {view.table}")
        return found == "same"

    def _sealing(self, table: exp.Table, datasource: str) -> list[View]:
        queries = [v for v in self.views if v.sql and _one_place(v.datasource, datasource)]
        return [v for v in queries if _active(v, self.attributes) and reads(v, table, self.sources)]

    def parsed(self, view: View, policy: RowPolicy) -> tuple[Parsed, str]:
        """A policy's expression and what it is called; refuses what is no condition on the view's own rows."""
        where = f"row policy {policy.name} of {view.name}"
        parsed = parse(self.sources.model, view, policy.expr, self.sources.dialect, where)
        if parsed.aggregates or parsed.sql.find(exp.Window) is not None:
            raise bad(where, "it looks at more than one row", "write a condition on the columns of one row")
        if any(slot.kind != "ref" for slot in slots_in(parsed.sql)):
            raise bad(where, "it reads a variable, which whoever asks may set", "read an attribute: {{user.NAME}}")
        for ref in parsed.refs:
            _refuse_foreign(view, ref, where)
        return parsed, where

    def _condition(self, view: View, policy: RowPolicy) -> exp.Expr:
        parsed, where = self.parsed(view, policy)
        tree = _Filling(self, view, parsed, where).filled()
        full = self.sources.expand(view, view, Parsed(tree, parsed.refs), where)

        def give(slot: Slot) -> exp.Expr:
            raise bad(where, "it reads another view", "write it over the view's own columns")

        return fill(full, give)

    def values(self, name: str, where: str) -> tuple[str, ...]:
        """The values of an attribute that a policy needs."""
        found = _given(self.attributes, name)
        if not found:
            message = f"{where} needs the attribute {name} of who asks, and it has no value"
            raise not_permitted(message, name, f"ask with --as {name}=VALUE")
        return found


@dataclass(frozen=True)
class _Filling:
    """Puts the values of attributes into one policy's expression: several values make `=` an IN."""

    policies: Policies
    view: View
    parsed: Parsed
    where: str

    def filled(self) -> exp.Expr:
        tree = exp.Paren(this=self.parsed.sql.copy())
        for node in list(tree.find_all(exp.Placeholder)):
            slot = slot_of(node)
            if slot is not None and self.parsed.refs[slot.index].owner == _USER:
                self._place(node, self.parsed.refs[slot.index].name)
        return tree

    def _place(self, node: exp.Expr, name: str) -> None:
        while isinstance(node.parent, exp.Paren) and node.parent.parent is not None:
            node = node.parent
        parent = node.parent
        assert parent is not None
        key = node.arg_key
        other = _other_side(parent, key)
        values = [self._bound(value, name, other) for value in self.policies.values(name, self.where)]
        if isinstance(parent, exp.In) and key in ("expressions", "field"):
            kept = [e for e in parent.expressions if e is not node]
            parent.replace(exp.In(this=parent.this.copy(), expressions=[*kept, *values]))
        elif len(values) == 1:
            node.replace(values[0])
        elif isinstance(parent, exp.EQ | exp.NEQ) and other is not None:
            several = exp.In(this=other.copy(), expressions=values)
            parent.replace(exp.paren(several if isinstance(parent, exp.EQ) else exp.not_(several), copy=False))
        else:
            message = f"{self.where} takes one value of the attribute {name}, not {len(values)}"
            raise not_permitted(message, name, f"ask with one value: --as {name}=VALUE")

    def _bound(self, value: str, name: str, other: exp.Expr | None) -> exp.Expr:
        type_ = self._type(other)
        try:
            right = conditions.typed(value, type_, Filter(f"{_USER}.{name}", "equals"))
        except Refused as refusal:
            message = f"{self.where}: the attribute {name} is compared with a {type_}"
            raise not_permitted(f"{message}, and {value!r} is none", name, f"ask with a {type_}") from refusal
        return self.policies.bind(bound(self.policies.sources.dialect, right))

    def _type(self, other: exp.Expr | None) -> str:
        other = other.unnest() if other is not None else None
        slot = slot_of(other) if other is not None else None
        if slot is not None:
            found = self.view.dimension(self.parsed.refs[slot.index].name)
        elif isinstance(other, exp.Column):
            name = other.name.casefold()
            declared = (d for d in self.view.dimensions if d.expr.strip().strip('"`').casefold() == name)
            found = next(declared, None)
        else:
            found = None
        return found.type if found is not None and found.type != "geo" else "string"


def _other_side(parent: exp.Expr, key: str | None) -> exp.Expr | None:
    if isinstance(parent, exp.In):
        other = parent.args["this"] if key != "this" else None
    elif isinstance(parent, _COMPARES):
        other = parent.args["expression" if key == "this" else "this"]
    else:
        other = None
    return other if isinstance(other, exp.Expr) else None


def _refuse_foreign(view: View, ref: Reference, where: str) -> None:
    own = ref.owner in ("", view.name) and view.dimension(ref.name) is not None
    if ref.owner != _USER and not own:
        raise bad(where, f"{ref} is no dimension of {view.name}", "write it over the view's own columns and dimensions")


def reads(view: View, table: exp.Table, sources: Sources) -> bool:
    """Whether the query or table of a view may read that table."""
    if not view.sql:
        return likeness(table_of(view, sources.dialect), table) != "other"
    return any(likeness(read, table) != "other" for read in tables_of(query_of(view, sources.dialect)))


def _one_place(one: str, other: str) -> bool:
    """Whether two datasources may be one; a view that names none is in the default database, whichever that is."""
    return one == other or not one or not other
