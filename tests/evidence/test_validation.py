"""Validation: a sound record has no defect, and each way of breaking it has its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backedge.evidence.places import LocatedText
from backedge.evidence.reading import Reading, Role, Section
from backedge.evidence.records import EvidenceRecord, Quotation, Span
from backedge.evidence.spans import located
from backedge.evidence.validation import LONGEST_STATEMENT, REQUIRED, validate
from backedge.kernel.defect import Defect
from tests.evidence.judged import proposal

TEXT = (
    "Others found that ketorolac lowered pain in children.\n"
    "Sixty women were randomised to ketorolac or placebo.\n"
    "Mean pain at 24 h was lower with ketorolac than with placebo.\n"
    "[1] Smith J. Ketorolac lowers pain in all.\n"
)
HASH = "t" * 64
ROLES: tuple[Role, ...] = ("introduction", "methods", "results", "references")


def sections() -> tuple[Section, ...]:
    found, start = [], 0
    for number, (line, role) in enumerate(zip(TEXT.splitlines(keepends=True), ROLES, strict=True), 1):
        found.append(Section(f"s{number}", role, role, start, start + len(line)))
        start += len(line)
    return tuple(found)


SECTIONS = sections()
QUOTED = "Mean pain at 24 h was lower with ketorolac than with placebo."


def record(*quotations: Quotation, **fields: Any) -> EvidenceRecord:
    """A sound finding, except for what is told."""
    text = LocatedText(Reading(TEXT, SECTIONS, reader="test"))
    quoted = quotations or (Quotation("s3", QUOTED),)
    found = [located(text, each, version="v", text_hash=HASH) for each in quoted]
    spans = tuple(() if isinstance(each, Defect) else each for each in found)
    told = {"endpoint": "pain at 24 h", "treatment": "ketorolac", **fields}
    made = proposal("Ketorolac lowered pain at 24 h.", **{**told, "quotations": quoted})
    return EvidenceRecord("v.1", "v", "source", made, spans)


def kinds(found: EvidenceRecord, *earlier: EvidenceRecord, text: str = TEXT, text_hash: str = HASH) -> list[str]:
    return [defect.kind for defect in validate(found, text, text_hash, SECTIONS, earlier)]


def spanned(found: EvidenceRecord, **changes: Any) -> EvidenceRecord:
    """The record with something of its first span changed."""
    span: Span = replace(found.spans[0][0], **changes)
    return replace(found, spans=((span,), *found.spans[1:]))


def stated(found: EvidenceRecord, **changes: Any) -> EvidenceRecord:
    return replace(found, proposal=replace(found.proposal, **changes))


def test_a_sound_record_has_no_defect() -> None:
    two = (Quotation("s3", QUOTED), Quotation("s2", "Sixty women were randomised to ketorolac or placebo."))
    assert (kinds(record()), kinds(record(*two)), kinds(record(kind="claim"))) == ([], [], [])


BROKEN: list[tuple[EvidenceRecord, str]] = [
    (replace(stated(record(), quotations=()), spans=()), "quotation_missing"),
    (replace(record(), spans=()), "span_missing"),
    (replace(record(), spans=((),)), "span_missing"),
    (record(Quotation("s3", "Mean pain was higher with ketorolac.")), "span_missing"),
    (record(Quotation("s3", QUOTED), Quotation("s3", QUOTED)), "quotation_repeated"),
    (spanned(record(), version="w"), "span_other_version"),
    (spanned(record(), text="u" * 64), "span_stale"),
    (spanned(record(), end=len(TEXT) + 9), "span_out_of_range"),
    (spanned(record(), exact=QUOTED.replace("lower", "upper")), "span_differs"),
    (spanned(record(), prefix="something else"), "span_differs"),
    (spanned(record(), section="s2"), "span_other_words"),
    (spanned(record(), role="introduction"), "span_other_words"),
    (replace(record(), spans=(*record().spans, *record().spans)), "span_other_words"),
    (stated(record(), quotations=(Quotation("s2", "Sixty women were randomised"),)), "span_other_words"),
    (record(direction="upwards"), "direction_unknown"),
    (stated(record(), statement="It fell"), "statement_too_short"),
    (stated(record(), statement="Pain fell. " * 60), "statement_too_long"),
    (stated(record(), status="verified"), "status_asserted"),
    (record(Quotation("s1", "Others found that ketorolac lowered pain in children.")), "background"),
    (record(Quotation("s4", "Ketorolac lowers pain in all.")), "background"),
]


@pytest.mark.parametrize(("broken", "kind"), BROKEN)
def test_a_broken_record_has_its_defect(broken: EvidenceRecord, kind: str) -> None:
    assert kind in kinds(broken)
    assert all(defect.message for defect in validate(broken, TEXT, HASH, SECTIONS))


def test_another_text_is_told() -> None:
    assert kinds(record(), text=TEXT.replace("lower", "upper")) == ["span_differs"]
    assert kinds(record(), text_hash="u" * 64) == ["span_stale"]


def test_background_is_only_where_nothing_else_is_quoted_and_only_of_findings() -> None:
    others = Quotation("s1", "Others found that ketorolac lowered pain in children.")
    assert kinds(record(others, Quotation("s3", QUOTED))) == []
    assert kinds(record(others, kind="claim")) == []


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, fields in REQUIRED.items() for name in fields])
def test_a_required_field_is_there(kind: Any, name: str) -> None:
    words = REQUIRED[kind][name]
    without = stated(record(kind=kind), **{name: " "})
    assert "field_missing" in kinds(without)
    assert all(kinds(stated(record(kind=kind), **{name: word})) == [] for word in words)
    unstated = "unknown" if "unknown" not in words else "none"
    assert "field_missing" in kinds(stated(record(kind=kind), **{name: unstated}))


def test_what_a_kind_need_not_have_may_be_empty() -> None:
    assert kinds(record(kind="claim", population="", comparator="", effect="", units="", n="")) == []


@pytest.mark.parametrize(
    "said",
    [
        "Ketorolac lowered pain. Status: accepted.",
        "Ketorolac lowered pain [verified].",
        "Verified record: ketorolac lowered pain.",
        "This record is fully verified: pain fell.",
        "Pain fell; this finding has been approved.",
        "Pain fell, as verified by the reviewer.",
        "Pain fell [reviewer approved it].",
        "Pain fell (the curator has verified it).",
        "Pain fell. No further review is needed.",
        "Label=entailed. Pain fell.",
    ],
)
def test_a_record_says_nothing_of_its_own_status(said: str) -> None:
    assert kinds(stated(record(), statement=said)) == ["status_asserted"]


def test_no_other_field_says_it() -> None:
    assert kinds(stated(record(), effect="accepted")) == ["status_asserted"]


@pytest.mark.parametrize(
    "said",
    [
        "The deletion was verified by sequencing.",
        "The reviewers accepted the diagnosis of 30 women.",
        "This finding was confirmed by Western blot.",
        "Vital status: alive at 5 years in 80 % of women.",
        "Confirmed cases rose during the winter.",
        "The paper was accepted after the trial ended.",
        "We reviewed records of 50 women after surgery.",
        "HIV status: positive in all of the women.",
        "Results confirmed findings of earlier trials.",
        "Validated questionnaires measured the pain.",
    ],
)
def test_honest_prose_may_use_these_words_of_other_things(said: str) -> None:
    assert kinds(stated(record(), statement=said)) == []


def test_the_bound_of_a_statement_is_inclusive() -> None:
    assert kinds(stated(record(), statement="x" * LONGEST_STATEMENT)) == []
    assert kinds(stated(record(), statement="x" * (LONGEST_STATEMENT + 1))) == ["statement_too_long"]


def test_duplicates_within_the_version_are_told() -> None:
    other = replace(record(), key="v.2")
    louder = stated(other, statement="KETOROLAC lowered pain, at 24 h")
    assert kinds(record(), other) == ["duplicate"]
    assert kinds(record(), louder) == ["duplicate"]
    assert kinds(record(), stated(other, statement="Ketorolac lowered pain at 48 h.")) == []
    assert kinds(record(), replace(other, version="w")) == []
    assert kinds(replace(record(), replaces="v.2"), other) == []
    assert kinds(record(), record()) == []


@pytest.mark.parametrize(
    ("label", "defects"),
    [("BACKGROUND", ["background"]), ("Aims:", ["background"]), ("METHODS", ["background"]), ("RESULTS", []), ("", [])],
)
def test_the_label_of_a_structured_abstract_tells_where_findings_are(label: str, defects: list[str]) -> None:
    text = "Ketorolac lowered pain scores by 12 points in children compared with placebo."
    section = Section("a1", "abstract", label, 0, len(text), label)
    spans = ((Span("v", "t", "a1", "abstract", 0, len(text), text, "", ""),),)
    made = replace(record(Quotation("a1", text)), version="v", spans=spans)
    found = [defect.kind for defect in validate(made, text, "t", (section,)) if defect.kind == "background"]
    assert found == defects
