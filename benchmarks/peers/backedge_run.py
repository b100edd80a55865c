"""Six stages on our kernel and SQLite store; for each count of runs on stdin, prints ms per transition as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from backedge.adapters.stores.sqlite import open_sqlite
from backedge.kernel.defect import Defect
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context
from backedge.kernel.stage import Lesson, Settled, Stage
from backedge.kernel.workflow import Workflow

TRANSITIONS = 8
REPLY = "x" * 2048
IN_FLIGHT = int(sys.argv[2])


@dataclass(frozen=True)
class Text:
    """What every stage replies."""

    text: str


@dataclass(frozen=True)
class S1:
    """The first stage."""

    given: str


@dataclass(frozen=True)
class S2:
    """The second."""

    came_from: S1
    reply: Text


@dataclass(frozen=True)
class S3:
    """The third, to which the fourth goes back once."""

    came_from: S2
    reply: Text
    visit: int = 1


@dataclass(frozen=True)
class S4:
    """The fourth."""

    came_from: S3
    reply: Text


@dataclass(frozen=True)
class S5:
    """The fifth."""

    came_from: S4
    reply: Text


@dataclass(frozen=True)
class S6:
    """The sixth."""

    came_from: S5
    reply: Text


@dataclass(frozen=True)
class End:
    """The end."""

    reply: Text


def _1(state: S1, reply: Text) -> Settled[S2]:
    return Settled(S2(state, reply))


def _2(state: S2, reply: Text) -> Settled[S3]:
    return Settled(S3(state, reply))


def _3(state: S3, reply: Text) -> Settled[S4]:
    return Settled(S4(state, reply))


def _4(state: S4, reply: Text) -> Settled[S3 | S5]:
    if state.came_from.visit == 1:
        return Settled(S3(state.came_from.came_from, reply, 2), because=(Defect("again", "once more"),))
    return Settled(S5(state, reply))


def _5(state: S5, reply: Text) -> Settled[S6]:
    return Settled(S6(state, reply))


def _6(state: S6, reply: Text) -> Settled[End]:
    return Settled(End(reply))


async def _reply(state: object, ports: None, lesson: Lesson) -> Text:
    return Text(REPLY)


def _begin(given: str, context: Context) -> S1:
    return S1(given)


SIX = Workflow(
    name="six",
    start=S1,
    edges={S1: (S2,), S2: (S3,), S3: (S4,), S4: (S3, S5), S5: (S6,), S6: (End,)},
    stages=(
        Stage(S1, Text, _1, _reply),
        Stage(S2, Text, _2, _reply),
        Stage(S3, Text, _3, _reply),
        Stage(S4, Text, _4, _reply),
        Stage(S5, Text, _5, _reply),
        Stage(S6, Text, _6, _reply),
    ),
    begin=_begin,
)


class WallClock:
    """The real time."""

    def now(self) -> datetime:
        """The present moment."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


async def _run(driver: Driver) -> None:
    run_id = await driver.start("six", "go", Context(date.today()))
    run = await driver.drive(run_id)
    if run.trail != ("S1", "S2", "S3", "S4", "S3", "S4", "S5", "S6", "End"):
        raise SystemExit(f"the run went another way: {run.trail}")


async def main() -> None:
    """Serve the counts."""
    driver = Driver(
        open_sqlite(Path(sys.argv[1]) / "runs.db", grouped=IN_FLIGHT > 1), {"six": Bound(SIX, None)}, WallClock()
    )
    for line in sys.stdin:
        runs = int(line)
        began = time.perf_counter()
        for start in range(0, runs, IN_FLIGHT):
            await asyncio.gather(*(_run(driver) for _ in range(min(IN_FLIGHT, runs - start))))
        print(json.dumps({"ms": (time.perf_counter() - began) * 1000 / (runs * TRANSITIONS)}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
