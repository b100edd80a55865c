"""Children of children: however wide and deep, none waits for a place that another holds; an end may leave runs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import date

from pydantic import JsonValue

from backedge.kernel.drive import RUNNING_AT_ONCE, Bound, Driver
from backedge.kernel.journal import Context
from backedge.kernel.stage import Child, ChildEnd, Lesson, Settled, Stage
from backedge.kernel.workflow import Workflow
from tests.kernel.memory import MemoryStore, StillClock

DEADLOCK = 30  # seconds, after which nobody believes that it goes on


@dataclass(frozen=True)
class Seed:
    """A tree to grow: so deep, so wide, and whether a tree waits for its branches or leaves them."""

    depth: int
    width: int
    waits: bool


@dataclass(frozen=True)
class Growing:
    """Nothing is grown yet."""

    seed: Seed


@dataclass(frozen=True)
class Grown:
    """The tree itself is there."""


@dataclass(frozen=True)
class Branching:
    """Its branches are awaited."""

    of: int
    leaves: int = 0


@dataclass(frozen=True)
class Tree:
    """The end."""

    leaves: int


@dataclass
class Garden:
    """Counts how many grow at the same time."""

    now: int = 0
    most: int = 0


async def _grow(state: Growing, garden: Garden, lesson: Lesson) -> Grown:
    garden.now += 1
    garden.most = max(garden.most, garden.now)
    await asyncio.sleep(0)
    garden.now -= 1
    return Grown()


def _grown(state: Growing, grown: Grown) -> Settled[Branching | Tree]:
    seed = state.seed
    if seed.depth == 0:
        return Settled(Tree(1))
    branches = tuple(Child("tree", replace(seed, depth=seed.depth - 1)) for _ in range(seed.width))
    return Settled(Branching(seed.width) if seed.waits else Tree(0), children=branches)


def _branched(state: Branching, end: ChildEnd) -> Settled[Branching | Tree]:
    leaves = end.outcome["leaves"] if end.outcome else 0
    assert isinstance(leaves, int)
    if state.of == 1:
        return Settled(Tree(state.leaves + leaves))
    return Settled(Branching(state.of - 1, state.leaves + leaves))


def _begin(seed: Seed, context: Context) -> Growing:
    return Growing(seed)


def _outcome(end: Tree) -> dict[str, JsonValue]:
    return {"leaves": end.leaves}


TREE = Workflow(
    name="tree",
    start=Growing,
    edges={Growing: (Branching, Tree), Branching: (Branching, Tree)},
    stages=(
        Stage(state=Growing, proposal=Grown, propose=_grow, settle=_grown),
        Stage(state=Branching, proposal=ChildEnd, settle=_branched),
    ),
    begin=_begin,
    outcome=_outcome,
)


def grown(seed: Seed) -> tuple[MemoryStore, Garden, object]:
    store, garden = MemoryStore(), Garden()
    driver = Driver(store, {"tree": Bound(TREE, garden)}, StillClock())

    async def story() -> object:
        run_id = await driver.start("tree", seed, Context(date(2026, 12, 1), "UTC", "ann", {}))
        async with asyncio.timeout(DEADLOCK):
            return (await driver.drive(run_id)).state

    return store, garden, asyncio.run(story())


def test_more_parents_than_places_all_wait_for_their_children() -> None:
    width = RUNNING_AT_ONCE + 1
    store, garden, end = grown(Seed(2, width, waits=True))
    assert (end, len(store.rows)) == (Tree(width**2), 1 + width + width**2)
    assert 1 < garden.most <= RUNNING_AT_ONCE


def test_runs_that_an_end_leaves_are_driven_too() -> None:
    store, garden, end = grown(Seed(2, 3, waits=False))
    assert (end, {row.status for row in store.rows.values()}) == (Tree(0), {"ended"})
    assert (len(store.rows), garden.most > 1) == (13, True)
