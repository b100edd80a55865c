"""How often one service may be asked: one request each so many seconds, few at a time, none while it wants rest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from backedge.kernel.defect import RateLimited
from backedge.kernel.ports import Clock

LONGEST_REST = 86_400.0
"""Seconds of rest that a service may ask for; more is taken for a mistake of it."""


class Pace:
    """A bucket that holds one token and gets the next `apart` seconds after the last was taken.

    Requests are spread evenly, so that no span of a second holds more than the service allows. `at_once` bounds how
    many are under way.
    """

    def __init__(self, clock: Clock, apart: float, at_once: int) -> None:
        self._clock = clock
        self._apart = timedelta(seconds=apart)
        self._places = asyncio.Semaphore(at_once)
        self._next: datetime | None = None
        self._rests_until: datetime | None = None

    @asynccontextmanager
    async def turn(self, name: str) -> AsyncIterator[None]:
        """Wait for one's turn. Raises `RateLimited` at once while the service wants rest: nobody waits unseen."""
        async with self._places:
            self._refuse_in_rest(name)
            now = self._clock.now()
            begins = now if self._next is None else max(self._next, now)
            self._next = begins + self._apart
            if begins > now:
                await self._clock.sleep((begins - now).total_seconds())
                self._refuse_in_rest(name)
            yield

    def rest(self, seconds: float) -> None:
        """Ask nothing for so long: the service said so."""
        until = self._clock.now() + timedelta(seconds=min(seconds, LONGEST_REST))
        self._rests_until = until if self._rests_until is None else max(until, self._rests_until)

    def _refuse_in_rest(self, name: str) -> None:
        left = 0.0 if self._rests_until is None else (self._rests_until - self._clock.now()).total_seconds()
        if left > 0:
            raise RateLimited(f"{name} asked for {left:.0f} s of rest", left)
