"""Models of investigations: what reads requests, plans searches, assesses and designs, out of a project's files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backedge.assembling.evidence_models import EvidenceModels, RoleAgents, evidence_models, lacking, role_agents
from backedge.config.evidence_file import EvidenceProject, EvidenceRole
from backedge.evidence.inquire.ports import Assessor, Planner
from backedge.evidence.investigate.ports import DesignAgent, RequestAgent
from backedge.evidence.prompted.assessor import PromptedAssessor
from backedge.evidence.prompted.designer import PromptedDesigner
from backedge.evidence.prompted.planner import PromptedPlanner
from backedge.evidence.prompted.requests import PromptedRequests

ROLES: tuple[EvidenceRole, ...] = ("request", "search", "evidence", "design")


def all_models(
    project: EvidenceProject, environment: Mapping[str, str], agents: RoleAgents | None = None
) -> EvidenceModels:
    """Every agent of the evidence workflows that has its model; of roles that have none, what is to be done."""
    made = replace(
        evidence_models(project, environment, agents),
        requests=request_agent(project, environment, agents),
        planner=planner(project, environment, agents),
        assessor=assessor(project, environment, agents),
        designs=design_agent(project, environment, agents),
    )
    found = {"request": made.requests, "search": made.planner, "evidence": made.assessor, "design": made.designs}
    todo: dict[str, str] = {role: lacking(project.model(role), environment) for role in ROLES if found[role] is None}
    return replace(made, lacking={**made.lacking, **todo})


def request_agent(
    project: EvidenceProject, environment: Mapping[str, str], agents: RoleAgents | None = None
) -> RequestAgent | None:
    """The request agent; None where the role `request` has no model."""
    agent = (agents or role_agents(project, environment))("request")
    return PromptedRequests(agent, project.model("request").instructions, project.tables) if agent else None


def planner(
    project: EvidenceProject, environment: Mapping[str, str], agents: RoleAgents | None = None
) -> Planner | None:
    """The search agent; None where the role `search` has no model."""
    agent = (agents or role_agents(project, environment))("search")
    return PromptedPlanner(agent, project.model("search").instructions) if agent else None


def assessor(
    project: EvidenceProject, environment: Mapping[str, str], agents: RoleAgents | None = None
) -> Assessor | None:
    """The evidence agent on a question; None where the role `evidence` has no model."""
    agent = (agents or role_agents(project, environment))("evidence")
    return PromptedAssessor(agent, project.model("evidence").instructions) if agent else None


def design_agent(
    project: EvidenceProject, environment: Mapping[str, str], agents: RoleAgents | None = None
) -> DesignAgent | None:
    """The design agent; None where the role `design` has no model."""
    agent = (agents or role_agents(project, environment))("design")
    return PromptedDesigner(agent, project.model("design").instructions, project.tables) if agent else None
