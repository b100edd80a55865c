"""A stage whose proposal another run outran is called anew, and nothing of what was outrun is written."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context, Proposed
from backedge.kernel.ports import Conflict
from backedge.kernel.stage import Lesson, Record, Settled, Stage
from backedge.kernel.workflow import Workflow
from tests.kernel.memory import MemoryStore, StillClock


@dataclass(frozen=True)
class Queueing:
    """Someone waits for a number."""

    name: str


@dataclass(frozen=True)
class Number:
    """What is drawn."""

    value: int


@dataclass(frozen=True)
class Numbered:
    """The end: with a number."""

    name: str
    number: int


async def draw(state: Queueing, ports: Any, lesson: Lesson) -> Number:
    """The next number; whoever draws at once reads the same."""
    taken = len(await ports.store.records("number"))
    await ports.barrier()
    return Number(taken + 1)


def give(state: Queueing, number: Number) -> Settled[Numbered]:
    return Settled(
        Numbered(state.name, number.value), records=(Record("number", str(number.value), {"of": state.name}),)
    )


def begin(name: str, context: Context) -> Queueing:
    return Queueing(name)


STAGE = Stage(state=Queueing, proposal=Number, propose=draw, settle=give, anew=True)


@dataclass
class Counter:
    """The outside: where numbers are drawn; the first `together` draws wait for each other."""

    store: MemoryStore
    together: asyncio.Barrier
    drawn: int = 0

    async def barrier(self) -> None:
        self.drawn += 1
        if self.drawn <= self.together.parties:
            await self.together.wait()


def drawn(*names: str, stage: Stage[Queueing, Number] = STAGE) -> tuple[MemoryStore, list[Any], int]:
    """The store, how each run ended, and how often a number was drawn."""
    store = MemoryStore()
    ports = Counter(store, asyncio.Barrier(len(names)))
    plan: Workflow = Workflow(
        name="queue",
        start=Queueing,
        edges={Queueing: (Numbered,)},
        stages=(stage,),
        begin=begin,
    )
    driver = Driver(store, {"queue": Bound(plan, ports)}, StillClock())

    async def all_of_them() -> list[Any]:
        runs = [await driver.start("queue", name, Context(date(2026, 12, 1)), run_id=name) for name in names]
        return list(await asyncio.gather(*(driver.drive(run) for run in runs), return_exceptions=True))

    return store, asyncio.run(all_of_them()), ports.drawn


def test_of_those_who_draw_at_once_each_has_a_number_of_its_own() -> None:
    store, ends, times = drawn("ann", "bob", "cid")
    assert sorted(end.state.number for end in ends) == [1, 2, 3]
    assert times > 3
    for name in ("ann", "bob", "cid"):
        entries = [stored.entry for stored in asyncio.run(store.read(name))]
        assert sum(isinstance(entry, Proposed) for entry in entries) == 1


def test_a_stage_that_does_not_say_so_is_refused() -> None:
    _, ends, times = drawn("ann", "bob", stage=replace(STAGE, anew=False))
    assert sorted(type(end).__name__ for end in ends) == ["Conflict", "Run"]
    assert times == 2


def test_one_that_is_outrun_for_ever_gives_up() -> None:
    async def same(state: Queueing, ports: Any, lesson: Lesson) -> Number:
        ports.drawn += 1
        return Number(1)

    _, ends, times = drawn("ann", "bob", stage=replace(STAGE, propose=same))
    assert sum(isinstance(end, Conflict) for end in ends) == 1
    assert 100 < times < 200
