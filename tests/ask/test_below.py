"""A denied value, and values joined by "and", of what lies below the thing counted are never read one way silently."""

from __future__ import annotations

from datetime import date

import pytest

from backedge.ask.grounding.ground import ground
from backedge.ask.intent import Intent, NotUnderstood
from tests.ask.grounding_shop import CATALOG, VALUES


def read(question: str) -> Intent | NotUnderstood:
    found = ground(question, CATALOG, VALUES, today=date(2024, 3, 15))
    assert isinstance(found, Intent | NotUnderstood), found
    return found


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("order count excluding toys", "without any category"),
        ("order count not in toys", "without any category"),
        ("customer count excluding toys", "without any category"),
        ("order count for toys and books", "with any of them, or with all"),
    ],
)
def test_two_meanings_are_refused_with_both_of_them(question: str, said: str) -> None:
    found = read(question)
    assert isinstance(found, NotUnderstood)
    assert said in found.reason


@pytest.mark.parametrize(
    "question",
    [
        "order count for toys or books",
        "order count for toys",
        "quantity excluding toys",
        "quantity for toys and books",
        "order count by category excluding toys",
        "order count excluding Germany",
    ],
)
def test_what_says_one_thing_is_read(question: str) -> None:
    found = read(question)
    assert isinstance(found, Intent), found
