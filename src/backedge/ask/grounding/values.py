"""The value index: which words of a question are values that the data holds, and between which days its dates lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from backedge.ask.grounding.words import phrase
from backedge.query.table import Table
from backedge.semantic.model import Model
from backedge.semantic.spec import By, Filter, Order, Spec

CAP = 1_000


@dataclass(frozen=True)
class Held:
    """A dimension that holds a value: its path, the values as stored (several where only case or space differs)."""

    member: str
    values: tuple[str, ...]
    whole: bool = True


@dataclass(frozen=True)
class Values:
    """The index: `phrases` folded words → who holds them; `ranges` date path → (first, last day);

    `partial` are the dimensions with more than `CAP` values, of which only some are indexed.
    """

    phrases: Mapping[tuple[str, ...], tuple[Held, ...]] = field(default_factory=dict)
    ranges: Mapping[str, tuple[date, date]] = field(default_factory=dict)
    partial: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    longest: int = 0


def value_queries(model: Model) -> tuple[tuple[str, Spec], ...]:
    """What to ask the database for the index: (dimension path, spec) pairs, each giving one column.

    String dimensions give their distinct values (at most `CAP` + 1), date dimensions their first and their last day.
    """
    asked: list[tuple[str, Spec]] = []
    for view in model.views:
        for dimension in view.dimensions:
            if dimension.unsupported or view.unsupported:
                continue
            path = f"{view.name}.{dimension.name}"
            by, known = (By(path),), (Filter(path, "set"),)
            if dimension.type == "string":
                asked.append((path, Spec(by=by, where=known, limit=CAP + 1)))
            elif dimension.type in ("date", "datetime"):
                asked += [
                    (
                        path,
                        Spec(by=by, where=known, order=(Order(path, desc),), limit=1),
                    )
                    for desc in (False, True)
                ]
    return tuple(asked)


def values_from(model: Model, results: Iterable[tuple[str, Table]] = ()) -> Values:
    """The index of what `value_queries` gave, with the samples of dimensions whose values are not known in full."""
    cells: dict[str, list[object]] = {}
    cut: set[str] = set()
    for path, table in results:
        cells.setdefault(path, []).extend(row[0] for row in table.rows if row)
        if table.truncated or len(table.rows) > CAP:
            cut.add(path)
    texts = {path: [cell for cell in found if isinstance(cell, str)] for path, found in cells.items()}
    for path, samples in _samples(model):
        if path not in cells or path in cut:
            texts[path] = [*texts.get(path, ()), *samples]
    phrases = _phrases(texts)
    words = frozenset(word for text in phrases for word in text)
    longest = max(map(len, phrases), default=0)
    return Values(phrases, _ranges(cells), frozenset(cut), words, longest)


def _samples(model: Model) -> list[tuple[str, tuple[str, ...]]]:
    return [
        (f"{view.name}.{dimension.name}", dimension.samples)
        for view in model.views
        for dimension in view.dimensions
        if dimension.type == "string" and dimension.samples and not dimension.unsupported
    ]


def _phrases(texts: Mapping[str, list[str]]) -> dict[tuple[str, ...], tuple[Held, ...]]:
    found: dict[tuple[str, ...], dict[tuple[str, bool], dict[str, None]]] = {}
    for path, values in texts.items():
        for value in values:
            for words, whole in _spellings(value).items():
                found.setdefault(words, {}).setdefault((path, whole), {})[value] = None
    return {
        words: tuple(Held(path, tuple(values), whole) for (path, whole), values in holders.items())
        for words, holders in found.items()
    }


def _spellings(value: str) -> dict[tuple[str, ...], bool]:
    """How a value may be written: in full, without its punctuation, or (not `whole`) without what is in parentheses."""
    full = phrase(value)
    spellings: dict[tuple[str, ...], bool] = {full: True} if full and len(full) <= 12 else {}
    bare = tuple(word for word in full if word.isalnum())
    if spellings and bare:
        spellings.setdefault(bare, True)
    short = phrase(value.partition("(")[0])
    if short and len(short) <= 12:
        spellings.setdefault(short, False)
    return spellings


def _ranges(cells: Mapping[str, list[object]]) -> dict[str, tuple[date, date]]:
    days = {path: [_day(cell) for cell in found if isinstance(cell, date)] for path, found in cells.items()}
    return {path: (min(found), max(found)) for path, found in days.items() if found}


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
