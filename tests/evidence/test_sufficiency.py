"""Sufficiency: what rests on one study alone, and what the assessments do not bear."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.evidence.inquiry import Assessment, CoverageGap
from backedge.evidence.sufficiency import only_affirmative, overstated
from tests.evidence.inquired import assessed, sufficiency

OPEN = CoverageGap("g1", "q1", "nothing eligible was found")
CLOSED = CoverageGap("g1", "q1", "nothing eligible was found", 0, 1)


@pytest.mark.parametrize(
    ("assessments", "studies", "only"),
    [
        ([], {}, ""),
        ([assessed("r1")], {}, "r1"),
        ([assessed("r1", applies="indirect")], {}, "r1"),
        ([assessed("r1", applies="unknown")], {}, ""),
        ([assessed("r1", applies="not_applicable")], {}, ""),
        ([assessed("r1", "contradicts")], {}, ""),
        ([assessed("r1", "context")], {}, ""),
        ([assessed("r1"), assessed("r2", source="s2")], {}, ""),
        ([assessed("r1"), assessed("r2")], {}, "r1"),
        ([assessed("r1"), assessed("r2", source="s2")], {"s1": "s1", "s2": "s1"}, "r1"),
        ([assessed("r1"), assessed("r2", source="s2")], {"s1": "s1", "s2": "s2"}, ""),
        ([assessed("r0", "contradicts", source="s3"), assessed("r1")], {}, "r1"),
        ([assessed("r1"), assessed("r2", "irrelevant", source="s2")], {}, "r1"),
    ],
)
def test_one_study_alone_affirms(assessments: list[Assessment], studies: dict[str, str], only: str) -> None:
    assert only_affirmative(assessments, studies) == only


@pytest.mark.parametrize(
    ("assessments", "gaps", "said", "kind"),
    [
        ([assessed("r1")], [], {"status": "sufficient", "critical_gaps": ()}, None),
        ([assessed("r1", "contradicts")], [], {"status": "sufficient", "critical_gaps": ()}, None),
        ([assessed("r1")], [CLOSED], {"status": "sufficient", "critical_gaps": ()}, None),
        ([], [], {"status": "sufficient"}, "sufficient_without_direct"),
        ([assessed("r1", applies="indirect")], [], {"status": "sufficient"}, "sufficient_without_direct"),
        ([assessed("r1", "context")], [], {"status": "sufficient"}, "sufficient_without_direct"),
        ([assessed("r1"), assessed("r2", "contradicts")], [], {"status": "sufficient"}, "conflict_unsaid"),
        ([assessed("r1")], [OPEN], {"status": "sufficient"}, "sufficient_over_gap"),
        ([], [OPEN], {"status": "insufficient"}, None),
        ([], [OPEN], {"status": "insufficient", "critical_gaps": (" ",)}, "gaps_missing"),
        ([assessed("r1"), assessed("r2", "contradicts")], [], {"status": "conflicting"}, None),
        ([], [], {"status": "partial", "coverage": " "}, "coverage_missing"),
    ],
)
def test_a_judgement_says_no_more_than_the_assessments_bear(
    assessments: list[Assessment], gaps: list[CoverageGap], said: dict[str, Any], kind: str | None
) -> None:
    defect = overstated(assessments, gaps, sufficiency(**said))
    assert (defect.kind if defect else None) == kind


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"coverage": "This approach has a 90% chance of success."}, "chance_of_success"),
        ({"assumptions": ("it will probably succeed",)}, "chance_of_success"),
        ({"critical_gaps": ('they wrote "no second study was ever done"',)}, "judgement_quotes"),
        ({"coverage": "one dose, one strain"}, None),
    ],
)
def test_a_judgement_states_no_chance_and_quotes_nothing(said: dict[str, Any], kind: str | None) -> None:
    defect = overstated([assessed("r1")], [], sufficiency(**said))
    assert (defect.kind if defect else None) == kind
