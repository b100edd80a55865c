"""A waiting stage may open a fresh budget for the state that it sends back to; a stage that calls may not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import date

import pytest

from backedge.kernel.budget import Budget
from backedge.kernel.decide import EdgeError
from backedge.kernel.defect import Defect
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context
from backedge.kernel.run import Run
from backedge.kernel.stage import Lesson, Settled, Stage
from backedge.kernel.workflow import Workflow
from tests.kernel.memory import MemoryStore, StillClock


@dataclass(frozen=True)
class Writing:
    """A text is wanted."""


@dataclass(frozen=True)
class Text:
    """A text, good or not."""

    good: bool


@dataclass(frozen=True)
class Reading:
    """Somebody reads it."""


@dataclass(frozen=True)
class Says:
    """What the reader says."""

    fine: bool


@dataclass(frozen=True)
class Printed:
    """The end."""


@dataclass
class Pen:
    """Writes badly as often as told before each good text."""

    bad: int
    written: int = 0
    lessons: tuple[Lesson, ...] = ()


async def _write(state: Writing, pen: Pen, lesson: Lesson) -> Text:
    pen.written += 1
    pen.lessons = (*pen.lessons, lesson)
    return Text(pen.written % (pen.bad + 1) == 0)


def good(_state: Writing, text: Text) -> Defect | None:
    """It is good."""
    return None if text.good else Defect("bad", "it is bad")


def _written(state: Writing, text: Text) -> Settled[Reading]:
    return Settled(Reading())


def _written_freshly(state: Writing, text: Text) -> Settled[Reading]:
    return Settled(Reading(), fresh=True)


def _read(state: Reading, says: Says) -> Settled[Printed | Writing]:
    if says.fine:
        return Settled(Printed())
    return Settled(Writing(), because=(Defect("disliked", "again"),), fresh=True)


def _begin(_: str, context: Context) -> Writing:
    return Writing()


WRITING: Stage[Writing, Text] = Stage(
    state=Writing, proposal=Text, propose=_write, settle=_written, gates=(good,), budget=Budget(2), varies=True
)
LETTER = Workflow(
    name="text",
    start=Writing,
    edges={Writing: (Reading,), Reading: (Printed, Writing)},
    stages=(WRITING, Stage(state=Reading, proposal=Says, settle=_read)),
    begin=_begin,
)


def sent_back(times: int, pen: Pen, workflow: Workflow = LETTER) -> Run:
    driver = Driver(MemoryStore(), {"text": Bound(workflow, pen)}, StillClock())

    async def story() -> Run:
        run_id = await driver.start("text", "", Context(date(2026, 12, 1), "UTC", "ann", {}))
        for _ in range(times):
            await driver.drive(run_id)
            await driver.offer(run_id, Says(False), by="ann")
        return await driver.drive(run_id)

    return asyncio.run(story())


def test_a_person_who_sends_back_opens_a_fresh_budget() -> None:
    pen = Pen(bad=2)
    run = sent_back(4, pen)
    assert (run.status, pen.written) == ("waiting", 15)
    assert [lesson.defects[-1].kind for lesson in pen.lessons[3:6]] == ["disliked", "bad", "bad"]
    assert [lesson.attempt for lesson in pen.lessons[3:6]] == [1, 2, 3]


def test_the_fresh_budget_is_no_larger_than_the_first() -> None:
    run = sent_back(0, Pen(bad=3))
    assert run.stopped is not None


def test_a_stage_that_calls_the_outside_cannot_open_one() -> None:
    freshly = replace(WRITING, settle=_written_freshly)
    with pytest.raises(EdgeError, match="for ever"):
        sent_back(0, Pen(bad=0), replace(LETTER, stages=(freshly, *LETTER.stages[1:])))
