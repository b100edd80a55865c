"""A time limit of a waiting run: stored with its move, kept by nobody, and taken by whoever drives next."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import pytest

from backedge.kernel.decide import EdgeError
from backedge.kernel.defect import Defect
from backedge.kernel.drive import Bound, CannotRetry, Driver, NotAsked, OfferRefused
from backedge.kernel.journal import Context, Moved, Proposed
from backedge.kernel.run import Run
from backedge.kernel.stage import Child, ChildEnd, Lesson, Settled, Stage
from backedge.kernel.workflow import PlanError, Workflow
from tests.kernel.memory import Crash, MemoryStore, StillClock

HOUR = 3_600


@dataclass(frozen=True)
class Knock:
    """Somebody is at the door; `otherwise` is what is said where nobody opens, "" is nothing."""

    otherwise: str = "come in"
    hours: int = 1


@dataclass(frozen=True)
class Knocked:
    knock: Knock


@dataclass(frozen=True)
class Word:
    said: str


@dataclass(frozen=True)
class Opened:
    said: str


async def _knock(state: Knock, ports: object, lesson: Lesson) -> Word:
    return Word("knock")


def _knocked(state: Knock, word: Word) -> Settled[Knocked]:
    return Settled(Knocked(state), wake=timedelta(hours=state.hours) if state.hours else None)


def _open(state: Knocked, word: Word) -> Settled[Opened]:
    return Settled(Opened(word.said))


def _otherwise(state: Knocked) -> Word | None:
    return Word(state.knock.otherwise) if state.knock.otherwise else None


def civil(state: Knocked, word: Word) -> Defect | None:
    """Nobody shouts."""
    return Defect("rude", "do not shout") if word.said.isupper() else None


def _begin(knock: Knock, context: Context) -> Knock:
    return knock


WAIT = Stage(Knocked, Word, _open, gates=(civil,), on_time=_otherwise)
DOOR = Workflow(
    "door", Knock, {Knock: (Knocked,), Knocked: (Opened,)}, (Stage(Knock, Word, _knocked, _knock), WAIT), _begin
)


@dataclass(frozen=True)
class Street:
    pass


@dataclass(frozen=True)
class Visited:
    said: str = ""


async def _walk(state: Street, ports: object, lesson: Lesson) -> Word:
    return Word("one door")


def _walked(state: Street, word: Word) -> Settled[Visited]:
    return Settled(Visited(), children=(Child("door", Knock()),))


def _heard(state: Visited, end: ChildEnd) -> Settled[Opened]:
    return Settled(Opened(str(end.index)))


def _begin_street(street: Street, context: Context) -> Street:
    return street


STREET = Workflow(
    "street",
    Street,
    {Street: (Visited,), Visited: (Opened,)},
    (Stage(Street, Word, _walked, _walk), Stage(Visited, ChildEnd, _heard)),
    _begin_street,
)


class House:
    """One run behind a door, a clock that stands still, and a driver that can be started anew."""

    def __init__(self, given: Any = None, workflow: Workflow = DOOR) -> None:
        self.store, self.clock = MemoryStore(), StillClock()
        self.workflow = workflow
        self.restart()
        context = Context(date(2026, 11, 30))
        self.id = self.go(self.driver.start(workflow.name, given or Knock(), context))

    def restart(self) -> None:
        """Another process."""
        bound = {w.name: Bound(w, None) for w in (DOOR, STREET)} | {self.workflow.name: Bound(self.workflow, None)}
        self.driver = Driver(self.store, bound, self.clock)

    def go(self, work: Any) -> Any:
        return asyncio.run(work)

    def drive(self) -> Run:
        run: Run = self.go(self.driver.drive(self.id))
        return run

    def say(self, said: str) -> Run:
        run: Run = self.go(self.driver.offer(self.id, Word(said), by="ann"))
        return run

    @property
    def by(self) -> list[str]:
        """Who offered what is in the journal, in order."""
        found = [stored.entry for stored in self.go(self.store.read(self.id))]
        return [entry.by for entry in found if isinstance(entry, Proposed) and entry.by]


def test_a_run_rests_until_its_time_and_then_whoever_drives_takes_the_default() -> None:
    house = House()
    run = house.drive()
    assert (run.status, house.store.rows[house.id].wake_at) == ("waiting", house.clock.now() + timedelta(hours=1))
    house.clock.pass_(HOUR - 1)
    assert house.drive().status == "waiting"
    house.clock.pass_(1)
    house.restart()
    assert house.drive().state == Opened("come in")
    assert (house.by, house.clock.slept, house.store.rows[house.id].wake_at) == (["clock"], [], None)


def test_an_answer_in_time_goes_first_and_the_time_is_over_with_it() -> None:
    house = House()
    house.drive()
    house.clock.pass_(HOUR - 1)
    house.say("hello")
    house.clock.pass_(HOUR)
    assert house.drive().state == Opened("hello")
    assert house.by == ["ann"]


def test_an_answer_that_a_gate_refuses_does_not_stop_the_time() -> None:
    house = House()
    house.drive()
    with pytest.raises(OfferRefused):
        house.say("HELLO")
    assert house.store.rows[house.id].wake_at is not None
    house.clock.pass_(HOUR)
    assert house.drive().state == Opened("come in")


def test_an_answer_behind_the_time_is_refused_also_where_nobody_drove_yet() -> None:
    house = House()
    house.drive()
    house.clock.pass_(HOUR)
    with pytest.raises(NotAsked):
        house.say("hello")
    assert house.drive().state == Opened("come in")
    house.say("come in")
    assert house.by == ["clock"]


def test_a_default_that_a_gate_refuses_is_offered_once() -> None:
    house = House(Knock(otherwise="COME IN"))
    house.drive()
    house.clock.pass_(HOUR)
    assert house.drive().status == "waiting"
    appends = house.store.appends
    house.clock.pass_(HOUR)
    assert (house.drive().status, house.store.appends) == ("waiting", appends)
    house.say("hello")
    assert house.drive().state == Opened("hello")


@pytest.mark.parametrize("knock", [Knock(otherwise=""), Knock(hours=0)])
def test_without_a_default_or_without_a_time_it_waits_for_ever(knock: Knock) -> None:
    house = House(knock)
    house.drive()
    house.clock.pass_(10_000 * HOUR)
    assert (house.drive().status, house.by) == ("waiting", [])


def test_an_operator_may_retry_a_waiting_run_only_when_its_time_has_come() -> None:
    house = House()
    house.drive()
    with pytest.raises(CannotRetry):
        house.go(house.driver.retry(house.id, by="ann"))
    house.clock.pass_(HOUR)
    house.go(house.driver.retry(house.id, by="ann"))
    assert house.drive().state == Opened("come in")


def test_a_cancelled_run_has_no_time() -> None:
    house = House()
    house.drive()
    house.go(house.driver.cancel(house.id, by="ann"))
    house.clock.pass_(HOUR)
    assert (house.store.rows[house.id].wake_at, house.drive().status) == (None, "stopped")


def test_a_parent_that_is_driven_takes_the_default_of_its_child() -> None:
    house = House(Street(), STREET)
    assert house.drive().status == "waiting"
    house.clock.pass_(HOUR)
    assert house.drive().state == Opened("0")


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_the_default_repeats_nothing(after: bool) -> None:
    house = House()
    house.drive()
    house.clock.pass_(HOUR)
    house.store.crash_at, house.store.crash_after = house.store.appends + 1, after
    with pytest.raises(Crash):
        house.drive()
    house.restart()
    assert house.drive().state == Opened("come in")
    assert house.by == ["clock"]


def test_the_time_is_in_the_journal_of_the_move() -> None:
    house = House()
    house.drive()
    moved = [stored.entry for stored in house.go(house.store.read(house.id)) if isinstance(stored.entry, Moved)]
    assert [entry.until for entry in moved] == [house.clock.now() + timedelta(hours=1)]


def test_a_time_for_a_stage_that_offers_nothing_on_time_is_a_bug() -> None:
    deaf = replace(DOOR, stages=(DOOR.stages[0], replace(WAIT, on_time=None)))
    with pytest.raises(EdgeError, match="sets a time for Knocked"):
        House(workflow=deaf).drive()


def test_a_plan_in_which_a_working_stage_is_offered_to_on_time_does_not_build() -> None:
    with pytest.raises(PlanError, match="Knock does not wait"):
        replace(DOOR, stages=(replace(DOOR.stages[0], on_time=lambda state: None), WAIT))
