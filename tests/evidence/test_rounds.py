"""Rounds of searches, and the gates that all waiting stages have in common."""

from __future__ import annotations

import pytest

from backedge.evidence.deciding import not_a_reviewer, not_an_approver, rests_on_what_changed
from backedge.evidence.inquire.rounds import ROUNDS, queries_of, why_no_round
from backedge.evidence.inquiry import SearchPlan, SearchQuery

ONE, TWO, THREE, FOUR = (SearchQuery(words, "lexical") for words in ("one", "two", "three", "four"))


def plan(*expansions: SearchQuery) -> SearchPlan:
    return SearchPlan((ONE,), (), expansions, "enough")


def test_the_queries_come_first_then_each_expansion_in_one_of_two_rounds() -> None:
    made = plan(TWO, THREE, FOUR)
    assert [queries_of(made, number) for number in range(ROUNDS + 2)] == [(ONE,), (TWO, THREE), (FOUR,), ()]


@pytest.mark.parametrize(
    ("expansions", "number", "why"),
    [
        ((TWO, THREE), 1, ""),
        ((TWO, THREE), 2, ""),
        ((TWO, THREE), 3, "2 supplemental rounds were run, and no more are"),
        ((), 1, "the plan has no expansions"),
        ((TWO,), 2, "the plan's expansions were all run by round 1"),
    ],
)
def test_a_round_is_run_while_the_budget_and_the_plan_allow_it(
    expansions: tuple[SearchQuery, ...], number: int, why: str
) -> None:
    assert why_no_round(plan(*expansions), number) == why


@pytest.mark.parametrize("gate", [not_a_reviewer, not_an_approver])
def test_only_who_is_named_decides(gate: object) -> None:
    assert callable(gate)
    assert gate("rita", ("rita", "bo")) is None
    assert [gate(by, named).message.split(" ")[0] for by, named in (("eve", ("rita",)), ("", ()))] == ["eve", "nobody"]
    assert "rita" in gate("eve", ("rita",)).message


def test_what_changed_is_named() -> None:
    assert rests_on_what_changed((), "request changes") is None
    found = rests_on_what_changed(("record r1 is rejected now", "s2 is retracted"), "request changes")
    assert found is not None
    assert (found.hint, "r1" in found.message, "s2" in found.message) == ("request changes", True, True)
