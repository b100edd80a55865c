"""Loading: the automation's file becomes its plan, with its variables checked."""

from __future__ import annotations

from backedge.automations.gates import Faulty, is_sound
from backedge.automations.inputs import inputs, problems
from backedge.automations.ports import AutomationPorts
from backedge.automations.states import Failed, Frame, Loading, Next, next_of
from backedge.automations.tasks import Automation
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Settled, Stage
from backedge.semantic.refusal import nearest


async def propose(state: Loading, ports: AutomationPorts, lesson: Lesson) -> Automation | Faulty:
    """The plan: a loop's or branch's own tasks, or the file of that name."""
    call = state.call
    if call.plan is not None:
        return call.plan
    found = ports.automations.get(call.automation)
    if found is None:
        names = sorted({automation.name for automation in ports.automations.values()})
        known = ", ".join(names) or "none"
        near = nearest(call.automation, ports.automations)
        said = f"there is no automation {call.automation} (there is: {known})"
        return Faulty((Defect("unknown_automation", said, "automation", near=near),))
    wrong = tuple(problems(found.variables, call.variables))
    return Faulty(wrong) if wrong else found


def settle(state: Loading, plan: Automation | Faulty) -> Settled[Next]:
    """The first task follows."""
    assert isinstance(plan, Automation)
    return Settled(next_of(Frame(state.call, plan, inputs(plan.variables, state.call.variables))))


LOADING: Stage[Loading, Automation | Faulty] = Stage(
    Loading, Automation | Faulty, settle, propose, gates=(is_sound,), otherwise=Failed, outside=False
)
