"""Roles of sections by their headings and declared types."""

from __future__ import annotations

import pytest

from backedge.adapters.reading.roles import TYPES, role_of, role_within
from backedge.evidence.reading import Role


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Introduction", "introduction"),
        ("1. INTRODUCTION", "introduction"),
        ("A. Background", "introduction"),
        ("Aims and objectives", "introduction"),
        ("Materials and Methods", "methods"),
        ("2 Materials & Methods:", "methods"),
        ("3.1 Study population", "methods"),
        ("3.1. Study population", "methods"),
        ("Patients and methods", "methods"),
        ("Methods/Design", "methods"),
        ("Model and Results", "results"),
        ("Design, setting, and participants", "methods"),
        ("Statistical analysis", "methods"),
        ("Experimental procedures", "methods"),
        ("Results", "results"),
        ("IV. Results", "results"),
        ("Results and Discussion", "results"),
        ("Case presentation", "results"),
        ("Discussion", "discussion"),
        ("Conclusions", "discussion"),
        ("Summary and conclusions", "discussion"),
        ("Strengths and limitations", "discussion"),
        ("Abstract", "abstract"),
        ("References", "references"),
        ("Literature Cited", "references"),
        ("Acknowledgements", "other"),
        ("Authors’ contributions", "other"),
        ("Competing interests", "other"),
        ("Results of earlier trials", None),
        ("Methods that failed in 1990", None),
        ("Vitamin D", None),
        ("Vitamins and results", None),
        ("Effect of the intervention on patients", None),
        ("The discussion was lively and long and went on for hours until every one of the methods was heard", None),
        ("2010", None),
        ("", None),
    ],
)
def test_a_heading_tells_only_as_a_whole(heading: str, role: Role | None) -> None:
    assert role_of(heading) == role


def test_a_declared_type_counts_before_the_heading() -> None:
    assert role_of("Results", "intro|subjects") == "methods"
    assert role_of("Patients", "materials|methods") == "methods"
    assert role_of("Results and Discussion", "conclusions") == "results", "the heading says more, not other"
    assert role_of("Results", "nothing-known") == "results"
    assert all(role_of("", declared) == role for declared, role in TYPES.items())


def test_within_a_section_only_a_clear_heading_leaves_its_role() -> None:
    assert role_within("Patients", "", "results") == "results"
    assert role_within("Analysis", "", "discussion") == "discussion"
    assert role_within("3.2 Results", "", "methods") == "results"
    assert role_within("Patients", "methods", "results") == "methods"
    assert role_within("Patients", "", "other") == "methods"
    assert role_within("Patients", "", None) == "methods"
    assert role_within("Yeast", "", None) is None
