"""Finds what a question may be about: BM25 over a catalog's words, its values, and vectors where there are any."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import mul

from backedge.agent.ports import Embedder
from backedge.ask.catalog import Catalog
from backedge.ask.grounding.words import in_words
from backedge.semantic.joins import Joins
from backedge.semantic.model import Dimension, Measure, Model, View

WEIGHTS = (6.0, 5.0, 2.0, 1.0, 0.5)  # of a hit in the name, synonyms, description, samples, what is said of the view
CANDIDATES = 200  # the best of each way of searching, before they are put together
RANK = 60  # how slowly a place in one way's order loses weight (reciprocal rank fusion)
ANCHORS = 3  # the best measures: what can be joined to them goes before what cannot
DATES = 6  # of the anchors' own dates, which questions of time need and seldom name
NAMED_BY_VALUE = 10
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Entry:
    """One thing that can be found. `path` is what a reply must say to mean it.

    `about` is what is said of its view; `values` are those that the question itself has words for.
    """

    kind: str
    path: str
    synonyms: tuple[str, ...] = ()
    description: str = ""
    samples: tuple[str, ...] = ()
    about: str = ""
    values: tuple[str, ...] = ()

    @property
    def view(self) -> str:
        """The view of a member."""
        return self.path.partition(".")[0]


class CatalogSearch:
    """An index over entries, in memory. Words are stemmed, and folded in case and accents."""

    def __init__(self, entries: Iterable[Entry], model: Model | None = None, embedder: Embedder | None = None) -> None:
        self._entries = tuple(entries)
        self._model = model or Model(())
        self._embedder = embedder
        self._vectors: Sequence[Sequence[float]] = ()
        self._index = sqlite3.connect(":memory:", check_same_thread=False)
        self._index.execute(
            "CREATE VIRTUAL TABLE entry USING fts5(name, synonyms, description, samples, about,"
            " tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._index.executemany(
            "INSERT INTO entry (rowid, name, synonyms, description, samples, about) VALUES (?, ?, ?, ?, ?, ?)",
            (
                (row, _words(e.path), _words(*e.synonyms), _words(e.description), _words(*e.samples), _words(e.about))
                for row, e in enumerate(self._entries)
            ),
        )

    async def find(
        self, text: str, most: int, values: Mapping[str, tuple[str, ...]] | None = None
    ) -> tuple[Entry, ...]:
        """At most `most` entries, the best first; `values` are by path those that the text has words for."""
        held = values or {}
        valued = [row for path in list(held)[:NAMED_BY_VALUE] if (row := self._rows.get(path)) is not None]
        ways = [self._by_words(text), await self._by_meaning(text)]
        scores: dict[int, float] = {}
        for way in ways:
            for place, row in enumerate(way):
                scores[row] = scores.get(row, 0.0) + 1 / (RANK + place)
        best = [*valued, *sorted(scores.keys() - set(valued), key=lambda row: (-scores[row], row))]
        chosen = self._together(best, most)
        return tuple(replace(e, values=held.get(e.path, ())) for e in (self._entries[row] for row in chosen))

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {entry.path: row for row, entry in reversed(list(enumerate(self._entries)))}

    def _by_words(self, text: str) -> list[int]:
        words = dict.fromkeys(_WORD.findall(in_words(text)))
        if not words:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        rows = self._index.execute(
            f"SELECT rowid FROM entry WHERE entry MATCH ? ORDER BY bm25(entry, {', '.join(map(str, WEIGHTS))}), rowid"
            " LIMIT ?",
            (query, CANDIDATES),
        )
        return [row for (row,) in rows]

    async def _by_meaning(self, text: str) -> list[int]:
        if self._embedder is None or not text.strip():
            return []
        if not self._vectors:
            self._vectors = await self._embedder.embed([_meaning(entry) for entry in self._entries])
        (asked,) = await self._embedder.embed([text])
        near = [sum(map(mul, asked, vector)) for vector in self._vectors]
        return sorted(range(len(near)), key=lambda row: -near[row])[:CANDIDATES]

    def _together(self, best: list[int], most: int) -> list[int]:
        """The better half as it is; then the dates of what is measured, and what joins to it before the rest."""
        measures = [self._entries[row] for row in best if self._entries[row].kind == "measure"]
        anchors = list(dict.fromkeys(entry.view for entry in measures))[:ANCHORS]
        joined = {view for anchor in anchors for view in (anchor, *self._reachable(anchor))}
        dates = [row for anchor in anchors for path in self._dates(anchor) if (row := self._rows.get(path)) is not None]
        first, rest = best[: most // 2], best[most // 2 :]
        rest.sort(key=lambda row: "." in self._entries[row].path and self._entries[row].view not in joined)
        return list(dict.fromkeys((*first, *dates[:DATES], *rest)))[:most]

    def _reachable(self, view: str) -> tuple[str, ...]:
        return Joins(self._model).reachable(view) if self._model.view(view) else ()

    def _dates(self, view: str) -> Iterator[str]:
        found = self._model.view(view)
        for dimension in found.dimensions if found else ():
            if dimension.type in ("date", "datetime"):
                yield f"{view}.{dimension.name}"


def entries_of(catalog: Catalog) -> Iterator[Entry]:
    """Everything of a catalog that a question may be about."""
    for view, member in catalog.model.members():
        kind = "measure" if isinstance(member, Measure) else "dimension" if isinstance(member, Dimension) else "segment"
        synonyms = () if kind == "segment" else getattr(member, "synonyms", ())
        samples = member.samples if isinstance(member, Dimension) else ()
        yield Entry(kind, f"{view.name}.{member.name}", synonyms, member.description, samples, view_text(view))
    for topic in catalog.model.topics:
        yield Entry("topic", topic.name, (), f"{topic.description} (views: {', '.join(topic.views)})")
    for query in catalog.verified:
        yield Entry("verified query", query.name, query.embed, query.description)


def view_text(view: View) -> str:
    """What is said of a view."""
    return ": ".join(text for text in (view.label, view.description) if text)


def _meaning(entry: Entry) -> str:
    return " ".join((in_words(entry.path.replace(".", " ")), *entry.synonyms, entry.description, entry.about)).strip()


def _words(*texts: str) -> str:
    return " ".join(word for text in texts for word in _WORD.findall(in_words(text)))
