"""A question may be handed to an automation: which one, with what, and what comes of its tables, text and failures."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from backedge.ask.delegated import of_automation
from backedge.ask.gates import figures_hold
from backedge.ask.states import Clarifying, Delegating, Interpreting, Question
from backedge.query.ports import Ran
from backedge.query.table import Column, Table
from tests.cli.projects import Ended, backedge
from tests.models.minds import AGENT, FakeModel, Scene

TOTALS = """\
name: region_totals
description: Totals of each region
retrieval: {include: [how do the regions fare, no region at all, regional forecast], exclude: [forecast]}
variables: {status: {type: string, enum: [paid, open], default: paid, description: which orders}}
tasks:
  - name: totals
    type: execute_sql
    database: local
    sql_query: |
      SELECT region, SUM(amount) AS total FROM orders.csv
      WHERE status = '{{ status }}' AND region IS NOT NULL GROUP BY region ORDER BY 2 DESC
"""
TEXT = """\
name: summary
retrieval: {include: [sum it up]}
tasks:
  - {name: n, type: execute_sql, database: local, sql_query: SELECT COUNT(*) AS n FROM orders.csv}
  - {name: said, type: formatter, template: "There are {{ n.n[0] }} orders."}
"""
BROKEN = """\
name: broken
retrieval: {include: [break it]}
tasks: [{name: t, type: execute_sql, database: local, sql_query: SELECT nope FROM orders.csv}]
"""
CHOOSES = (
    TOTALS.replace(", default: paid", "").replace("region_totals", "chosen").replace("how do the regions fare", "x")
)
PERSON_ASKED = {"chosen": CHOOSES}
ALL = {"totals": TOTALS, "summary": TEXT, "broken": BROKEN}


def project(shop: Path, folder: Path, **files: str) -> Path:
    shutil.copytree(shop, folder / "shop", ignore=shutil.ignore_patterns(".backedge"))
    for name, text in (files or ALL).items():
        (folder / "shop" / f"{name}.automation.yml").write_text(text)
    return folder / "shop"


def asked(folder: Path, text: str, *options: str) -> Ended:
    return backedge("ask", text, "--project", folder, "--quiet", "--no-input", "--json", *options)


def with_model(folder: Path, *replies: Any, **others: Any) -> Scene:
    (folder / "shop.agentic.yml").write_text(AGENT + "context: ['**/*']\n")
    models = {"clarifying": replies, **others}
    return Scene(folder, {stage: FakeModel(said) for stage, said in models.items()})


def test_the_automations_own_question_hands_it_over_and_its_table_is_answered(shop: Path, tmp_path: Path) -> None:
    found = asked(project(shop, tmp_path), "How do the regions fare?").json
    assert found["answer"].startswith("Total by region: South with 100.00; North with 30.75")
    assert (found["path"], found["automation"]) == (
        "automation",
        {"name": "region_totals", "variables": {"status": "paid"}},
    )
    assert found["filters"] == ["status = paid"]
    assert found["rows"] == [["South", 100.0], ["North", 30.75]]
    assert found["states"] == ["Clarifying", "Delegating", "Interpreting", "Done"]


@pytest.mark.parametrize("text", ["totals of each region", "region totals", "run the region totals"])
def test_its_description_its_name_and_a_command_do_the_same(shop: Path, tmp_path: Path, text: str) -> None:
    assert asked(project(shop, tmp_path), text).json["path"] == "automation"


@pytest.mark.parametrize("text", ["how do the regions fare in 2025", "regional forecast", "total amount by region"])
def test_other_words_do_not(shop: Path, tmp_path: Path, text: str) -> None:
    assert asked(project(shop, tmp_path), text).json["path"] != "automation"


def test_text_is_quoted_as_the_automations_own(shop: Path, tmp_path: Path) -> None:
    found = asked(project(shop, tmp_path), "sum it up").json
    assert found["answer"] == "As the automation summary gives it: There are 5 orders."
    assert found["figures"] == []


def test_a_text_of_several_lines_stands_by_itself() -> None:
    asking = Clarifying(Question("x", date(2026, 1, 1)))
    assert of_automation(Interpreting(Delegating(asking, "a"), told="# b\nc")).text == (
        "As the automation a gives it:\n\n# b\nc"
    )


def test_figures_of_an_automations_table_are_held_to_its_cells() -> None:
    columns = (Column(name="region", type="TEXT", kind="text"), Column(name="total", type="INT", kind="integer"))
    ran = Ran(Table(columns=columns, rows=(("North", 3), ("South", 5))), 0)
    state = Interpreting(Delegating(Clarifying(Question("x", date(2026, 1, 1))), "a"), ran)
    said = of_automation(state)
    assert figures_hold(state, said) is None
    wrong = replace(
        said,
        text=said.text.replace("5", "6"),
        figures=tuple(replace(f, text=f.text.replace("5", "6")) for f in said.figures),
    )
    assert figures_hold(state, wrong) is not None


def test_a_failed_automation_is_told_with_its_reason(shop: Path, tmp_path: Path) -> None:
    ended = asked(project(shop, tmp_path), "break it")
    assert (ended.code, ended.json["kind"]) == (4, "rejected")
    assert "the automation broken failed: there is no column `nope`" in ended.json["answer"]
    assert ended.json["states"] == ["Clarifying", "Delegating", "Diagnosing", "Clarifying", "Done"]


def test_a_table_that_the_result_gates_refuse_is_not_answered(shop: Path, tmp_path: Path) -> None:
    empty = TOTALS.replace("status = '{{ status }}'", "status = 'nobody'")
    found = asked(project(shop, tmp_path, empty=empty), "how do the regions fare").json
    assert found["status"] == "cannot_answer"
    assert "the automation region_totals gave a table that is refused: the query found no rows" in found["answer"]


def test_two_that_are_meant_for_the_same_question_are_a_choice(shop: Path, tmp_path: Path) -> None:
    other = TOTALS.replace("region_totals", "again").replace("Totals of each region", "The same again")
    folder = project(shop, tmp_path, one=TOTALS, two=other)
    ended = asked(folder, "how do the regions fare")
    labels = [option["label"] for option in ended.json["question"]["options"]]
    assert (ended.code, labels) == (3, ["Totals of each region", "The same again"])
    told = backedge("answer", ended.json["run_id"], "2", "--project", folder, "--quiet", "--json").json
    assert told["automation"]["name"] == "again"


def test_a_verified_query_of_the_same_question_is_a_choice_too(shop: Path, tmp_path: Path) -> None:
    folder = project(shop, tmp_path, one=TOTALS.replace("no region at all", "which orders have no region"))
    ended = asked(folder, "Which orders have no region?")
    assert [option["value"] for option in ended.json["question"]["options"]][1] == "the verified query"
    told = backedge("answer", ended.json["run_id"], "2", "--project", folder, "--quiet", "--json").json
    assert told["path"] == "verified"


def test_what_it_must_be_given_is_asked_for(shop: Path, tmp_path: Path) -> None:
    folder = project(shop, tmp_path, **PERSON_ASKED)
    ended = asked(folder, "x")
    assert (ended.code, ended.json["question"]["words"]) == (3, "status")
    told = backedge("answer", ended.json["run_id"], "open", "--project", folder, "--quiet", "--json").json
    assert (told["filters"], told["rows"]) == (["status = open"], [["South", 5.0]])


def test_what_cannot_be_chosen_from_a_list_is_told_with_the_command(shop: Path, tmp_path: Path) -> None:
    free = CHOOSES.replace("enum: [paid, open], ", "")
    found = asked(project(shop, tmp_path, free=free), "x").json
    assert "backedge automation run chosen --param status=VALUE" in found["answer"]


def test_a_stopped_automation_leaves_the_question_waiting_and_is_retried_with_it(shop: Path, tmp_path: Path) -> None:
    stops = """\
name: stops
retrieval: {include: [stop it]}
tasks: [{name: t, type: execute_sql, database: local, sql_query: SELECT 7 AS n, cache: {path: blocked/n.json}}]
"""
    folder = project(shop, tmp_path, stops=stops)
    (folder / "blocked").write_text("a file where a folder is wanted")
    ended = backedge("ask", "stop it", "--project", folder, "--quiet", "--no-input")
    run = backedge("runs", "list", "--project", folder, "--json").json[-1]["run_id"]
    assert ended.code == 1
    assert f"it waits for run {run}." in ended.out
    assert "which is stopped: " in ended.out
    assert f"backedge runs retry {run} " in ended.err
    shown = backedge("runs", "show", run, "--project", folder).out
    assert f"backedge runs retry {run}" in shown
    again = backedge("runs", "retry", run, "--project", folder, "--quiet", "--json")
    assert (again.code, again.json["waits_for"][0]["status"]) == (1, "stopped")
    (folder / "blocked").unlink()
    told = backedge("runs", "retry", run, "--project", folder, "--quiet", "--json")
    assert (told.code, told.json["answer"], told.json["waits_for"]) == (0, "N is 7.", [])


def test_a_retry_of_the_automation_alone_is_told_to_the_question(shop: Path, tmp_path: Path) -> None:
    stops = TEXT.replace("FROM orders.csv}", "FROM orders.csv, cache: {path: blocked/n.json}}")
    folder = project(shop, tmp_path, stops=stops)
    (folder / "blocked").write_text("")
    waits = asked(folder, "sum it up").json
    (folder / "blocked").unlink()
    backedge("runs", "retry", waits["waits_for"][0]["run_id"], "--project", folder, "--quiet")
    told = backedge("runs", "retry", waits["run_id"], "--project", folder, "--quiet", "--json").json
    assert told["answer"] == "As the automation summary gives it: There are 5 orders."


def test_a_model_chooses_one_by_name_and_gives_its_variables(shop: Path, tmp_path: Path) -> None:
    calls = {
        "kind": "automation",
        "automation": "region_totals",
        "variables": [{"name": "status", "value": "open"}],
    }
    world = with_model(project(shop, tmp_path), calls)
    run, found = world.asked("gimme the regional overview of whatever is open")
    assert run.trail == ("Clarifying", "Delegating", "Interpreting", "Done")
    assert found["rows"][0][0] == "South"
    assert found["filters"] == ["status = open"]
    assert "automation region_totals | Totals of each region" in world.models["clarifying"].prompts[0].user


@pytest.mark.parametrize(
    ("wrong", "lesson"),
    [
        ({"automation": "regional_totals"}, "there is no regional_totals. Nearest: region_totals"),
        ({"variables": [{"name": "status", "value": "lost"}]}, "'lost' is not one of ['paid', 'open']"),
        ({"variables": [{"name": "state", "value": "open"}]}, "there is no variable state"),
        ({"variables": []}, "neither has nor is given what the question asks for: 'open'"),
    ],
)
def test_what_a_model_calls_wrongly_is_its_lesson_and_nothing_starts(
    shop: Path, tmp_path: Path, wrong: dict[str, Any], lesson: str
) -> None:
    right = {"kind": "automation", "automation": "region_totals", "variables": [{"name": "status", "value": "open"}]}
    world = with_model(project(shop, tmp_path), {**right, **wrong}, right)
    run, found = world.asked("gimme the regional overview of whatever is open")
    assert lesson in world.models["clarifying"].prompts[1].user
    assert run.trail.count("Delegating") == 1
    assert found["filters"] == ["status = open"]


def test_an_excluded_automation_is_not_offered(shop: Path, tmp_path: Path) -> None:
    calls = {"kind": "automation", "automation": "region_totals"}
    world = with_model(project(shop, tmp_path), calls)
    run, _ = world.asked("gimme some forecast of the regional overview")
    assert "Delegating" not in run.trail
    assert "region_totals" not in world.models["clarifying"].prompts[0].user


def test_after_a_failed_automation_the_model_is_told_why(shop: Path, tmp_path: Path) -> None:
    gives_up = {"kind": "unanswerable", "reason": "the automation for it does not work"}
    world = with_model(project(shop, tmp_path), {"kind": "automation", "automation": "broken"}, gives_up)
    run, found = world.asked("gimme something whatever")
    assert run.trail == ("Clarifying", "Delegating", "Diagnosing", "Clarifying", "Done")
    assert "the automation broken failed: there is no column" in world.models["clarifying"].prompts[1].user
    assert found["answer"] == "the automation for it does not work"


def test_a_model_that_chooses_a_failing_automation_for_ever_ends(shop: Path, tmp_path: Path) -> None:
    world = with_model(project(shop, tmp_path), {"kind": "automation", "automation": "broken"})
    run, found = world.asked("gimme something whatever")
    assert run.trail[-1] == "Done"
    assert run.trail.count("Delegating") <= 3
    assert "the automation broken failed" in found["answer"]
