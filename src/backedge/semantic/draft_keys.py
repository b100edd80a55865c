"""Which columns may be keys and how tables may join, by their names: what the data must then prove on all rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from backedge.semantic.draft_uses import is_measured
from backedge.semantic.naming import PLAIN_KEYS, entity_words, is_key_name, mean_the_same, stem_of, words_of
from backedge.semantic.profile import Column, TableProfile

Key = tuple[str, ...]
Evidence = Literal["exact", "same", "tail", "role", "alike"]
"""Why a column may hold another table's key: it is named after the table; as its key; after the last word of the table;
after the table with a role before it; or only something like that, which is a hint and no evidence."""

_GENERIC = frozenset({"id", "ids", "key", "pk", "fk", "uuid", "guid", "code", "number", "no", "nr", "num", "name"})
_WHOLE = ("integer", "text", "id")
# Counters run from 1 in every table: that their values are some table's keys means nothing.
COUNTERS = frozenset({"line", "row", "sequence", "seq", "sub"})
# A whole number of that name alone is as likely a place in a list as a key.
_PLACES = frozenset({"order", "group", "class", "type", "level", "rank", "position"})
_ROLES = frozenset({
    "arrival", "assigned", "base", "bill", "billing", "buyer", "created", "current", "default", "delivery", "departure",
    "dest", "destination", "end", "first", "from", "home", "last", "main", "next", "origin", "owner", "pickup",
    "preferred", "previous", "primary", "receiver", "secondary", "seller", "sender", "ship", "shipping", "source",
    "start", "to", "updated",
})  # fmt: skip
_FEWEST_ROWS = 20
_MOST_PARTS = 8
_PARTS = PLAIN_KEYS | {"code", "sku", "isbn"}
_LONGEST_KEY = 40
_ESTIMATE = 0.8
# A pair of which one is no key by its name must fill about the whole table of their combinations, as days by stores do.
_MOST_COMBINATIONS = 4


@dataclass(frozen=True)
class Reference:
    """A column that may hold the key of another table, and why. `orphans` are rows with a value that it lacks."""

    table: str
    column: str
    other: str
    key: str
    evidence: Evidence
    orphans: int = -1

    @property
    def role(self) -> tuple[str, ...]:
        """The words of the column before the other table's name."""
        stem, entity = stem_of(words_of(self.column)), entity_words(self.other)
        return stem[: -len(entity)] if self.evidence == "role" else ()


def key_candidates(table: TableProfile, others: Sequence[TableProfile]) -> tuple[Key, ...]:
    """Keys that a table may have by its names and counts, the likeliest first: single columns, then pairs."""
    if not table.rows:
        return ()
    singles = [(rank, (column.name,)) for column in table.columns if (rank := _rank(table, column, others)) is not None]
    return (*(key for _, key in sorted(singles, key=lambda found: found[0])), *_pairs(table))


def _rank(table: TableProfile, column: Column, others: Sequence[TableProfile]) -> int | None:
    """How likely a column is the key of its table by its name, 0 first; None where it cannot be."""
    least = table.rows * _ESTIMATE if table.estimated else table.rows
    if column.filled < table.rows or column.different < least or column.kind not in (*_WHOLE, "date"):
        return None
    words, entity = words_of(column.name), entity_words(table.name)
    is_first = column is table.columns[0]
    if not is_key_name(words):
        natural = is_first and table.rows >= _FEWEST_ROWS and not is_measured(column)
        return 3 if natural and column.longest <= _LONGEST_KEY else None
    stem = stem_of(words)
    if not stem and set(words) <= PLAIN_KEYS:
        return 0
    if stem and stem == entity:
        return 1
    if stem and any(_ends_in(stem, entity_words(other.name)) for other in others if other is not table):
        return None
    return 1 if stem and stem == entity[-len(stem) :] else 2 if is_first else None


def _ends_in(one: Key, two: Key) -> bool:
    """Whether one of two nouns ends in the other: `pre_course_id` is of a course, and the key of no prerequisite."""
    least = min(len(one), len(two))
    return least > 0 and one[-least:] == two[-least:]


def _pairs(table: TableProfile) -> Iterator[Key]:
    """Pairs of which at least one is named as a key or is a date; in a small table one must count within the other."""
    usable = [c for c in table.columns if c.filled == table.rows and c.different > 1 and _may_be_part(c)]
    keyed = [c for c in usable if _is_part_name(words_of(c.name))]
    dates = [c for c in usable if c.kind in ("date", "datetime")]
    rest = [c for c in usable if c not in keyed and c not in dates]
    ordered = (*keyed, *dates, *rest)[:_MOST_PARTS]
    for one, two in combinations(ordered, 2):
        possible = one.different * two.different
        both = one in keyed and two in keyed
        if table.rows < _FEWEST_ROWS:
            named = both and bool(COUNTERS & {*words_of(one.name), *words_of(two.name)})
        else:
            named = both or ((one in keyed or one in dates) and possible <= _MOST_COMBINATIONS * table.rows)
        if named and possible >= table.rows:
            first, second = sorted((one, two), key=table.columns.index)
            yield (first.name, second.name)


def _is_part_name(words: Key) -> bool:
    """An id or a code, or a number that counts lines; other numbers, as of citations, are amounts as often as keys."""
    return bool(words) and (words[-1] in _PARTS or (is_key_name(words) and bool(COUNTERS & set(words))))


def _may_be_part(column: Column) -> bool:
    return column.kind in (*_WHOLE, "date", "datetime") and not is_measured(column)


def references(tables: Sequence[TableProfile], keys: Mapping[str, Key]) -> tuple[Reference, ...]:
    """Columns that may hold the single-column key of another table, by name and type; the values are not yet looked at.

    A column has one reference, or several of which none may be taken: two tables that its name means equally well.
    """
    found: list[Reference] = []
    for table in tables:
        for column in table.columns:
            if column.filled and column.kind in _WHOLE:
                found += _best(_referred(table, column, tables, keys))
    return tuple(found)


_ORDER: tuple[Evidence, ...] = ("exact", "same", "tail", "role", "alike")


def _best(found: Sequence[Reference]) -> Sequence[Reference]:
    for evidence in _ORDER:
        chosen = [reference for reference in found if reference.evidence == evidence]
        if chosen:
            return chosen
    return ()


def _referred(
    table: TableProfile, column: Column, tables: Sequence[TableProfile], keys: Mapping[str, Key]
) -> list[Reference]:
    found: list[Reference] = []
    for other in tables:
        key = keys.get(other.name, ())
        if other is table or len(key) != 1 or not _same_kind(column, other.column(key[0])):
            continue
        evidence = _evidence(table, column, other, key[0], is_own_key=keys.get(table.name) == (column.name,))
        if evidence:
            found.append(Reference(table.name, column.name, other.name, key[0], evidence))
    return found


def _same_kind(one: Column, two: Column) -> bool:
    return one.kind == two.kind and (one.kind != "id" or one.type == two.type)


def _evidence(
    table: TableProfile, column: Column, other: TableProfile, key: str, *, is_own_key: bool
) -> Evidence | None:
    words, stem, entity = words_of(column.name), stem_of(words_of(column.name)), entity_words(other.name)
    if is_own_key or set(words) <= _GENERIC or set(stem) & COUNTERS:
        return None
    if words == words_of(key):
        return "exact" if stem == entity else "same"
    if not stem or not entity or any(words == words_of(its.name) for its in other.columns):
        return None  # it means that other column, if anything
    named = _named(stem, entity, column, entity_words(table.name)) if is_key_name(words) or stem == entity else None
    return named if named is None or _ends_alike(words, words_of(key)) else "alike"


def _named(stem: Key, entity: Key, column: Column, own: Key) -> Evidence | None:
    if stem == entity:
        return "alike" if column.kind == "integer" and words_of(column.name)[-1] in _PLACES else "exact"
    if entity[-len(stem) :] == stem:
        return "alike" if column.kind == "integer" else "tail"
    if stem[-len(entity) :] == entity:
        before = stem[: -len(entity)]
        return "role" if set(before) <= _ROLES or before == own else "alike"
    return "alike" if mean_the_same(stem, entity) else None


def _ends_alike(words: Key, key: Key) -> bool:
    """A number or a code of an order is no id of it; a bare `customer` may be."""
    ends = {word for word in (words[-1], key[-1]) if is_key_name((word,))}
    return len(ends) < 2 or ends <= PLAIN_KEYS


def accepted(found: Sequence[Reference], taken: Collection[str]) -> dict[Reference, str]:
    """The references to declare, each with its role or "": fully contained, meant by name, the only ones of their kind.

    Of several columns of one table that hold the same key, the one that is named after it is plain, and the others are
    roles that their names say. No role has a name of `taken`.
    """
    sound = [r for r in found if r.orphans == 0 and r.evidence != "alike"]
    alone = [r for r in sound if sum((o.table, o.column) == (r.table, r.column) for o in found) == 1]
    chosen: dict[Reference, str] = {}
    for reference in alone:
        rivals = [r for r in alone if (r.table, r.other) == (reference.table, reference.other)]
        role = "_".join((*reference.role, *entity_words(reference.other))) if reference.role else ""
        if len(rivals) == 1 or (not role and sum(not r.role for r in rivals) == 1):
            chosen[reference] = ""
        elif role and role not in taken:
            chosen[reference] = role
    return chosen
