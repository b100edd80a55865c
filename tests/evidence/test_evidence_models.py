"""Which model the evidence agents get out of a project's files, and what is said where they get none."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from backedge.adapters.models.recorded import RecordedAgent
from backedge.agent.ports import ModelSettings
from backedge.assembling.evidence_models import EvidenceModels, evidence_models, role_agents
from backedge.config.evidence_file import EvidenceProject, load_evidence
from backedge.kernel.stage import Lesson
from tests.evidence.prompted import JUDGED, METADATA, PROPOSAL, SECTIONS, TAKEN, got, passage
from tests.models.minds import FakeModel

CONFIG = """\
models:
  - {name: house, vendor: anthropic, model_ref: claude-sonnet-4-6, key_var: TEAM_KEY}
  - {name: story, vendor: scripted, model_ref: story, model_file: replies.yml}
  - {name: kept, vendor: recorded, model_ref: "scripted:story", model_file: kept}
  - {name: laptop, vendor: local, model_ref: qwen, model_file: qwen.gguf}
"""


def project(folder: Path, evidence: str) -> EvidenceProject:
    (folder / "config.yml").write_text(CONFIG)
    (folder / "evidence.yml").write_text(evidence)
    script = {"extracting": [{"reply": TAKEN}], "verifying": [{"reply": JUDGED}]}
    (folder / "replies.yml").write_text(json.dumps(script))
    return load_evidence(folder)


def test_without_a_model_it_is_said_what_to_write(tmp_path: Path) -> None:
    models = evidence_models(load_evidence(tmp_path), {})
    assert (models.extractor, models.verifier) == (None, None)
    assert "name a model for `evidence` under `models` of evidence.yml" in models.lacking["extractor"]
    assert models.lacking["verifier"] == models.lacking["extractor"]


@pytest.mark.parametrize("environment", [{}, {"TEAM_KEY": " "}])
def test_without_its_key_it_is_said_which_variable_to_set(tmp_path: Path, environment: dict[str, str]) -> None:
    told = project(tmp_path, "models: {evidence: house}\n")
    models = evidence_models(told, environment)
    assert (models.extractor, models.verifier) == (None, None)
    assert models.lacking["extractor"] == "set the variable TEAM_KEY, which anthropic:claude-sonnet-4-6 needs"
    assert role_agents(told, environment)("evidence") is None


def test_with_its_key_a_model_is_there_with_what_the_file_sets(tmp_path: Path) -> None:
    told = project(tmp_path, "models: {evidence: {model: house, thinking: effort:low, instructions: Only mice.}}\n")
    models = evidence_models(told, {"TEAM_KEY": "secret"})
    assert models.lacking == {}
    assert models.extractor is not None
    assert models.verifier is not None
    for settings in (models.extractor.settings, models.verifier.settings):
        assert isinstance(settings, dict)
        assert (settings["model"], settings["thinking"], settings["instructions"]) == (
            "claude-sonnet-4-6",
            "effort:low",
            "Only mice.",
        )
    assert "secret" not in str(models.extractor.settings)


def test_each_role_has_its_own_model(tmp_path: Path) -> None:
    agents = role_agents(project(tmp_path, "models: {search: laptop, design: story}\n"), {})
    named = {role: agent and agent.settings.vendor for role in ("search", "design") if (agent := agents(role))}
    assert named == {"search": "local", "design": "scripted"}
    assert (agents("evidence"), agents("request")) == (None, None)


@pytest.mark.parametrize("name", ["story", "kept"])
def test_a_script_and_kept_replies_serve_as_models(tmp_path: Path, name: str) -> None:
    told = project(tmp_path, f"models: {{evidence: {name}}}\n")
    keeping = RecordedAgent(ModelSettings("recorded", "scripted:story"), tmp_path / "kept", FakeModel([TAKEN, JUDGED]))
    works(evidence_models(told, {}, lambda _: keeping))
    works(evidence_models(told, {}))


def works(models: EvidenceModels) -> None:
    assert models.extractor is not None
    assert models.verifier is not None
    assert got(models.extractor.extract(METADATA, SECTIONS, Lesson())).records == (PROPOSAL,)
    assert got(models.verifier.verify(PROPOSAL, (passage(),), (), Lesson())).label == "entailed"


def test_a_model_that_is_given_goes_before_the_files(tmp_path: Path) -> None:
    model = FakeModel([TAKEN])
    models = evidence_models(load_evidence(tmp_path), {}, lambda role: model if role == "evidence" else None)
    assert models.extractor is not None
    asyncio.run(models.extractor.extract(METADATA, SECTIONS, Lesson()))
    assert len(model.prompts) == 1
