"""The file of a search view: how it is opened and made, whose vectors it holds, and what its errors mean."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backedge.kernel.defect import Failure, Permanent, Transient

FORMAT = 1
PATIENCE = 30.0
"""How long a lock that another process holds is waited for, in seconds."""
TOKENIZER = "porter unicode61 remove_diacritics 2"

# `added` holds one row a revision: how many chunks and words there are up to it. Chunks are numbered in the order in
# which they came and never change, so what a revision sees are those up to its number.
_SCHEMA = f"""
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE added (revision INTEGER PRIMARY KEY, chunks INTEGER NOT NULL, words INTEGER NOT NULL);
CREATE TABLE chunk (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, version TEXT NOT NULL, section TEXT NOT NULL, role TEXT NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, words INTEGER NOT NULL);
CREATE TABLE vectors (revision INTEGER PRIMARY KEY, numbers BLOB NOT NULL);
CREATE VIRTUAL TABLE word USING fts5(text, content='', tokenize='{TOKENIZER}');
PRAGMA user_version = {FORMAT};
"""
_MENDS = {
    sqlite3.SQLITE_CANTOPEN: "make its folder writable",
    sqlite3.SQLITE_PERM: "make the file writable",
    sqlite3.SQLITE_READONLY: "make the file and its folder writable",
    sqlite3.SQLITE_FULL: "free space on its disk",
    sqlite3.SQLITE_IOERR: "check its disk",
    sqlite3.SQLITE_NOTADB: "remove that file: the chunk view is made anew from what is stored",
    sqlite3.SQLITE_CORRUPT: "remove that file: the chunk view is made anew from what is stored",
}


def opened(path: Path) -> sqlite3.Connection:
    """A connection to the file, which is made where it is absent. Raises `sqlite3.Error`, or `Permanent`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        _is_made(connection, path)  # before anything is written to a file that is not ours
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # a run's journal says that its chunks are here
        with changing(connection):
            if not _is_made(connection, path):
                _make(connection)
        connection.execute("CREATE VIRTUAL TABLE temp.place USING fts5vocab(main, word, instance)")
        connection.execute(f"CREATE VIRTUAL TABLE temp.asked USING fts5(text, content='', tokenize='{TOKENIZER}')")
        connection.execute("CREATE VIRTUAL TABLE temp.token USING fts5vocab(temp, asked, instance)")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def changing(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that alone may write: all of it, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def reading(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that sees the file as it is at its first statement."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def about(connection: sqlite3.Connection) -> dict[str, str]:
    """The index's id (`index`), and whose vectors it holds (`embedder`, `dimensions`), once there are any."""
    return dict(connection.execute("SELECT name, value FROM about"))


def hold_to(connection: sqlite3.Connection, embedder: str, dimensions: int) -> None:
    """From now on the index holds vectors of this embedder alone; to be called while `changing`."""
    names = (("embedder", embedder), ("dimensions", str(dimensions)))
    connection.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", names)


def _is_made(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file is a chunk view; False for an empty one. Raises `Permanent` for anything else."""
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if form != FORMAT and (form or tables):
        said = f"{path} is no chunk view of this version of Backedge (format {form}, not {FORMAT})"
        raise Permanent(said, mend="remove that file: the chunk view is made anew from what is stored")
    return bool(form == FORMAT)


def _make(connection: sqlite3.Connection) -> None:
    for statement in filter(str.strip, _SCHEMA.split(";")):
        connection.execute(statement)
    connection.execute("INSERT INTO about VALUES ('index', ?)", (uuid.uuid4().hex,))
    connection.execute("INSERT INTO added VALUES (0, 0, 0)")


def failure_of(error: sqlite3.Error | OSError, place: Path) -> Failure | sqlite3.Error | OSError:
    """The failure that an error of the file is, or the error itself where it is a bug of ours."""
    if isinstance(error, OSError):
        return Permanent(f"{place} cannot be used: {error}", mend="make its folder writable")
    if "no such module" in str(error):
        return Permanent("the SQLite of this Python has no FTS5", mend="use a Python whose SQLite has FTS5")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Transient(f"{place} was locked by another process for more than {PATIENCE:g} seconds")
    if code in _MENDS:
        return Permanent(f"{place} cannot be used: {error}", mend=_MENDS[code])
    return error
