"""How a run goes: accepted proposals move it, refused ones are tried again, then go back; failures have own purses."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest

from backedge.kernel.budget import Limits, Usage
from backedge.kernel.defect import Defect, Permanent, RateLimited, Transient
from backedge.kernel.drive import Bound, CannotRetry, Driver
from backedge.kernel.journal import Refused
from backedge.kernel.stage import Lesson, Reply, Unreadable
from tests.kernel.letters import LETTERS, Desk, Draft, Drafting, Dropped, Posted, Verdict
from tests.kernel.scenes import GOOD, Scene, go, state_name

COLD = Draft("It rains.")
COLDER = Draft("Rain.")


def test_a_letter_is_drafted_approved_copied_and_posted() -> None:
    scene = Scene()
    run_id = scene.start()
    waiting = scene.drive(run_id)
    assert (waiting.status, state_name(waiting)) == ("waiting", "Approving")
    scene.offer(run_id, Verdict(True))
    ended = scene.drive(run_id)
    assert ended.state == Posted("0:Dear Bo, it rains. 1:Dear Bo, it rains.")
    assert ended.trail == ("Drafting", "Approving", "Copying", "Copying", "Binding", "Posted")


def test_a_refused_proposal_is_tried_again_with_its_lesson() -> None:
    scene = Scene(drafts=[COLD, COLDER, GOOD])
    run = scene.drive(scene.start())
    assert state_name(run) == "Approving"
    first, second, third = scene.lessons
    assert (first.attempt, first.of, first.defects, first.previous) == (1, 3, (), None)
    assert (second.attempt, [d.kind for d in second.defects], second.previous) == (2, ["impolite"], COLD)
    assert (third.attempt, len(third.defects), third.previous) == (3, 2, COLDER)


def test_the_same_bad_reply_is_tried_as_often_as_the_budget_says() -> None:
    scene = Scene(drafts=[COLD])
    run = scene.drive(scene.start())
    assert scene.calls == 3
    assert run.state == Dropped("it does not greet Bo")
    assert run.trail == ("Drafting", "Mending", "Dropped")


def test_a_defect_that_is_not_retryable_gives_up_at_once() -> None:
    scene = Scene(drafts=[Draft("damn you, Bo")])
    assert scene.drive(scene.start()).state == Dropped("it swears")
    assert scene.calls == 1


def test_a_reply_that_is_no_proposal_is_kept_and_refused() -> None:
    scene = Scene(drafts=[Unreadable('{"te', Defect("half_json", "the reply ends in the middle")), GOOD])
    run_id = scene.start()
    assert state_name(scene.drive(run_id)) == "Approving"
    assert scene.lessons[1].defects[0].kind == "half_json"
    assert isinstance(scene.lessons[1].previous, Unreadable)
    assert go(scene.driver.load(run_id)).seq == len(scene.journal(run_id))


def test_transient_failures_have_a_budget_of_their_own_and_then_pause_the_run() -> None:
    scene = Scene(drafts=[COLD, Transient("cut"), Transient("cut"), Transient("cut")])
    run_id = scene.start()
    run = scene.drive(run_id)
    assert run.status == "stopped"
    assert run.stopped is not None
    assert (run.stopped.stop, run.stopped.resumable) == ("transient", True)
    spent = run.spent_of("Drafting")
    assert (spent.refused, spent.transient, spent.rate_limited) == (1, 3, 0)
    assert scene.lessons[3].errors == ("cut", "cut")
    assert scene.clock.slept == [1.0, 2.0]


def test_a_burst_of_rate_limits_burns_no_other_retry_and_honours_retry_after() -> None:
    scene = Scene(drafts=[*[RateLimited("slow down", 7)] * 5, COLD, COLD, GOOD])
    run = scene.drive(scene.start())
    assert state_name(run) == "Approving"
    assert scene.clock.slept == [7.0] * 5
    spent = run.spent_of("Drafting")
    assert (spent.refused, spent.transient, spent.rate_limited) == (2, 0, 5)


def test_an_operators_retry_opens_a_fresh_budget() -> None:
    scene = Scene(drafts=[*[Transient("cut")] * 3, GOOD])
    run_id = scene.start()
    assert scene.drive(run_id).status == "stopped"
    go(scene.driver.retry(run_id, by="ann"))
    assert state_name(scene.drive(run_id)) == "Approving"


def test_a_permanent_failure_stops_at_once_and_says_what_to_mend() -> None:
    scene = Scene(drafts=[Permanent("the key is wrong", mend="set INK_KEY"), GOOD])
    run_id = scene.start()
    run = scene.drive(run_id)
    assert run.stopped is not None
    assert (run.stopped.resumable, run.stopped.mend) == (True, "set INK_KEY")
    assert scene.calls == 1
    go(scene.driver.retry(run_id, by="ann"))
    assert state_name(scene.drive(run_id)) == "Approving"


def test_a_permanent_failure_that_nobody_can_mend_cannot_be_retried() -> None:
    scene = Scene(drafts=[Permanent("no such reader")])
    run_id = scene.start()
    scene.drive(run_id)
    with pytest.raises(CannotRetry, match="no such reader"):
        go(scene.driver.retry(run_id, by="ann"))


def test_any_other_exception_is_a_bug_that_surfaces_and_leaves_the_journal_untouched() -> None:
    scene = Scene(drafts=[ZeroDivisionError("bug"), GOOD])
    run_id = scene.start()
    with pytest.raises(ZeroDivisionError):
        scene.drive(run_id)
    assert scene.kinds(run_id) == ["started"]
    assert state_name(scene.drive(run_id)) == "Approving"


def test_being_sent_back_carries_the_reason_and_the_previous_proposal() -> None:
    scene = Scene(drafts=[GOOD, Draft("Dear Bo, sun.")])
    run_id = scene.start()
    scene.drive(run_id)
    scene.offer(run_id, Verdict(False, "too wet"))
    scene.drive(run_id)
    lesson = scene.lessons[1]
    assert (lesson.attempt, lesson.defects[0].message, lesson.previous) == (2, "too wet", GOOD)


def test_back_edges_do_not_refill_the_retries() -> None:
    scene = Scene(drafts=[GOOD])
    run_id = scene.start()
    for _ in range(3):
        run = scene.drive(run_id)
        assert state_name(run) == "Approving"
        scene.offer(run_id, Verdict(False, "too wet"))
    assert scene.drive(run_id).state == Dropped("too wet; too wet; too wet")
    assert scene.calls == 3


def test_a_state_that_is_entered_forward_gets_one_attempt_even_when_its_retries_are_spent() -> None:
    """Binding has no retries: each time that it is refused it goes back; the budget that ends this is the drafter's."""
    scene = Scene(bind=lambda state, lesson: Draft("torn"))
    run_id = scene.start()
    for _ in range(10):
        run = scene.drive(run_id)
        if run.status != "waiting":
            break
        scene.offer(run_id, Verdict(True))
    assert isinstance(run.state, Dropped)
    assert run.trail.count("Binding") == 2
    assert run.trail[-3:] == ("Binding", "Mending", "Dropped")


def test_the_same_defect_on_the_same_inputs_is_said_to_be_repeated() -> None:
    scene = Scene(bind=lambda state, lesson: Draft("torn"))
    run_id = scene.start()
    scene.drive(run_id)
    scene.offer(run_id, Verdict(True))
    scene.drive(run_id)
    scene.offer(run_id, Verdict(True))
    last = scene.drive(run_id)
    assert last.state == Dropped("a copy is missing")


def test_success_clears_the_lesson_when_the_state_is_entered_forward_again() -> None:
    bound = iter([Draft("torn"), Draft("0:Dear Bo, it rains. 1:Dear Bo, it rains.")])
    scene = Scene(bind=lambda state, lesson: next(bound))
    run_id = scene.start()
    scene.drive(run_id)
    scene.offer(run_id, Verdict(True))
    scene.drive(run_id)
    scene.offer(run_id, Verdict(True))
    run = scene.drive(run_id)
    assert isinstance(run.state, Posted)
    assert [len(lesson.defects) for lesson in scene.lessons] == [0, 1]


def test_a_reply_that_was_accepted_for_the_same_inputs_is_not_asked_for_again() -> None:
    scene = Scene()
    first, second = scene.start(), scene.start()
    scene.drive(first)
    run = scene.drive(second)
    assert scene.calls == 1
    assert state_name(run) == "Approving"
    entry = scene.journal(second)[1].entry
    assert entry.kind == "proposed"
    assert entry.reused is not None
    assert entry.reused.run_id == first


def test_a_refused_reply_is_never_reused() -> None:
    scene = Scene(drafts=[COLD, GOOD])
    scene.drive(scene.start())
    scene.drive(scene.start())
    assert scene.calls == 3


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(steps=2), "steps: 2 used of 2"),
        (Limits(tokens=20), "tokens: 20 used of 20"),
        (Limits(cost=Decimal("0.5")), "cost in USD: 0.5 used of 0.5"),
    ],
)
def test_a_run_stops_resumable_where_one_of_its_limits_is_reached(limits: Limits, said: str) -> None:
    scene = Scene(drafts=[Reply(COLD, Usage(7, 3, Decimal("0.25")))])
    run_id = scene.start(limits=limits)
    run = scene.drive(run_id)
    assert run.stopped is not None
    assert said in run.stopped.reason
    assert scene.calls == 2
    go(scene.driver.retry(run_id, by="ann"))
    assert scene.drive(run_id).status in ("stopped", "ended")


def test_a_retry_may_set_other_limits_and_keeps_those_before_where_it_sets_none() -> None:
    scene = Scene(drafts=[COLD])
    run_id = scene.start(limits=Limits(steps=1))
    scene.drive(run_id)
    assert go(scene.driver.retry(run_id, by="ann")).limits == Limits(steps=1)
    scene.drive(run_id)
    assert scene.calls == 2
    go(scene.driver.retry(run_id, by="ann", limits=Limits(steps=2)))
    scene.drive(run_id)
    assert (scene.calls, go(scene.driver.load(run_id)).limits) == (4, Limits(steps=2))


def test_the_wall_clock_counts_work_and_back_off_but_no_waiting() -> None:
    scene = Scene(drafts=[*[RateLimited("slow", 40)] * 2, GOOD])
    run_id = scene.start(limits=Limits(wall_clock=60))
    run = scene.drive(run_id)
    assert run.stopped is not None
    assert "seconds of work" in run.stopped.reason
    patient = Scene()
    run_id = patient.start(limits=Limits(wall_clock=60))
    patient.drive(run_id)
    patient.clock.pass_(1_000_000)
    patient.offer(run_id, Verdict(True))
    assert patient.drive(run_id).status == "ended"


def test_a_driver_without_patience_leaves_a_long_back_off_to_the_next() -> None:
    scene = Scene(drafts=[RateLimited("slow", 100), GOOD])
    run_id = scene.start()
    run = scene.drive(run_id, patience=10)
    assert run.status == "running"
    assert run.until is not None
    assert go(scene.store.head(run_id)).wake_at == run.until
    assert scene.drive(run_id, patience=10).until == run.until
    scene.clock.pass_(100)
    assert state_name(scene.drive(run_id, patience=10)) == "Approving"


def test_a_cancelled_run_stays_cancelled() -> None:
    scene = Scene()
    run_id = scene.start()
    scene.drive(run_id)
    go(scene.driver.cancel(run_id, by="ann"))
    assert scene.drive(run_id).status == "stopped"
    with pytest.raises(CannotRetry):
        go(scene.driver.retry(run_id, by="ann"))


def test_refusals_say_which_attempt_they_were_and_of_which_proposal() -> None:
    scene = Scene(drafts=[COLD, GOOD])
    run_id = scene.start()
    scene.drive(run_id)
    refused = [s.entry for s in scene.journal(run_id) if isinstance(s.entry, Refused)]
    assert [(r.attempt, r.proposal, r.defects[0].kind) for r in refused] == [(1, 1, "impolite")]


def test_a_stage_that_calls_nothing_outside_appends_proposal_and_verdict_together() -> None:
    scene = Scene(drafts=[Draft("damn")])
    run_id = scene.start()
    before = scene.store.appends
    scene.drive(run_id)
    assert scene.kinds(run_id)[-2:] == ["proposed", "moved"]
    assert scene.store.appends - before == 3  # the draft, its refusal with the way out, and Mending whole


def test_a_call_that_outlasts_the_wall_clock_is_cut_off() -> None:
    scene = Scene()
    sleeping = replace(LETTERS, stages=(SLEEPING, *LETTERS.stages[1:]))
    scene.driver = Driver(scene.store, {"letters": Bound(sleeping, None)}, scene.clock)
    run = scene.drive(scene.start(limits=Limits(wall_clock=0.01)))
    assert run.stopped is not None
    assert (run.stopped.stop, run.spent_of("Drafting").transient) == ("budget", 1)
    assert run.learned["Drafting"].errors[0] == "the run's wall clock ran out"


async def _sleep(state: Drafting, desk: Desk, lesson: Lesson) -> Draft:
    await asyncio.sleep(60)
    return GOOD


SLEEPING = replace(LETTERS.stages[0], propose=_sleep)


def test_a_time_out_of_the_stages_own_is_a_bug_and_no_failure() -> None:
    scene = Scene(drafts=[TimeoutError("mine")])
    run_id = scene.start()
    with pytest.raises(TimeoutError, match="mine"):
        scene.drive(run_id)
    assert scene.kinds(run_id) == ["started"]
