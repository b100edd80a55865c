"""A story for each edge of the ask machine: the list of states is the assertion."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from backedge.ask.intent import Given, Inquiry, Intent, NotUnderstood, Token, Unknown
from backedge.ask.proposals import Automation, Beyond, Chosen, Compilation, Interpretation, Several, Written
from backedge.ask.states import Answered, CannotAnswer, Clarifying, Done
from backedge.ask.workflow import ASK
from backedge.kernel.defect import Defect, Permanent, Transient
from backedge.query.ports import Rejected
from backedge.semantic.spec import Spec
from tests.ask.scripted import COMPILED, EMPTY, GOOD, INTENT, SQL, WHICH, WORDS, AskScene, table
from tests.kernel.scenes import go

BROKEN = Rejected("unknown_column", "there is no column amont", ("amount",))
UNKNOWN = Compilation(Spec(), None, (Defect("unknown_member", "there is no measure sale", near=("sales",)),))
UNSAFE = Compilation(Spec(), None, (Defect("no_join", "the views do not join"),))
BEYOND = Compilation(Spec(), None, (Defect("not_supported", "rolling windows are not supported yet"),))
CHOSEN = Chosen("sales", SQL, "local")
WRITTEN = Written(SQL, "local")
HANDWRITTEN = {"specify": [Beyond(None, "the model has no such measure")], "solve": [WRITTEN]}
NO_MEASURE = {"clarify": [INTENT, NotUnderstood("there is no measure sale")]}

ASKED = ["Clarifying", "Specifying", "Executing", "Interpreting", "Done"]
STORIES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a question is answered": ({}, ASKED),
    "a general inquiry ends in Done": ({"clarify": [Inquiry("there are sales")]}, ["Clarifying", "Done"]),
    "what nothing here means ends in Done": (
        {"clarify": [NotUnderstood("what is a planet?", (Unknown("planet"),))]},
        ["Clarifying", "Done"],
    ),
    "a reading refused too often is given up": (
        {"clarify": [Intent("total sales", "r", ())]},
        ["Clarifying", "Diagnosing", "Done"],
    ),
    "an unknown member goes back for detail": (
        {"clarify": [INTENT, INTENT], "specify": [UNKNOWN, COMPILED]},
        ["Clarifying", "Specifying", "Diagnosing", "Clarifying", *ASKED[1:]],
    ),
    "an unsafe join is specified again": (
        {"specify": [UNSAFE, COMPILED]},
        ["Clarifying", "Specifying", "Diagnosing", "Specifying", *ASKED[2:]],
    ),
    "what the model cannot express is solved": (
        HANDWRITTEN,
        ["Clarifying", "Specifying", "Solving", *ASKED[2:]],
    ),
    "what does not compile for want of a construct is solved": (
        {"specify": [BEYOND], "solve": [WRITTEN]},
        ["Clarifying", "Specifying", "Diagnosing", "Solving", *ASKED[2:]],
    ),
    "without a model Solving refuses with the reason": (
        {"specify": [Beyond(None, "no")], "solve": [Written("", reason="no model")]},
        ["Clarifying", "Specifying", "Solving", "Diagnosing", "Done"],
    ),
    "a verified query is run as it is": ({"specify": [CHOSEN]}, ASKED),
    "semantic SQL that fails goes back to Specifying": (
        {"run": [BROKEN, GOOD], "specify": [COMPILED, Compilation(Spec(), COMPILED.compiled)]},
        ["Clarifying", "Specifying", "Executing", "Diagnosing", *ASKED[1:]],
    ),
    "written SQL that fails goes back to Solving": (
        {**HANDWRITTEN, "solve": [WRITTEN, Written("SELECT 42 AS total_sales", "local")], "run": [BROKEN, GOOD]},
        ["Clarifying", "Specifying", "Solving", "Executing", "Diagnosing", "Solving", *ASKED[2:]],
    ),
    "verified SQL that fails goes back to Clarifying": (
        {"specify": [CHOSEN, COMPILED], "run": [BROKEN, GOOD]},
        ["Clarifying", "Specifying", "Executing", "Diagnosing", *ASKED],
    ),
    "an empty result goes back once, then ends": (
        {"run": [EMPTY]},
        ["Clarifying", "Specifying", "Executing", "Diagnosing", "Specifying", "Executing", "Diagnosing", "Done"],
    ),
    "words that cannot be proven are written plainly": (
        {"interpret": [*[Interpretation("There were 43 sales.")] * 2, WORDS]},
        ["Clarifying", "Specifying", "Executing", "Interpreting", "Diagnosing", "Interpreting", "Done"],
    ),
    "words that cannot be proven even plainly end it": (
        {"interpret": [Interpretation("There were 43 sales.")]},
        ["Clarifying", "Specifying", "Executing", "Interpreting", "Diagnosing", "Interpreting", "Diagnosing", "Done"],
    ),
    "an automation does it": (
        {"clarify": [Automation("report")]},
        ["Clarifying", "Delegating", "Interpreting", "Done"],
    ),
    "a failed automation goes back to Clarifying": (
        {"clarify": [Automation("report"), INTENT], "automation": Permanent("it broke")},
        ["Clarifying", "Delegating", "Diagnosing", *ASKED],
    ),
    "an automation's empty table passes no gate": (
        {"clarify": [Automation("report"), INTENT], "automation": table()},
        ["Clarifying", "Delegating", "Diagnosing", *ASKED],
    ),
    "a question in parts is gathered": (
        {"specify": [Several(("total sales of A", "total sales of B")), COMPILED]},
        ["Clarifying", "Specifying", "Gathering", "Gathering", "Interpreting", "Done"],
    ),
}


def parts_clarifier(state: Any, lesson: Any) -> Any:
    text = state.question.text
    return Intent(text, text, (Token(text, "measure", "shop.total_sales"),), INTENT.draft)


@pytest.mark.parametrize("name", STORIES)
def test_story(name: str) -> None:
    script, states = STORIES[name]
    scene = AskScene(**{"clarify": [parts_clarifier], **script} if "parts" in name else script)
    assert list(scene.ask().trail) == states


def test_every_edge_has_a_story() -> None:
    """Edges that need a person are in the stories of questions below; none is left untold."""
    told = {pair for _, states in STORIES.values() for pair in pairwise(states)}
    told |= {("Clarifying", "AwaitingAnswer"), ("AwaitingAnswer", "Clarifying")}
    told |= {("Specifying", "AwaitingAnswer"), ("AwaitingAnswer", "Specifying"), ("Gathering", "Diagnosing")}
    edges = {(state.__name__, after.__name__) for state, row in ASK.edges.items() for after in row}
    assert edges - told == set()


def test_the_answer_to_a_question_goes_into_the_stage_that_paused() -> None:
    scene = AskScene(clarify=[WHICH, INTENT])
    assert scene.ask().status == "waiting"
    run = scene.say("2")
    assert list(run.trail) == ["Clarifying", "AwaitingAnswer", *ASKED]
    given = [value.given for value in run.values.values() if isinstance(value, Clarifying)]
    assert given == [(), (Given("sales", "b"),)]


def test_a_question_of_specifying_does_not_clarify_again() -> None:
    scene = AskScene(specify=[WHICH, COMPILED])
    scene.ask()
    run = scene.say("gross sales")
    assert list(run.trail) == ["Clarifying", "Specifying", "AwaitingAnswer", "Specifying", *ASKED[2:]]
    assert len(scene.clarifier.lessons) == 1


def test_a_failed_part_is_stated_and_only_if_all_fail_is_there_no_answer() -> None:
    both = Several(("total sales of A", "total sales of B"))
    one = AskScene(clarify=[parts_clarifier], specify=[both, COMPILED], run=[GOOD, EMPTY], interpret=[WORDS, _parts])
    run = one.ask()
    assert isinstance(run.state, Done)
    assert isinstance(run.state.outcome, Answered)
    assert run.state.outcome.text == "total sales of A: yes; total sales of B: no"
    none = AskScene(clarify=[parts_clarifier], specify=[both, COMPILED], run=[EMPTY])
    assert list(none.ask().trail)[:5] == ["Clarifying", "Specifying", "Gathering", "Gathering", "Diagnosing"]


def _parts(state: Any, lesson: Any) -> Interpretation:
    return Interpretation("; ".join(f"{p.question}: {'yes' if p.answer else 'no'}" for p in state.parts))


def test_the_findings_of_a_query_are_the_lesson_of_the_stage_that_is_returned_to() -> None:
    scene = AskScene(run=[BROKEN, GOOD], specify=[COMPILED, Compilation(Spec(), COMPILED.compiled)])
    scene.ask()
    lesson = scene.specifier.lessons[1]
    assert (lesson.attempt, lesson.defects[0].kind, lesson.defects[0].near) == (2, "sql_unknown_column", ("amount",))
    assert lesson.previous == COMPILED


def test_a_lost_database_pauses_the_run_and_is_no_defect() -> None:
    scene = AskScene(run=[Transient("connection lost")])
    run = scene.ask()
    assert run.status == "stopped"
    assert run.stopped is not None
    assert run.stopped.resumable
    assert "Diagnosing" not in run.trail
    scene.database.results = [GOOD]
    go(scene.driver.retry(scene.run_id, by="ann"))
    assert isinstance(scene.drive().state, Done)


@pytest.mark.parametrize("script", [{"run": [EMPTY]}, NO_MEASURE | {"specify": [UNKNOWN]}], ids=["empty", "unknown"])
def test_an_end_without_an_answer_says_why(script: dict[str, Any]) -> None:
    run = AskScene(**script).ask()
    assert isinstance(run.state, Done)
    assert isinstance(run.state.outcome, CannotAnswer)
    assert run.state.outcome.reason
