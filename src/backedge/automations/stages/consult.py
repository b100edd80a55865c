"""Consulting: an agent is asked, by a single call or by runs of their own."""

from __future__ import annotations

from backedge.automations.finishing import finished, kept
from backedge.automations.gates import Faulty, is_sound
from backedge.automations.outputs import Output
from backedge.automations.ports import AutomationPorts
from backedge.automations.states import After, Asked, AwaitingTasks, Consulting, Failed, Votes
from backedge.automations.tasks import AgentTask
from backedge.automations.templates import TemplateProblem, render
from backedge.automations.unfolding import unfold
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable

Consulted = Output | Asked | Votes | Faulty


async def propose(
    state: Consulting, ports: AutomationPorts, lesson: Lesson
) -> Consulted | Reply[Consulted] | Unreadable:
    """The agent's words, or the runs that are to ask it."""
    frame, task = state.frame, state.frame.task
    assert isinstance(task, AgentTask)
    try:
        if (held := await kept(frame, ports)) is not None:
            return held
        names = frame.names.values()
        agent, prompt = render(task.agent, names), render(task.prompt, names)
    except TemplateProblem as problem:
        return Faulty((problem.defect,))
    if task.runs > 1:
        return Votes(task.runs)
    staged = ports.agents.staged(agent)
    return Asked(staged.workflow, prompt) if staged else await _said(ports, agent, prompt)


async def _said(ports: AutomationPorts, agent: str, prompt: str) -> Reply[Consulted] | Unreadable:
    said = await ports.agents.reply(agent, prompt)
    return said if isinstance(said, Unreadable) else Reply(said.proposal, said.usage, said.details)


def settle(state: Consulting, consulted: Consulted) -> Settled[After | AwaitingTasks]:
    """The next task follows, once the runs that were started are through."""
    if isinstance(consulted, Asked | Votes):
        begun = unfold(state.frame, consulted)
        return Settled(begun.state, children=begun.children)
    return Settled(finished(state.frame, consulted).state)


CONSULTING: Stage[Consulting, Consulted] = Stage(
    Consulting, Consulted, settle, propose, gates=(is_sound,), otherwise=Failed, model="the agent's"
)
