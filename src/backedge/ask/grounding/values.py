"""The value index: which words of a question are values that the data holds, and between which days its dates lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from backedge.ask.grounding.periods import MONTHS
from backedge.ask.grounding.spans import LONGEST, Span
from backedge.ask.grounding.words import Phrase, fold, is_camel, phrase, plain_stems
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
    """The index, or what it says of one question: `phrases` folded words → who holds them.

    `ranges` date path → (first, last day); `partial` are dimensions of which not all values could be looked at;
    `sampled` those with more than `CAP` values, which the database is asked for; `months` those that hold months alone.
    `names` are values that an unknown word may be near to.
    """

    phrases: Mapping[Phrase, tuple[Held, ...]] = field(default_factory=dict)
    ranges: Mapping[str, tuple[date, date]] = field(default_factory=dict)
    partial: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    longest: int = 0
    sampled: frozenset[str] = frozenset()
    months: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()


def value_queries(model: Model, zone: str = "") -> tuple[tuple[str, Spec], ...]:
    """What to ask the database for the index: (dimension path, spec) pairs, each giving one column.

    String dimensions give their distinct values (at most `CAP` + 1), date dimensions their first and their last day,
    those of moments on the clocks of `zone`.
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
                clocks = zone if dimension.type == "datetime" else ""
                asked += [
                    (path, Spec(by=by, where=known, order=(Order(path, desc),), limit=1, timezone=clocks))
                    for desc in (False, True)
                ]
    return tuple(asked)


@dataclass(frozen=True)
class Gathered:
    """What `value_queries` gave: texts and ranges of days by dimension path; `cut` are those with more than `CAP`."""

    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ranges: Mapping[str, tuple[date, date]] = field(default_factory=dict)
    cut: frozenset[str] = frozenset()

    @property
    def months(self) -> frozenset[str]:
        """The dimensions whose values are names of months alone."""
        return frozenset(path for path, found in self.texts.items() if all(map(_is_month, found)))


def gathered(model: Model, results: Iterable[tuple[str, Table]] = ()) -> Gathered:
    """The values of what `value_queries` gave, with the samples of dimensions whose values are not known in full."""
    cells: dict[str, list[object]] = {}
    cut: set[str] = set()
    for path, table in results:
        cells.setdefault(path, []).extend(row[0] for row in table.rows if row)
        if table.truncated or len(table.rows) > CAP:
            cut.add(path)
    texts = {path: tuple(cell for cell in found if isinstance(cell, str)) for path, found in cells.items()}
    for path, samples in _samples(model):
        if path not in cells or path in cut:
            texts[path] = (*texts.get(path, ()), *samples)
    return Gathered(texts, _ranges(cells), frozenset(cut))


def values_from(model: Model, results: Iterable[tuple[str, Table]] = ()) -> Values:
    """The whole index of what `value_queries` gave."""
    found = gathered(model, results)
    phrases = _phrases(found.texts)
    words = frozenset(word for text in phrases for word in text)
    longest = max(map(len, phrases), default=0)
    names = tuple({fold(value): value for held in found.texts.values() for value in reversed(held)}.values())
    return Values(phrases, found.ranges, found.cut, words, longest, frozenset(), found.months, names)


def _samples(model: Model) -> list[tuple[str, tuple[str, ...]]]:
    return [
        (f"{view.name}.{dimension.name}", dimension.samples)
        for view in model.views
        for dimension in view.dimensions
        if dimension.type == "string" and dimension.samples and not dimension.unsupported
    ]


def _phrases(texts: Mapping[str, Sequence[str]]) -> dict[tuple[str, ...], tuple[Held, ...]]:
    found: dict[tuple[str, ...], dict[tuple[str, bool], dict[str, None]]] = {}
    for path, values in texts.items():
        for value in values:
            for words, whole in spellings(value).items():
                found.setdefault(words, {}).setdefault((path, whole), {})[value] = None
    return {
        words: tuple(Held(path, tuple(values), whole) for (path, whole), values in holders.items())
        for words, holders in found.items()
    }


def spellings(value: str) -> dict[Phrase, bool]:
    """How a value may be written: in full, without its punctuation, or (not `whole`) without what is in parentheses."""
    found: dict[Phrase, bool] = {}
    for full in dict.fromkeys((plain_stems(value), phrase(value) if is_camel(value) else ())):
        if full and len(full) <= LONGEST:
            found[full] = True
            if bare := tuple(word for word in full if word.isalnum()):
                found.setdefault(bare, True)
    short = phrase(value.partition("(")[0]) if "(" in value else ()
    if short and len(short) <= LONGEST:
        found.setdefault(short, False)
    return found


def _is_month(value: str) -> bool:
    stems = plain_stems(value)
    return len(stems) == 1 and stems[0] in MONTHS


def named_in(span: Span, values: Iterable[tuple[str, str]]) -> dict[tuple[str, bool], dict[str, None]]:
    """What a stretch of a question names of (dimension path, value): (path, `whole`) → the values as stored.

    A value that has its hyphens elsewhere is `whole` to nobody, and goes behind one that has not.
    """
    exact: dict[tuple[str, bool], dict[str, None]] = {}
    loose: dict[tuple[str, bool], dict[str, None]] = {}
    for path, value in values:
        spelt = spellings(value)
        if span.stems in spelt:
            exact.setdefault((path, spelt[span.stems]), {})[value] = None
        elif any(span.may_be(stems) for stems in spelt):
            loose.setdefault((path, False), {})[value] = None
    members = {path for path, _ in exact}
    return exact | {key: found for key, found in loose.items() if key[0] not in members}


def _ranges(cells: Mapping[str, list[object]]) -> dict[str, tuple[date, date]]:
    days = {path: [_day(cell) for cell in found if isinstance(cell, date)] for path, found in cells.items()}
    return {path: (min(found), max(found)) for path, found in days.items() if found}


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
