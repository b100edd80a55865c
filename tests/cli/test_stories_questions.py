"""One story for each sort of question that is asked back: asked, waiting, answered in one of three ways, right."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from backedge.ask.intent import AskKind
from tests.cli.projects import backedge, backedge_process
from tests.cli.stories import make_stories

# kind: the question, the option that is chosen, the way in which it is said, the rows of the answer
STORIES: dict[str, tuple[str, str, str, list[list[Any]]]] = {
    "measure": ("takings", "visits.total_twice", "label", [[87]]),
    "ranking": ("top 1 town", "visits.total_paid", "number", [["Lyon", 38.5]]),
    "grouping": ("total paid by way", "visits.mood", "value", [["done", 25.25], ["open", 18.25]]),
    "date": ("total paid in January 2025", "visits.booked", "label", [[25.25]]),
    "value": ("visit count for open", "visits.mood", "number", [[2]]),
    "verified": ("what was spent", "spent_twice", "value", [[87]]),
    "name": ("visits by channel", "apart", "number", [["app", 1], ["store", 1], ["web", 2]]),
    "count": ("month count", "visits.month_count", "value", [[4]]),
    "automation": ("report on the mood", "open", "label", [[2]]),
    "kept": ("total paid for Lyon; by town", "lifted", "label", [["Bonn", 5], ["Lyon", 38.5]]),
}


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_stories(tmp_path_factory.mktemp("stories"))


def ask(folder: Path, question: str, *more: str) -> Any:
    return backedge("ask", "--project", folder, "-q", "--json", *more, question)


def begun(folder: Path, question: str) -> Any:
    """The run of a question; what stands behind a semicolon follows what stands before it."""
    first, _, then = question.partition("; ")
    ended = ask(folder, first)
    return ask(folder, then, "--after", ended.json["run_id"]) if then else ended


def said(options: list[dict[str, str]], value: str, way: str) -> str:
    number = next(n for n, option in enumerate(options, 1) if option["value"] == value)
    return {"number": str(number), "label": options[number - 1]["label"], "value": value}[way]


@pytest.mark.slow
@pytest.mark.parametrize("kind", STORIES)
def test_what_may_be_meant_is_asked_and_answered(stories: Path, kind: str) -> None:
    question, value, way, rows = STORIES[kind]
    asked = begun(stories, question)
    assert (asked.code, asked.json["status"], asked.json["question"]["kind"]) == (3, "needs_input", kind)
    assert 2 <= len(asked.json["question"]["options"]) <= 4
    answer = said(asked.json["question"]["options"], value, way)
    done = backedge("answer", "--project", stories, "-q", "--json", asked.json["run_id"], "--", answer)
    assert (done.code, done.json["rows"]) == (0, rows)


def test_every_sort_of_question_has_its_story_and_its_row_in_the_docs() -> None:
    by_a_model = {"meaning"}  # what a language model asks about; the grounder always knows what it asks about
    assert set(STORIES) == set(get_args(AskKind)) - by_a_model
    docs = (Path(__file__).parents[2] / "docs" / "ask.md").read_text(encoding="utf-8")
    assert [kind for kind in get_args(AskKind) if f"\n| `{kind}` |" not in docs] == []


@pytest.mark.slow
def test_a_run_is_answered_by_another_process_once_and_for_all(stories: Path) -> None:
    asked = ask(stories, "takings by town").json
    run, seq = asked["run_id"], str(asked["question"]["seq"])
    wrong = backedge("answer", "--project", stories, run, "neither")
    assert (wrong.code, "none of the options" in wrong.err) == (3, True)
    done = backedge_process("answer", "--project", stories, "-q", "--json", run, "1")
    assert (done.code, done.json["rows"]) == (0, [["Bonn", 5], ["Lyon", 38.5]])
    again = backedge("answer", "--project", stories, "-q", "--json", run, "1")
    assert (again.code, again.json["receipt"]) == (0, done.json["receipt"])
    other = backedge("answer", "--project", stories, run, "--question", seq, "2")
    assert (other.code, "asks nothing now" in other.err) == (2, True)
    late = backedge("answer", "--project", stories, run, "--question", "0", "1")
    assert late.code == 2


@pytest.mark.slow
def test_two_questions_are_asked_one_after_the_other(stories: Path) -> None:
    asked = ask(stories, "takings by way")
    run = asked.json["run_id"]
    second = backedge("answer", "--project", stories, "-q", "--json", run, "1")
    assert (second.code, second.json["question"]["kind"]) == (3, "grouping")
    older = backedge("answer", "--project", stories, run, "--question", str(asked.json["question"]["seq"]), "2")
    assert older.code == 2
    done = backedge("answer", "--project", stories, "-q", "--json", run, "visits.channel")
    assert done.json["rows"] == [["app", 7.75], ["store", 20.25], ["web", 15.5]]
