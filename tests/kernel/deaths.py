"""Processes that die at an append: a store that ends its process there, and a fork that may die in its stead."""

from __future__ import annotations

import os
from collections.abc import Callable

from backedge.kernel.ports import Change, Store

DIED = 9  # the exit code of who died at an append


class DyingStore:
    """A store whose process ends at its `at`th append, before or after it is written."""

    def __init__(self, store: Store, at: int, after: bool) -> None:
        self._store, self._at, self._after, self._count = store, at, after, 0
        self.begin, self.take, self.read, self.head = store.begin, store.take, store.read, store.head
        self.heads, self.accepted, self.records, self.close = store.heads, store.accepted, store.records, store.close

    async def append(self, change: Change) -> None:
        """Write it, or die."""
        self._count += 1
        if self._count == self._at and not self._after:
            os._exit(DIED)
        await self._store.append(change)
        if self._count == self._at:
            os._exit(DIED)


def in_a_fork(live: Callable[[], object]) -> int:
    """Live in a forked process, which does nothing else; its exit code, 0 where it did not die."""
    child = os.fork()
    if child == 0:
        try:
            live()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
