"""Waiting: a person's answer passes gates, counts once, and belongs to the question that it names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence

import pytest

from backedge.kernel.defect import Permanent
from backedge.kernel.drive import CannotRetry, NotAsked, OfferRefused
from backedge.kernel.journal import Stored
from backedge.kernel.ports import Taken, UnknownRun
from backedge.kernel.run import Run
from tests.kernel.letters import Posted, Verdict, Wish
from tests.kernel.memory import MemoryStore
from tests.kernel.scenes import GOOD, TODAY, Scene, go, state_name

NO = Verdict(False, "too wet")
YES = Verdict(True)


def waiting() -> tuple[Scene, str, int]:
    scene = Scene()
    run_id = scene.start()
    return scene, run_id, scene.drive(run_id).asked


def test_an_answer_that_a_gate_refuses_leaves_the_run_waiting_and_is_recorded() -> None:
    scene, run_id, asked = waiting()
    with pytest.raises(OfferRefused, match="say why"):
        scene.offer(run_id, Verdict(False))
    run = go(scene.driver.load(run_id))
    assert (run.status, run.asked) == ("waiting", asked)
    assert scene.kinds(run_id)[-2:] == ["proposed", "refused"]


def test_refused_offers_of_people_spend_nothing() -> None:
    scene, run_id, _ = waiting()
    for _ in range(5):
        with pytest.raises(OfferRefused):
            scene.offer(run_id, Verdict(False))
    run = go(scene.driver.load(run_id))
    assert run.spent_of("Approving").refused == 0
    assert run.total.steps == 1
    scene.offer(run_id, YES)
    assert scene.drive(run_id).status == "ended"


def test_the_same_answer_again_changes_nothing() -> None:
    scene, run_id, asked = waiting()
    scene.offer(run_id, YES, asked=asked)
    before = scene.kinds(run_id)
    scene.offer(run_id, YES, asked=asked)
    scene.offer(run_id, YES)
    scene.drive(run_id)
    ended = scene.kinds(run_id)
    assert before == ended[: len(before)]
    scene.offer(run_id, YES, asked=asked)
    assert scene.kinds(run_id) == ended


def test_another_answer_to_an_answered_question_is_refused() -> None:
    scene, run_id, asked = waiting()
    scene.offer(run_id, YES, asked=asked)
    scene.drive(run_id)
    with pytest.raises(NotAsked, match="asks nothing now"):
        scene.offer(run_id, NO, asked=asked)


def test_an_answer_to_an_older_question_is_refused_with_what_is_asked_now() -> None:
    scene, run_id, first = waiting()
    scene.offer(run_id, NO, asked=first)
    now = scene.drive(run_id).asked
    assert now != first
    with pytest.raises(NotAsked) as refused:
        scene.offer(run_id, YES, asked=first)
    assert refused.value.asked == now
    assert f"now asks at {now}, not {first}" in str(refused.value)
    scene.offer(run_id, NO, asked=first)


def test_an_answer_before_the_run_asks_is_refused() -> None:
    scene = Scene()
    run_id = scene.start()
    with pytest.raises(NotAsked):
        scene.offer(run_id, YES)


def test_a_gate_refused_answer_may_be_given_again_and_is_judged_again() -> None:
    scene, run_id, asked = waiting()
    for _ in range(2):
        with pytest.raises(OfferRefused):
            scene.offer(run_id, Verdict(False), asked=asked)


def test_nothing_earlier_runs_again_after_an_answer() -> None:
    scene, run_id, _ = waiting()
    scene.offer(run_id, YES)
    scene.drive(run_id)
    assert scene.calls == 1


def test_of_two_drivers_one_wins() -> None:
    scene, run_id, _ = waiting()
    scene.offer(run_id, YES)

    async def race() -> Sequence[Run | BaseException]:
        return await asyncio.gather(scene.driver.drive(run_id), scene.driver.drive(run_id), return_exceptions=True)

    results = go(race())
    assert sum(isinstance(result, Taken) for result in results) <= 1
    run = go(scene.driver.load(run_id))
    assert isinstance(scene.drive(run_id).state, Posted)
    assert run.trail.count("Posted") <= 1


def test_of_two_different_answers_at_once_one_wins_and_the_other_is_refused() -> None:
    scene, run_id, asked = waiting()

    async def race() -> Sequence[Run | BaseException]:
        offers = [scene.driver.offer(run_id, value, by="ann", asked=asked) for value in (YES, NO)]
        return await asyncio.gather(*offers, return_exceptions=True)

    results = go(race())
    assert sum(isinstance(result, NotAsked) for result in results) == 1
    assert sum(isinstance(result, Run) for result in results) == 1


Other = Callable[[], Coroutine[None, None, object]]


class Meanwhile(MemoryStore):
    """Lets somebody else in once, right behind the next reading of a journal or right before the next taking."""

    def __init__(self) -> None:
        super().__init__()
        self.behind_read: Other | None = None
        self.before_take: Other | None = None

    async def read(self, run_id: str, after: int = -1) -> tuple[Stored, ...]:
        found = await super().read(run_id, after)
        other, self.behind_read = self.behind_read, None
        if other:
            await other()
        return found

    async def take(self, run_id: str, at: int | None = None) -> str:
        other, self.before_take = self.before_take, None
        if other:
            await other()
        return await super().take(run_id, at)


@pytest.mark.parametrize("moment", ["behind_read", "before_take"])
def test_a_late_offer_does_not_stop_the_driver_of_the_one_that_won(moment: str) -> None:
    store = Meanwhile()
    scene = Scene(store=store)
    run_id = scene.start()
    asked = scene.drive(run_id).asked
    held = ""

    async def win() -> None:
        nonlocal held
        await scene.driver.offer(run_id, YES, by="ann", asked=asked)
        held = await store.take(run_id)

    setattr(store, moment, win)
    with pytest.raises(NotAsked):
        scene.offer(run_id, NO, asked=asked)
    assert store.tokens[run_id] == held


def test_a_late_retry_does_not_stop_the_driver_of_the_first() -> None:
    store = Meanwhile()
    scene = Scene([Permanent("no ink", mend="buy ink"), GOOD], store=store)
    run_id = scene.start()
    scene.drive(run_id)
    held = ""

    async def win() -> None:
        nonlocal held
        await scene.driver.retry(run_id, by="ann")
        held = await store.take(run_id)

    store.behind_read = win
    with pytest.raises(Taken):
        go(scene.driver.retry(run_id, by="bob"))
    assert store.tokens[run_id] == held


def test_a_run_that_moves_on_while_it_is_cancelled_is_cancelled_where_it_is() -> None:
    store = Meanwhile()
    scene = Scene(store=store)
    run_id = scene.start()
    scene.drive(run_id)
    store.before_take = lambda: scene.driver.offer(run_id, NO, by="ann")
    go(scene.driver.cancel(run_id, by="bob"))
    run = go(scene.driver.load(run_id))
    assert run.stopped is not None
    assert run.stopped.stop == "cancelled"


def test_a_waiting_run_cannot_be_retried() -> None:
    scene, run_id, _ = waiting()
    with pytest.raises(CannotRetry, match="waits for an answer"):
        go(scene.driver.retry(run_id, by="ann"))


def test_an_unknown_run_is_said() -> None:
    with pytest.raises(UnknownRun, match="there is no run"):
        Scene().drive("nope")


def test_starting_the_same_id_twice_is_refused() -> None:
    scene, run_id, _ = waiting()
    with pytest.raises(Taken):
        go(scene.driver.start("letters", Wish("Bo", "x"), TODAY, run_id=run_id))


def test_a_waiting_run_is_only_rows() -> None:
    scene, run_id, _ = waiting()
    head = go(scene.store.head(run_id))
    assert (head.status, head.state, head.wake_at) == ("waiting", "Approving", None)
    assert state_name(scene.drive(run_id)) == "Approving"
    assert len(scene.journal(run_id)) == head.seq
