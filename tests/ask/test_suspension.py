"""A run that asks a person: it rests as rows, goes on where it paused with the answers, and repeats nothing before."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from backedge.ask.answer import Found, answer_of
from backedge.ask.intent import Ambiguous, Given, Option, Questions
from backedge.ask.proposals import Saying
from backedge.ask.states import AwaitingAnswer, Clarifying, Question, Specifying
from backedge.ask.workflow import ASK
from backedge.assembling.saying import say
from backedge.kernel.drive import Driver, NotAsked, OfferRefused
from backedge.kernel.journal import Context, Proposed
from backedge.kernel.run import Run
from tests.ask.scripted import COMPILED, INTENT, TEXT, TODAY, WHICH, AskScene
from tests.kernel.memory import MemoryStore
from tests.kernel.scenes import go

DAY = 86_400
WHEN = Ambiguous("since", "since", "Since when?", (Option("2025", "2025"),), answers="date", default="2025")
LEAST = Ambiguous("least", "least", "At least how much?", (), answers="number")
SALES = replace(WHICH, default="b")
BOTH, OPEN = Questions((SALES, WHEN)), Questions((WHEN, LEAST))


def waiting(seconds: int = 0, **script: Any) -> AskScene:
    """A run that asks, with a time to answer where `seconds` are given."""
    scene = AskScene(**script)
    waits = (("clarifying", seconds), ("specifying", seconds)) if seconds else ()
    question = Question(TEXT, TODAY, default_after=waits)
    scene.run_id = go(scene.driver.start("ask", question, Context(TODAY, by="ann")))
    assert scene.drive().status == "waiting"
    return scene


def restarted(scene: AskScene) -> None:
    """Another process with the same store: nothing but the journal is left."""
    scene.driver = Driver(scene.store, scene.driver._workflows, scene.clock)


def form(scene: AskScene) -> Found:
    run = go(scene.driver.load(scene.run_id))
    return answer_of(run, go(scene.store.read(scene.run_id)))


def typed(scene: AskScene, *texts: str, asked: int | None = None) -> Run:
    now = scene.clock.now()
    return go(say(scene.driver, scene.run_id, texts, by="ann", asked=asked, now=now))


def test_several_answers_go_to_clarifying_at_once_and_it_is_asked_once_more() -> None:
    scene = waiting(clarify=[BOTH, INTENT])
    restarted(scene)
    run = scene.say("2", "March 2025")
    assert list(run.trail[:4]) == ["Clarifying", "AwaitingAnswer", "Clarifying", "Specifying"]
    state = run.values[run.asked]
    first = next(s for s in run.values.values() if isinstance(s, Clarifying) and s.given)
    assert first.given == (Given("sales", "b", by="model"), Given("since", "2025-03-01 to 2025-03-31", by="model"))
    assert (len(scene.clarifier.lessons), len(scene.specifier.lessons), run.status) == (2, 1, "ended"), state


def test_answers_to_specifying_run_no_earlier_stage_again() -> None:
    scene = waiting(specify=[OPEN, COMPILED])
    restarted(scene)
    run = scene.say("2025-03-01", "12.50")
    assert list(run.trail[:4]) == ["Clarifying", "Specifying", "AwaitingAnswer", "Specifying"]
    assert (len(scene.clarifier.lessons), len(scene.specifier.lessons)) == (1, 2)
    paused = [s for s in run.values.values() if isinstance(s, Specifying) and s.given]
    assert [given.value for given in paused[0].given] == ["2025-03-01", "12.50"]


def test_answers_of_an_earlier_round_are_kept() -> None:
    scene = waiting(clarify=[WHICH, OPEN, INTENT])
    scene.say("1")
    run = scene.say("2025", "5")
    given = [s.given for s in run.values.values() if isinstance(s, Clarifying)]
    assert [answer.slot for answer in given[-1]] == ["sales", "since", "least"]


def test_one_wrong_answer_of_two_takes_neither_and_says_why_for_each() -> None:
    scene = waiting(clarify=[BOTH, INTENT])
    with pytest.raises(OfferRefused) as refused:
        scene.say("neither", "soon")
    assert "none of the options" in str(refused.value)
    assert "since asks for a date" in str(refused.value)
    run = go(scene.driver.load(scene.run_id))
    assert (run.status, run.state.came_from.given, len(scene.clarifier.lessons)) == ("waiting", (), 1)
    assert scene.say("1", "2025").status == "ended"


def test_the_form_has_every_question_and_one_alone_also_by_its_old_name() -> None:
    several, one = form(waiting(clarify=[BOTH])), form(waiting(clarify=[WHICH]))
    assert several["question"] is None
    assert [(q["slot"], q["answers"], q["default"]) for q in several["questions"]] == [
        ("sales", "choice", "b"),
        ("since", "date", "2025"),
    ]
    assert one["questions"] == [one["question"]]
    assert one["question"]["default"] is None


def test_the_same_answers_again_change_nothing_in_whatever_order_they_are_typed() -> None:
    scene = waiting(clarify=[BOTH, INTENT])
    typed(scene, "sales=1", "since=2025")
    scene.drive()
    before = scene.store.appends
    typed(scene, "since=2025", "sales=1")
    typed(scene, "1", "2025")
    assert scene.store.appends == before
    with pytest.raises(NotAsked, match="asks nothing now"):
        typed(scene, "2", "2025")


def test_an_answer_to_an_older_question_is_told_the_open_one_and_its_number() -> None:
    scene = waiting(clarify=[WHICH, OPEN, INTENT])
    first = go(scene.driver.load(scene.run_id)).asked
    typed(scene, "1", asked=first)
    now = scene.drive().asked
    with pytest.raises(NotAsked) as late:
        typed(scene, "2", asked=first)
    assert f"now asks at {now}, not {first}; open now: Since when? (2025) At least how much?" in str(late.value)
    assert typed(scene, "1", asked=first).status == "waiting"


def test_two_answers_at_once_to_several_questions_are_one() -> None:
    scene = waiting(clarify=[BOTH, INTENT])

    async def race() -> list[object]:
        import asyncio

        offers = [scene.driver.offer(scene.run_id, Saying((n, "2025")), by=n) for n in ("1", "2")]
        return list(await asyncio.gather(*offers, return_exceptions=True))

    assert sum(isinstance(result, NotAsked) for result in go(race())) == 1
    entries = [stored.entry for stored in go(scene.store.read(scene.run_id))]
    assert sum(isinstance(entry, Proposed) and entry.by != "" for entry in entries) == 1


def test_nobody_answers_for_a_day_so_the_defaults_are_taken_and_said() -> None:
    scene = waiting(DAY, clarify=[BOTH, INTENT])
    until = scene.clock.now() + timedelta(days=1)
    assert [q["default_at"] for q in form(scene)["questions"]] == [until.isoformat()] * 2
    scene.clock.pass_(DAY - 1)
    assert scene.drive().status == "waiting"
    scene.clock.pass_(1)
    restarted(scene)
    assert scene.drive().status == "ended"
    assert form(scene)["assumptions"] == [
        "nobody answered in time, so sales is b, the default",
        "nobody answered in time, so since is 2025-01-01 to 2025-12-31, the default",
    ]
    with pytest.raises(NotAsked, match="the time to answer was over, and the default was taken"):
        typed(scene, "1", "2025")


def test_a_default_of_specifying_is_said_too() -> None:
    scene = waiting(DAY, specify=[Questions((WHEN,)), COMPILED])
    scene.clock.pass_(DAY)
    scene.drive()
    assert len(scene.clarifier.lessons) == 1
    assert "since is 2025-01-01 to 2025-12-31" in form(scene)["assumptions"][0]


@pytest.mark.parametrize(("seconds", "asked"), [(DAY, OPEN), (DAY, WHICH), (0, BOTH)])
def test_without_a_default_for_each_question_or_without_a_time_it_waits(seconds: int, asked: Any) -> None:
    scene = waiting(seconds, clarify=[asked, INTENT])
    assert {q["default_at"] for q in form(scene)["questions"]} == {None}
    appends = scene.store.appends
    scene.clock.pass_(1_000 * DAY)
    assert (scene.drive().status, scene.store.appends) == ("waiting", appends)


def test_questions_that_cannot_be_asked_are_the_lesson_of_the_next_attempt() -> None:
    scene = AskScene(clarify=[Questions((WHICH, WHICH)), INTENT])
    assert scene.ask().status == "ended"
    assert [defect.kind for defect in scene.clarifier.lessons[1].defects] == ["not_a_choice"]


def test_a_pause_of_an_older_version_reads_as_it_was() -> None:
    codec = ASK.codec
    written: Any = codec.write(AwaitingAnswer(Clarifying(Question(TEXT, TODAY)), WHICH))
    for new in ("answers", "default"):
        del written["asks"][new]
    del written["came_from"]["question"]["default_after"]
    assert codec.read(written, dict[int, object]().__getitem__).questions == (WHICH,)
    said: Any = codec.write(Saying(("1",)))
    assert codec.read({"$": "Saying", "values": said["values"]}, dict[int, object]().__getitem__) == Saying(("1",))


def test_a_waiting_run_is_rows() -> None:
    scene = waiting(DAY, clarify=[BOTH])
    assert isinstance(scene.store, MemoryStore)
    assert (scene.clock.slept, scene.store.rows[scene.run_id].status) == ([], "waiting")
