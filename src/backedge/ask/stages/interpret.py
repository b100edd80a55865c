"""Interpreting: validated rows become words, figures and a chart; each figure must be in the rows."""

from __future__ import annotations

from backedge.ask import gates
from backedge.ask.ports import AskPorts
from backedge.ask.proposals import Interpretation
from backedge.ask.states import Answered, Diagnosing, Done, Interpreting
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable


async def propose(
    state: Interpreting, ports: AskPorts, lesson: Lesson
) -> Interpretation | Reply[Interpretation] | Unreadable:
    """Put the rows into words."""
    return await ports.interpreter.interpret(state, lesson)


def settle(state: Interpreting, said: Interpretation) -> Settled[Done]:
    """The end: the question is answered."""
    return Settled(Done(state, Answered(said.text, said.figures, said.chart)))


INTERPRETING = Stage(
    Interpreting,
    Interpretation,
    settle,
    propose,
    gates=(gates.says_something, gates.figures_hold, gates.chart_holds),
    otherwise=Diagnosing,
)
