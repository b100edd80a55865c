"""One connection to a SQLite file: how it is opened, how a transaction is run on it, and what its errors mean."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TypeVar

from backedge.adapters.stores.transactions import Got, Transaction
from backedge.kernel.defect import Failure, Permanent, Transient

T = TypeVar("T")
PATIENCE = 10.0
"""How long a lock that another process holds is waited for, in seconds."""

_MENDS = {
    sqlite3.SQLITE_CANTOPEN: "make its folder writable, or name another file",
    sqlite3.SQLITE_PERM: "make the file writable, or name another one",
    sqlite3.SQLITE_READONLY: "make the file and its folder writable, or name another file",
    sqlite3.SQLITE_FULL: "free space on its disk",
    sqlite3.SQLITE_IOERR: "check its disk",
    sqlite3.SQLITE_NOTADB: "move that file away, or name another one",
    sqlite3.SQLITE_CORRUPT: "move that file away, or restore it from a copy",
}


def connect(path: Path) -> sqlite3.Connection:
    """Open a file, made where it is absent; a commit is on the disk when it returns. Raises `sqlite3.Error`."""
    # The threads that share it take turns (`SqliteStore`, `GroupCommit`).
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def perform(connection: sqlite3.Connection, transaction: Transaction[T]) -> T:
    """Run a transaction's statements; beginning and committing is the caller's."""
    steps = transaction()
    try:
        ask = next(steps)
        while True:
            if len(ask.rows) == 1:
                cursor = connection.execute(ask.text, ask.rows[0])
            else:
                cursor = connection.executemany(ask.text, ask.rows)
            ask = steps.send(Got(cursor.rowcount, cursor.fetchall()))
    except StopIteration as end:
        result: T = end.value
        return result


def failure_of(error: sqlite3.Error, place: str) -> Failure | sqlite3.Error:
    """The failure that an error of SQLite is, or the error itself where it is a bug of ours."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Transient(f"{place} was locked by another process for more than {PATIENCE:g} seconds")
    if code in _MENDS:
        return Permanent(f"{place} cannot be used: {error}", mend=_MENDS[code])
    if isinstance(error, sqlite3.IntegrityError):
        return Permanent(f"the change contradicts what {place} holds: {error}")
    return error
