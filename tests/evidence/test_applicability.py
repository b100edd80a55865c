"""Applicability: a mismatch is never direct, what is unknown stays unknown, and of two verdicts the stricter counts."""

from __future__ import annotations

import itertools

import pytest

from backedge.evidence.alike import other_population, same_comparator, same_endpoint, same_treatment
from backedge.evidence.applicability import ORDER, ruled, stricter
from backedge.evidence.inquiry import Applicability, Wants
from tests.evidence.inquired import proposal, wants

RULED: list[tuple[dict[str, str], dict[str, str], Applicability]] = [
    ({}, {}, "direct"),
    ({}, {"species": "C57BL/6 mice"}, "indirect"),
    ({}, {"species": "patients"}, "indirect"),
    ({}, {"species": "unknown"}, "unknown"),
    ({}, {"species": ""}, "unknown"),
    ({}, {"species": "a beast of no known kind"}, "unknown"),
    ({"species": "a beast"}, {"species": "a beast"}, "direct"),
    ({"species": "rodents"}, {}, "direct"),
    ({}, {"species": "rodents"}, "unknown"),
    ({}, {"species": "laboratory animals"}, "unknown"),
    ({}, {"species": "rats and mice"}, "direct"),
    ({}, {"endpoint": "blood glucose"}, "indirect"),
    ({}, {"endpoint": "diastolic blood pressure"}, "indirect"),
    ({}, {"endpoint": "not stated"}, "unknown"),
    ({}, {"species": "mice", "endpoint": "unknown"}, "unknown"),
    ({}, {"species": "unknown", "endpoint": "blood glucose"}, "unknown"),
    ({}, {"treatment": "dapagliflozin 10 mg/kg"}, "indirect"),
    ({}, {"treatment": "the experimental group"}, "unknown"),
    ({}, {"treatment": ""}, "unknown"),
    ({}, {"comparator": "losartan"}, "indirect"),
    ({}, {"comparator": ""}, "indirect"),
    ({}, {"population": "female rats", "species": "rats"}, "indirect"),
    ({"population": "neonatal rats"}, {"population": "adult rats"}, "indirect"),
    ({"species": "", "endpoint": "any", "treatment": "", "comparator": "none", "population": ""}, {}, "direct"),
]
ENDPOINTS = [
    ("systolic blood pressure", "blood pressure", True),
    ("systolic blood pressure", "blood glucose", False),
    ("systolic blood pressure", "diastolic blood pressure", False),
    ("blood pressure", "blood pressure variability", False),
    ("creatinine", "creatinine clearance", False),
    ("serum creatinine", "creatinine", True),
    ("hyperglycaemia", "hypertension", False),
    ("infarct size", "infarct volume at 24 h", True),
    ("infarct size", "size of the infarct", True),
    ("28-day mortality", "death by day 28", True),
    ("overall survival", "progression-free survival", False),
    ("IL-6", "IL-1", False),
    ("plasma IL-6", "IL-6 levels", True),
    ("tumour volume", "tumor size", True),
    ("infarct size and ejection fraction", "ejection fraction", True),
    ("gait score (CatWalk)", "gait", True),
    ("pain", "pain at discharge", True),
    ("pain", "", False),
    ("score", "rate", False),
]
TREATMENTS = [
    ("empagliflozin", "oral empagliflozin 10 mg/kg daily", True),
    ("SGLT2 inhibitor", "DPP4 inhibitor", False),
    ("empagliflozin", "the treatment", None),
    ("exercise", "treadmill exercise training", True),
    ("vitamin C", "Vitamin C", True),
]
COMPARATORS = [
    ("placebo", "vehicle", True),
    ("vehicle", "saline injection", True),
    ("placebo", "usual care", False),
    ("standard of care", "usual care", True),
    ("baseline", "placebo", False),
    ("metformin", "metformin 500 mg", True),
    ("metformin", "placebo", False),
]


@pytest.mark.parametrize(("wanted", "stated", "verdict"), RULED)
def test_rules_allow_no_more_than_a_record_bears(
    wanted: dict[str, str], stated: dict[str, str], verdict: Applicability
) -> None:
    allowed, reason = ruled(wants(**wanted), proposal(**stated))
    assert (allowed, reason == "") == (verdict, verdict == "direct"), reason


@pytest.mark.parametrize(("one", "other", "same"), ENDPOINTS)
def test_endpoints_are_one_by_all_their_words(one: str, other: str, same: bool) -> None:
    assert (same_endpoint(one, other), same_endpoint(other, one)) == (same, same)


@pytest.mark.parametrize(("one", "other", "same"), TREATMENTS)
def test_treatments_are_one_by_their_agent(one: str, other: str, same: bool | None) -> None:
    assert (same_treatment(one, other), same_treatment(other, one)) == (same, same)


@pytest.mark.parametrize(("one", "other", "same"), COMPARATORS)
def test_comparators_are_one_by_their_sort(one: str, other: str, same: bool) -> None:
    assert (same_comparator(one, other), same_comparator(other, one)) == (same, same)


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ("male rats", "female rats", "sex"),
        ("men and women", "women", ""),
        ("aged rats", "adult rats", "age"),
        ("rats aged 8 weeks", "adult rats", ""),
        ("children", "elderly patients", "age"),
        ("", "women", ""),
        ("female rats", "rats", ""),
    ],
)
def test_another_sex_or_age_is_another_population(one: str, other: str, what: str) -> None:
    assert other_population(one, other) == what


def test_reasons_name_what_differs() -> None:
    _, reason = ruled(wants(), proposal(species="mice", endpoint="blood glucose"))
    assert "mice" in reason
    assert "blood glucose" in reason


def test_a_question_that_wants_nothing_allows_everything() -> None:
    assert ruled(Wants(), proposal(species="", endpoint="", treatment="", comparator="")) == ("direct", "")


def test_of_two_verdicts_the_one_that_allows_less_counts() -> None:
    found = {(one, other): stricter(one, other) for one, other in itertools.product(ORDER, repeat=2)}
    assert all(ORDER.index(verdict) == max(map(ORDER.index, pair)) for pair, verdict in found.items())
    assert (stricter("direct", "indirect"), stricter("unknown", "indirect")) == ("indirect", "unknown")
    assert stricter("not_applicable", "unknown") == "not_applicable"
