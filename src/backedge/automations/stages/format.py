"""Formatting: a template is rendered over what was done so far."""

from __future__ import annotations

from backedge.automations.finishing import finished, kept
from backedge.automations.gates import Faulty, is_sound
from backedge.automations.outputs import Output
from backedge.automations.ports import AutomationPorts
from backedge.automations.states import After, Failed, Formatting
from backedge.automations.tasks import FormatterTask
from backedge.automations.templates import TemplateProblem, render
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Formatting, ports: AutomationPorts, lesson: Lesson) -> Output | Faulty:
    """The text."""
    task = state.frame.task
    assert isinstance(task, FormatterTask)
    try:
        return await kept(state.frame, ports) or Output(render(task.template, state.frame.names.values()))
    except TemplateProblem as problem:
        return Faulty((problem.defect,))


def settle(state: Formatting, output: Output | Faulty) -> Settled[After]:
    """The next task follows."""
    return finished(state.frame, output)


FORMATTING: Stage[Formatting, Output | Faulty] = Stage(
    Formatting, Output | Faulty, settle, propose, gates=(is_sound,), otherwise=Failed
)
