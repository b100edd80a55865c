"""Double review: who sees whose decision, which decisions are independent, and how far two agree beyond chance."""

from __future__ import annotations

import pytest

from backedge.evidence.agreeing import by_pair, kappa, rounds, seen_by
from backedge.evidence.decisions import Decision, DecisionKind
from backedge.evidence.kinds import Decided


def said(number: int, kind: DecisionKind, by: str, seen: int = 2, record: str = "r", *, double: bool = True) -> Decided:
    """A decision on a standing of a record."""
    return Decided(record, number, Decision(kind, by, "because", seen, double=double))


def numbers(found: tuple[Decided, ...]) -> list[int]:
    return [each.number for each in found]


def test_the_second_does_not_see_what_the_first_decided_and_each_sees_their_own() -> None:
    decided = (said(1, "accept", "ann"),)
    assert numbers(seen_by(decided, 2, "bo")) == []
    assert numbers(seen_by(decided, 2, "")) == []
    assert numbers(seen_by(decided, 2, "ann")) == [1]


def test_a_skip_is_hidden_too_and_does_not_count_as_a_decision() -> None:
    decided = (said(1, "skip", "ann"), said(2, "accept", "bo"))
    assert numbers(seen_by(decided, 2, "cy")) == []


def test_who_settles_a_conflict_sees_both() -> None:
    decided = (said(1, "accept", "ann"), said(2, "reject", "bo"))
    assert numbers(seen_by(decided, 2, "cy")) == [1, 2]


def test_earlier_standings_are_no_secret_when_a_record_is_opened_again() -> None:
    decided = (said(1, "accept", "ann"), said(2, "accept", "bo"), said(3, "reject", "bo", seen=3))
    assert numbers(seen_by(decided, 3, "ann")) == [1, 2]


def test_only_the_first_two_of_a_double_review_are_independent() -> None:
    decided = (
        said(1, "accept", "ann", record="a"),
        said(2, "skip", "cy", record="a"),
        said(3, "reject", "bo", record="a"),
        said(4, "reject", "cy", record="a"),
        said(5, "accept", "bo", seen=3, record="a"),  # changed later, knowing the first
        said(1, "fix", "bo", record="b"),
        said(2, "fix", "ann", record="b"),
        said(1, "accept", "ann", record="c", double=False),
        said(2, "reject", "bo", record="c", double=False),
    )
    found = rounds(decided)
    assert [(each.record, each.first, each.second, each.alike) for each in found] == [
        ("a", ("ann", "accept"), ("bo", "reject"), False),
        ("b", ("bo", "fix"), ("ann", "fix"), True),
    ]
    assert by_pair(found) == {("ann", "bo"): [("accept", "reject"), ("fix", "fix")]}


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([], None),
        ([("accept", "accept")], None),
        ([("accept", "accept"), ("reject", "reject")], 1.0),
        ([("accept", "reject"), ("reject", "accept")], -1.0),
        ([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")], 0.5),
        # The worked example of Cohen's kappa: 20 and 15 of 50 alike, 5 and 10 not; 0.70 against 0.50 by chance.
        ([("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15, 0.4),
    ],
)
def test_kappa(pairs: list[tuple[str, str]], found: float | None) -> None:
    told = kappa(pairs)
    assert told == (None if found is None else pytest.approx(found))
