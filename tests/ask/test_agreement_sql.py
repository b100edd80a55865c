"""SQL that a model wrote holds the values, numbers and days of the question, or is told which it lacks."""

from __future__ import annotations

import pytest

from backedge.ask.agreement_sql import missing
from backedge.ask.grounding.understood import Understood, understood
from backedge.query.sqlliterals import literals
from tests.ask.grounding_shop import MODEL, TODAY, VALUES


def lost(question: str, condition: str, answer: str = "") -> list[str]:
    said, answered = (understood(text, MODEL, VALUES, TODAY) for text in (question, answer))
    found = literals(f"SELECT SUM(o.amount) AS n FROM orders o WHERE {condition}", "duckdb")
    return [defect.message for defect in missing(said, answered, found)]


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("wobble in germany", "o.country = 'Germany'"),
        ("wobble in germany", "o.country ILIKE '%germany%'"),
        ("wobble over 500", "o.amount > 500"),
        ("wobble of 5 %", "o.rate > 0.05"),
        ("wobble in 2023", "o.day >= '2023-01-01' AND o.day < '2024-01-01'"),
        ("wobble in 2023", "o.day BETWEEN DATE '2023-01-01' AND DATE '2023-12-31'"),
        ("wobble last year", "YEAR(o.day) = 2023"),
        ("wobble since 2023", "o.day >= '2023-01-01'"),
    ],
)
def test_what_is_there_passes(question: str, condition: str) -> None:
    assert lost(question, condition) == []


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("wobble in germany", "o.country = 'France'"),
        ("wobble over 500", "o.amount > 50"),
        ("wobble in 2023", "TRUE"),
        ("wobble in 2023", "o.day >= '2023-01-01' AND o.day < '2023-12-01'"),
        ("wobble last year", "YEAR(o.day) = 2024"),
        ("wobble since 2023", "o.day >= '2023-01-02'"),
    ],
)
def test_what_is_lost_is_told(question: str, condition: str) -> None:
    assert len(lost(question, condition)) == 1


def test_an_answer_of_the_person_counts_as_asked() -> None:
    assert lost("wobble last year", "YEAR(o.day) = 2022", "2022") == []
    assert lost("wobble", "TRUE", "only germany") == ["the question says 'germany', and the SQL leaves it out"]


def test_sql_that_cannot_be_parsed_holds_nothing() -> None:
    found = literals("SELECT 'a' FROM (", "duckdb")
    assert (found.texts, found.numbers) == (frozenset(), frozenset())
    assert missing(Understood(), Understood(), found) == ()
