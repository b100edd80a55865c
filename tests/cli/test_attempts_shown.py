"""What `runs show`, `--prompts` and the live trace say of attempts that asked a model."""

from __future__ import annotations

import re
import shutil
from decimal import Decimal
from pathlib import Path

import pytest

from backedge.cli.costs import spent, who
from backedge.cli.trace import tracer
from backedge.kernel.budget import Usage
from backedge.kernel.journal import Proposed, Refused, Stored
from tests.cli.projects import Ended, backedge

CONFIG = """databases:
  - {name: local, type: duckdb, dataset: data/}
models:
  - {name: story, vendor: scripted, model_ref: story, model_file: replies.yml}
defaults: {database: local}
"""
AGENT = "states: {interpreting: {model: story}}\n"
REPLIES = """interpreting:
  - {reply: {text: "South has the most, 106.00."}}
  - {fails: transient}
  - {reply: {text: "South has the most, 105.00."}}
"""


@pytest.fixture(scope="module")
def asked(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    """A project with a scripted model, and a question whose first words were wrong and whose second were lost."""
    folder = tmp_path_factory.mktemp("told") / "shop"
    shutil.copytree(shop, folder, ignore=shutil.ignore_patterns("runs.db*"))
    for name, text in {"config.yml": CONFIG, "shop.agentic.yml": AGENT, "replies.yml": REPLIES}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder, backedge("ask", "--project", folder, "total amount by region", "--json")


def test_the_form_says_of_each_attempt_its_model_its_cost_and_its_lesson(asked: tuple[Path, Ended]) -> None:
    _, ended = asked
    words = [attempt for attempt in ended.json["attempts"] if attempt["stage"] == "Interpreting"]
    assert [attempt["outcome"] for attempt in words] == ["defects", "transient", "accepted"]
    assert {attempt["model"]["model"] for attempt in words} == {"story"}
    assert ["lesson" in attempt for attempt in words] == [False, True, True]
    assert "106" in words[1]["lesson"]
    assert all({"calls", "cached_tokens", "cost"} <= attempt["usage"].keys() for attempt in words)
    assert words[0]["sent"] == {"rows": 3}
    assert not {"prompt_text", "reply"} & words[0].get("details", {}).keys()


def test_the_receipt_names_the_semantic_model_and_no_language_model(asked: tuple[Path, Ended], shop: Path) -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", asked[1].json["receipt"]["model"])


def test_the_page_shows_models_cost_and_lessons(asked: tuple[Path, Ended]) -> None:
    folder, ended = asked
    page = backedge("runs", "show", ended.json["run_id"], "--project", folder)
    assert page.code == 0
    for said in ("story", "usage", ", lesson", "$0"):
        assert said in page.out
    assert "<<data" not in page.out


def test_prompts_and_replies_are_shown_where_they_are_asked_for(asked: tuple[Path, Ended]) -> None:
    folder, ended = asked
    page = backedge("runs", "show", ended.json["run_id"], "--project", folder, "--prompts")
    assert page.out.count("<<data question") == 3
    assert '"text": "South has the most, 106.00."' in page.out
    assert "(none came)" in page.out
    form = backedge("runs", "show", ended.json["run_id"], "--project", folder, "--prompts", "--json").json
    assert [prompt["reply"] is None for prompt in form["prompts"]] == [False, True, False]
    assert "prompts" not in ended.json


def test_the_trace_names_the_model_and_what_it_used(asked: tuple[Path, Ended]) -> None:
    assert "Interpreting proposed (" in asked[1].err
    assert "story, " in asked[1].err
    lines: list[str] = []
    watch = tracer(lines.append)
    details = {"model": "claude-x", "thinking": "adaptive", "prompt_text": "…"}
    used = Usage(1200, 85, Decimal("0.0012"), cached_tokens=800)
    watch("r", Stored(1, None, Proposed("Solving", {}, ms=5, usage=used, details=details)))  # type: ignore[arg-type]  # no time
    watch("r", Stored(2, None, Refused("Solving", "transient", 2, message="lost", usage=used, details=details)))  # type: ignore[arg-type]
    told = "claude-x, adaptive, 1,200 in (800 cached), 85 out, $0.0012"
    assert lines == [f"  Solving proposed (5 ms, {told})", f"✗ Solving, attempt 2 ({told}): transient: lost"]


def test_a_price_that_nobody_knows_is_no_zero() -> None:
    used = {"input_tokens": 1, "output_tokens": 2, "cached_tokens": 0, "cost": None}
    assert spent(used) == "1 in, 2 out, price unknown"
    assert spent({**used, "cost": 0.0}).endswith("$0")
    assert who(None) == ""
