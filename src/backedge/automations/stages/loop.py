"""Looping: the values of a loop are found, and a run for each is started, as many at a time as the loop says."""

from __future__ import annotations

from typing import Any

from backedge.automations.gates import Faulty, is_sound
from backedge.automations.outputs import Output, json_of
from backedge.automations.ports import AutomationPorts
from backedge.automations.states import After, AwaitingTasks, Failed, Looping, Rounds, done
from backedge.automations.tasks import LoopTask
from backedge.automations.templates import TemplateProblem, filled, value_of
from backedge.automations.unfolding import unfold
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Settled, Stage

MOST_ROUNDS = 10_000


async def propose(state: Looping, ports: AutomationPorts, lesson: Lesson) -> Rounds | Faulty:
    """The values, in order."""
    task, names = state.frame.task, state.frame.names.values()
    assert isinstance(task, LoopTask)
    try:
        found = value_of(task.values, names) if isinstance(task.values, str) else filled(task.values, names)
    except TemplateProblem as problem:
        return Faulty((problem.defect,))
    return rounds(found)


def rounds(found: Any) -> Rounds | Faulty:
    """What a loop goes over; a defect where it is no list of texts, numbers or mappings."""
    if not isinstance(found, list | tuple) or any(isinstance(value, list | tuple) for value in found):
        said = f"a loop goes over a list of texts, numbers or mappings, not {str(found)[:60]!r}"
        return Faulty((Defect("not_a_list", said, "values", "name one column: {{ task.column }}"),))
    if len(found) > MOST_ROUNDS:
        return Faulty(
            (Defect("too_many_rounds", f"the loop has {len(found)} values, more than {MOST_ROUNDS}", "values"),)
        )
    return Rounds(tuple(value if isinstance(value, dict) else json_of(value) for value in found))


def settle(state: Looping, found: Rounds | Faulty) -> Settled[After | AwaitingTasks]:
    """The first rounds begin; a loop over nothing is done."""
    assert isinstance(found, Rounds)
    if not found.values:
        return Settled(done(state.frame, Output()))
    begun = unfold(state.frame, found)
    return Settled(begun.state, children=begun.children)


LOOPING: Stage[Looping, Rounds | Faulty] = Stage(
    Looping, Rounds | Faulty, settle, propose, gates=(is_sound,), otherwise=Failed, outside=False
)
