"""One thread that writes to a SQLite file for everybody: what arrives while a commit is flushed shares the next one."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections import deque
from dataclasses import dataclass
from typing import Any, TypeVar

from backedge.adapters.stores.sqlite_connection import failure_of, perform
from backedge.adapters.stores.transactions import Transaction
from backedge.kernel.defect import Failure, Permanent
from backedge.kernel.ports import Taken, UnknownRun

T = TypeVar("T")
LARGEST_GROUP = 256
# What one transaction is refused for; anything else of SQLite's (a full disk, a lock) befalls the whole group.
ITS_OWN = (Taken, UnknownRun, Failure, sqlite3.IntegrityError)


@dataclass(eq=False)
class _Job:
    transaction: Transaction[Any]
    loop: asyncio.AbstractEventLoop
    waiter: asyncio.Future[Any]
    result: object = None
    error: BaseException | None = None


class GroupCommit:
    """Owns the connection and its thread. Nobody is told of success before the commit that holds his transaction."""

    def __init__(self, connection: sqlite3.Connection, place: str) -> None:
        self._connection = connection
        self._place = place
        self._queue: deque[_Job] = deque()
        self._group: list[_Job] = []
        self._changed = threading.Condition()
        self._closing = False
        self._over = ""
        self._thread = threading.Thread(target=self._serve, name="backedge-store", daemon=True)
        self._thread.start()

    async def write(self, transaction: Transaction[T]) -> T:
        """Run a transaction in the next group. Raises its own errors, `Transient` or `Permanent`."""
        loop = asyncio.get_running_loop()
        job = _Job(transaction, loop, loop.create_future())
        with self._changed:
            if self._closing or self._over:
                raise Permanent(self._over or f"the store {self._place} is closed")
            self._queue.append(job)
            self._changed.notify()
        result: T = await job.waiter
        return result

    async def close(self) -> None:
        """Write what was handed in, then end the thread and close the connection."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        await asyncio.to_thread(self._thread.join)

    def _serve(self) -> None:
        try:
            while self._next_group():
                self._commit()
                _tell(self._group)
            self._over = f"the store {self._place} is closed"
        finally:
            self._give_up()

    def _next_group(self) -> bool:
        with self._changed:
            while not self._queue and not self._closing:
                self._changed.wait()
            self._group = [self._queue.popleft() for _ in range(min(LARGEST_GROUP, len(self._queue)))]
        return bool(self._group)

    def _commit(self) -> None:
        try:
            try:
                self._attempt(apart=False)
            except ITS_OWN:
                self._connection.rollback()
                self._attempt(apart=True)
        except sqlite3.Error as error:
            self._connection.rollback()
            failure = failure_of(error, self._place)
            for job in self._group:
                job.error = failure

    def _attempt(self, *, apart: bool) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        for job in self._group:
            if apart:
                self._apart(job)
            else:
                job.result = perform(self._connection, job.transaction)
        self._connection.execute("COMMIT")

    def _apart(self, job: _Job) -> None:
        self._connection.execute("SAVEPOINT job")
        try:
            job.result = perform(self._connection, job.transaction)
        except ITS_OWN as error:
            job.error = failure_of(error, self._place) if isinstance(error, sqlite3.Error) else error
            self._connection.execute("ROLLBACK TO job")
        self._connection.execute("RELEASE job")

    def _give_up(self) -> None:
        """Whatever ended the thread, nobody may wait for it for ever."""
        with self._changed:
            self._over = self._over or f"the writer of {self._place} broke down; restart this process"
            left = [*self._group, *self._queue]
            self._queue.clear()
        for job in left:
            job.error = Permanent(self._over)
        _tell(left)
        self._connection.close()


def _tell(jobs: list[_Job]) -> None:
    for loop in {job.loop for job in jobs}:
        # A closed loop has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, [job for job in jobs if job.loop is loop])


def _settle(jobs: list[_Job]) -> None:
    for job in jobs:
        if job.waiter.done():
            continue
        if job.error is not None:
            job.waiter.set_exception(job.error)
        else:
            job.waiter.set_result(job.result)
