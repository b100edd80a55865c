"""Follow-ups by the command line: what is kept is shown, threads are listed, and what cannot be followed is refused."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.cli.projects import Ended, backedge, backedge_process


def ask(shop: Path, *args: str) -> Ended:
    return backedge("ask", "--project", shop, "-q", *args, "--json")


def answered(shop: Path, *args: str) -> Any:
    ended = ask(shop, *args)
    assert ended.code == 0, ended.out
    return ended.json


def test_a_follow_up_keeps_measure_filter_and_period_and_says_so(shop: Path) -> None:
    first = answered(shop, "total amount by region in 2025 where status is paid")
    then = answered(shop, "--after", first["run_id"], "and per month?")
    assert [row[1] for row in then["rows"]] == [30.75, 7.75]
    assert (then["after"], then["thread"]) == (first["run_id"], first["run_id"])
    assert "kept from the question before: total_amount; status is paid; ordered in 2025" in then["assumptions"]
    assert [token["means"] for token in then["tokens"] if token["kept"]] == [
        "orders.total_amount", "orders.status", "orders.ordered",
    ]  # fmt: skip
    third = answered(shop, "--after", "last", "what about 2026")
    assert [row[1] for row in third["rows"]] == [100]
    assert (third["after"], third["thread"]) == (then["run_id"], first["run_id"])


def test_a_thread_is_listed_from_any_of_its_runs_and_shown_with_what_it_follows(shop: Path) -> None:
    first = answered(shop, "order count by status")
    answered(shop, "total amount")
    then = answered(shop, "--after", first["run_id"][:6], "in 2025")
    for run in (first["run_id"], then["run_id"], "last"):
        listed = backedge("runs", "list", "--project", shop, "--thread", run, "--json").json
        assert [head["run_id"] for head in listed] == [then["run_id"], first["run_id"]]
    assert f"after  {first['run_id']}" in backedge("runs", "show", "--project", shop, then["run_id"]).out


@pytest.mark.slow
def test_a_complete_question_after_another_keeps_nothing(shop: Path) -> None:
    first = answered(shop, "total amount by region in 2025")
    then = answered(shop, "--after", first["run_id"], "order count")
    assert (then["rows"], then["assumptions"], then["after"]) == ([[5]], [], first["run_id"])


def test_a_refused_follow_up_says_what_can_be_asked_and_that_works(shop: Path) -> None:
    first = answered(shop, "total amount in 2025")
    ended = backedge("ask", "--project", shop, "--after", first["run_id"], "why?")
    assert ended.code == 4
    step = ended.err.strip().splitlines()[-1]
    assert step.startswith("ask on with: backedge ask --after")
    typed = backedge(*shlex.split(step.partition(": backedge ")[2]), "-q")
    assert (typed.code, "in 2025" in typed.out) == (0, True)


@pytest.mark.slow
def test_last_is_the_last_that_was_answered(shop: Path) -> None:
    first = answered(shop, "open amount by region")
    assert ask(shop, "--after", "last", "by planet").code == 4
    assert answered(shop, "--after", "last", "in total")["after"] == first["run_id"]


@pytest.mark.slow
def test_an_open_question_in_a_follow_up_goes_on_with_what_it_kept(shop: Path) -> None:
    first = answered(shop, "total amount where status is paid")
    asked = ask(shop, "--after", first["run_id"], "and income?")
    assert asked.code == 3
    done = backedge_process("answer", "--project", shop, "-q", asked.json["run_id"], "orders.paid_amount", "--json")
    assert (done.json["rows"], done.json["after"]) == ([[138.5]], first["run_id"])
    assert "kept from the question before: status is paid" in done.json["assumptions"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "says"),
    [("income", "is not answered (needs_input); answer it first"), ("by planet", "is not answered (cannot_answer)")],
)
def test_what_is_not_answered_cannot_be_followed(shop: Path, question: str, says: str) -> None:
    run = ask(shop, question).json["run_id"]
    ended = backedge("ask", "--project", shop, "--after", run, "by region")
    assert (ended.code, ended.out) == (2, "")
    assert says in ended.err


def test_a_run_of_another_project_or_of_another_asker_cannot_be_followed(shop: Path, tmp_path: Path) -> None:
    run = answered(shop, "total amount")["run_id"]
    elsewhere = backedge("ask", "--project", tmp_path, "--after", run, "by region")
    assert (elsewhere.code, f"there is no run {run}" in elsewhere.err) == (2, True)
    assert list(tmp_path.iterdir()) == []
    other = backedge("ask", "--project", shop, "--after", run, "--as", "role=admin", "by region")
    assert (other.code, "was asked with no attributes" in other.err) == (6, True)


@pytest.mark.slow
def test_what_a_verified_query_answered_has_no_parts_to_keep(shop: Path) -> None:
    run = answered(shop, "Which orders have no region?")["run_id"]
    refused = ask(shop, "--after", run, "by status")
    assert (refused.code, "nothing of it can be kept" in refused.json["answer"]) == (4, True)
    assert answered(shop, "--after", run, "order count")["rows"] == [[5]]


@pytest.mark.slow
def test_a_follow_up_goes_on_though_the_run_before_is_gone(shop: Path) -> None:
    first = answered(shop, "total amount by region")
    then = answered(shop, "--after", first["run_id"], "in 2025")
    started = backedge("runs", "events", "--project", shop, then["run_id"]).out.splitlines()[0]
    assert '"orders.total_amount"' in started
    assert '"orders.region"' in started
