"""What an agent's file sets reaches the run: retry budgets, result rules, the time zone."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from backedge.ask.workflow import ASK
from backedge.assemble import assemble, budgeted, open_store, runs_folder, today_in
from backedge.config.project import load_project
from backedge.kernel.defect import Permanent
from tests.cli.projects import make_project
from tests.kernel.scenes import go

AGENT = """context: [../semantics/**/*]
timezone: Asia/Tokyo
states:
  clarifying: {max_retries: 3}
  specifying: {max_retries: 10}
validation:
  rules:
    solved:
      - {name: null_ratio_check, enabled: false}
      - {name: outlier_detection, threshold_sigma: 2.5}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shop = make_project(tmp_path)
    (shop / "agents").mkdir()
    (shop / "agents/shop.agentic.yml").write_text(AGENT, encoding="utf-8")
    return shop


def test_the_agents_retry_budgets_are_the_stages_own(project: Path) -> None:
    workflow = budgeted(ASK, load_project(project).agent)
    budgets = {stage.name: stage.budget.max_retries for stage in workflow.stages}
    assert (budgets["Clarifying"], budgets["Specifying"], budgets["Solving"], budgets["Executing"]) == (3, 10, 2, 0)
    assert budgeted(ASK, None) is ASK


def test_rules_and_time_zone_travel_with_the_question(project: Path) -> None:
    async def asked() -> tuple[str, tuple[tuple[str, bool], ...], date, date]:
        app = assemble(load_project(project))
        try:
            run = await app.driver.load(await app.ask("order count \udcff", by="ann"))
            question = run.state.question
            rules = tuple((rule.name, rule.enabled) for rule in question.rules)
            return question.text, rules, question.today, today_in(app.clock.now(), "Asia/Tokyo")
        finally:
            await app.close()

    text, rules, today, tokyo = go(asked())
    assert text == "order count ?"
    assert rules == (("null_ratio_check", False), ("outlier_detection", True))
    assert today == tokyo


@pytest.mark.parametrize(
    ("zone", "day"), [("UTC", 30), ("Asia/Tokyo", 1), ("America/Los_Angeles", 30)], ids=["utc", "tokyo", "la"]
)
def test_today_is_the_date_where_the_project_is(zone: str, day: int) -> None:
    assert today_in(datetime(2026, 11, 30, 20, tzinfo=UTC), zone).day == day


def test_a_project_keeps_its_runs_in_itself(tmp_path: Path) -> None:
    assert runs_folder(tmp_path) == tmp_path / ".backedge"
    with pytest.raises(Permanent, match="there is no folder"):
        open_store(tmp_path / "nope")
