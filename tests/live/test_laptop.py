"""Questions to the demo shop with a real model of 0.5 B over real HTTP: forms and gates hold, whatever it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.live

MOST_CALLS = 50
ENDS = {0: ("answered",), 3: ("needs_input",), 4: ("cannot_answer",)}
MARK = "BACKEDGE_LIVE_TEST"  # in the environment of what a test starts, so that what is left of it is found
QUESTIONS = (
    "total revenue in 2024",  # read by rules: the model puts the result into words
    "how did turnover spread over the countries",  # read by the model
    "what do our customers feel about us",  # nothing here can answer it
)


def asked(project: Path, question: str) -> tuple[int, Any]:
    command = [sys.executable, "-m", "backedge", "ask", "--project", str(project), "--json", "--no-input", question]
    environment = {**os.environ, MARK: str(project)}
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert ended.stdout, ended.stderr
    return ended.returncode, json.loads(ended.stdout)


def left_of(project: Path) -> list[str]:
    """The commands of processes that were started for a project and still run."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={project}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_text())
        except OSError:
            continue
    return found


def test_a_handful_of_questions_end_as_they_may_and_nothing_is_left_running(laptop: Path) -> None:
    calls = 0
    for question in QUESTIONS:
        code, found = asked(laptop, question)
        assert found["status"] in ENDS[code], found
        assert found["path"] in ("semantic", "written", "verified") if code == 0 else True, found
        assert found["usage"]["cost"] == 0
        calls += found["usage"]["calls"]
    assert 0 < calls <= MOST_CALLS
    assert left_of(laptop) == []


def test_what_rules_read_is_right_whatever_the_model_writes_about_it(laptop: Path) -> None:
    code, found = asked(laptop, "number of orders by status in 2024")
    assert (code, found["status"], found["path"]) == (0, "answered", "semantic")
    assert 1 <= found["usage"]["calls"] <= 6
    assert found["rows"] == asked(without_model(laptop), "number of orders by status in 2024")[1]["rows"]


def without_model(project: Path) -> Path:
    agent = project / "shop.agentic.yml"
    agent.write_text(agent.read_text(encoding="utf-8").replace("llm: {ref: laptop}\n", ""), encoding="utf-8")
    return project
