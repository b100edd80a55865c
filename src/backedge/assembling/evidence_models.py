"""Models of the evidence agents: each role's connection out of the project's files, and what is to do where none is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from backedge.agent.ports import Agent
from backedge.assembling.models import LazyAgent, connection_to
from backedge.config.config_file import CONFIG_FILE
from backedge.config.evidence_file import EVIDENCE_FILE, EvidenceProject, EvidenceRole, RoleModel
from backedge.evidence.inquire.ports import Assessor, Planner
from backedge.evidence.investigate.ports import DesignAgent, RequestAgent
from backedge.evidence.ports import Extractor, Verifier
from backedge.evidence.prompted.extractor import PromptedExtractor
from backedge.evidence.prompted.verifier import PromptedVerifier

RoleAgents = Callable[[EvidenceRole], Agent | None]


@dataclass(frozen=True)
class EvidenceModels:
    """The agents of the evidence workflows; those that are None have no model: `lacking` says what to do, by role."""

    extractor: Extractor | None = None
    verifier: Verifier | None = None
    requests: RequestAgent | None = None
    planner: Planner | None = None
    assessor: Assessor | None = None
    designs: DesignAgent | None = None
    lacking: Mapping[str, str] = field(default_factory=dict)


def role_agents(project: EvidenceProject, environment: Mapping[str, str]) -> RoleAgents:
    """What gives the model of a role; None where there is none to use. Nothing is imported before it is asked."""

    def agent(role: EvidenceRole) -> Agent | None:
        named = project.model(role)
        if named.choice is None or lacking(named, environment):
            return None
        return LazyAgent(connection_to(named.choice, named.thinking, project.root), environment)

    return agent


def lacking(named: RoleModel, environment: Mapping[str, str]) -> str:
    """What to do so that a role has its model; "" where it has."""
    choice = named.choice
    if choice is None:
        return (
            f"name a model for `{named.role}` under `models` of {EVIDENCE_FILE}, "
            f"such as `{named.role}: anthropic:claude-sonnet-4-6`, or one that {CONFIG_FILE} declares"
        )
    if choice.key_var and not environment.get(choice.key_var, "").strip():
        return f"set the variable {choice.key_var}, which {choice.vendor}:{choice.model} needs"
    return ""


def evidence_models(
    project: EvidenceProject, environment: Mapping[str, str], agents: RoleAgents | None = None
) -> EvidenceModels:
    """The evidence agent's two tasks with their model; `agents` is what gives models, where not the project's files."""
    named = project.model("evidence")
    agent = (agents or role_agents(project, environment))("evidence")
    if agent is None:
        todo = lacking(named, environment)
        return EvidenceModels(lacking={"extractor": todo, "verifier": todo})
    return EvidenceModels(PromptedExtractor(agent, named.instructions), PromptedVerifier(agent, named.instructions))
