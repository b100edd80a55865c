"""Models of the stages of ask: each one's connection out of the project's files, and the ports that have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from backedge.adapters.models.connection import Connection
from backedge.adapters.models.opening import open_agent
from backedge.agent.ports import ROUNDS, Agent, Embedder, ModelSettings, Prompt, Tool
from backedge.agent.thinking import Thinking
from backedge.ask.grounded import GroundingClarifier
from backedge.ask.ports import AskPorts
from backedge.ask.prompted.hiding import hiding_of
from backedge.ask.prompted.mind import Mind, Witnessed
from backedge.ask.prompted.ports import minded
from backedge.ask.prompted.search import CatalogSearch, entries_of
from backedge.ask.prompted.shown import notes_shown
from backedge.ask.prompted.surroundings import Surroundings
from backedge.assembling.delegables import delegables
from backedge.assembling.reusing import reusing
from backedge.config.project import Project
from backedge.config.stage_models import ModelChoice, StageModel, stage_models
from backedge.kernel.stage import Reply, Unreadable
from backedge.kernel.workflow import Workflow

NOTED = ("clarifying", "interpreting")
T = TypeVar("T", bound=BaseModel)
AgentMaker = Callable[[StageModel], Agent | None]


@dataclass(frozen=True)
class Missing:
    """A model that the project names and that cannot be used here, and why."""

    stage: str
    model: str
    variable: str

    def __str__(self) -> str:
        """As a note for a person."""
        return f"{self.stage} works without its model {self.model}: the variable {self.variable} is not set"


def missing_models(project: Project, environment: Mapping[str, str], *, extended: bool = False) -> Iterator[Missing]:
    """Every stage whose model has no key here; it works by rules and templates, as without a model."""
    if project.agent is None:
        return
    for stage in stage_models(project.agent, project.models, extended=extended):
        choice = stage.choice
        if choice is not None and choice.key_var and not environment.get(choice.key_var):
            yield Missing(stage.stage, f"{choice.vendor}:{choice.model}", choice.key_var)


def vendor_agents(project: Project, environment: Mapping[str, str]) -> AgentMaker:
    """What makes the model of a stage; None where its key is not set. Nothing is imported before it is asked."""

    def make(stage: StageModel) -> Agent | None:
        choice = stage.choice
        if choice is None or (choice.key_var and not environment.get(choice.key_var)):
            return None
        return LazyAgent(connection_of(choice, stage, project.root), environment)

    return make


def connection_of(choice: ModelChoice, stage: StageModel, root: Path) -> Connection:
    """The way to a stage's model."""
    return connection_to(choice, stage.thinking, root)


def connection_to(choice: ModelChoice, thinking: Thinking | None, root: Path) -> Connection:
    """The way to a model; files that it names are relative to `root`."""
    settings = ModelSettings(choice.vendor, choice.model, thinking, choice.max_tokens, base_url=choice.base_url)
    return Connection(
        settings,
        key_var=choice.key_var,
        headers=choice.headers,
        api_version=choice.azure_version,
        deployment=choice.azure_deployment,
        file=root / choice.model_file if choice.model_file else None,
        sha256=choice.sha256,
    )


class LazyAgent:
    """An agent that is opened when it is first asked: a vendor's client takes a second to import."""

    def __init__(self, connection: Connection, environment: Mapping[str, str]) -> None:
        self._connection = connection
        self._environment = environment
        self._opened: Agent | None = None

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        return self._connection.settings

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """As the agent does it. Raises `Permanent` where the model cannot be used as it is configured."""
        if self._opened is None:
            self._opened = open_agent(self._connection, self._environment)
        return await self._opened.ask(prompt, reply, tools, rounds)


def with_models(
    ports: AskPorts,
    workflow: Workflow,
    project: Project,
    agents: AgentMaker,
    extended: bool,
    embedder: Embedder | None = None,
) -> tuple[AskPorts, Workflow]:
    """The ports with a model in every stage that has one; what such a stage was paid for once is reused."""
    if project.agent is None:
        return ports, workflow
    assert isinstance(ports.clarifier, GroundingClarifier)
    privacy = project.agent.privacy
    hiding = hiding_of(project.catalog.model, privacy)
    shown = replace(project.catalog, model=hiding.catalog(project.catalog.model))
    minds: dict[str, Mind] = {}
    staged = stage_models(project.agent, project.models, extended=extended)
    for stage in staged:
        if stage.choice is not None and (agent := agents(stage)) is not None:
            sharing = privacy.of(stage.choice.vendor)
            notes = notes_shown(project.catalog.notes) if stage.stage in NOTED else ()
            witnessed = Witnessed(agent, shown.hash)
            minds[stage.stage] = Mind(stage.stage, witnessed, stage.instructions, sharing, notes, hiding)
    around = Surroundings(
        shown,
        CatalogSearch(entries_of(shown), shown.model, embedder),
        ports.connectors,
        ports.clarifier,
        delegables(project),
        hiding.hides,
    )
    samples: dict[str, int] = {stage.stage: stage.consistency for stage in staged}
    return minded(ports, minds, around, samples), reusing(workflow, project, minds)
