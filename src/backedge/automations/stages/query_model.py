"""Querying: a request to the semantic model, compiled and run for the asker."""

from __future__ import annotations

from backedge.automations.finishing import finished, kept, of_rows
from backedge.automations.gates import Faulty, is_sound
from backedge.automations.outputs import Output
from backedge.automations.ports import AutomationPorts
from backedge.automations.states import After, Failed, Querying
from backedge.automations.tasks import SemanticTask
from backedge.automations.templates import TemplateProblem, filled
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Querying, ports: AutomationPorts, lesson: Lesson) -> Output | Faulty:
    """The rows, or why there are none."""
    frame, task = state.frame, state.frame.task
    assert isinstance(task, SemanticTask)
    try:
        if (held := await kept(frame, ports)) is not None:
            return held
        request = filled(task.request, frame.names.values())
    except TemplateProblem as problem:
        return Faulty((problem.defect,))
    return of_rows(await ports.data.request(request, frame.call.attributes))


def settle(state: Querying, output: Output | Faulty) -> Settled[After]:
    """The next task follows."""
    return finished(state.frame, output)


QUERYING: Stage[Querying, Output | Faulty] = Stage(
    Querying, Output | Faulty, settle, propose, gates=(is_sound,), otherwise=Failed
)
