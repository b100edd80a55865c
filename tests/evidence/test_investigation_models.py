"""Which models the agents of investigations get out of a project's files, and what is said of roles without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from backedge.assembling.investigation_models import ROLES, all_models, assessor, design_agent, planner, request_agent
from backedge.config.evidence_file import EvidenceProject, load_evidence
from backedge.kernel.stage import Lesson
from tests.evidence.inquired import facets, question
from tests.evidence.prompted import got
from tests.evidence.prompted_desk import held, package, packaged
from tests.evidence.prompted_replies import GOOD
from tests.models.minds import FakeModel

CONFIG = """\
models:
  - {name: house, vendor: anthropic, model_ref: claude-sonnet-4-6, key_var: TEAM_KEY}
  - {name: story, vendor: scripted, model_ref: story, model_file: replies.yml}
"""
PACKAGES = (package(packaged("abc.1"), packaged("abc.2")),)
ALL = "models: {request: story, search: story, evidence: story, design: story}\n"


def project(folder: Path, evidence: str) -> EvidenceProject:
    (folder / "config.yml").write_text(CONFIG)
    (folder / "evidence.yml").write_text(evidence)
    (folder / "replies.yml").write_text(json.dumps({task: [{"reply": reply}] for task, reply in GOOD.items()}))
    return load_evidence(folder)


def test_each_role_has_its_agent_and_each_agent_its_tasks(tmp_path: Path) -> None:
    made = all_models(project(tmp_path, ALL), {})
    assert made.lacking == {}
    assert made.requests is not None
    assert made.planner is not None
    assert made.assessor is not None
    assert made.designs is not None
    assert len(got(made.requests.facets("Does ketorolac cause nausea in rats?", Lesson())).facets) == 8
    assert got(made.requests.round_trip("x", facets(), Lesson())).reconstruction
    assert got(made.requests.questions(facets(), Lesson())).questions
    assert got(made.planner.plan(question(), ("library",), Lesson())).queries
    assert len(got(made.assessor.assess(question(), held("One.", "Two."), Lesson())).assessments) == 2
    assert got(made.designs.candidates(facets(), PACKAGES, Lesson())).approaches


@pytest.mark.parametrize("role", ROLES)
def test_a_role_without_a_model_has_no_agent_and_it_is_said_what_to_write(tmp_path: Path, role: str) -> None:
    others = ", ".join(f"{name}: story" for name in ROLES if name != role)
    told = project(tmp_path, f"models: {{{others}}}\n")
    made = all_models(told, {})
    agents = {"request": request_agent, "search": planner, "evidence": assessor, "design": design_agent}
    assert {name for name, agent in agents.items() if agent(told, {}) is None} == {role}
    assert f"name a model for `{role}` under `models` of evidence.yml" in made.lacking[role]
    assert set(made.lacking) - {role} == ({"extractor", "verifier"} if role == "evidence" else set())


def test_without_its_key_it_is_said_which_variable_to_set(tmp_path: Path) -> None:
    told = project(tmp_path, "models: {design: house}\n")
    assert (
        all_models(told, {}).lacking["design"] == "set the variable TEAM_KEY, which anthropic:claude-sonnet-4-6 needs"
    )
    assert "design" not in all_models(told, {"TEAM_KEY": "secret"}).lacking


def test_instructions_and_tables_of_the_project_reach_the_wording(tmp_path: Path) -> None:
    told = project(
        tmp_path,
        "models:\n  request: {model: story, instructions: Only mice.}\n"
        "  design: {model: story, instructions: Be brief.}\n",
    )
    model = FakeModel([GOOD["extracting_facets"], GOOD["proposing"]])
    made = all_models(told, {}, lambda role: model if role in ("request", "design") else None)
    assert made.requests is not None
    assert made.designs is not None
    got(made.requests.facets("Does ketorolac cause nausea in rats?", Lesson()))
    got(made.designs.candidates(facets(), PACKAGES, Lesson()))
    first, second = model.prompts
    assert first.system.endswith("Only mice.")
    assert second.system.endswith("Be brief.")
    assert f"- `intervention` (mandatory): {told.tables.facet('intervention').asks}" in first.system
    assert f"- `cost`: {told.tables.criterion('cost').judges}" in second.system
