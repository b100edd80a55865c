"""SQL that the semantic model did not make, rewritten to read only the rows that the model lets somebody see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backedge.kernel.defect import Defect
from backedge.semantic import conditions, topics
from backedge.semantic.dialects import bound, dialect_of
from backedge.semantic.expressions import Parsed, Reference
from backedge.semantic.joins import Joins
from backedge.semantic.model import Dimension, Model, Topic, View
from backedge.semantic.policies import NOBODY, Attributes, Policies, reads
from backedge.semantic.refusal import Refused
from backedge.semantic.restrict import not_permitted, restrict, tables_of
from backedge.semantic.slots import Slot, fill, slots_in
from backedge.semantic.sources import Sources
from backedge.semantic.spec import Filter, Value

_READER = "this SQL"


@dataclass(frozen=True)
class Permitted:
    """SQL that may run: its text, its bind values, and what a reader must know. Nothing was changed without a note."""

    sql: str
    params: tuple[Value, ...] = ()
    notes: tuple[str, ...] = ()


def permitted_sql(
    model: Model, sql: str, dialect: str, *, database: str = "", default: str = "", attributes: Attributes = NOBODY
) -> Permitted | tuple[Defect, ...]:
    """`sql` held to the row policies of views and the default filters of topics, or why it cannot be.

    `database` is where it runs, `default` the database of what names none. Every defect is `not_permitted`.
    """
    placed = replace(model, views=tuple(replace(v, datasource=v.datasource or default) for v in model.views))
    here = _in(placed, database or default)
    filtered = {name for topic in model.topics if topic.default_filters or topic.unsupported for name in topic.views}
    if not any(v.row_policies or v.name in filtered for v in here):
        return Permitted(sql)
    try:
        return _Permit(placed, dialect, database or default, attributes).judged(sql)
    except Refused as refusal:
        return tuple(_forbidding(defect) for defect in refusal.defects)
    except RecursionError:
        return (_forbidding(Defect("parse", "the SQL is nested too deeply to hold it to its row policies")),)


def _in(model: Model, database: str) -> list[View]:
    """The views of a database; a guard that names none may be of any."""
    own = [v for v in model.views if v.datasource == database]
    return own + [v for v in model.guards if v.datasource in ("", database)]


def _forbidding(defect: Defect) -> Defect:
    return Defect("not_permitted", defect.message, defect.where, defect.hint, defect.near, retryable=False)


@dataclass
class _Permit:
    model: Model
    dialect: str
    database: str
    attributes: Attributes
    params: list[Value] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        tables = dialect_of(self.dialect)
        self.sources = Sources(self.model, Joins(self.model), tables)
        self.policies = Policies(self.sources, self.attributes, self._bind)
        self.here = [v for v in _in(self.model, self.database) if not v.role_of]

    def judged(self, sql: str) -> Permitted:
        tree = self._parsed(sql)
        self.read = list(tables_of(tree))
        rewritten = restrict(tree, self._conditions, self.sources.dialect, _READER)
        if self.params and tree.find(exp.Placeholder, exp.Parameter) is not None:
            raise not_permitted(f"{_READER} holds a placeholder beside row policies", "sql", "write the value itself")
        notes = tuple(dict.fromkeys([*self.policies.notes, *self.notes]))
        if not notes and tree.find(exp.CTE) is None:
            return Permitted(sql)
        text = rewritten.sql(dialect=self.sources.dialect.name, pretty=True, comments=False)
        return Permitted(text, tuple(self.params), notes)

    def _parsed(self, sql: str) -> exp.Expr:
        try:
            found = [tree for tree in sqlglot.parse(sql, dialect=self.sources.dialect.name) if tree is not None]
        except SqlglotError as error:
            reason = str(error).splitlines()[0]
            raise not_permitted(f"{_READER} cannot be held to its row policies: {reason}", "sql", "mend it") from error
        found = [tree for tree in found if not isinstance(tree, exp.Semicolon)]
        if len(found) != 1 or not isinstance(found[0], exp.Query):
            raise not_permitted(f"{_READER} is not one SELECT, so row policies cannot hold it", "sql", "write a SELECT")
        return found[0]

    def _conditions(self, table: exp.Table) -> tuple[exp.Expr, ...]:
        tests = self.policies.of_table(table, self.database, _READER)
        owners = [v for v in self.here if reads(v, table, self.sources)]
        if not owners and self.policies.holds_any(self.database):
            message = f"{_READER} reads {table.name}, which no view declares, so it may show rows that may not be seen"
            raise not_permitted(message, table.name, f"declare a view with table: {table.name}")
        return (*tests, *self._defaults(table, [v for v in owners if not v.sql]))

    def _defaults(self, table: exp.Table, owners: list[View]) -> Iterator[exp.Expr]:
        """The default filters that all topics of the table's views agree on."""
        names = {v.name for v in owners}
        holding = [t for t in self.model.topics if names & set(t.views)]
        guarding = [t for t in holding if t.default_filters or t.unsupported]
        if not guarding:
            return
        if len({topics.meaning(t) for t in holding}) > 1:
            said = ", ".join(t.name for t in holding)
            message = f"{_READER} reads {table.name}, which topics with different default filters hold ({said})"
            raise not_permitted(message, table.name, "ask by names of the model, through a topic")
        for _, given in topics.filters(self.model, guarding[0]):
            assert isinstance(given, Filter)
            test = self._default(table, owners, guarding[0], given)
            if test is not None:
                self.notes.append(f"the default filters of topic {guarding[0].name} apply to {table.name}")
                yield test

    def _default(self, table: exp.Table, owners: list[View], topic: Topic, given: Filter) -> exp.Expr | None:
        """A default filter as a condition on the table; None where it is on another that the SQL reads as well."""
        owner, _, name = given.member.partition(".")
        view = next((v for v in owners if v.name == owner), None)
        hint = "ask by names of the model, through a topic"
        if view is not None and (dimension := view.dimension(name)) is not None:
            return conditions.test(self._column(view, dimension, topic), dimension.type, given, self._bind)
        other = self.model.view(owner)
        if view is None and other is not None and any(reads(other, t, self.sources) for t in self.read):
            return None
        message = f"{_READER} reads {table.name}, and the default filter {given.member} of topic {topic.name}"
        raise not_permitted(f"{message} cannot be applied to it", table.name, hint)

    def _column(self, view: View, dimension: Dimension, topic: Topic) -> exp.Expr:
        where = f"{view.name}.{dimension.name}"
        one = Parsed(Slot("ref", 0).sql(), (Reference("", dimension.name),))
        column = self.sources.expand(view, view, one, where)
        if slots_in(column):
            message = f"the default filter {where} of topic {topic.name} reads another view"
            raise not_permitted(message, where, "ask by names of the model, through a topic")
        return fill(column, Slot.sql)

    def _bind(self, value: Value) -> exp.Expr:
        self.params.append(bound(self.sources.dialect, value))
        return exp.Var(this=f"${len(self.params)}")
