"""Processes that die at an append: a store that ends its process there, and forks that tell a story."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NoReturn

from backedge.kernel.ports import Change, Store

DIED = 9  # the exit code of who died at an append


def _exit() -> NoReturn:
    os._exit(DIED)


class DyingStore:
    """A store whose process ends at its `at`th append, before or after it is written; `die` is how."""

    def __init__(self, store: Store, at: int, after: bool, die: Callable[[], NoReturn] = _exit) -> None:
        self._store, self._at, self._after, self._count, self._die = store, at, after, 0, die
        self.begin, self.take, self.read, self.head = store.begin, store.take, store.read, store.head
        self.heads, self.accepted, self.records, self.close = store.heads, store.accepted, store.records, store.close

    async def append(self, change: Change) -> None:
        """Write it, or die."""
        self._count += 1
        if self._count == self._at and not self._after:
            self._die()
        await self._store.append(change)
        if self._count == self._at:
            self._die()


def forked(story: Callable[[], object]) -> int:
    """Start a story in a fork of this process, which has no store open; the fork's id."""
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            story()
            code = 0
        finally:
            os._exit(code)
    return pid


def exit_code(pid: int) -> int:
    """How a fork ended."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def in_another_process(story: Callable[[], object]) -> int:
    """Tell a story in a fork to its end; the exit code."""
    return exit_code(forked(story))
