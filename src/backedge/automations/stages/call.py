"""Calling: another automation is started with its variables filled in."""

from __future__ import annotations

from backedge.automations.gates import Faulty, is_sound
from backedge.automations.ports import AutomationPorts
from backedge.automations.states import AwaitingTasks, Calling, Failed, Started
from backedge.automations.tasks import WorkflowTask
from backedge.automations.templates import TemplateProblem, filled, render
from backedge.automations.unfolding import unfold
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Calling, ports: AutomationPorts, lesson: Lesson) -> Started | Faulty:
    """Its name and its variables; it checks them itself."""
    task, names = state.frame.task, state.frame.names.values()
    assert isinstance(task, WorkflowTask)
    try:
        return Started(render(task.automation, names), filled(task.variables, names))
    except TemplateProblem as problem:
        return Faulty((problem.defect,))


def settle(state: Calling, started: Started | Faulty) -> Settled[AwaitingTasks]:
    """It runs on its own; this one waits."""
    assert isinstance(started, Started)
    return unfold(state.frame, started)


CALLING: Stage[Calling, Started | Faulty] = Stage(
    Calling, Started | Faulty, settle, propose, gates=(is_sound,), otherwise=Failed, outside=False
)
