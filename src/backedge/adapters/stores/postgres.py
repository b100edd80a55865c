"""Runs in a PostgreSQL database, for many processes on many machines; needs the extra `backedge[postgres]`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import TypeVar

from backedge.adapters.stores.sql_store import SqlStore
from backedge.adapters.stores.transactions import Got, Transaction
from backedge.adapters.stores.upgrade import READ_VERSION, is_behind, upgrade
from backedge.kernel.defect import Failure, Permanent, Transient

try:
    import psycopg
    from psycopg import errors
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.pq import TransactionStatus
    from psycopg.rows import TupleRow
except ModuleNotFoundError as missing:
    raise Permanent("PostgreSQL needs psycopg", mend="pip install 'backedge[postgres]'") from missing

T = TypeVar("T")
Connection = psycopg.AsyncConnection[TupleRow]
MOST_CONNECTIONS = 8
# Any number will do that no other program locks in the same database.
LOCK = "SELECT pg_advisory_xact_lock(7246281935)"


def open_postgres(url: str) -> PostgresStore:
    """Open a store in the database that `url` (postgresql://user@host/name) names, making its tables on first use.

    One event loop may use it. Raises `Permanent` with `mend` where the database cannot be reached.
    """
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # Its message repeats the address, password and all.
        mend = "write it as postgresql://user@host/name"
        raise Permanent("the address of the PostgreSQL database cannot be read", mend=mend) from None
    try:
        with psycopg.connect(url) as connection:
            place = f"PostgreSQL database {connection.info.dbname}"
            behind = is_behind(_version(connection), place)
        if behind:
            upgrade("postgresql+psycopg://", lambda: psycopg.connect(url), LOCK)
    except psycopg.Error as error:
        mend = "check its address, that the server runs, and what the user may do"
        raise Permanent(f"the PostgreSQL database cannot be opened: {_said(error)}", mend=mend) from error
    return PostgresStore(url, place)


def _version(connection: psycopg.Connection[TupleRow]) -> str | None:
    try:
        found = connection.execute(READ_VERSION).fetchone()
    except errors.UndefinedTable:
        connection.rollback()
        return None
    return str(found[0]) if found else None


class PostgresStore(SqlStore):
    """A `Store` in a PostgreSQL database, over a few connections that are opened when they are needed."""

    def __init__(self, url: str, place: str) -> None:
        self._url = url
        self._place = place
        self._idle: list[Connection] = []
        self._slots = asyncio.Semaphore(MOST_CONNECTIONS)

    async def _write(self, transaction: Transaction[T]) -> T:
        async with self._connection() as connection, connection.transaction():
            return await _perform(connection, transaction)

    async def _read(self, transaction: Transaction[T]) -> T:
        async with self._connection() as connection:
            return await _perform(connection, transaction)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        async with self._slots:
            connection: Connection | None = None
            try:
                connection = self._idle.pop() if self._idle else await self._connect()
                yield connection
            except psycopg.Error as error:
                if isinstance(error, psycopg.OperationalError):
                    await self.close()
                raise _failure_of(error, self._place) from error
            finally:
                if connection is not None:
                    await self._put_back(connection)

    async def _connect(self) -> Connection:
        return await psycopg.AsyncConnection.connect(self._url, autocommit=True)

    async def _put_back(self, connection: Connection) -> None:
        if connection.info.transaction_status is TransactionStatus.IDLE:
            self._idle.append(connection)
        else:
            await connection.close()

    async def close(self) -> None:
        """Close the connections that nobody uses now."""
        while self._idle:
            await self._idle.pop().close()


async def _perform(connection: Connection, transaction: Transaction[T]) -> T:
    steps = transaction()
    async with connection.cursor() as cursor:
        try:
            ask = next(steps)
            while True:
                if len(ask.rows) == 1:
                    await cursor.execute(_translated(ask.text), ask.rows[0])
                else:
                    await cursor.executemany(_translated(ask.text), ask.rows)
                rows = await cursor.fetchall() if cursor.description else []
                ask = steps.send(Got(cursor.rowcount, rows))
        except StopIteration as end:
            result: T = end.value
            return result


@cache
def _translated(text: str) -> bytes:
    """A statement with psycopg's placeholders: `%(name)s` for `:name`."""
    return re.sub(r":(\w+)", r"%(\1)s", text).encode()


def _failure_of(error: psycopg.Error, place: str) -> Failure | psycopg.Error:
    match error:
        case errors.DiskFull():
            return Permanent(f"{place} cannot be used: {_said(error)}", mend="free space on its server's disk")
        case psycopg.OperationalError():
            return Transient(f"{place} was lost or overloaded; what was sent may have been written: {_said(error)}")
        case errors.ReadOnlySqlTransaction() | errors.InsufficientPrivilege():
            return Permanent(f"{place} cannot be written: {_said(error)}", mend="let this user write to it")
        case psycopg.IntegrityError() | psycopg.DataError():
            return Permanent(f"the change contradicts what {place} can hold: {_said(error)}")
    return error


def _said(error: psycopg.Error) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
