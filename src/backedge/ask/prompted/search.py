"""Finds what a question may be about by BM25 over the names, synonyms, descriptions and samples of a catalog."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from backedge.ask.catalog import Catalog
from backedge.semantic.model import Dimension, Measure

WEIGHTS = (6.0, 5.0, 2.0, 1.0)  # of a hit in the name, the synonyms, the description, the samples
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Entry:
    """One thing that can be found. `path` is what a reply must say to mean it."""

    kind: str
    path: str
    synonyms: tuple[str, ...] = ()
    description: str = ""
    samples: tuple[str, ...] = ()


class CatalogSearch:
    """An index over entries, in memory. Words are stemmed, and folded in case and accents."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = tuple(entries)
        self._index = sqlite3.connect(":memory:", check_same_thread=False)
        self._index.execute(
            "CREATE VIRTUAL TABLE entry USING fts5(name, synonyms, description, samples,"
            " tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._index.executemany(
            "INSERT INTO entry (rowid, name, synonyms, description, samples) VALUES (?, ?, ?, ?, ?)",
            (
                (row, _words(e.path), _words(*e.synonyms), _words(e.description), _words(*e.samples))
                for row, e in enumerate(self._entries)
            ),
        )

    def find(self, text: str, most: int) -> tuple[Entry, ...]:
        """At most `most` entries that share a word with the text, the best first."""
        words = dict.fromkeys(_WORD.findall(text))
        if not words:
            return ()
        query = " OR ".join(f'"{word}"' for word in words)
        rows = self._index.execute(
            f"SELECT rowid FROM entry WHERE entry MATCH ? ORDER BY bm25(entry, {', '.join(map(str, WEIGHTS))}), rowid"
            " LIMIT ?",
            (query, most),
        )
        return tuple(self._entries[row] for (row,) in rows)


def entries_of(catalog: Catalog) -> Iterator[Entry]:
    """Everything of a catalog that a question may be about."""
    for view, member in catalog.model.members():
        kind = "measure" if isinstance(member, Measure) else "dimension" if isinstance(member, Dimension) else "segment"
        synonyms = () if kind == "segment" else getattr(member, "synonyms", ())
        samples = member.samples if isinstance(member, Dimension) else ()
        about = f"{member.description} {view.label} {view.description}"
        yield Entry(kind, f"{view.name}.{member.name}", synonyms, about, samples)
    for query in catalog.verified:
        yield Entry("verified query", query.name, query.embed, query.description)


def _words(*texts: str) -> str:
    return " ".join(word for text in texts for word in _WORD.findall(text.replace("_", " ")))
