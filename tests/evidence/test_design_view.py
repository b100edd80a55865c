"""The readable form of a design: its mark, citations and references, and what has changed since under it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.designs import SECTIONS, Citation, DesignSection
from backedge.evidence.exporting.design_sentences import cited_sentences, place_of, shown_sentences
from backedge.evidence.exporting.design_view import PROPOSAL, DesignView, design_view, to_json
from backedge.kernel.codec import adapter
from backedge.kernel.defect import Permanent
from tests.evidence.investigated import KEY, REQUEST, Investigated, approved, proposed, record_of
from tests.evidence.outside import NAUSEA, PAIN
from tests.evidence.shelf import go


def view_of(shelf: Investigated, version: int | None = None) -> DesignView:
    return go(design_view(KEY, shelf.library, shelf.contents, version))


def test_an_approved_version_says_by_whom_when_and_why() -> None:
    view = view_of(approved())
    assert (view.version, view.newest, view.approved, view.stale, view.problems) == (2, 2, True, (), ())
    assert view.mark == "Approved by rita on 2026-11-30T12:00:00+00:00: it is sound"
    assert [(a.version, a.approved, a.at != "", a.changes) for a in view.approvals] == [
        (1, False, True, ("say how many rats",)),
        (2, True, True, ()),
    ]
    assert (view.request, view.by, view.title) == (REQUEST, "ann", f"Study design: {REQUEST}")


def test_a_version_that_nobody_approved_is_a_proposal() -> None:
    assert view_of(proposed()).mark == PROPOSAL == "PROPOSAL – not approved"


def test_a_version_that_was_sent_back_is_a_proposal_though_the_next_was_approved() -> None:
    view = view_of(approved(), 1)
    assert (view.version, view.newest, view.approved, view.mark) == (1, 2, False, PROPOSAL)


def test_twelve_sections_with_numbers_that_lead_to_quotations_of_the_source() -> None:
    shelf = approved()
    view = view_of(shelf)
    assert [section.name for section in view.sections] == [row.name for row in SECTIONS]
    basis = view.sections[1]
    assert [(each.text, each.references) for each in basis.sentences] == [
        ("Two studies bear on it.", ()),
        (f"One study says “{NAUSEA}”", (1,)),
        ("Pain was lower.", (2,)),
    ]
    first = view.references[0].cited
    assert (first.key, first.standing, first.broken, first.stale) == (record_of(shelf, NAUSEA), "accepted", (), ())
    (span,) = first.spans
    assert (span.exact, span.before) == (NAUSEA, "RESULTS\n\n")
    assert first.source is not None
    text = shelf.contents.kept[first.source.text].decode()
    assert text[span.start : span.end] == NAUSEA
    assert (first.source.title, first.source.identifiers) == ("Ketorolac and <b>nausea</b>", ("doi:10.1/a",))
    assert [(reference.number, reference.cited.spans[0].exact) for reference in view.references][1] == (2, PAIN)


def test_what_was_decided_before_it_is_in_the_view() -> None:
    view = view_of(approved())
    assert view.chosen is not None
    assert (view.chosen.key, view.chosen.reason, view.decided_by) == ("a", "it is quick", "rita")
    assert [(each.key, each.reason) for each in view.rejected] == [("b", "it costs more")]
    (question,) = view.questions
    assert (question.status, question.critical_gaps, len(question.records)) == ("partial", ("one dose",), 2)
    assert (len(question.contradictions), question.reviewed) == (1, "rita: it is large")
    facets = {facet.name: facet for facet in view.facets}
    assert (len(facets), facets["intervention"].values, facets["timing"].how) == (8, ("ketorolac",), "")
    assert facets["endpoint"].how == "met by section endpoint"
    assert dict(view.uninvestigated)["condition"] == "none is stated"


def test_a_retraction_after_the_approval_is_said_first() -> None:
    shelf = approved()
    (version,) = {r.version for r in shelf.all(kinds.RECORD) if r.key == record_of(shelf, NAUSEA)}
    source = next(v.source for v in shelf.all(kinds.VERSION) if v.content == version)
    shelf.restrict(source, "the licence ended")
    view = view_of(shelf)
    assert len(view.stale) == 1
    assert (source in view.stale[0], "restricted" in view.stale[0]) == (True, True)
    assert view.references[0].cited.source is not None
    assert not view.references[0].cited.source.may_be_used
    assert view.approved


def edited(shelf: Investigated, change: Any) -> Investigated:
    """A store in which the newest version was changed by hand."""
    (_, last) = shelf.all(inquiry_kinds.DESIGN)
    row = inquiry_kinds.DESIGN.record(replace(last, design=change(last.design)))
    shelf.store.written[row.kind, row.key] = row
    return shelf


def cites(key: str, sentence: str = "Nothing is decided on analysis.") -> Any:
    section = DesignSection("analysis", "Nothing is decided on analysis.", (Citation(sentence, (key,)),))
    return lambda design: replace(
        design, sections=tuple(section if each.name == "analysis" else each for each in design.sections)
    )


def test_links_that_do_not_hold_are_said() -> None:
    unknown = view_of(edited(approved(), cites("123456789012.123456789012")))
    assert unknown.problems == ("123456789012.123456789012: there is no such record",)
    assert "record 123456789012.123456789012 is in no package of the investigation" in unknown.stale
    shelf = approved()
    loose = view_of(edited(shelf, cites(record_of(shelf, PAIN), "It is not there.")))
    assert loose.problems == ("analysis: the cited sentence 'It is not there.' is not in the section",)


@pytest.mark.parametrize("damage", ["gone", "changed"])
def test_a_text_that_is_gone_or_changed_is_said(damage: str) -> None:
    shelf = approved()
    version = next(r.version for r in shelf.all(kinds.RECORD) if r.key == record_of(shelf, NAUSEA))
    text = next(t.text for t in shelf.all(kinds.TEXT) if t.version == version)
    if damage == "gone":
        del shelf.contents.kept[text]
    else:
        shelf.contents.kept[text] = shelf.contents.kept[text].replace(b"Nausea", b"nausea")
    problems = view_of(shelf).problems
    assert any("its text cannot be read" in problem for problem in problems)
    assert any(("is gone" if damage == "gone" else "not what its hash says") in problem for problem in problems)


def test_a_record_that_is_not_what_its_package_says() -> None:
    shelf = approved()
    record = next(r for r in shelf.all(kinds.RECORD) if r.key == record_of(shelf, NAUSEA))
    other = replace(record, proposal=replace(record.proposal, statement="Nausea was halved."))
    row = kinds.RECORD.record(other)
    shelf.store.written[row.kind, row.key] = row
    assert view_of(shelf).problems == (f"{record.key}: it is not what its package says: statement",)


def test_a_version_that_there_is_not() -> None:
    with pytest.raises(Permanent, match="has no version 3"):
        view_of(approved(), 3)
    with pytest.raises(Permanent, match="has no design yet"):
        go(design_view("inv2", approved().library, approved().contents))


def test_the_json_is_the_view() -> None:
    view = view_of(approved())
    assert adapter(DesignView).validate_python(to_json(view)) == view


def test_sentences_with_their_gaps_are_the_text_and_each_citation_is_numbered_once() -> None:
    text = "  One. Two is “A. B.” said.\n\nThree"
    cited = (Citation("Two is “A. B.” said.", ("a",)), Citation("One. Two is “A. B.” said.", ("b",)))
    section = DesignSection("ethics", text, (*cited, Citation("Three", ("a", "c"))))
    shown = shown_sentences(section, {"a": 1, "b": 2, "c": 3})
    assert "".join(each.text + each.gap for each in shown) == text.lstrip()
    assert [number for each in shown for number in each.references] == [1, 2, 1, 3]


def test_a_sentence_has_every_citation_that_covers_it() -> None:
    shelf = approved()
    (_, last) = shelf.all(inquiry_kinds.DESIGN)
    found = {each.place: each.records for each in cited_sentences(last.design)}
    both = (record_of(shelf, PAIN), record_of(shelf, NAUSEA))
    assert (found["D2/sample_size/1"], found["D2/sample_size/2"]) == (both, both)
    assert (found["D2/evidence_basis/1"], found["D2/analysis/1"]) == ((), ())


@pytest.mark.parametrize(
    ("words", "version", "section", "number"),
    [
        ("D2/endpoints/3", 2, "endpoints", 3),
        ("d12/6/1", 12, "endpoints", 1),
        ("D1/12/2", 1, "limitations", 2),
        ("D1/13/2", 1, None, 2),
        ("D1/fees/2", 1, None, 2),
    ],
)
def test_places(words: str, version: int, section: str | None, number: int) -> None:
    place = place_of(words)
    assert place is not None
    assert (place.version, place.section, place.number) == (version, section, number)


@pytest.mark.parametrize("words", ["D1", "D1/2", "D1/endpoints/", "see D1/endpoints/2", "E1/endpoints/2"])
def test_words_that_are_no_place(words: str) -> None:
    assert place_of(words) is None
