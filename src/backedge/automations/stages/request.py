"""Requesting: one request over HTTPS, with its texts filled in; never to a private or local address."""

from __future__ import annotations

from dataclasses import replace

from backedge.automations.finishing import finished, kept
from backedge.automations.gates import Faulty, is_sound
from backedge.automations.outputs import Output
from backedge.automations.ports import Answered, AutomationPorts
from backedge.automations.states import After, Failed, Requesting
from backedge.automations.tasks import HttpTask
from backedge.automations.templates import TemplateProblem, filled, render
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Requesting, ports: AutomationPorts, lesson: Lesson) -> Output | Faulty:
    """What the server said, or why it was not asked."""
    frame, task = state.frame, state.frame.task
    assert isinstance(task, HttpTask)
    names = frame.names.values()
    try:
        if (held := await kept(frame, ports)) is not None:
            return held
        sent = replace(
            task,
            url=render(task.url, names),
            headers=filled(task.headers, names),
            body=filled(task.body, names),
            form=filled(task.form, names),
        )
    except TemplateProblem as problem:
        return Faulty((problem.defect,))
    said = await ports.web.send(sent)
    if not isinstance(said, Answered):
        return Faulty((Defect("forbidden_address", said.reason, "url"),))
    return _judged(sent, said)


def _judged(task: HttpTask, said: Answered) -> Output | Faulty:
    if said.status in task.expected or (not task.expected and 200 <= said.status < 300):
        return Output(said.text, data=said.data)
    wanted = ", ".join(map(str, task.expected)) or "200 to 299"
    return Faulty((Defect("bad_status", f"{task.url} answered {said.status}, not {wanted}", "url"),))


def settle(state: Requesting, output: Output | Faulty) -> Settled[After]:
    """The next task follows."""
    return finished(state.frame, output)


REQUESTING: Stage[Requesting, Output | Faulty] = Stage(
    Requesting, Output | Faulty, settle, propose, gates=(is_sound,), otherwise=Failed
)
