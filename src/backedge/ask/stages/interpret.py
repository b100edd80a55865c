"""Interpreting: validated rows become words, figures and a chart; each figure must be in the rows."""

from __future__ import annotations

from dataclasses import replace

from backedge.ask import gates
from backedge.ask.ports import AskPorts, settings_of
from backedge.ask.proposals import Interpretation
from backedge.ask.states import Answered, Delegating, Diagnosing, Done, Executing, Interpreting
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable


async def propose(
    state: Interpreting, ports: AskPorts, lesson: Lesson
) -> Interpretation | Reply[Interpretation] | Unreadable:
    """Put the rows into words."""
    return await ports.interpreter.interpret(state, lesson)


def settle(state: Interpreting, said: Interpretation) -> Settled[Done]:
    """The end: the question is answered. What must be said of its periods follows the words, whoever wrote them."""
    text = " ".join((said.text, *(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in state.spoken)))
    figures = gates.figures_of(state, said)
    return Settled(Done(state, Answered(text, figures if isinstance(figures, tuple) else (), said.chart)))


def _shown(state: Interpreting) -> object:
    source = state.came_from
    told: tuple[object, ...] = ()
    if isinstance(source, Executing):
        told = (gates.question_of(source).text, gates.intent_of(source), source.query)
    if isinstance(source, Delegating):
        told = (source.came_from.question.text, source.automation, source.variables)
    ran = replace(state.ran, ms=0) if state.ran else None  # how long it took says nothing of the rows
    return (*told, ran, state.parts, state.remarks, state.plain, state.told)


INTERPRETING = Stage(
    Interpreting,
    Interpretation,
    settle,
    propose,
    gates=(gates.says_something, gates.figures_hold, gates.chart_holds),
    otherwise=Diagnosing,
    inputs=_shown,
    settings=lambda ports: settings_of(ports.interpreter),
    model="interpreting",
)
