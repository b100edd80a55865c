"""Automations of a project: their ports, and the agents that their tasks ask."""

from __future__ import annotations

import os
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from backedge.adapters.automations.folder import ProjectFiles
from backedge.adapters.automations.web import HttpWeb
from backedge.agent.blocks import RULE
from backedge.agent.ports import Prompt
from backedge.ask.data import PermittedData
from backedge.ask.keys import KeyChecks
from backedge.assembling.models import AgentMaker
from backedge.automations.outputs import Output
from backedge.automations.ports import AutomationPorts, Staged
from backedge.automations.workflow import AUTOMATION
from backedge.config.agent_file import Agent
from backedge.config.project import Project, load_project
from backedge.config.stage_models import stage_models
from backedge.kernel.defect import Permanent
from backedge.kernel.drive import Bound
from backedge.kernel.ports import Clock
from backedge.kernel.stage import Reply, Unreadable
from backedge.query.ports import Caps, Connector

VERSION = "1"
OLDER = (".agent.yml", ".agent.yaml")


class Said(BaseModel):
    """What an agent that is a single call replies."""

    model_config = ConfigDict(extra="forbid")

    text: str


class ProjectAgents:
    """The agents of a project, by name or file. Those with stages ask by runs of their own."""

    def __init__(self, project: Project, make: AgentMaker | None) -> None:
        self._project = project
        self._make = make
        self._known: dict[str, Project] = {}

    def staged(self, agent: str) -> Staged | None:
        """The workflow of an agent with stages, or None for one that is a single call."""
        found = self._agent(agent)
        return None if is_brief(found) else Staged(workflow_of(found))

    async def reply(self, agent: str, prompt: str) -> Reply[Output] | Unreadable:
        """What a single call says."""
        found = self._agent(agent)
        stage = stage_models(found, self._project.models)[-1]
        model = self._make(stage) if self._make else None
        if model is None:
            needs = stage.choice.key_var if stage.choice else ""
            mend = f"set {needs}" if needs else "give the agent a model under `llm`"
            raise Permanent(f"the agent {found.name} has no model that can be asked here", mend=mend)
        told = Prompt(f"{found.instructions}\n\n{RULE}", prompt, VERSION, "agent", {"prompt": prompt})
        said = await model.ask(told, Said)
        return said if isinstance(said, Unreadable) else Reply(Output(said.proposal.text), said.usage, said.details)

    def _agent(self, agent: str) -> Agent:
        found = self._project_of(agent).agent
        assert found is not None
        return found

    def _project_of(self, agent: str) -> Project:
        if agent.endswith(OLDER):
            mend = f"write it as {agent.rsplit('.agent.', 1)[0]}.agentic.yml"
            raise Permanent(f"{agent} is of the older kind of agents, which is not served", mend=mend)
        if agent not in self._known:
            self._known[agent] = load_project(self._project.root, agent)
        return self._known[agent]


def is_brief(agent: Agent) -> bool:
    """Whether an agent is one call to a model: it has instructions, and neither data, context nor stages."""
    return bool(agent.instructions.strip()) and not (agent.databases or agent.context or agent.states)


def workflow_of(agent: Agent) -> str:
    """The name of the workflow that the questions of an agent are runs of."""
    return f"ask@{agent.name}"


def automation_bound(
    project: Project,
    connectors: Mapping[str, Connector],
    keys: KeyChecks,
    agents: AgentMaker | None,
    clock: Clock,
) -> Bound:
    """The automation workflow over a project, with its ports. Automations are found by name and by file."""
    by_name = {automation.name: automation for automation in reversed(project.automations)}
    by_file = {automation.file: automation for automation in project.automations}
    data = PermittedData(project.catalog.model, connectors, project.default_database, keys, Caps())
    web, files = HttpWeb(os.environ, clock), ProjectFiles(project.root)
    ports = AutomationPorts({**by_name, **by_file}, data, ProjectAgents(project, agents), web, files)
    return Bound(AUTOMATION, ports)
