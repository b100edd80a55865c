"""Quoted strings: what a prose quotes stands in a span that it may quote, or is named."""

from __future__ import annotations

import pytest

from backedge.evidence.quoting import quoted_elsewhere

SPANS = (
    "Empagliflozin lowered systolic blood\npressure by 12.5 mmHg (p < 0.05).",
    "Mortality was not higher in the treated group [38].",
)


@pytest.mark.parametrize(
    "prose",
    [
        "It says \u201clowered systolic blood pressure\u201d.",
        'It says "lowered systolic blood pressure by 12.5 mmHg (p < 0.05)".',
        "> Mortality was not higher in the treated group [38].",
        "It says \u00abMortality was not higher\u00bb and \u201cby 12.5 mmHg\u201d.",
        "The \u201csham\u201d group's rats' cages.",
        "Nothing is quoted.",
        "",
    ],
)
def test_what_stands_in_a_span_may_be_quoted(prose: str) -> None:
    assert quoted_elsewhere(prose, SPANS) == ()


@pytest.mark.parametrize(
    ("prose", "words"),
    [
        ("It says \u201clowered diastolic blood pressure\u201d.", "lowered diastolic blood pressure"),
        ('It says "by 12.6 mmHg".', "by 12.6 mmHg"),
        ('It says "p > 0.05".', "p > 0.05"),
        ('It says "mortality doubled".', "mortality doubled"),
        ('It says "12.6".', "12.6"),
        ("> Mortality was higher in the treated group [38].", "Mortality was higher in the treated group [38]."),
        (
            "It says \u201cpressure by 12.5 mmHg (p < 0.05). Mortality was\u201d.",
            "pressure by 12.5 mmHg (p < 0.05). Mortality was",
        ),
        ("It says \u201cMortality was not high\u201d.", "Mortality was not high"),
    ],
)
def test_what_stands_in_none_is_named(prose: str, words: str) -> None:
    assert quoted_elsewhere(prose, SPANS) == (words,)


def test_all_are_named_in_their_order_and_without_spans_all_of_them_are() -> None:
    prose = "\u201cnot this one\u201d, \u201clowered systolic blood pressure\u201d, \u201cnor that one\u201d"
    assert quoted_elsewhere(prose, SPANS) == ("not this one", "nor that one")
    assert len(quoted_elsewhere(prose, ())) == 3
