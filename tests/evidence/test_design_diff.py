"""The diff of two versions: sentences, citations and facets that came and went."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence.designs import SECTIONS, Citation, Design, DesignSection, SectionName
from backedge.evidence.exporting.design_diff import SectionDiff, changes_between, diff_text


def design(version: int, facets: tuple[tuple[str, str], ...] = (), **sections: DesignSection) -> Design:
    made = tuple(sections.get(row.name, DesignSection(row.name, f"{row.title}.", ())) for row in SECTIONS)
    return Design(version, made, facets)


def section(name: SectionName, text: str, *cited: tuple[str, str]) -> DesignSection:
    return DesignSection(name, text, tuple(Citation(sentence, (key,)) for sentence, key in cited))


def of(diff_sections: tuple[SectionDiff, ...], name: str) -> SectionDiff:
    return next(each for each in diff_sections if each.name == name)


def test_sentences_that_came_went_and_stayed() -> None:
    old = design(1, endpoints=section("endpoints", "Nausea is scored. It is scored daily. Pain is not."))
    new = design(2, endpoints=section("endpoints", "Nausea is scored. It is scored twice a day. Pain is not."))
    diff = changes_between(old, new)
    assert [(line.change, line.text) for line in of(diff.sections, "endpoints").lines] == [
        ("same", "Nausea is scored."),
        ("removed", "It is scored daily."),
        ("added", "It is scored twice a day."),
        ("same", "Pain is not."),
    ]
    assert [each.name for each in diff.sections if each.changed] == ["endpoints"]


def test_citations_that_came_and_went_are_told_by_sentence_and_record() -> None:
    old = design(1, ethics=section("ethics", "It hurts. It is mild.", ("It hurts.", "a"), ("It is mild.", "b")))
    new = design(2, ethics=section("ethics", "It hurts. It is mild.", ("It hurts.", "b"), ("It is mild.", "a")))
    found = of(changes_between(old, new).sections, "ethics")
    assert [(each.change, each.record, each.sentence) for each in found.citations] == [
        ("removed", "a", "It hurts."),
        ("removed", "b", "It is mild."),
        ("added", "b", "It hurts."),
        ("added", "a", "It is mild."),
    ]
    assert {line.change for line in found.lines} == {"same"}
    assert found.changed


def test_facets_that_are_met_otherwise() -> None:
    old, new = design(1, (("timing", "daily"), ("endpoint", "score"))), design(2, (("timing", "weekly"),))
    assert [(line.change, line.text) for line in changes_between(old, new).facets] == [
        ("removed", "timing: daily"),
        ("removed", "endpoint: score"),
        ("added", "timing: weekly"),
    ]


def test_the_same_text_is_no_change_and_the_text_of_a_diff_says_so() -> None:
    diff = changes_between(design(1), replace(design(1), version=2))
    assert (diff.changed, diff_text(diff)) == (False, "version 1 → version 2: nothing changed\n")


def test_the_text_shows_changed_sections_alone() -> None:
    old = design(1, (("timing", "daily"),), analysis=section("analysis", "A test.\n\nIts level.", ("A test.", "a")))
    new = design(2, (("timing", "weekly"),), analysis=section("analysis", "A test."))
    assert diff_text(changes_between(old, new)) == (
        "version 1 → version 2\n"
        "\nAnalysis plan and decision rule\n"
        "    A test.\n"
        "  - Its level.\n"
        "  @ - a is no longer cited by: A test.\n"
        "\nFacets accounted for\n"
        "  - timing: daily\n"
        "  + timing: weekly\n"
    )


def test_a_letter_makes_another_sentence() -> None:
    old = design(1, sample_size=section("sample_size", "p < 0.05 is needed."))
    new = design(2, sample_size=section("sample_size", "p > 0.05 is needed."))
    assert [line.change for line in of(changes_between(old, new).sections, "sample_size").lines] == ["removed", "added"]
