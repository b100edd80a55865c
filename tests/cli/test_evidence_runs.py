"""`backedge runs` and `sources refresh` in a project that has only evidence.yml: shown, gone on with, and cancelled."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from backedge.assembling.opening_evidence import open_evidence
from tests.cli.evidence_commands import run, told


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a refresh that nobody drove: of a source that has no name to be asked for."""
    (tmp_path / "evidence.yml").write_text("reviewers:\n  - {name: ann}\n")
    asyncio.run(begin(tmp_path))
    return tmp_path


async def begin(folder: Path) -> None:
    app = open_evidence(folder)
    await app.begin_refresh(("s_1",), by="ann")
    await app.close()


def only(project: Path) -> Any:
    (found,) = told("runs", "list", project=project)
    return found


def test_a_run_is_listed_shown_and_gone_on_with(project: Path) -> None:
    listed = only(project)
    assert (listed["workflow"], listed["status"]) == ("refresh", "running")
    shown = told("runs", "show", listed["run_id"], project=project)
    assert (shown["states"], shown["asked"], shown["can_go_on"]) == (["Checking"], "refresh 1 sources", True)
    page = run("runs", "show", listed["run_id"], "--prompts", project=project)
    assert (page.exit_code, "Checking" in page.output) == (0, True), page.output
    again = told("runs", "retry", listed["run_id"], project=project)
    assert [(each["workflow"], each["status"], each["checked"]) for each in again["changes"]] == [
        ("refresh", "done", 0)
    ]
    assert only(project)["state"] == "Refreshed"


def test_a_run_is_cancelled_and_then_has_nothing_to_go_on_with(project: Path) -> None:
    run_id = only(project)["run_id"]
    assert run("runs", "cancel", run_id, project=project).exit_code == 0
    assert run("runs", "cancel", run_id, project=project).exit_code == 1
    again = run("runs", "retry", run_id, project=project)
    assert (again.exit_code, f"nothing of {run_id} has paused" in again.output) == (5, True), again.output
    assert "cancelled" in run("runs", "show", run_id, project=project).output


def test_sources_retry_goes_on_with_what_was_interrupted(project: Path) -> None:
    other = run("sources", "retry", "s_2", project=project)
    assert (other.exit_code, "nothing of s_2 has paused" in other.output) == (5, True)
    assert only(project)["status"] == "running"
    assert run("sources", "retry", "s_1", project=project).exit_code == 0
    assert only(project)["status"] == "ended"
    assert run("sources", "retry", project=project).output == "nothing has paused\n"
