"""Designs: twelve sections in their order, none empty, and every facet that must be accounted for is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from backedge.evidence.design_rules import chance_stated, sections_missing, unaccounted
from backedge.evidence.designs import SECTIONS, Design, DesignSection
from tests.evidence.inquired import facets

WHOLE = tuple(DesignSection(row.name, f"What is said of {row.title}.", ()) for row in SECTIONS)
ACCOUNTED = tuple((facet.name, "met") for facet in facets() if facet.importance == "mandatory")
Sections = tuple[DesignSection, ...]


def test_a_whole_design_passes() -> None:
    design = Design(1, WHOLE, ACCOUNTED)
    assert (len(WHOLE), sections_missing(design), unaccounted(facets(), design)) == (12, None, None)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda whole: whole[1:], "sections_missing"),
        (lambda whole: (*whole, whole[0]), "sections_missing"),
        (lambda _: (), "sections_missing"),
        (lambda whole: (whole[1], whole[0], *whole[2:]), "sections_out_of_order"),
        (lambda whole: (*whole, DesignSection("weather", "Rain.", ())), "sections_out_of_order"),  # type: ignore[arg-type]
        (lambda whole: (replace(whole[0], text=" \n"), *whole[1:]), "sections_empty"),
    ],
)
def test_each_section_stands_once_in_its_place(change: Callable[[Sections], Sections], kind: str) -> None:
    defect = sections_missing(Design(1, change(WHOLE), ACCOUNTED))
    assert (defect.kind if defect else None) == kind


@pytest.mark.parametrize("at", range(len(ACCOUNTED)))
def test_every_mandatory_facet_is_accounted_for(at: int) -> None:
    name = ACCOUNTED[at][0]
    without = (*ACCOUNTED[:at], *ACCOUNTED[at + 1 :])
    for named in (without, (*without, (name, " "))):
        defect = unaccounted(facets(), Design(1, WHOLE, named))
        assert defect is not None
        assert (defect.kind, name in defect.message) == ("facets_unaccounted", True)


def test_a_flagged_facet_is_accounted_for_whatever_its_importance() -> None:
    flagged = tuple(replace(f, flagged=True) if f.name == "timing" else f for f in facets())
    assert unaccounted(flagged, Design(1, WHOLE, ACCOUNTED)) is not None
    assert unaccounted(flagged, Design(1, WHOLE, (*ACCOUNTED, ("timing", "left open: unknown")))) is None


SAID = [
    ("The study is likely to succeed.", True),
    ("There is a 70% chance that it works.", True),
    ("With 15 mice a group the power is 80% to detect a fall of 1.5 mmol/L.", False),
    ("The study goes on if the trend is found at a two-sided level of 0.05.", False),
]


@pytest.mark.parametrize(("words", "refused"), SAID)
def test_a_design_says_what_it_can_detect_and_not_how_likely_it_is_to_succeed(words: str, refused: bool) -> None:
    section = DesignSection("sample_size", words, ())
    found = chance_stated(Design(1, (section,), ()))
    assert (found is not None, found.kind if found else "chance_of_success") == (refused, "chance_of_success")
