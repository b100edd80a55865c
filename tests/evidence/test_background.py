"""Background: where a quotation stands by role, label and look, and whether the rest carries the finding."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.evidence.background import place_of
from backedge.evidence.places import LocatedText
from backedge.evidence.reading import Reading, Role, Section
from backedge.evidence.records import EvidenceRecord, Quotation, RecordKind, Span
from backedge.evidence.spans import located
from backedge.evidence.validation import validate
from tests.evidence.judged import proposal

ABSTRACT = (
    "Background: Ketorolac lowered pain by 30 % in dogs. Objective: To see whether ketorolac lowers pain in women.\n"
    "METHODS. Pain was scored at 24 h. Results: Mean pain was 12 points lower with ketorolac than with placebo.\n\n"
    "Conclusions - Ketorolac lowers pain in women."
)
PLACES = [
    ("Ketorolac lowered pain by 30 % in dogs.", "background"),
    ("To see whether ketorolac lowers pain in women.", "background"),
    ("Pain was scored at 24 h.", "background"),
    ("Mean pain was 12 points lower with ketorolac than with placebo.", "abstract"),
    ("Ketorolac lowers pain in women.", "abstract"),
    ("Pain was scored at 24 h. Results: Mean pain was 12 points lower with ketorolac than with placebo.", "abstract"),
]


def placed(text: str, words: str, role: Role = "abstract", label: str = "") -> str:
    """The place of words in a section that is the whole text."""
    start = text.index(words)
    span = Span("v", "t", "s1", role, start, start + len(words), words, "", "")
    return place_of(span, Section("s1", role, label, 0, len(text), label), text)


@pytest.mark.parametrize(("words", "place"), PLACES)
def test_labels_in_the_line_part_an_abstract(words: str, place: str) -> None:
    assert placed(ABSTRACT, words) == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("**Background:** X is known. Pain fell.", "background"),
        ("AIMS AND METHODS: Pain fell.", "background"),
        ("Methods and Findings: Pain fell.", "other"),
        ("Against this background: Pain fell.", "other"),
        ("The design was known. Design of trials - Pain fell.", "other"),
        ("Objective: To see.\n\nPain fell.", "other"),
        ("Setting. Pain fell.", "other"),
        ("methods: Pain fell.", "other"),
        ("Pain fell.", "other"),
    ],
)
def test_elsewhere_a_label_reaches_to_the_end_of_its_paragraph(text: str, place: str) -> None:
    assert placed(text, "Pain fell.", "other") == place


def test_in_an_abstract_a_label_reaches_to_the_next_one() -> None:
    assert placed("Objective: To see.\n\nPain fell.", "Pain fell.") == "background"


@pytest.mark.parametrize(
    "entry",
    [
        "1. Smith J, Doe AB. Ketorolac lowers pain. J Pain. 2001;12(3):34-45.",
        "[12] van der Berg, J. K. Ketorolac lowers pain. Pain 2001; 12: e34.",
        "Smith, J. (2001). Ketorolac lowers pain. Journal of Pain, 12(3), 45-67.",
        "- Müller-Lüdenscheidt K: Ketorolac lowers pain. doi: 10.1000/182",
    ],
)
def test_an_entry_of_a_list_of_literature_is_told_by_its_look(entry: str) -> None:
    text = f"Cited by\n\n{entry}\n"
    assert placed(text, "Ketorolac lowers pain", "other", "Cited by") == "references"


@pytest.mark.parametrize(
    "line",
    [
        "Ketorolac lowers pain, as Smith J et al. found. J Pain 2001;12:34.",
        "Ketorolac lowers pain (n = 2001; 12:34).",
        "Patients A and B: Ketorolac lowers pain in 2001.",
    ],
)
def test_prose_that_cites_is_no_entry(line: str) -> None:
    assert placed(line, "Ketorolac lowers pain", "results") == "results"


SECTIONS: tuple[tuple[Role, str], ...] = (
    ("introduction", "Others found that ketorolac lowered pain by 30 % in children."),
    ("results", "Mean pain was 12 points lower with ketorolac than with placebo."),
    ("results", "Sixty women completed the follow-up of one week."),
    ("results", "Pain was scored by 60 women every day."),
    ("references", "[1] Smith J. Ketorolac lowers pain in all."),
    ("results", "Pain was lower with ketorolac than with placebo."),
)
TEXT = "\n".join(words for _, words in SECTIONS)


def defects(kind: RecordKind, *numbers: int, **fields: Any) -> list[str]:
    """The defects of place of a record that quotes those sections whole."""
    ends = [sum(len(words) + 1 for _, words in SECTIONS[: number + 1]) - 1 for number in range(len(SECTIONS))]
    sections = tuple(
        Section(f"s{n}", role, role, ends[n] - len(words), ends[n]) for n, (role, words) in enumerate(SECTIONS)
    )
    text = LocatedText(Reading(TEXT, sections, reader="test"))
    quoted = tuple(Quotation(f"s{number}", SECTIONS[number][1]) for number in numbers)
    spans = tuple(located(text, each, version="v", text_hash="t") for each in quoted)
    told = {"treatment": "ketorolac", "endpoint": "pain", "direction": "decrease", **fields}
    made = proposal(told.pop("statement", "Ketorolac lowered pain."), kind=kind, quotations=quoted, **told)
    record = EvidenceRecord("v.1", "v", "source", made, tuple(s for s in spans if isinstance(s, tuple)))
    return [each.kind for each in validate(record, TEXT, "t", sections)]


@pytest.mark.parametrize("kind", ["finding", "claim"])
def test_nothing_rests_on_a_list_of_literature(kind: RecordKind) -> None:
    assert "references_quoted" in defects(kind, 4)
    assert "references_quoted" in defects(kind, 1, 4)
    assert defects(kind, 1) == []


THIRTY = {"statement": "Ketorolac lowered pain by 30 %.", "effect": "30", "units": "%"}
CARRIED: list[tuple[tuple[int, ...], dict[str, str], str]] = [
    ((0, 1), {}, ""),
    ((0, 2), {}, "endpoint"),
    ((0, 3), {}, "direction"),
    ((0, 1), THIRTY, "number 30"),
    ((0, 5), {"endpoint": "pain score of children at 24 h"}, ""),
    ((1, 2), {}, ""),
]


@pytest.mark.parametrize(("numbers", "fields", "what"), CARRIED)
def test_beside_background_the_rest_must_carry_the_finding(
    numbers: tuple[int, ...], fields: dict[str, str], what: str
) -> None:
    assert defects("finding", *numbers, **fields) == (["background"] if what else [])
    assert defects("claim", *numbers, **fields) == []
