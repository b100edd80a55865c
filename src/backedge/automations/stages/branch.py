"""Branching: the first branch whose condition holds is taken."""

from __future__ import annotations

from backedge.automations.gates import Faulty, is_sound
from backedge.automations.outputs import Output
from backedge.automations.ports import AutomationPorts
from backedge.automations.states import After, AwaitingTasks, Branching, Failed, Taken, done
from backedge.automations.tasks import ConditionalTask
from backedge.automations.templates import TemplateProblem, evaluate, single
from backedge.automations.unfolding import branch_tasks, unfold
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Branching, ports: AutomationPorts, lesson: Lesson) -> Taken | Faulty:
    """The number of the branch."""
    task, names = state.frame.task, state.frame.names.values()
    assert isinstance(task, ConditionalTask)
    try:
        for number, branch in enumerate(task.branches):
            if evaluate(single(branch.condition) or branch.condition, names):
                return Taken(number)
    except TemplateProblem as problem:
        return Faulty((problem.defect,))
    return Taken(None)


def settle(state: Branching, taken: Taken | Faulty) -> Settled[After | AwaitingTasks]:
    """The branch's tasks begin; a branch without tasks is done."""
    assert isinstance(taken, Taken)
    if not branch_tasks(state.frame.task, taken):
        return Settled(done(state.frame, Output()))
    begun = unfold(state.frame, taken)
    return Settled(begun.state, children=begun.children)


BRANCHING: Stage[Branching, Taken | Faulty] = Stage(
    Branching, Taken | Faulty, settle, propose, gates=(is_sound,), otherwise=Failed, outside=False
)
