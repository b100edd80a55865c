"""`backedge answer`, `ask --answer` and `runs wake`: several questions of several kinds, answered as a user does it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.projects import CONFIG, Ended, backedge, make_project

MODELS = "models:\n  - {name: story, vendor: scripted, model_ref: story, model_file: replies.yml}\n"
AGENT = "llm: {ref: story}\nstates:\n  clarifying: {ask: {default_after: 24h}}\n"
SCRIPT = """
clarifying:
  - when: "which turnover: "
    reply:
      kind: data
      intent: turnover by region
      members: [orders.paid_amount, orders.region, orders.ordered]
      words: [{word: turnover, member: orders.paid_amount}, {word: spread, member: orders.region}]
  - reply:
      kind: data
      questions:
        - {slot: which turnover, prompt: "Which turnover?", suggestions: [all orders, paid orders],
           default: paid orders}
        - {slot: since, prompt: "Since when?", answers: date, suggestions: [DATE], default: DATE}
specifying:
  - reply:
      kind: request
      measures: [orders.paid_amount]
      dimensions: [orders.region]
      time_dimensions: [{dimension: orders.ordered, date_range: ["2025-01-01", "2025-12-31"]}]
interpreting:
  - reply: {text: "North has 30.75."}
"""
QUESTION = "how did turnover spread over the regions"


def make_asking(folder: Path) -> Path:
    """The small shop with a model that asks two things."""
    make_project(folder)
    (folder / "config.yml").write_text(CONFIG + MODELS)
    (folder / "shop.agentic.yml").write_text(AGENT)
    (folder / "replies.yml").write_text(SCRIPT.replace("DATE", '"2025"'))
    return folder


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all, whose data are loaded once."""
    return make_asking(tmp_path_factory.mktemp("asking") / "shop")


def ask(folder: Path, *more: str) -> Ended:
    return backedge("ask", "--project", folder, "-q", *more, QUESTION)


def test_two_questions_are_shown_with_what_to_type_and_answered_by_slot(asking: Path) -> None:
    asked = ask(asking, "--json")
    assert (asked.code, asked.json["question"]) == (3, None)
    assert [q["slot"] for q in asked.json["questions"]] == ["which turnover", "since"]
    run = asked.json["run_id"]
    shown = backedge("runs", "show", "--project", asking, run)
    assert "1) all orders" in shown.out
    assert "- 2025" in shown.out
    assert "Answered with which turnover=paid orders, since=2025 on " in shown.out
    assert f"backedge answer {run} 'which turnover=NUMBER' since=DATE" in shown.out
    wrong = backedge("answer", "--project", asking, "-q", run, "since=soon")
    assert wrong.code == 3
    assert "which turnover has no answer: Which turnover? (1) all orders; 2) paid orders)" in wrong.err
    assert "since asks for a date" in wrong.err
    done = backedge("answer", "--project", asking, run, "since=2025", "which turnover=2", "--json")
    assert (done.code, done.json["answer"]) == (0, "North has 30.75.")
    again = backedge("answer", "--project", asking, run, "2", "2025", "--json")
    assert (again.code, again.json["receipt"]) == (0, done.json["receipt"])


def test_answers_given_beforehand_are_used_and_unused_ones_are_said(asking: Path) -> None:
    done = backedge(
        *("ask", "--project", asking, "--answer", "since=2025", "--answer", "which turnover=paid orders"),
        *("--answer", "colour=red", QUESTION),
    )
    assert done.code == 0
    assert "nothing was asked about colour" in done.err


def test_some_answers_beforehand_take_nothing(asking: Path) -> None:
    asked = ask(asking, "--answer", "since=2025", "--json")
    assert (asked.code, asked.json["status"], len(asked.json["questions"])) == (3, "needs_input", 2)
    assert [attempt["stage"] for attempt in asked.json["attempts"]] == ["Clarifying"]


def test_a_wrong_answer_beforehand_leaves_the_run_waiting(asking: Path) -> None:
    asked = ask(asking, "--answer", "since=soon", "--answer", "which turnover=2", "--json")
    assert (asked.code, asked.json["status"]) == (3, "needs_input")
    assert "since asks for a date" in asked.err


@pytest.mark.parametrize("given", [["since"], ["=2025"], ["since=1", "since=2"]])
def test_an_answer_beforehand_names_its_slot_once(asking: Path, given: list[str]) -> None:
    ended = ask(asking, *(part for text in given for part in ("--answer", text)))
    assert (ended.code, "--answer" in ended.err) == (2, True)


@pytest.mark.slow
def test_at_a_terminal_one_question_is_asked_after_the_other(asking: Path) -> None:
    main, side = pty.openpty()
    command = [sys.executable, "-m", "backedge", "ask", "--project", str(asking), "-q", QUESTION]
    with subprocess.Popen(command, stdin=side, stdout=subprocess.PIPE, stderr=side) as process:
        os.write(main, b"7\n2\nsoon\n2025\n")
        out, _ = process.communicate(timeout=60)
    os.close(side)
    told = os.read(main, 100_000).decode()
    os.close(main)
    assert (process.returncode, b"North has 30.75." in out) == (0, True)
    assert told.index("Which turnover?") < told.index("none of the options") < told.index("Since when?")
    assert "since asks for a date" in told


def test_when_the_time_is_over_the_next_who_drives_takes_the_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = make_asking(tmp_path / "shop")
    run = ask(asking, "--json").json["run_id"]
    assert "No run's time has come." in backedge("runs", "wake", "--project", asking).out
    assert backedge("runs", "retry", "--project", asking, run).code == 2
    tomorrow = datetime.now(UTC) + timedelta(hours=25)

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return tomorrow.astimezone(tz)

    monkeypatch.setattr("backedge.cli.waking.datetime", Later)
    monkeypatch.setattr("backedge.adapters.clock.datetime", Later)
    woken = backedge("runs", "wake", "--project", asking, "--json", "-q")
    assert woken.json == [{"run_id": run, "status": "answered"}]
    shown = backedge("runs", "show", "--project", asking, run, "--json").json
    assert "nobody answered in time, so which turnover is paid orders, the default" in shown["assumptions"]
    late = backedge("answer", "--project", asking, run, "1", "2025")
    assert (late.code, "the default was taken" in late.err) == (2, True)
    assert "No run's time has come." in backedge("runs", "wake", "--project", asking).out
