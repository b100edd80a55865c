"""The ask workflow: the table of its edges, checked against its stages when it is built."""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue

from backedge.ask.answer import outcome
from backedge.ask.stages.await_children import DELEGATING, GATHERING
from backedge.ask.stages.clarify import AWAITING_ANSWER, CLARIFYING
from backedge.ask.stages.diagnose import DIAGNOSING
from backedge.ask.stages.execute import EXECUTING
from backedge.ask.stages.interpret import INTERPRETING
from backedge.ask.stages.solve import SOLVING
from backedge.ask.stages.specify import SPECIFYING
from backedge.ask.states import (
    AwaitingAnswer,
    Clarifying,
    Delegating,
    Diagnosing,
    Done,
    Executing,
    Gathering,
    Interpreting,
    Question,
    Solving,
    Specifying,
)
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow
from backedge.query.attributes import read_attributes


def begin(question: Question | dict[str, JsonValue], context: Context) -> Clarifying:
    """Every question starts with being understood; who asks is what the run's context says.

    An automation asks by `text` alone: day and time zone are the context's.
    """
    if isinstance(question, dict):
        question = Question(str(question["text"]), context.today, context.timezone)
    return Clarifying(replace(question, attributes=tuple(read_attributes(context.attributes).items())))


ASK = Workflow(
    name="ask",
    start=Clarifying,
    edges={
        Clarifying: (Specifying, AwaitingAnswer, Delegating, Done, Diagnosing),
        AwaitingAnswer: (Clarifying, Specifying),
        Delegating: (Interpreting, Diagnosing),
        Specifying: (Executing, Solving, AwaitingAnswer, Gathering, Diagnosing),
        Gathering: (Gathering, Interpreting, Diagnosing),
        Solving: (Executing, Diagnosing),
        Executing: (Interpreting, Diagnosing),
        Interpreting: (Done, Diagnosing),
        Diagnosing: (Clarifying, Specifying, Solving, Interpreting, Done),
    },
    stages=(
        CLARIFYING,
        AWAITING_ANSWER,
        DELEGATING,
        SPECIFYING,
        GATHERING,
        SOLVING,
        EXECUTING,
        INTERPRETING,
        DIAGNOSING,
    ),
    begin=begin,
    outcome=outcome,
)
