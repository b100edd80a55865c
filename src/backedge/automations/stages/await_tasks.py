"""AwaitingTasks: each run that ends is counted; the next are begun, until all are through or one has failed."""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue, TypeAdapter

from backedge.automations.outputs import Output
from backedge.automations.states import After, AwaitingTasks, Failed, done
from backedge.automations.tasks import AgentTask
from backedge.automations.unfolding import asked_output, begin_more, gathered, is_through, reasons, started_before
from backedge.kernel.defect import Defect
from backedge.kernel.stage import ChildEnd, Refusal, Settled, Stage

OUTPUT: TypeAdapter[Output] = TypeAdapter(Output)


def take(state: AwaitingTasks, end: ChildEnd) -> Settled[AwaitingTasks | After | Failed]:
    """The order of outputs is the order of the starts. A failed run fails the task; nothing is left out silently."""
    place = started_before(state, end.of) + end.index
    output = _output(state, end)
    if output is None:
        return Settled(_failed(state, end, place))
    ended = tuple(output if number == place else before for number, before in enumerate(state.ended))
    after = replace(state, ended=ended)
    through = tuple(one for one in ended if one is not None)
    if len(through) < len(ended):
        return Settled(after)
    if not is_through(after):
        begun = begin_more(after)
        return Settled(begun.state, children=begun.children)
    return Settled(done(state.frame, gathered(after, through)))


def _output(state: AwaitingTasks, end: ChildEnd) -> Output | None:
    if end.outcome is None:
        return None
    if end.workflow == "automation":
        return read_output(end.outcome)
    task = state.frame.task
    return asked_output(end.outcome, task.mode if isinstance(task, AgentTask) else "answer")


def read_output(outcome: dict[str, JsonValue]) -> Output | None:
    """The output in what an automation tells its parent; None where it failed."""
    return OUTPUT.validate_python(outcome["output"]) if outcome.get("status") == "done" else None


def _failed(state: AwaitingTasks, end: ChildEnd, place: int) -> Failed:
    name = state.frame.task.common.name
    which = f" {place + 1} of {len(state.ended)}" if len(state.ended) > 1 else ""
    said = "; ".join(reasons(end.outcome, end.reason))
    defect = Defect("run_failed", f"run {end.run_id}{which} failed: {said}", name, retryable=False)
    return Failed(state, Refusal((defect,), 1))


AWAITING_TASKS = Stage(AwaitingTasks, ChildEnd, take)
