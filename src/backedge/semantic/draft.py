"""Drafts views from measured tables: what is sure of them is declared, the rest is left for a person to decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from backedge.semantic.draft_keys import Key, Reference, accepted
from backedge.semantic.draft_members import Named, column_sql, measures_of, names_of
from backedge.semantic.draft_uses import Used, use_of
from backedge.semantic.model import Dimension, DimensionType, Entity, Measure, View
from backedge.semantic.naming import entity_words, is_key_name, member_name, plural, unique, view_name, words_of
from backedge.semantic.profile import FEW, Column, TableProfile, declared_table, has_top

_TYPES: Mapping[str, DimensionType] = {
    "integer": "number", "decimal": "number", "double": "number", "boolean": "boolean", "date": "date",
    "datetime": "datetime",
}  # fmt: skip


@dataclass(frozen=True)
class Draft:
    """One view as drafted. `maybe` are members to uncomment, with the reason; `comments` are by member name.

    `left_out` are columns that no member reads, and why; `doubts` is what a person should look at.
    """

    view: View
    table: TableProfile
    comments: Mapping[str, str] = field(default_factory=dict)
    maybe_entities: tuple[tuple[Entity, str], ...] = ()
    maybe_measures: tuple[tuple[Measure, str], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    doubts: tuple[str, ...] = ()


def draft_views(
    tables: Sequence[TableProfile], keys: Mapping[str, Key], found: Sequence[Reference], database: str
) -> tuple[Draft, ...]:
    """A draft for each table. `keys` are proven on all rows; `found` are references whose orphans are counted."""
    names = _view_names(tables)
    entities = _entity_names(tables, names)
    joined = accepted(found, {*names.values(), *entities.values()})
    return tuple(_Drafting(table, names, entities, keys, tuple(found), joined, database).draft() for table in tables)


def _view_names(tables: Sequence[TableProfile]) -> dict[str, str]:
    """Names of views by table: short where only one table has that short name."""
    short = [view_name(table.name) for table in tables]
    names: dict[str, str] = {}
    for place, (table, name) in enumerate(zip(tables, short, strict=True), 1):
        distinct = name if short.count(name) == 1 else member_name(table.name)
        names[table.name] = unique(distinct, names.values(), f"table_{place}")
    return names


def _entity_names(tables: Sequence[TableProfile], names: Mapping[str, str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for table in tables:
        name = "_".join(entity_words(table.name))
        given[table.name] = unique(name, given.values(), names[table.name])
    return given


@dataclass(frozen=True)
class _Drafting:
    table: TableProfile
    names: Mapping[str, str]
    entities: Mapping[str, str]
    keys: Mapping[str, Key]
    found: tuple[Reference, ...]
    joined: Mapping[Reference, str]
    database: str

    @property
    def key(self) -> Key:
        return self.keys.get(self.table.name, ())

    @property
    def own(self) -> tuple[Reference, ...]:
        return tuple(reference for reference in self.found if reference.table == self.table.name)

    def draft(self) -> Draft:
        referring = {reference.column for reference in self.own}
        used = {
            c.name: use_of(c, self.table.rows, is_key=c.name in {*self.key, *referring}) for c in self.table.columns
        }
        named = names_of([c for c in self.table.columns if used[c.name].use != "none"])
        dimensions = [n for n in named if used[n.column.name].use in ("group", "time")]
        joined = {reference.column for reference in self.joined if reference.table == self.table.name}
        noun = " ".join(entity_words(self.table.name)) or self.names[self.table.name]
        counted = noun if len(self.key) == 1 else ""
        measures, maybe = measures_of(named, used, self.table, counted, self._counted(named, used, joined))
        return Draft(
            View(
                name=self.names[self.table.name],
                description=self._description(noun),
                datasource=self.database,
                table=declared_table(self.table.name),
                entities=tuple(self._entities(named)),
                dimensions=tuple(self._dimension(n) for n in dimensions),
                measures=measures,
            ),
            self.table,
            {n.name: _comment(n.column, self.table, used[n.column.name]) for n in named},
            tuple(self._maybe_entities(named)),
            maybe,
            tuple((name, use.why) for name, use in used.items() if use.use == "none"),
            tuple(self._doubts()),
        )

    def _counted(self, named: Sequence[Named], used: Mapping[str, Used], joined: set[str]) -> list[Named]:
        """Columns that stand for things which have no table here: how many there are is worth a measure."""
        parts = self.key if len(self.key) > 1 else ()
        numbered = all(is_key_name(words_of(part)) for part in parts)  # the second may count within the first
        things = [n for n in named if used[n.column.name].use == "group" and n.column.name not in joined]
        if numbered:
            things = [n for n in things if n.column.name not in self.key]
        return [n for n in things if n.is_thing or (n.column.name in parts and n.column.kind == "integer")]

    def _description(self, noun: str) -> str:
        if len(self.key) == 1:
            return f"One row for each {noun}"
        if self.key:
            return f"One row for each {' and '.join(' '.join(Named.of(self.table.column(k)).words) for k in self.key)}"
        return f"Rows of {self.names[self.table.name].replace('_', ' ')}"

    def _dimension(self, named: Named) -> Dimension:
        column = named.column
        return Dimension(
            name=named.name,
            type=_TYPES.get(column.kind, "string"),
            expr=column_sql(column),
            description=named.said.capitalize(),
            synonyms=named.synonyms,
            samples=column.top if has_top(column) and (column.name,) != self.key else (),
            primary_key=(column.name,) == self.key,
        )

    def _entities(self, named: Sequence[Named]) -> Iterator[Entity]:
        by_column = {n.column.name: n.name for n in named}
        if self.key:
            yield Entity(self.entities[self.table.name], "primary", tuple(by_column[k] for k in self.key))
        for reference, role in self.joined.items():
            if reference.table == self.table.name:
                yield Entity(self.entities[reference.other], "foreign", (by_column[reference.column],), role=role)

    def _maybe_entities(self, named: Sequence[Named]) -> Iterator[tuple[Entity, str]]:
        by_column = {n.column.name: n.name for n in named}
        for reference in self.own:
            if reference not in self.joined:
                entity = Entity(self.entities[reference.other], "foreign", (by_column[reference.column],))
                yield entity, self._why_not(reference)

    def _why_not(self, reference: Reference) -> str:
        other, column = self.names[reference.other], self.table.column(reference.column)
        if reference.orphans:
            share = 100 * reference.orphans / column.filled
            many = f"{reference.orphans:,} of {column.filled:,} rows ({share:.1f} %)"
            return f"{many} have a value that {other}.{reference.key} does not hold"
        if reference.evidence == "alike":
            return f"every value is one of {other}.{reference.key}, but its name does not prove that this is meant"
        targets = {r.other for r in self.own if r.column == reference.column}
        if len(targets) > 1:
            return f"it may be of {' or '.join(sorted(self.names[name] for name in targets))}"
        return f"another column of this view refers to {other} too, and the names do not tell them apart"

    def _doubts(self) -> Iterator[str]:
        name = self.names[self.table.name]
        if not self.table.rows:
            yield f"{name}: the table is empty, so no key and no join could be checked"
        elif not self.key:
            yield f"{name}: no key was found; what hangs below it cannot be counted once per row of it"
        for reference in self.own:
            if reference not in self.joined:
                yield f"{name}.{reference.column} → {self.names[reference.other]}: {self._why_not(reference)}"


def _comment(column: Column, table: TableProfile, used: Used) -> str:
    """The facts of a column, for a reader of the file."""
    about = "about " if table.estimated and column.different > 1 else ""
    facts = [f"{about}{column.different:,} different value{'' if column.different == 1 else 's'}"]
    if column.kind not in ("text", "id", "boolean") and column.low:
        facts.append(f"{column.low} to {column.high}")
    empty = table.rows - column.filled
    if empty:
        facts.append(f"{empty:,} of {table.rows:,} rows have none")
    return "; ".join([*facts, *([used.why] if used.why else [])]) if table.rows else used.why


def groupable(draft: Draft) -> tuple[str, ...]:
    """The dimensions with few values that are no keys: those that a first question may group by."""
    few = {
        member_name(c.name) for c in draft.table.columns if 1 < c.different <= FEW and not is_key_name(words_of(c.name))
    }
    return tuple(d.name for d in draft.view.dimensions if d.name in few and d.type in ("string", "boolean", "number"))


def base_view(drafts: Sequence[Draft]) -> str:
    """The view that most others are joined from: the one with most foreign keys, then with most rows."""
    ranked = sorted(drafts, key=lambda d: (-sum(e.type == "foreign" for e in d.view.entities), -d.table.rows))
    return ranked[0].view.name if ranked else ""


def things(draft: Draft) -> str:
    """What a view's rows are called when they are counted, or "" where a row is no single thing."""
    primary = draft.view.primary
    return plural(" ".join(entity_words(draft.table.name))) if primary and len(primary.keys) == 1 else ""
