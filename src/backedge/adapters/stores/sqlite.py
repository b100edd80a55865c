"""Runs in one SQLite file: written on the calling thread, or by one thread that commits groups."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TypeVar

from backedge.adapters.stores.group_commit import GroupCommit
from backedge.adapters.stores.sql_store import SqlStore
from backedge.adapters.stores.sqlite_connection import connect, failure_of, perform
from backedge.adapters.stores.transactions import Transaction
from backedge.adapters.stores.upgrade import READ_VERSION, is_behind, upgrade
from backedge.kernel.defect import Permanent

T = TypeVar("T")
PRIVATE_FOLDER = ".backedge"


def open_sqlite(path: Path, *, grouped: bool = False) -> SqliteStore:
    """Open a store, making folder and file on first use. Several processes may open the same one.

    Not `grouped`, a write blocks the calling thread until it is on the disk: for one run at a time. `grouped`, a thread
    writes, and runs that are driven together share its commits. Raises `Permanent` (with `mend`), or `Transient` where
    another process locks the file for long.
    """
    try:
        if not path.exists():
            _make_folder(path.parent)
        with ExitStack() as undo:
            connection = undo.enter_context(closing(connect(path)))
            if is_behind(_version(connection, path), str(path)):
                upgrade("sqlite://", lambda: connect(path), "BEGIN IMMEDIATE")
            store = SqliteStore(connection, GroupCommit(connect(path), str(path)) if grouped else None, str(path))
            undo.pop_all()
            return store
    except sqlite3.Error as error:
        raise failure_of(error, str(path)) from error
    except OSError as error:
        raise Permanent(f"{path} cannot be made: {error.strerror}", mend="make its folder writable") from error


def _make_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if folder.name == PRIVATE_FOLDER and not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")


def _version(connection: sqlite3.Connection, path: Path) -> str | None:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and "alembic_version" not in tables:
        raise Permanent(f"{path} is a database of something else", mend="name another file")
    found = connection.execute(READ_VERSION).fetchone() if tables else None
    return str(found[0]) if found else None


class SqliteStore(SqlStore):
    """A `Store` in one SQLite file. One object serves one process; open it anew after a fork."""

    def __init__(self, connection: sqlite3.Connection, group: GroupCommit | None, place: str) -> None:
        self._connection = connection
        self._group = group
        self._place = place
        self._turn = threading.Lock()

    async def _write(self, transaction: Transaction[T]) -> T:
        if self._group is not None:
            return await self._group.write(transaction)
        with self._turn:
            try:
                return self._inline(transaction)
            except sqlite3.Error as error:
                raise failure_of(error, self._place) from error

    def _inline(self, transaction: Transaction[T]) -> T:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            result = perform(self._connection, transaction)
            self._connection.execute("COMMIT")
        finally:
            # Nothing to do after a commit; whatever else happened must leave nothing behind.
            self._connection.rollback()
        return result

    async def _read(self, transaction: Transaction[T]) -> T:
        with self._turn:
            try:
                return perform(self._connection, transaction)
            except sqlite3.Error as error:
                raise failure_of(error, self._place) from error

    async def close(self) -> None:
        """Write what was handed in, and close the file."""
        if self._group is not None:
            await self._group.close()
        self._connection.close()
