"""Names the members of a drafted view: dimensions after their columns, measures after what they add up or average."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot.dialects.dialect import Dialect

from backedge.semantic.draft_keys import COUNTERS
from backedge.semantic.draft_uses import AMOUNTS, Used
from backedge.semantic.model import Measure
from backedge.semantic.naming import PLAIN_KEYS, member_name, plural, spelled, stem_of, unique, words_of, words_of_name
from backedge.semantic.profile import Column, TableProfile, quoted

_TAIL = frozenset({"at", "on"})


@dataclass(frozen=True)
class Named:
    """A column with the name of its dimension."""

    column: Column
    name: str
    synonyms: tuple[str, ...] = ()

    @staticmethod
    def of(column: Column) -> Named:
        """The column under a name that nobody else has to share."""
        return Named(column, member_name(column.name))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the column's name, spelled out."""
        return spelled(words_of(self.column.name)) or tuple(self.name.split("_"))

    @property
    def said(self) -> str:
        """The column in words."""
        return " ".join(self.words)

    @property
    def is_thing(self) -> bool:
        """Whether the name says that each value is one thing: `store_id`, and no bare `id`, code or line number."""
        words = words_of(self.column.name)
        return words[-1:] != () and words[-1] in PLAIN_KEYS and bool(stem_of(words)) and not COUNTERS & set(words)


def names_of(columns: Sequence[Column]) -> tuple[Named, ...]:
    """The columns with names that differ, and with the synonyms that no other of them is called by."""
    names: list[str] = []
    for place, column in enumerate(columns, 1):
        names.append(unique(member_name(column.name), names, f"column_{place}"))
    offered = [_synonyms(column) for column in columns]
    said = [" ".join(words_of_name(name)) for name in names] + [text for texts in offered for text in texts]
    return tuple(
        Named(column, name, tuple(text for text in texts if said.count(text) == 1))
        for column, name, texts in zip(columns, names, offered, strict=True)
    )


def _synonyms(column: Column) -> tuple[str, ...]:
    words = words_of(column.name)
    full = spelled(words)
    texts = [" ".join(full)] if full != words_of_name(column.name) else []
    if len(full) > 1 and full[-1] in _TAIL and column.kind in ("date", "datetime"):
        texts.append(" ".join(full[:-1]))
    return tuple(dict.fromkeys(text for text in texts if text))


def measures_of(
    named: Sequence[Named], used: Mapping[str, Used], table: TableProfile, counted: str, things: Iterable[Named]
) -> tuple[tuple[Measure, ...], tuple[tuple[Measure, str], ...]]:
    """The measures of a view, and those to uncomment with the reason. `counted` is what one row is, or ""."""
    adding = _Adding([n.name for n in named if used[n.column.name].use in ("group", "time")])
    adding.count(counted, table)
    for thing in things:
        adding.count_different(thing)
    for column in named:
        use = used[column.column.name]
        if use.use in ("sum", "unsure"):
            adding.total(column, use)
        if use.use in ("sum", "unsure", "average"):
            adding.average(column)
    return tuple(adding.measures), tuple(adding.maybe)


class _Adding:
    """Measures as they are named one after the other: no name and no synonym is given twice."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = set(names)
        self.said = {" ".join(words_of_name(name)) for name in self.names}
        self.measures: list[Measure] = []
        self.maybe: list[tuple[Measure, str]] = []

    def count(self, counted: str, table: TableProfile) -> None:
        """How many rows there are, named after what one of them is."""
        many = plural(counted)
        name = f"{counted} count" if counted else "row count"
        is_money = bool(AMOUNTS & set(counted.split()))  # "sales by region" asks for an amount, not for how many
        synonyms = () if is_money else (many,)
        synonyms = (*synonyms, f"number of {many}") if counted else ("number of rows",)
        self._add(name, "count", "", f"Number of {many if counted else 'rows'}", synonyms)

    def count_different(self, thing: Named) -> None:
        """How many of something that has no table of its own occur."""
        stem = " ".join(stem_of(words_of(thing.column.name)))
        many = plural(stem)
        self._add(
            f"{stem} count",
            "count_distinct",
            column_sql(thing.column),
            f"Number of different {many}",
            (f"number of {many}",),
        )

    def total(self, column: Named, use: Used) -> None:
        """The sum, which is what the bare name of an amount means; one to uncomment where that is not sure."""
        has_total = bool({"total", "subtotal"} & set(column.words))
        name = column.said if has_total else f"total {column.said}"
        synonyms = (column.said, " ".join(words_of_name(column.column.name)))
        measure = self._named(name, "sum", column_sql(column.column), f"Sum of {column.said}", synonyms)
        if use.use == "sum":
            self.measures.append(measure)
        else:
            self.maybe.append((measure, use.why))

    def average(self, column: Named) -> None:
        """The mean over the rows."""
        words = column.words if column.words[0] != "average" or len(column.words) == 1 else column.words[1:]
        self._add(
            f"average {' '.join(words)}",
            "average",
            column_sql(column.column),
            f"Mean of {column.said} over the rows",
            (),
        )

    def _add(self, name: str, type_: str, expr: str, description: str, synonyms: tuple[str, ...]) -> None:
        self.measures.append(self._named(name, type_, expr, description, synonyms))

    def _named(self, words: str, type_: str, expr: str, description: str, synonyms: tuple[str, ...]) -> Measure:
        name = unique(member_name(words), self.names, "measure")
        self.names.add(name)
        said = " ".join(words_of_name(name))
        fresh = tuple(text for text in dict.fromkeys(synonyms) if text not in self.said and text != said)
        self.said |= {said, *fresh}
        return Measure(name, type_, expr, description=description, synonyms=fresh)  # type: ignore[arg-type]


def column_sql(column: Column) -> str:
    """SQL that reads a column as its dimension does: bare where its name is no word of SQL."""
    name = column.name if _is_bare(column.name) else quoted(column.name)
    return f"CAST({name} AS TEXT)" if column.kind in ("time", "id") else name


def _is_bare(name: str) -> bool:
    words = {keyword.split()[0] for keyword in Dialect.get_or_raise("duckdb").tokenizer_class.KEYWORDS if keyword}
    return name.isidentifier() and name.isascii() and name.islower() and name.upper() not in words
