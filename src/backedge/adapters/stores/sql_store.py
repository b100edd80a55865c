"""The store's verbs over any SQL database; a subclass says how a transaction is run on its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from backedge.adapters.stores import transactions
from backedge.adapters.stores.transactions import Transaction
from backedge.kernel.journal import Ref, Stored
from backedge.kernel.ports import Beginning, Change, Head
from backedge.kernel.run import Status
from backedge.kernel.stage import Record

T = TypeVar("T")


class SqlStore(ABC):
    """A `Store` (kernel/ports.py), which documents the verbs."""

    @abstractmethod
    async def _write(self, transaction: Transaction[T]) -> T:
        """Run a transaction whole or not at all; it is durable when this returns."""

    @abstractmethod
    async def _read(self, transaction: Transaction[T]) -> T:
        """Run statements that change nothing."""

    @abstractmethod
    async def close(self) -> None:
        """Release files and connections."""

    async def begin(self, new: Beginning) -> None:
        """Write a new run. Raises `Taken` where its id exists."""
        await self._write(transactions.begin(new))

    async def take(self, run_id: str, at: int | None = None) -> str:
        """Become the run's holder: a new token, which fences whoever held it before.

        With `at`, only while that is the place of the run's next entry; otherwise raises `Taken`.
        """
        return await self._write(transactions.take(run_id, at))

    async def append(self, change: Change) -> None:
        """Write a change in one transaction. Raises `Taken` where seq or token no longer match."""
        await self._write(transactions.append(change))

    async def read(self, run_id: str, after: int = -1) -> tuple[Stored, ...]:
        """The run's entries behind `after`, in order. The id must be whole."""
        return await self._read(transactions.read(run_id, after))

    async def head(self, run_id: str) -> Head:
        """The run's row. A unique beginning of at least four characters is enough."""
        return await self._read(transactions.head(run_id))

    async def heads(
        self, *, status: Status | None = None, workflow: str | None = None, limit: int = 50, before: str | None = None
    ) -> tuple[Head, ...]:
        """Runs, newest first, those after `before` in that order."""
        return await self._read(transactions.heads(status, workflow, limit, before))

    async def accepted(self, key: str) -> Ref | None:
        """The entry whose reply was accepted for this key, or None."""
        return await self._read(transactions.accepted(key))

    async def records(self, kind: str, run_id: str | None = None, under: str = "") -> tuple[Record, ...]:
        """Domain records of a kind, in the order of their keys, those whose keys begin with `under`.

        With `run_id` those that it was the first to write.
        """
        return await self._read(transactions.records(kind, run_id, under))
