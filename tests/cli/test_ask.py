"""`ask` and `answer` as a user calls them: what is printed, and the exit code."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.projects import backedge

FORM = {
    "schema", "status", "run_id", "answer", "figures", "columns", "rows", "sql", "path", "chart", "assumptions",
    "notes", "question", "states", "attempts", "usage", "reading", "filters", "receipt", "resumable",
}  # fmt: skip


def test_the_one_best_is_not_called_so_where_another_is_as_good(shop: Path) -> None:
    tie = backedge("ask", "--project", shop, "which region has the highest order count", "--json").json
    assert len(tie["rows"]) == 1
    assert tie["answer"].endswith("; more regions have the same value.")
    single = backedge("ask", "--project", shop, "which region has the highest total amount", "--json").json
    assert single["answer"] == "South has the highest total amount, 105.00."


def test_an_answer_is_exact_and_carries_its_proof(shop: Path) -> None:
    ended = backedge("ask", "--project", shop, "total amount by region", "--json")
    found = ended.json
    assert ended.code == 0
    assert set(found) >= FORM
    assert (found["schema"], found["status"], found["path"]) == ("backedge.answer/1", "answered", "semantic")
    assert found["states"] == ["Clarifying", "Specifying", "Executing", "Interpreting", "Done"]
    assert {row[0]: row[1] for row in found["rows"]} == {"North": 30.75, "South": 105, None: 7.75}
    assert "30.75" in ended.out
    assert found["columns"][1]["kind"] == "decimal"
    for figure in found["figures"]:
        assert found["answer"][figure["start"] : figure["end"]] == figure["text"]
    assert len(found["receipt"]["journal"]) == 64
    assert "Specifying" in ended.err


def test_a_person_reads_the_sentence_first(shop: Path) -> None:
    ended = backedge("ask", "--project", shop, "-q", "total amount in 2025")
    assert ended.code == 0
    assert ended.out.splitlines()[0] == "Total amount in 2025 is 43.50."
    assert "2025-01-01" in ended.out
    assert ended.err == ""


def test_an_ambiguous_question_waits_and_goes_on_with_the_answer(shop: Path) -> None:
    asked = backedge("ask", "--project", shop, "income by region", "--json")
    question = asked.json["question"]
    assert (asked.code, asked.json["status"]) == (3, "needs_input")
    assert {option["value"] for option in question["options"]} == {"orders.paid_amount", "orders.open_amount"}
    run, seq = asked.json["run_id"], str(question["seq"])
    chosen = next(o["label"] for o in question["options"] if o["value"] == "orders.open_amount")
    wrong = backedge("answer", "--project", shop, run, "neither")
    assert wrong.code == 3
    assert "none of the options" in wrong.err
    done = backedge("answer", "--project", shop, run, "--question", seq, chosen, "--json")
    assert done.code == 0
    assert done.json["states"][:3] == ["Clarifying", "AwaitingAnswer", "Clarifying"]
    assert [row for row in done.json["rows"] if row[1] is not None] == [["South", 5]]
    again = backedge("answer", "--project", shop, run, "--question", seq, chosen, "--json")
    assert (again.code, again.json["receipt"]) == (0, done.json["receipt"])
    other = next(o["value"] for o in question["options"] if o["value"] != "orders.open_amount")
    refused = backedge("answer", "--project", shop, run, "--question", seq, other)
    assert refused.code == 2
    assert "asks nothing now" in refused.err


def test_an_unknown_word_is_named_and_never_ignored(shop: Path) -> None:
    ended = backedge("ask", "--project", shop, "total amount by planet", "--json")
    assert (ended.code, ended.json["status"], ended.json["rows"]) == (4, "cannot_answer", [])
    assert [unknown["word"] for unknown in ended.json["unknown"]] == ["planet"]


def test_a_period_without_data_is_no_zero(shop: Path) -> None:
    ended = backedge("ask", "--project", shop, "total amount in 2019", "--json")
    assert (ended.code, ended.json["status"]) == (4, "cannot_answer")
    assert "2025" in ended.json["answer"]


def test_a_verified_query_is_marked(shop: Path) -> None:
    ended = backedge("ask", "--project", shop, "Which orders have no region?", "--json")
    assert (ended.code, ended.json["path"], ended.json["rows"]) == (0, "verified", [[4, 7.75]])


def test_a_general_inquiry_needs_no_sql(shop: Path) -> None:
    ended = backedge("ask", "--project", shop, "what can I ask?", "--json")
    assert (ended.code, ended.json["sql"], ended.json["states"]) == (0, None, ["Clarifying", "Done"])
    assert "total amount" in ended.json["answer"]


def test_events_are_json_lines_with_the_answer_last(shop: Path) -> None:
    ended = backedge("ask", "--project", shop, "order count", "--events")
    *entries, last = [json.loads(line) for line in ended.out.splitlines()]
    assert [entry["kind"] for entry in entries][:2] == ["started", "proposed"]
    assert [entry["seq"] for entry in entries] == list(range(len(entries)))
    assert (last["schema"], last["answer"]) == ("backedge.answer/1", "Order count is 5.")


def test_without_input_the_exit_code_says_that_it_waits(shop: Path) -> None:
    ended = backedge("ask", "--project", shop, "--no-input", "income")
    assert ended.code == 3
    assert "backedge answer" in ended.err


def test_at_a_terminal_the_choice_is_made_in_place(shop: Path) -> None:
    main, side = pty.openpty()
    command = [sys.executable, "-m", "backedge", "ask", "--project", str(shop), "-q", "income"]
    with subprocess.Popen(command, stdin=side, stdout=subprocess.PIPE, stderr=side) as process:
        os.write(main, b"7\n1\n")
        out, _ = process.communicate(timeout=60)
    os.close(side)
    os.close(main)
    assert process.returncode == 0
    assert b"amount" in out


@pytest.mark.parametrize(
    "question", ["", "   ", "🦊🦊", "?!", "DROP TABLE orders; --", "SELECT * FROM orders", "a" * 100_000]
)
def test_odd_questions_get_a_plain_refusal(shop: Path, question: str) -> None:
    ended = backedge("ask", "--project", shop, "--json", "--", question)
    assert (ended.code, ended.json["status"]) == (4, "cannot_answer")
    assert ended.json["answer"]
