"""Clarifying: the question's words become a grounded intent, a question back, or what cannot be understood."""

from __future__ import annotations

from dataclasses import replace

from backedge.ask import gates
from backedge.ask.answers import awaiting, defaults, given_by
from backedge.ask.intent import Ambiguous, Clarified, Inquiry, Intent, NotUnderstood, Questions
from backedge.ask.ports import AskPorts, settings_of
from backedge.ask.proposals import Automation, Saying
from backedge.ask.states import (
    Answered,
    AwaitingAnswer,
    CannotAnswer,
    Clarifying,
    Delegating,
    Diagnosing,
    Done,
    Specifying,
)
from backedge.kernel.stage import Child, Lesson, Reply, Settled, Stage, Unreadable

Reading = Clarified | Automation


async def propose(state: Clarifying, ports: AskPorts, lesson: Lesson) -> Reading | Reply[Reading] | Unreadable:
    """Read the question; where a person gives its SQL there is nothing to read."""
    if state.question.sql:
        return Intent(state.question.text, f"SQL edited by {state.question.sql_by}", ())
    return await ports.clarifier.clarify(state, lesson)


def settle(state: Clarifying, reading: Reading) -> Settled[Specifying | AwaitingAnswer | Delegating | Done]:
    """An intent goes on; a general inquiry, and what nothing here can answer, end the run."""
    match reading:
        case Intent():
            return Settled(Specifying(state, reading))
        case Ambiguous() | Questions():
            return awaiting(state, reading)
        case Automation(name, variables, file):
            labels = {"automation": name, "asked": f"automation {name}"}
            child = Child("automation", {"name": file or name, "variables": variables}, labels)
            return Settled(Delegating(state, name, variables), children=(child,))
        case Inquiry(text):
            return Settled(Done(state, Answered(text)))
        case NotUnderstood(reason, unknown, instead, kind):
            return Settled(Done(state, CannotAnswer(reason, unknown, instead, kind=kind)))


CLARIFYING: Stage[Clarifying, Reading] = Stage(
    Clarifying,
    Reading,
    settle,
    propose,
    gates=(gates.every_word_is_read, gates.is_grounded, gates.is_of_the_catalog, gates.has_choices),
    otherwise=Diagnosing,
    settings=lambda ports: settings_of(ports.clarifier),
    model="clarifying",
)


def take_answer(state: AwaitingAnswer, said: Saying) -> Settled[Clarifying | Specifying]:
    """The answers go into the stage that paused; nothing earlier runs again."""
    given, _ = given_by(state, said)
    return Settled(replace(state.came_from, given=(*state.came_from.given, *given)))


AWAITING_ANSWER = Stage(AwaitingAnswer, Saying, take_answer, gates=(gates.answers_every_question,), on_time=defaults)
