"""A case is worth what its run came to; the report keeps wrong answers, gaps and refusals apart."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from backedge.ask.evaluate import Case, Outcome, Score, broken, missed, report, score, worst
from backedge.ask.expected import judge_text
from backedge.ask.sameness import Wanted

SEVEN = Wanted(((7,),))


def ended(status: str = "answered", rows: Any = ((7,),), **more: Any) -> dict[str, Any]:
    """An answer form, as far as it is read."""
    found = {"status": status, "run_id": "r1", "path": "semantic", "answer": "It is 7.", "rows": rows}
    return {**found, "figures": [], "truncated": None, "questions": [{"prompt": "Which?"}], **more}


def outcome(case: Case, found: dict[str, Any], asked: int = 0, wanted: Wanted | None = None) -> Outcome:
    return score(case, found, asked, wanted).outcome


ASK, REFUSE, ANSWER = Case("a", "q", expect="ask"), Case("b", "q", expect="refuse"), Case("c", "q", sql="s")


def test_an_answer_is_right_or_wrong_by_its_rows() -> None:
    assert outcome(ANSWER, ended(), wanted=SEVEN) == "right"
    assert outcome(ANSWER, ended(rows=((8,),)), wanted=SEVEN) == "wrong"
    assert outcome(ANSWER, ended(rows=()), wanted=SEVEN) == "wrong"


def test_an_answer_where_none_can_be_is_wrong() -> None:
    assert outcome(REFUSE, ended()) == "wrong"
    assert outcome(ASK, ended()) == "wrong"


def test_a_silent_choice_is_wrong_even_where_its_value_is_the_one_that_would_be_chosen() -> None:
    case = Case("a", "q", expect="ask", sql="s", answers=("net",))
    assert outcome(case, ended(), 0, SEVEN) == "wrong"
    assert outcome(case, ended(), 1, SEVEN) == "right"
    assert outcome(case, ended(rows=((8,),)), 1, SEVEN) == "wrong"


@pytest.mark.parametrize(
    ("case", "status", "passed"),
    [
        (ANSWER, "needs_input", False),
        (ANSWER, "cannot_answer", False),
        (ASK, "needs_input", True),
        (ASK, "cannot_answer", False),
        (REFUSE, "cannot_answer", True),
        (REFUSE, "needs_input", False),
        (REFUSE, "failed", False),
        (Case("a", "q", expect="ask", sql="s", answers=("net",)), "needs_input", False),
    ],
)
def test_only_the_expected_end_passes(case: Case, status: str, passed: bool) -> None:
    assert score(case, ended(status), 0, SEVEN).passed is passed


def test_a_run_that_failed_is_no_refusal() -> None:
    assert outcome(REFUSE, ended("failed")) == "failed"
    assert outcome(ANSWER, ended("running"), wanted=SEVEN) == "failed"


def test_a_cut_answer_cannot_be_compared() -> None:
    assert outcome(ANSWER, ended(truncated="rows"), wanted=SEVEN) == "unchecked"


def test_a_case_is_worth_its_worst_run() -> None:
    scores = [score(ANSWER, ended(rows=rows), 0, SEVEN) for rows in (((7,),), ((8,),), ((7,),))]
    assert (worst(scores).outcome, worst(scores).agreed) == ("wrong", False)
    assert (worst(scores[:1] * 3).outcome, worst(scores[:1] * 3).agreed) == ("right", True)


def scored(case: Case, *outcomes: Outcome) -> list[Score]:
    return [Score(case, each, path="semantic" if each in ("right", "wrong") else "") for each in outcomes]


def test_precision_is_of_what_was_answered_and_coverage_of_what_can_be() -> None:
    found = report([*scored(ANSWER, "right", "right", "refused", "asked"), *scored(REFUSE, "refused", "wrong")])
    assert (found["precision"], found["coverage"], found["passed"], found["checked"]) == (2 / 3, 0.5, 3, 6)
    assert found["confusion"]["answer"] == {"right": 2, "wrong": 0, "asked": 1, "refused": 1, "failed": 0}
    assert found["confusion"]["refuse"] == {"right": 0, "wrong": 1, "asked": 0, "refused": 1, "failed": 0}
    assert [line["name"] for line in found["wrong"]] == ["b"]
    assert found["paths"]["semantic"]["precision"] == 2 / 3


def test_tags_are_counted_apart() -> None:
    tagged = Case("t", "q", sql="s", tags=("rank", "ties"))
    found = report([*scored(tagged, "right", "refused"), *scored(ANSWER, "wrong")])
    assert {tag: (group["cases"], group["precision"]) for tag, group in found["tags"].items()} == {
        "rank": (2, 1.0),
        "ties": (2, 1.0),
    }


def test_nothing_checked_misses_every_threshold() -> None:
    assert missed(report([]), 0, 0) == ["no case was checked"]
    assert missed(report(scored(ANSWER, "unchecked")), 0, 0) == ["no case was checked"]


def test_thresholds_are_missed_from_below_only() -> None:
    found = report(scored(ANSWER, "right", "right", "wrong", "refused"))
    assert missed(found, 2 / 3, 0.75) == []
    assert missed(found, 0.67, 0.75) == ["precision is 66.67%, at least 67.00% is wanted"]
    assert missed(found, 0, 0.8) == ["coverage is 75.00%, at least 80.00% is wanted"]


def test_without_any_answer_there_is_no_precision_to_reach() -> None:
    assert missed(report(scored(ANSWER, "refused")), 0.5, 0) == ["nothing was answered: there is no precision"]
    assert missed(report(scored(REFUSE, "refused")), 1, 1) == []


def test_a_gold_that_does_not_run_lowers_the_coverage() -> None:
    found = report([broken(ANSWER, "no such table"), *scored(ANSWER, "right")])
    assert (found["coverage"], found["precision"], found["failed"][0]["why"]) == (0.5, 1.0, "no such table")


ROWS = (("Germany", Decimal("1234.56"), 0.125), ("France", Decimal("1500000"), None))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("1,234.56", "right"),
        ("about 1234.6", "right"),
        ("1234.5", "wrong"),
        ("1234", "wrong"),
        ("1235", "wrong"),
        ("1.5 million", "right"),
        ("1.6 million", "wrong"),
        ("12.5 %", "right"),
        ("13.5%", "wrong"),
        ('"Germany" leads', "right"),
        ('"Spain" leads with 1,234.56', "wrong"),
        ("Germany leads", "unchecked"),
        ("the figure of 2025", "unchecked"),
        ("-1234.56", "wrong"),
    ],
)
def test_a_text_is_judged_by_its_numbers_and_quoted_names(text: str, verdict: str) -> None:
    assert judge_text(text, "sales in 2025", ended(rows=ROWS)).verdict == verdict


def test_a_text_may_count_rows_by_a_figure() -> None:
    assert judge_text("2", "q", ended(rows=ROWS, figures=[{"value": "2"}])).verdict == "right"
    assert judge_text("2", "q", ended(rows=ROWS)).verdict == "wrong"


def test_the_tolerance_of_a_case_holds_for_its_text() -> None:
    assert judge_text("1235", "q", ended(rows=ROWS), Decimal("0.5")).verdict == "right"
