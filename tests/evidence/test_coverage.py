"""Coverage: mandatory facets are asked about or named as uninvestigated, and every question is whole."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.evidence.coverage import MOST_QUESTIONS, ill_formed, uncovered
from backedge.evidence.facets import FACET_NAMES
from backedge.evidence.inquiry import DerivedQuestions
from tests.evidence.inquired import facets, question

MANDATORY = ("objective", "condition", "model_system", "intervention", "endpoint")


def test_every_mandatory_facet_is_asked_about_or_named_with_a_reason() -> None:
    asked = question("q1", "objective", "condition", "model_system")
    named = (("intervention", "no drug is chosen yet"), ("endpoint", " "))
    assert uncovered(facets(), DerivedQuestions((), ())) == MANDATORY
    assert uncovered(facets(), DerivedQuestions((asked,), named)) == ("endpoint",)  # type: ignore[arg-type]
    assert uncovered(facets(), DerivedQuestions((question("q1", *FACET_NAMES),), ())) == ()


@pytest.mark.parametrize(
    ("fields", "lacks"),
    [
        ({"answer_fields": ()}, "answer fields"),
        ({"answer_fields": (" ",)}, "answer fields"),
        ({"decision": " "}, "the decision"),
    ],
)
def test_a_question_has_all_its_fields(fields: dict[str, Any], lacks: str) -> None:
    defect = ill_formed(facets(), DerivedQuestions((question("q1"), question("q2", **fields)), ()))
    assert defect is not None
    assert (defect.kind, defect.where, lacks in defect.message) == ("question_not_whole", "questions.q2", True)


@pytest.mark.parametrize("key", ["q1", "", "a/b"])
def test_a_question_has_a_key_of_its_own(key: str) -> None:
    defect = ill_formed(facets(), DerivedQuestions((question("q1"), question(key)), ()))
    assert (defect.kind if defect else None) == "question_not_whole"


def test_a_question_is_of_facets_that_there_are() -> None:
    defect = ill_formed(facets(), DerivedQuestions((question("q1", "weather"),), ()))  # type: ignore[arg-type]
    assert defect is not None
    assert "weather" in defect.message


def test_there_are_questions_and_not_too_many() -> None:
    many = tuple(question(f"q{number}") for number in range(MOST_QUESTIONS + 1))
    kinds = [ill_formed(facets(), DerivedQuestions(some, ())) for some in ((), many, many[1:])]
    assert [defect.kind if defect else None for defect in kinds] == ["no_questions", "too_many_questions", None]
