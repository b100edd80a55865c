"""`backedge.Machine`: one's own workflow with the SQLite store; it waits for people, and is taken up where it was."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import backedge
from backedge import Context, Defect, Lesson, Machine, Permanent, Settled, Stage, Workflow


@dataclass(frozen=True)
class Weight:
    grams: int


@dataclass(frozen=True)
class Seen:
    ok: bool
    again: bool = False


@dataclass(frozen=True)
class Weighing:
    parcel: str


@dataclass(frozen=True)
class Looking:
    came_from: Weighing
    weight: Weight


@dataclass(frozen=True)
class Gone:
    grams: int


class Scales:
    def __init__(self) -> None:
        self.says: list[Weight | Exception] = [Weight(5)]
        self.asked = 0

    async def weigh(self) -> Weight:
        self.asked += 1
        said = self.says[min(self.asked, len(self.says)) - 1]
        if isinstance(said, Exception):
            raise said
        return said


async def weigh(state: Weighing, scales: Scales, lesson: Lesson) -> Weight:
    return await scales.weigh()


def positive(state: Weighing, weight: Weight) -> Defect | None:
    return None if weight.grams > 0 else Defect("weight", f"{weight.grams} g is no weight")


def weighed(state: Weighing, weight: Weight) -> Settled[Looking]:
    return Settled(Looking(state, weight))


def sure(state: Looking, seen: Seen) -> Defect | None:
    return None if seen.ok else Defect("unseen", "look at it", hint="Seen(True)")


def looked(state: Looking, seen: Seen) -> Settled[Gone | Weighing]:
    if seen.again:
        return Settled(state.came_from, because=(Defect("again", "weigh it again"),))
    return Settled(Gone(state.weight.grams))


def begin(parcel: str, context: Context) -> Weighing:
    return Weighing(parcel)


PARCEL = Workflow(
    "parcel",
    Weighing,
    {Weighing: (Looking,), Looking: (Gone, Weighing)},
    (Stage(Weighing, Weight, weighed, weigh, gates=(positive,)), Stage(Looking, Seen, looked, gates=(sure,))),
    begin,
)


@pytest.fixture
def scales() -> Scales:
    return Scales()


@pytest.fixture
def machine(tmp_path: Path, scales: Scales) -> Iterator[Machine]:
    with Machine(PARCEL, tmp_path, scales, by="ada") as opened:
        yield opened


def test_a_run_waits_for_a_person_and_ends(machine: Machine) -> None:
    run = machine.run("books", labels={"of": "ada"})
    assert (run.status, run.state.weight.grams, run.context.by) == ("waiting", 5, "ada")
    assert [head.id for head in machine.runs(status="waiting")] == [run.id]
    assert machine.offer(run, Seen(True), by="bo").state == Gone(5)
    assert machine.runs(status="waiting") == ()
    assert len(machine.journal(run)) == 5


def test_what_a_gate_refuses_carries_the_next_step_and_the_run_waits_on(machine: Machine) -> None:
    run = machine.run("books")
    with pytest.raises(backedge.BackedgeError) as error:
        machine.offer(run, Seen(False))
    assert (error.value.kind, error.value.next_step, error.value.run_id) == ("refused", "Seen(True)", run.id)
    assert machine.load(run.id[:8]).status == "waiting"


def test_an_offer_is_for_the_question_that_was_seen(machine: Machine) -> None:
    run = machine.run("books")
    machine.offer(run, Seen(True))
    with pytest.raises(backedge.BackedgeError) as error:
        machine.offer(run, Seen(False))
    assert error.value.kind == "not_asked"


def test_an_offer_to_an_older_question_is_not_taken_for_the_present_one(machine: Machine) -> None:
    first = machine.run("books")
    second = machine.offer(first, Seen(True, again=True))
    assert second.status == "waiting"
    with pytest.raises(backedge.BackedgeError) as error:
        machine.offer(first, Seen(True))
    assert error.value.kind == "not_asked"
    assert machine.offer(second, Seen(True)).state == Gone(5)


def test_another_process_takes_it_up(tmp_path: Path, machine: Machine, scales: Scales) -> None:
    run = machine.run("books")
    machine.close()
    with Machine(PARCEL, tmp_path, scales) as other:
        assert other.offer(run.id, Seen(True)).state == Gone(5)
    assert scales.asked == 1


def test_a_bug_surfaces_and_the_run_goes_on_after_the_fix(machine: Machine, scales: Scales) -> None:
    scales.says = [ZeroDivisionError(), Weight(7)]
    with pytest.raises(ZeroDivisionError):
        machine.run("books")
    (head,) = machine.runs()
    assert machine.go_on(head.id).state.weight == Weight(7)


def test_a_stopped_run_goes_on_with_fresh_budgets(machine: Machine, scales: Scales) -> None:
    scales.says = [Permanent("the scales are off", mend="switch them on"), Weight(7)]
    run = machine.run("books")
    assert (run.status, run.stopped and run.stopped.mend) == ("stopped", "switch them on")
    assert machine.go_on(run).status == "waiting"
    assert machine.cancel(run).status == "stopped"


def test_it_works_with_await(machine: Machine) -> None:
    async def both() -> tuple[object, object]:
        one, two = await asyncio.gather(machine.run_async("a"), machine.run_async("b"))
        return (await machine.offer_async(one, Seen(True))).state, (await machine.go_on_async(two)).status

    assert asyncio.run(both()) == (Gone(5), "waiting")


def test_a_stage_that_waits_for_its_own_machine_is_told(tmp_path: Path) -> None:
    class Own(Scales):
        async def weigh(self) -> Weight:
            opened.runs()
            return Weight(1)

    opened = Machine(PARCEL, tmp_path, Own())
    with opened, pytest.raises(backedge.BackedgeError) as error:
        opened.run("books")
    assert error.value.kind == "own_loop"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(backedge.BackedgeError, match=re.escape(f"there is no folder {tmp_path / 'none'}")):
        Machine(PARCEL, tmp_path / "none")
