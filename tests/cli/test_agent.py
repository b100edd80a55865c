"""`backedge agent show` prints what each stage runs with, and never a key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.projects import backedge

AGENT = """\
instructions: Be brief.
llm: {ref: claude-sonnet-4-6}
states:
  clarifying: {model: gpt-5.2, thinking: effort:low, max_retries: 3}
budgets: {tokens: 1000, cost: 0.5}
privacy: {hidden: ["*.email"], vendors: {openai: {samples: 0}}}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    (tmp_path / "x.agentic.yml").write_text(AGENT)
    (tmp_path / "a.view.yml").write_text("name: a\ntable: a\ndimensions: [{name: b, type: string, expr: b}]\n")
    return tmp_path


def test_every_stage_is_shown_resolved(project: Path) -> None:
    ended = backedge("agent", "show", "--project", project)
    assert ended.code == 0
    lines = {line.split()[0]: line for line in ended.out.splitlines() if line.strip()}
    assert "openai:gpt-5.2" in lines["clarifying"]
    assert "effort:low" in lines["clarifying"]
    assert "OPENAI_API_KEY (set)" in lines["clarifying"]
    assert "anthropic:claude-sonnet-4-6" in lines["solving"]
    assert "ANTHROPIC_API_KEY (not set)" in lines["solving"]
    assert "it runs the query" in lines["executing"]
    assert "200 steps, 1000 tokens, 0.5 USD" in ended.out
    assert "never sent: values of *.email" in ended.out
    assert "sk-very-secret" not in ended.out + ended.err


def test_it_is_also_data(project: Path) -> None:
    shown = backedge("agent", "show", "x", "--project", project, "--json").json
    clarifying = shown["stages"][0]
    assert (clarifying["vendor"], clarifying["key"], clarifying["key_set"]) == ("openai", "OPENAI_API_KEY", True)
    assert (clarifying["max_retries"], clarifying["set_by"]["model"]) == (3, "states.clarifying.model")
    assert shown["privacy"]["vendors"]["openai"]["samples"] == 0


def test_a_project_without_an_agent_works_by_rules(shop: Path) -> None:
    ended = backedge("agent", "show", "--project", shop)
    assert (ended.code, "by rules and templates" in ended.out) == (0, True)


def test_an_unknown_agent_is_refused_with_the_nearest(project: Path) -> None:
    ended = backedge("agent", "show", "xx", "--project", project)
    assert ended.code == 5
    assert "no agent `xx`" in ended.err


def test_a_preset_that_is_not_there_is_refused(project: Path) -> None:
    ended = backedge("ask", "--project", project, "-q", "--extended-thinking", "b")
    assert (ended.code, "has no `llm.extended_thinking`" in ended.err) == (5, True)


def test_a_run_keeps_the_preset_that_it_was_asked_with(shop: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    shutil.copytree(shop, folder, ignore=shutil.ignore_patterns(".backedge"))
    (folder / "x.agentic.yml").write_text("llm: {extended_thinking: {model: claude-opus-4-6, thinking: effort:max}}\n")
    asked = backedge("ask", "--project", folder, "--json", "--extended-thinking", "income by region")
    assert (asked.code, "claude-opus-4-6" in asked.err) == (3, True)
    again = backedge("answer", "--project", folder, "--json", asked.json["run_id"], "1")
    assert (again.code, "claude-opus-4-6" in again.err) == (0, True)
