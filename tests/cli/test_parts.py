"""A question in several parts at the command line: each part has its answer, its rows and its receipt."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.projects import backedge, make_project

TWO = "total sales by month and number of orders by region"
ASKS = "how many orders? income by region?"
EMPTY = "sales by month for North and open"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A shop of its own: runs are counted."""
    return make_project(tmp_path / "shop")


def test_each_part_has_its_own_answer_rows_and_receipt(own: Path) -> None:
    ended = backedge("ask", TWO, "--project", own, "--json", "--quiet")
    found = ended.json
    assert (ended.code, found["states"]) == (
        0,
        ["Clarifying", "Specifying", "Gathering", "Gathering", "Interpreting", "Done"],
    )
    first, second = found["parts"]
    assert [part["asked"] for part in found["parts"]] == ["total sales by month", "number of orders by region"]
    assert [(len(part["rows"]), part["status"]) for part in found["parts"]] == [(3, "answered"), (3, "answered")]
    assert first["receipt"]["run_id"] == first["run_id"] != second["run_id"]
    assert all(part["figures"] for part in found["parts"])
    assert found["answer"].splitlines() == [f"{part['asked']}: {part['answer']}" for part in found["parts"]]


def test_a_person_reads_the_parts_in_their_order_each_with_its_reading(own: Path) -> None:
    out = backedge("ask", TWO, "--project", own, "--quiet").out
    assert out.index("total sales by month") < out.index("reading") < out.index("number of orders by region")
    run_id = backedge("runs", "list", "--project", own, "--json").json
    whole = next(head for head in run_id if head["parent"] is None)
    assert "number of orders by region" in backedge("runs", "show", whole["run_id"], "--project", own).out


def test_a_failed_part_is_stated_with_its_reason(own: Path) -> None:
    found = backedge("ask", f"how many orders? {EMPTY}?", "--project", own, "--json", "--quiet").json
    assert [part["status"] for part in found["parts"]] == ["answered", "cannot_answer"]
    failed = found["parts"][1]
    assert f"{EMPTY}: no answer ({failed['answer']})" in found["answer"]
    assert found["status"] == "answered"


def test_where_every_part_fails_there_is_no_answer_and_no_part_is_asked_twice(own: Path) -> None:
    ended = backedge("ask", f"{EMPTY}; {EMPTY.replace('month', 'year')}", "--project", own, "--json", "-q")
    assert (ended.code, ended.json["status"]) == (4, "cannot_answer")
    assert all(words in ended.json["answer"] for words in ("by month", "by year"))
    heads = backedge("runs", "list", "--project", own, "--json").json
    assert len(heads) == 3


def test_a_part_that_asks_is_answered_by_way_of_the_whole(own: Path) -> None:
    ended = backedge("ask", ASKS, "--project", own, "--json", "--no-input", "--quiet")
    found = ended.json
    assert (ended.code, found["status"]) == (3, "needs_input")
    (held,) = found["waits_for"]
    assert (held["asked"], held["status"]) == ("income by region", "waiting")
    assert found["question"]["run_id"] == found["run_id"]
    shown = backedge("runs", "show", found["run_id"], "--project", own)
    assert f"run {held['run_id']} asks (income by region)" in shown.out
    assert f"backedge answer {found['run_id']} NUMBER" in shown.out
    answered = backedge("answer", found["run_id"], "1", "--project", own, "--json", "--quiet")
    assert (answered.code, [part["status"] for part in answered.json["parts"]]) == (0, ["answered"] * 2)
    again = backedge("answer", found["run_id"], "2", "--project", own, "--quiet")
    assert again.code == 2


def test_where_two_parts_ask_each_is_answered_by_its_own_run(own: Path) -> None:
    found = backedge("ask", "income by region? income by month?", "--project", own, "--json", "--no-input", "-q").json
    held = [h["run_id"] for h in found["waits_for"]]
    refused = backedge("answer", found["run_id"], "1", "--project", own, "--quiet")
    assert refused.code == 2
    assert all(run_id in refused.err for run_id in held)
    assert found["question"]["run_id"] == held[0]
    backedge("answer", held[0], "1", "--project", own, "--quiet")
    last = backedge("answer", found["run_id"], "2", "--project", own, "--json", "--quiet")
    assert [part["status"] for part in last.json["parts"]] == ["answered"] * 2


def test_answers_given_beforehand_reach_the_part_that_asks(own: Path) -> None:
    first = backedge("ask", ASKS, "--project", own, "--json", "--no-input", "--quiet").json
    given = f"{first['question']['slot']}=1"
    assert backedge("ask", ASKS, "--answer", given, "--project", own, "--quiet").code == 0


def test_a_part_goes_on_with_the_agent_of_the_whole(own: Path) -> None:
    for name in ("a", "b"):
        (own / f"{name}.agentic.yml").write_text("databases: [local]\n")
    found = backedge("ask", ASKS, "--agent", "b", "--project", own, "--json", "--no-input", "--quiet").json
    heads = {h["run_id"]: h["labels"] for h in backedge("runs", "list", "--project", own, "--json").json}
    assert {labels["agent"] for labels in heads.values()} == {"b.agentic.yml"}
    assert heads[found["waits_for"][0]["run_id"]]["asked"] == "income by region"
    shutil.rmtree(own / ".backedge")
