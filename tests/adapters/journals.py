"""Builders of runs and changes for tests of stores, which care for places and not for what is said there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from backedge.adapters.stores.sql_store import SqlStore
from backedge.kernel.budget import Limits
from backedge.kernel.journal import Context, Parent, Proposed, Started, Stored
from backedge.kernel.ports import Beginning, Change, Head, Taken
from backedge.kernel.run import Status
from backedge.kernel.stage import Record

NOON = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)


@dataclass(frozen=True)
class Place:
    """Somewhere to open a store, once or again."""

    open: Callable[[], SqlStore]

    @asynccontextmanager
    async def store(self) -> AsyncIterator[SqlStore]:
        """The store, closed after."""
        store = self.open()
        try:
            yield store
        finally:
            await store.close()

    def tell(self, story: Callable[[SqlStore], Coroutine[Any, Any, None]]) -> None:
        """Run a story on the store."""

        async def told() -> None:
            async with self.store() as store:
                await story(store)

        asyncio.run(told())


def at(minutes: float) -> datetime:
    """A moment some minutes after noon."""
    return NOON + timedelta(minutes=minutes)


def new_run(
    run_id: str,
    minutes: float = 0,
    *,
    workflow: str = "letters",
    status: Status = "running",
    parent: Parent | None = None,
) -> Beginning:
    """A run that is begun then."""
    labels = {"by": "ann", "odd": "a\x00b \U0001f9ed"}
    head = Head(run_id, workflow, "Drafting", status, 1, at(minutes), at(minutes), parent=parent, labels=labels)
    started = Started(workflow, {"$": "Drafting"}, Context(date(2026, 11, 30)), Limits(), parent, labels)
    return Beginning(head, Stored(0, at(minutes), started))


def said(seq: int, text: str = "Dear Bo", minutes: float = 1) -> Stored:
    """An entry."""
    return Stored(seq, at(minutes), Proposed("Drafting", {"$": "Draft", "text": text}))


def change(
    run_id: str,
    seq: int,
    token: str,
    *entries: Stored,
    minutes: float = 1,
    status: Status = "running",
    state: str = "Approving",
    wake_at: datetime | None = None,
    records: tuple[Record, ...] = (),
    children: tuple[Beginning, ...] = (),
    accepted: tuple[str, int] | None = None,
) -> Change:
    """A change by one entry, or by those given."""
    entries = entries or (said(seq),)
    head = Head(run_id, "letters", state, status, seq + len(entries), at(minutes), at(minutes), wake_at)
    return Change(run_id, seq, entries, head, token, records, children, accepted)


async def begun(store: SqlStore, run_id: str = "a1b2c3", minutes: float = 0) -> str:
    """Begin a run and take it: the token."""
    await store.begin(new_run(run_id, minutes))
    return await store.take(run_id)


async def outcomes(*writes: Coroutine[Any, Any, None]) -> list[bool]:
    """Which of the writes that were made at once were not `Taken`."""
    results = await asyncio.gather(*writes, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, Taken):
            raise result
    return [result is None for result in results]
