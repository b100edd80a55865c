"""Keeps value indexes in SQLite files: one question looks its words up, and a million other values stay there."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

from backedge.ask.grounding.spans import Span, key_of
from backedge.ask.grounding.values import Gathered, Held, Values, named_in, spellings
from backedge.ask.grounding.words import Phrase, fold
from backedge.ask.value_shelf import Label
from backedge.kernel.defect import Defect

FORMAT = 1
MOST_FILES = 64
NAMES = 20_000
_PATIENCE = 2.0  # seconds; what another process holds for longer is worked out here
_SCHEMA = """
CREATE TABLE facts (body TEXT NOT NULL);
CREATE TABLE dimension (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE spelt (key TEXT, dimension INTEGER, value TEXT, PRIMARY KEY (key, dimension, value)) WITHOUT ROWID;
CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE name (value TEXT NOT NULL);
CREATE TABLE asked (dimension INTEGER, stems TEXT, PRIMARY KEY (dimension, stems)) WITHOUT ROWID;
"""


class SqliteShelves:
    """Shelves in a folder; without one, or where it cannot be written, they live as long as the process."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find(self, owner: str, is_current: Callable[[Label], bool]) -> SqliteShelf | None:
        """The newest shelf of an owner, if it is current; older ones are removed."""
        shelf: SqliteShelf | None = None
        for file in self._files(f"{_named(owner)}-*.db"):
            opened = _opened(file) if shelf is None else None
            if opened and is_current(opened.label):
                shelf = opened
            else:
                if opened:
                    opened.close()
                with suppress(OSError):
                    file.unlink()
        return shelf

    def make(self, owner: str, label: Label, found: Gathered, refused: Defect | None, *, keep: bool) -> SqliteShelf:
        """A new shelf, in a file that only this user may read."""
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _fill(memory, label, found, refused)
        if not keep or self._folder is None:
            return SqliteShelf(memory)
        try:
            file = _saved(memory, self._folder, f"{_named(owner)}-")
            self._prune()
        except (OSError, sqlite3.OperationalError):  # what cannot be kept is looked up again by the next process
            return SqliteShelf(memory)
        return _opened(file) or SqliteShelf(memory)

    def _files(self, pattern: str) -> list[Path]:
        """The files that match, newest first."""
        found: list[tuple[float, Path]] = []
        for file in self._folder.glob(pattern) if self._folder else ():
            with suppress(OSError):  # another process removes what is old
                found.append((file.stat().st_mtime, file))
        return [file for _, file in sorted(found, reverse=True)]

    def _prune(self) -> None:
        for file in islice(self._files("values-*.db"), MOST_FILES, None):
            with suppress(OSError):
                file.unlink()


class SqliteShelf:
    """One shelf. Where its file can no longer be written, it goes on in memory."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        facts = json.loads(connection.execute("SELECT body FROM facts").fetchone()[0])
        self._connection = connection
        self._paths = dict(connection.execute("SELECT id, path FROM dimension"))
        self._facts = facts
        self._offered: tuple[str, ...] | None = None
        self.label = Label(facts["stamp"], facts["made"])
        self.refused = (
            Defect(**{**facts["refused"], "near": tuple(facts["refused"]["near"])}) if facts["refused"] else None
        )
        self.open_ended = frozenset(facts["cut"])
        self._ranges = {
            path: (date.fromisoformat(a), date.fromisoformat(b)) for path, (a, b) in facts["ranges"].items()
        }

    def find(self, spans: Collection[Span]) -> Values:
        """The index of one question."""
        rows = self._among("SELECT key, dimension, value FROM spelt WHERE key", {span.key for span in spans})
        held: dict[str, list[tuple[str, str]]] = {}
        for key, dimension, value in rows:
            held.setdefault(key, []).append((self._paths[dimension], value))
        phrases: dict[Phrase, tuple[Held, ...]] = {}
        for span in spans:
            named = named_in(span, held.get(span.key, ()))
            if named:
                phrases[span.stems] = tuple(Held(path, tuple(found), whole) for (path, whole), found in named.items())
        single = [span for span in spans if len(span.stems) == 1]
        words = self._among("SELECT word FROM word WHERE word", {w for s in single for w in (*s.stems, *s.spellings)})
        return Values(
            phrases,
            self._ranges,
            words=frozenset(word for (word,) in words),
            longest=max(map(len, phrases), default=0),
            sampled=frozenset(self._facts["sampled"]),
            months=frozenset(self._facts["months"]),
        )

    def names(self) -> tuple[str, ...]:
        """Values that an unknown word may be near to."""
        if self._offered is None:
            self._offered = tuple(value for (value,) in self._connection.execute("SELECT value FROM name"))
        return self._offered

    def unasked(self, path: str, spans: Sequence[Span]) -> tuple[Span, ...]:
        """The stretches that the database was not asked for yet."""
        texts = {" ".join(span.stems): span for span in spans}
        rows = self._among("SELECT stems, dimension FROM asked WHERE stems", set(texts))
        known = {stems for stems, dimension in rows if self._paths[dimension] == path}
        return tuple(span for text, span in texts.items() if text not in known)

    def learn(self, path: str, spans: Iterable[Span], values: Iterable[str]) -> None:
        """Keep what the database gave for stretches that it was asked for."""
        stems, found = [" ".join(span.stems) for span in spans], list(values)
        try:
            _learn(self._connection, path, stems, found)
        except sqlite3.OperationalError:
            memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            self._connection.backup(memory)
            self._connection.close()
            self._connection = memory
            _learn(memory, path, stems, found)

    def close(self) -> None:
        """Release its file."""
        self._connection.close()

    def _among(self, query: str, keys: Collection[str]) -> list[Any]:
        given = json.dumps(sorted(keys))
        return self._connection.execute(f"{query} IN (SELECT value FROM json_each(?))", (given,)).fetchall()


def _named(owner: str) -> str:
    return f"values-{hashlib.sha256(owner.encode()).hexdigest()[:24]}"


def _opened(file: Path) -> SqliteShelf | None:
    """The shelf of a file, or None where it is broken, or of another version."""
    try:
        connection = sqlite3.connect(
            f"{file.as_uri()}?mode=rw", _PATIENCE, isolation_level=None, uri=True, check_same_thread=False
        )
    except sqlite3.Error:
        return None
    try:
        if connection.execute("PRAGMA user_version").fetchone() == (FORMAT,):
            return SqliteShelf(connection)
    except sqlite3.Error:
        pass
    connection.close()
    return None


def _saved(memory: sqlite3.Connection, folder: Path, prefix: str) -> Path:
    """Write it beside its place and move it there, so that nobody reads half of it. `mkstemp` makes it private."""
    folder.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(prefix=prefix, suffix=".part", dir=folder)
    os.close(handle)
    try:
        with closing(sqlite3.connect(part)) as target:
            memory.backup(target)
        file = Path(part).with_suffix(".db")
        os.replace(part, file)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
    return file


def _fill(to: sqlite3.Connection, label: Label, found: Gathered, refused: Defect | None) -> None:
    quota = max(1, NAMES // max(1, len(found.texts)))
    more = {path for path, values in found.texts.items() if len(values) > quota}
    facts = {
        "stamp": label.stamp, "made": label.made, "refused": asdict(refused) if refused else None,
        "ranges": {path: [day.isoformat() for day in days] for path, days in found.ranges.items()},
        "cut": sorted(found.cut), "sampled": sorted(found.cut | more), "months": sorted(found.months),
    }  # fmt: skip
    to.executescript(_SCHEMA)
    to.execute(f"PRAGMA user_version = {FORMAT}")
    to.execute("BEGIN")
    to.execute("INSERT INTO facts VALUES (?)", (json.dumps(facts),))
    for path, values in found.texts.items():
        _add(to, path, values)
    to.executemany("INSERT INTO name VALUES (?)", ((name,) for name in _offered(found.texts, quota)))
    to.execute("COMMIT")


def _offered(texts: Mapping[str, Sequence[str]], quota: int) -> list[str]:
    """As many values of each dimension, spread over all of its own; of those that differ in case alone, one."""
    taken = [value for values in texts.values() for value in values[:: -(-len(values) // quota) or 1]]
    return list({fold(value): value for value in reversed(taken)}.values())[::-1]


def _add(to: sqlite3.Connection, path: str, values: Iterable[str]) -> int:
    to.execute("INSERT OR IGNORE INTO dimension (path) VALUES (?)", (path,))
    number = int(to.execute("SELECT id FROM dimension WHERE path = ?", (path,)).fetchone()[0])
    spelt = [(stems, value) for value in values for stems in spellings(value)]
    to.executemany("INSERT OR IGNORE INTO spelt VALUES (?, ?, ?)", ((key_of(s), number, v) for s, v in spelt))
    to.executemany("INSERT OR IGNORE INTO word VALUES (?)", ((word,) for word in {w for s, _ in spelt for w in s}))
    return number


def _learn(to: sqlite3.Connection, path: str, stems: Sequence[str], values: Sequence[str]) -> None:
    to.execute("BEGIN IMMEDIATE")
    try:
        number = _add(to, path, values)
        to.executemany("INSERT OR IGNORE INTO asked VALUES (?, ?)", ((number, text) for text in stems))
    except BaseException:
        to.execute("ROLLBACK")
        raise
    to.execute("COMMIT")
