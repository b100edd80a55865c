"""A loop of its own in a thread: the same work can be waited for with and without `await`, in a notebook too."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from backedge.python.errors import BackedgeError, told

T = TypeVar("T")
Closing = list[Callable[[], Awaitable[None]]]


class Background:
    """Works until it is closed; what nobody closes is closed when it is forgotten."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="backedge", daemon=True)
        self._thread.start()
        self._last: Closing = []
        self._end = weakref.finalize(self, _ended, self._loop, self._thread, self._last)
        self._end.atexit = False  # Python has ended the threads by then; the workers end with it

    def at_last(self, close: Callable[[], Awaitable[None]]) -> None:
        """Do this before the end."""
        self._last.append(close)

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it and wait. Ctrl-C stops the work; its run keeps what it has done."""
        self._refuse(work)
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            with told():
                return future.result()
        finally:
            future.cancel()

    async def later(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it without holding up the caller's loop."""
        self._refuse(work)
        with told():
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def close(self) -> None:
        """Release everything. A second time does nothing."""
        self._end()

    def _refuse(self, work: Coroutine[Any, Any, T]) -> None:
        """What can never be done is said at once."""
        if self._end.alive and threading.current_thread() is not self._thread:
            return
        work.close()
        if self._end.alive:
            said, step = "a stage cannot wait for its own machine", "await the async form of something else there"
            raise BackedgeError(said, kind="own_loop", next_step=step)
        raise BackedgeError("it is closed", kind="closed", next_step="open it again")


def _ended(loop: asyncio.AbstractEventLoop, thread: threading.Thread, last: Closing) -> None:
    async def close() -> None:
        try:
            for each in last:
                await each()
        finally:
            loop.stop()

    closing = asyncio.run_coroutine_threadsafe(close(), loop)
    if threading.current_thread() is not thread:  # else whoever collects garbage is the loop itself
        thread.join()
        loop.close()
        if not closing.cancelled() and closing.done():
            closing.result()
