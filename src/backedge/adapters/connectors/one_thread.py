"""The one thread a connector works in: no event loop owns it, and a cancelled call ends the child it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class OneThread:
    """Runs pieces of work one after another. It starts with the first, and again after it was ended."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: ThreadPoolExecutor | None = None
        self._working: object | None = None
        self._end_child: Callable[[], None] | None = None

    @property
    def is_started(self) -> bool:
        """Whether anything ran since it was made or ended."""
        return self._thread is not None

    async def run(self, work: Callable[[], T]) -> T:
        """The result of `work`. Where the caller is cancelled while it runs, its child is ended."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix=self._name)

        def marked() -> T:
            self._working = work
            try:
                return work()
            finally:
                self._working = self._end_child = None

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, marked)
        except asyncio.CancelledError:
            end = self._end_child
            if end and self._working is work:
                end()
            raise

    def waits_for(self, end: Callable[[], None]) -> None:
        """Say how to end the child that the present work waits for."""
        self._end_child = end

    def end(self) -> None:
        """End the thread once its work is done."""
        if self._thread:
            self._thread.shutdown()
            self._thread = None
