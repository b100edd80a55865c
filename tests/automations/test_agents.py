"""Agent tasks: a brief agent is one call, one with stages asks by a run of its own, several runs vote."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from backedge.assemble import App, assemble
from backedge.automations.report import Report, report
from backedge.config.project import load_project
from tests.automations.projects import project
from tests.models.minds import FakeModel

BRIEF = "instructions: You write one line.\nllm: {ref: 'scripted:one'}\n"
STAGED = "databases: [local]\n"


def reported(folder: Path, name: str, model: FakeModel | None = None) -> Report:
    """The report of a run, driven to its rest."""

    async def work() -> Report:
        app: App = assemble(load_project(folder, "staged"), agents=(lambda _stage: model) if model else None)
        try:
            run = await app.driver.drive(await app.run_automation(name, {}, by="tester"))
            return report(run, await app.store.read(run.id))
        finally:
            await app.close()

    return asyncio.run(work())


def made(shop: Path, tmp_path: Path, text: str) -> Path:
    folder = project(shop, tmp_path, asks=text)
    (folder / "brief.agentic.yml").write_text(BRIEF)
    (folder / "staged.agentic.yml").write_text(STAGED)
    return folder


def task(**keys: Any) -> str:
    lines = "".join(f"\n    {key}: {value}" for key, value in keys.items())
    return f"tasks:\n  - name: said\n    type: agent{lines}\n"


def test_a_brief_agent_is_one_call_with_its_instructions(shop: Path, tmp_path: Path) -> None:
    model = FakeModel([{"text": "All is well."}])
    found = reported(made(shop, tmp_path, task(agent_ref="brief", prompt="'Say {{ 1 + 1 }}'")), "asks", model)
    assert (found["status"], found["text"]) == ("done", "All is well.")
    (prompt,) = model.prompts
    assert prompt.system.startswith("You write one line.")
    assert prompt.user == "Say 2"


def test_a_brief_agent_without_a_model_stops_with_what_to_mend(shop: Path, tmp_path: Path) -> None:
    found = reported(made(shop, tmp_path, task(agent_ref="brief.agentic.yml", prompt="x")), "asks")
    assert (found["status"], found["resumable"]) == ("stopped", True)
    assert "the agent brief has no model" in found["reason"]


def test_an_agent_with_stages_asks_by_a_run_of_its_own(shop: Path, tmp_path: Path) -> None:
    found = reported(made(shop, tmp_path, task(agent_ref="staged", prompt="total amount")), "asks")
    assert (found["status"], "143.50" in found["text"]) == ("done", True)
    assert found["outputs"][0]["sql"].startswith(("WITH", "SELECT"))


def test_its_sql_may_be_wanted_instead(shop: Path, tmp_path: Path) -> None:
    text = task(agent_ref="staged", prompt="total amount", output="{mode: sql}")
    assert "SELECT" in reported(made(shop, tmp_path, text), "asks")["text"]


def test_a_question_that_cannot_be_answered_fails_the_task_with_its_reason(shop: Path, tmp_path: Path) -> None:
    found = reported(made(shop, tmp_path, task(agent_ref="staged", prompt="total of wibbles")), "asks")
    assert (found["status"], "wibbles" in found["reason"]) == ("failed", True)


def test_a_question_that_asks_back_makes_the_automation_wait(shop: Path, tmp_path: Path) -> None:
    found = reported(made(shop, tmp_path, task(agent_ref="staged", prompt="income by region")), "asks")
    assert (found["status"], len(found["waits_for"])) == ("waiting", 1)


def test_of_several_runs_the_answer_that_most_agree_on_is_taken(shop: Path, tmp_path: Path) -> None:
    model = FakeModel([{"text": "seven"}, {"text": "Nine"}, {"text": "nine"}])
    text = task(agent_ref="brief", prompt="how many", consistency_run=3)
    text += "  - {name: told, type: formatter, template: '{{ said.value }} {{ said.score }}'}\n"
    found = reported(made(shop, tmp_path, text), "asks", model)
    assert (found["status"], found["text"].lower()) == ("done", "nine 0.67")


def test_older_agents_are_refused_with_what_to_write(shop: Path, tmp_path: Path) -> None:
    found = reported(made(shop, tmp_path, task(agent_ref="agents/local.agent.yml", prompt="x")), "asks")
    assert found["status"] == "stopped"
    assert "agents/local.agentic.yml" in found["mend"]
