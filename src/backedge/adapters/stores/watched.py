"""A store that tells somebody of every entry after it is written: how a terminal sees a run while it goes on."""

from __future__ import annotations

from backedge.kernel.journal import Ref, Stored
from backedge.kernel.ports import Beginning, Change, Head, Store, Watch
from backedge.kernel.run import Status
from backedge.kernel.stage import Record


class WatchedStore:
    """Another store, watched. `watch` gets the run's id and the entry, in the order of writing."""

    def __init__(self, store: Store, watch: Watch) -> None:
        self._store = store
        self._watch = watch

    async def begin(self, new: Beginning) -> None:
        """Write a new run."""
        await self._store.begin(new)
        self._watch(new.head.id, new.started)

    async def take(self, run_id: str, at: int | None = None) -> str:
        """Become the run's holder."""
        return await self._store.take(run_id, at)

    async def append(self, change: Change) -> None:
        """Write a change, then tell of its entries."""
        await self._store.append(change)
        for stored in change.entries:
            self._watch(change.run_id, stored)

    async def read(self, run_id: str, after: int = -1) -> tuple[Stored, ...]:
        """The run's entries."""
        return await self._store.read(run_id, after)

    async def head(self, run_id: str) -> Head:
        """The run's row."""
        return await self._store.head(run_id)

    async def heads(
        self, *, status: Status | None = None, workflow: str | None = None, limit: int = 50, before: str | None = None
    ) -> tuple[Head, ...]:
        """Runs, newest first."""
        return await self._store.heads(status=status, workflow=workflow, limit=limit, before=before)

    async def accepted(self, key: str) -> Ref | None:
        """The entry that was accepted for this key."""
        return await self._store.accepted(key)

    async def records(self, kind: str, run_id: str | None = None, under: str = "") -> tuple[Record, ...]:
        """Domain records."""
        return await self._store.records(kind, run_id, under)

    async def close(self) -> None:
        """Release what the store holds."""
        await self._store.close()
