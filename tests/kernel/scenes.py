"""Sets the scene for tests of the driver: a desk with scripted replies, a store in memory, a still clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from backedge.kernel.budget import Limits
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context, Stored
from backedge.kernel.run import Run
from backedge.kernel.stage import Lesson
from tests.kernel.letters import COPY, LETTERS, Binding, Desk, Draft, Drafting, Wish
from tests.kernel.memory import MemoryStore, StillClock

T = TypeVar("T")
TODAY = Context(date(2026, 11, 30), by="ann")
GOOD = Draft("Dear Bo, it rains.")


def bind_all(state: Binding, lesson: Lesson) -> Draft:
    """A binder who forgets nothing."""
    return Draft(" ".join(state.copies))


@dataclass
class Scene:
    """One driver with its outside.

    `drafts` are given out in order, the last one for ever;
    an exception is raised, a function is given the lesson.
    """

    drafts: list[Any] = field(default_factory=lambda: [GOOD])
    bind: Callable[[Binding, Lesson], Draft] = bind_all
    copy: Callable[[str], Draft] = Draft
    store: MemoryStore = field(default_factory=MemoryStore)
    clock: StillClock = field(default_factory=StillClock)
    lessons: list[Lesson] = field(default_factory=list)
    calls: int = 0

    def __post_init__(self) -> None:
        desk = Desk(self._draft, self._bound, self._copied)
        self.driver = Driver(self.store, {"letters": Bound(LETTERS, desk), "copy": Bound(COPY, desk)}, self.clock)

    def _draft(self, state: Drafting, lesson: Lesson) -> Any:
        self.lessons.append(lesson)
        reply = self.drafts[min(self.calls, len(self.drafts) - 1)]
        self.calls += 1
        if isinstance(reply, BaseException):
            raise reply
        return reply(lesson) if callable(reply) else reply

    def _bound(self, state: Binding, lesson: Lesson) -> Draft:
        return self.bind(state, lesson)

    def _copied(self, text: str) -> Draft:
        return self.copy(text)

    def start(self, *, limits: Limits | None = None, context: Context = TODAY) -> str:
        """A new letter to Bo."""
        return go(self.driver.start("letters", Wish("Bo", "rain"), context, limits=limits))

    def drive(self, run_id: str, patience: float = float("inf")) -> Run:
        """Drive it until it rests."""
        return go(self.driver.drive(run_id, patience=patience))

    def offer(self, run_id: str, value: object, *, asked: int | None = None, by: str = "ann") -> Run:
        """Offer it a proposal."""
        return go(self.driver.offer(run_id, value, by=by, asked=asked))

    def journal(self, run_id: str) -> tuple[Stored, ...]:
        """Its entries."""
        return go(self.store.read(run_id))

    def kinds(self, run_id: str) -> list[str]:
        """The kinds of its entries."""
        return [stored.entry.kind for stored in self.journal(run_id)]


def go(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run one coroutine to its end."""
    return asyncio.run(coroutine)


def state_name(run: Run) -> str:
    """The state that a run is in."""
    return type(run.state).__name__
