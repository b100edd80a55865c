"""Drives runs in the background of a server, and wakes whoever waits for their entries."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable

from backedge.kernel.journal import Stored
from backedge.kernel.ports import Taken

LOG = logging.getLogger("backedge.serve")


class Hub:
    """Who waits for entries of a run is woken when one is written in this process."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)

    def heard(self, run_id: str, _entry: Stored) -> None:
        """An entry was written (`Watch` of the store)."""
        for event in self._waiting.get(run_id, ()):
            event.set()

    async def wait(self, run_id: str, seconds: float) -> None:
        """Until an entry of the run is written here, or so long."""
        event = asyncio.Event()
        self._waiting[run_id].add(event)
        try:
            await asyncio.wait_for(event.wait(), seconds)
        except TimeoutError:
            return
        finally:
            self._waiting[run_id].discard(event)
            if not self._waiting[run_id]:
                del self._waiting[run_id]


class Dispatcher:
    """One task for each run that is to go on. `drive` goes on with a run until it rests."""

    def __init__(self, drive: Callable[[str], Awaitable[object]]) -> None:
        self._drive = drive
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._surfaced: dict[str, str] = {}

    def wake(self, run_id: str) -> None:
        """See that a run goes on; one that is being driven is not driven twice, but once more after."""
        self._surfaced.pop(run_id, None)
        self._again.add(run_id)
        task = self._tasks.get(run_id)
        if task is None or task.done():
            self._tasks[run_id] = asyncio.get_running_loop().create_task(self._driven(run_id))
            self._tasks[run_id].add_done_callback(lambda done: self._ended(run_id, done))

    async def _driven(self, run_id: str) -> None:
        while run_id in self._again:
            self._again.discard(run_id)
            try:
                await self._drive(run_id)
            except Taken:
                LOG.info("run %s is driven by another process", run_id)

    def _ended(self, run_id: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(run_id) is task:
            del self._tasks[run_id]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            LOG.error("run %s: an error surfaced", run_id, exc_info=error)
            self._surfaced[run_id] = f"{type(error).__name__}: {error}"

    def surfaced(self, run_id: str) -> str:
        """The error that kept a run from going on; empty where there is none."""
        return self._surfaced.get(run_id, "")

    async def close(self) -> None:
        """Stop driving; what was under way goes on when the server starts again."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
