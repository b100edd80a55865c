"""A desk whose agents are prompted models: what each task's model says is scripted, or asked of a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel

from backedge.agent.ports import ROUNDS, Agent, ModelSettings, Prompt, Tool
from backedge.evidence.inquire.ports import Held
from backedge.evidence.inquiry import Package, PackagedRecord
from backedge.evidence.prompted.assessor import PromptedAssessor
from backedge.evidence.prompted.designer import PromptedDesigner
from backedge.evidence.prompted.planner import PromptedPlanner
from backedge.evidence.prompted.requests import PromptedRequests
from backedge.evidence.records import Span
from backedge.kernel.run import Run
from backedge.kernel.stage import Reply, Unreadable
from tests.evidence.inquired import question, sufficiency, wants
from tests.evidence.investigated import KEY
from tests.evidence.prompted import passage, record
from tests.evidence.prompted_replies import GOOD
from tests.evidence.stories_investigate.desk import Desk
from tests.models.minds import FakeModel

T = TypeVar("T", bound=BaseModel)
SETTINGS = ModelSettings("scripted", "one")
QUESTION = replace(question(), wants=wants())


class ByTask:
    """One model, which is another one for each task: that of `models`, else one with the good reply for ever."""

    def __init__(self, models: Mapping[str, Agent] | None = None, settings: ModelSettings = SETTINGS) -> None:
        self.settings = settings
        self.fakes = {task: FakeModel([reply], settings) for task, reply in GOOD.items()}
        self._models: dict[str, Agent] = {**self.fakes, **(models or {})}

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """As that task's model does it."""
        return await self._models[prompt.stage].ask(prompt, reply, tools, rounds)


class Four:
    """Fulfils `RequestAgent`, `Planner`, `Assessor` and `DesignAgent` with one model."""

    def __init__(self, model: Agent) -> None:
        requests, planner = PromptedRequests(model), PromptedPlanner(model)
        assessor, designer = PromptedAssessor(model), PromptedDesigner(model)
        self.settings = [requests.settings, planner.settings, assessor.settings, designer.settings]
        self.facets, self.round_trip, self.questions = requests.facets, requests.round_trip, requests.questions
        self.plan, self.assess, self.weigh = planner.plan, assessor.assess, assessor.weigh
        self.candidates, self.design = designer.candidates, designer.design


def stopped(made: Desk) -> list[Run]:
    """The runs that stopped."""
    return [run for run in map(made.load, made.store.rows) if run.stopped is not None]


def go_on(made: Desk, key: str = KEY) -> Run:
    """Drive an investigation through its three human points, until it is approved or something of it stopped."""
    run = made.drive(key)
    for _ in range(20):
        if stopped(made) or run.status == "ended":
            return run
        run = _next(made, type(run.state).__name__, key)
    raise AssertionError(f"it goes round: {run.trail}")


def _next(made: Desk, state: str, key: str) -> Run:
    match state:
        case "AwaitingFacets":
            return made.confirm(key)
        case "AwaitingInquiries":
            return made.stand(key=key)
        case "AwaitingDecision":
            return made.choose(key)
    return made.approve(key)


def held(*statements: str, **fields: Any) -> tuple[Held, ...]:
    """Records with keys of their own, each with a statement."""
    made = []
    for number, statement in enumerate(statements, 1):
        one = record()
        proposal = replace(one.proposal, statement=statement, **fields)
        made.append(Held(replace(one, key=f"abc.{number}", proposal=proposal), (passage(),), f"Study {number}"))
    return tuple(made)


def packaged(
    key: str, critical: bool = False, words: str = "pain was lower", statement: str = "Lower."
) -> PackagedRecord:
    """A finding with one span."""
    span = Span("v", "t", "s4", "results", 0, len(words), words, "", "")
    return PackagedRecord(key, "s", "v", "finding", statement, (span,), "supports", "direct", critical)


def package(*records: PackagedRecord, **fields: Any) -> Package:
    """The package of a question."""
    return Package("k", QUESTION, records, sufficiency(), (), **fields)
