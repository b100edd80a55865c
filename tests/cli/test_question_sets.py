"""`backedge test` from end to end: gold through the connector, confusion, thresholds, exit codes, the same twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.projects import Ended, backedge, make_project

QUESTIONS = """cases:
  - {name: total, prompt: total sales, tags: [number], sql: SELECT SUM(amount) FROM 'orders.csv'}
  - {name: count, prompt: order count, tags: [number], value: 5}
  - name: rank
    prompt: top 1 regions by sales
    sql: SELECT region, SUM(amount) s FROM 'orders.csv' GROUP BY 1 ORDER BY s DESC LIMIT 1
  - {name: asks, prompt: income by region, expect: ask}
  - name: says
    prompt: income
    expect: ask
    answer: orders.open_amount
    value: 5.00
  - {name: refuses, prompt: sales by planet, expect: refuse}
  - {name: verified, prompt: Which orders have no region?, value: [[4, 7.75]]}
  - {name: text, prompt: total sales in 2026, expected: "It was 100.00."}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("sets"))


def asked(project: Path, text: str, *options: str) -> Ended:
    (project / "q.test.yml").write_text(text)
    return backedge("test", "--project", project, "--json", *options)


def test_every_case_of_a_right_set_passes(project: Path) -> None:
    ended = asked(project, QUESTIONS, "--min-coverage", "1")
    found: Any = ended.json
    assert (ended.code, found["passed"], found["checked"]) == (0, 8, 8), found["results"]
    assert (found["schema"], found["precision"], found["coverage"]) == ("backedge.test/1", 1.0, 1.0)
    assert {path: group["cases"] for path, group in found["paths"].items()} == {"semantic": 5, "verified": 1}
    assert [line["name"] for line in found["results"]] == [
        "total", "count", "rank", "asks", "says", "refuses", "verified", "text",
    ]  # fmt: skip


def without_runs(found: Any) -> Any:
    return [{key: value for key, value in line.items() if key not in ("run_id", "at")} for line in found["results"]]


@pytest.mark.slow
def test_the_same_set_gives_the_same_report_however_many_run_at_once(project: Path) -> None:
    one = asked(project, "settings: {concurrency: 1}\n" + QUESTIONS).json
    many = asked(project, "settings: {concurrency: 8, runs: 2}\n" + QUESTIONS).json
    assert without_runs(one) == without_runs(many)
    assert many["consistency"] == 1.0


MIXED = """cases:
  - {name: wrong, prompt: total sales, tags: [a], sql: SELECT SUM(amount) + 1 FROM 'orders.csv'}
  - {name: right, prompt: order count, tags: [a, b], value: 5}
  - {name: gap, prompt: sales by planet, value: 1}
  - {name: no column, prompt: total sales, sql: SELECT nothing FROM 'orders.csv'}
  - {name: writes, prompt: order count, sql: DROP TABLE 'orders.csv'}
  - {name: no number, prompt: total sales, expected: Sales are healthy.}
  - {name: no option, prompt: income, expect: ask, answer: nonsense, value: 1}
"""
OUTCOMES = {
    "wrong": "wrong",
    "right": "right",
    "gap": "refused",
    "no column": "failed",
    "writes": "failed",
    "no number": "unchecked",
    "no option": "asked",
}


def test_each_end_has_its_name_and_a_wrong_one_its_run(project: Path) -> None:
    ended = asked(project, MIXED)
    assert {line["name"]: line["outcome"] for line in ended.json["results"]} == OUTCOMES
    (line,) = ended.json["wrong"]
    assert (ended.code, line["got"], line["wanted"]) == (7, "143.50", "144.50")
    assert "precision is 50.00%" in ended.err
    assert ["the gold does not run" in line["why"] for line in ended.json["failed"]] == [True, True]
    assert backedge("runs", "show", line["run_id"], "--project", project).code == 0


def test_the_report_for_a_person_names_what_is_wrong(project: Path) -> None:
    (project / "q.test.yml").write_text(MIXED)
    ended = backedge("test", "--project", project, "--tag", "a")
    assert ended.code == 7
    assert "total sales" in ended.out
    assert "wanted  144.50" in ended.out
    assert "precision 50.0% (1 of 2 answered), coverage 100.0%" in ended.out


def test_a_threshold_may_be_lowered_but_a_broken_gold_still_fails(project: Path) -> None:
    options = ("--case", "right", "--case", "wrong", "--min-precision", "0.5")
    assert asked(project, MIXED, *options).code == 0
    assert asked(project, MIXED, *options, "--case", "writes").code == 1


def test_choosing_nothing_fails(project: Path) -> None:
    ended = asked(project, QUESTIONS, "--tag", "none")
    assert (ended.code, ended.err) == (7, "backedge: no case was checked\n")


def test_a_file_that_is_wrong_is_a_configuration_error(project: Path) -> None:
    ended = asked(project, "cases:\n  - {prompt: total sales}\n")
    assert (ended.code, ended.out) == (5, "")
    assert "q.test.yml:2: a case must say what is right" in ended.err


def test_an_agent_that_is_not_there_is_a_configuration_error(project: Path) -> None:
    ended = asked(project, "target: nobody.agentic.yml\n" + QUESTIONS)
    assert ended.code == 5
    assert "no agent `nobody.agentic.yml`" in ended.err
