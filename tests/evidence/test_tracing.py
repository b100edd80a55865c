"""Tracing: from a sentence of a design, a record or a claim to the characters of the source, every link checked."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from backedge.assembling.tracing import traced
from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.exporting.trace_form import Trace, trace_json, trace_text
from backedge.evidence.records import Standing
from backedge.kernel.codec import adapter
from backedge.kernel.defect import Permanent
from tests.evidence.investigated import KEY, Investigated, approved, begun, record_of
from tests.evidence.outside import NAUSEA, PAIN
from tests.evidence.shelf import go

STATED = "In rats, nausea did not differ between ketorolac and placebo (p = 0.62)."


def trace(words: str, shelf: Investigated | None = None, investigation: str | None = None) -> Trace:
    shelf = shelf or approved()
    return go(traced(words, investigation, shelf.library, shelf.contents))


def refusal(words: str, shelf: Investigated | None = None, investigation: str | None = None) -> str:
    with pytest.raises(Permanent) as refused:
        trace(words, shelf, investigation)
    return f"{refused.value}; {refused.value.mend}"


@pytest.mark.parametrize(
    "words",
    [
        "D2/evidence_basis/2",
        "D2/2/2",
        f"One study says “{NAUSEA}”",
        f'One study says "{NAUSEA}"',
        "  One study\n says ",
    ],
)
def test_a_sentence_leads_to_the_characters_of_its_source(words: str) -> None:
    shelf = approved()
    found = trace(words, shelf)
    (sentence,), (record,) = found.sentences, found.records
    assert (found.kind, sentence.place, sentence.records) == (
        "sentence",
        "D2/evidence_basis/2",
        (record_of(shelf, NAUSEA),),
    )
    assert [(quote.text, quote.record) for quote in sentence.quotes] == [(NAUSEA, record_of(shelf, NAUSEA))]
    (span,) = record.cited.spans
    source = record.cited.source
    assert source is not None
    text = shelf.contents.kept[source.text].decode()
    assert (text[span.start : span.end], span.before, span.problem) == (NAUSEA, "RESULTS\n\n", "")
    assert record.verification is not None
    assert (record.verification.label, len(record.verification.checks)) == ("entailed", 5)
    assert [standing.status for attempt in record.attempts for standing in attempt.standings] == [
        "proposed",
        "accepted",
    ]
    assert [(each.question, each.relationship, each.applicability) for each in record.bears] == [
        ("q1", "supports", "indirect")
    ]
    assert (source.identifiers, source.may_be_used, found.broken, found.stale) == (("doi:10.1/a",), True, (), ())
    assert found.checked == 7


def test_words_of_several_sentences_lead_to_all_of_them() -> None:
    found = trace("Rats of both sexes. Groups are compared.")
    assert [each.place for each in found.sentences] == ["D2/sample_size/1", "D2/sample_size/2"]
    assert len(found.records) == 2


def test_a_sentence_that_cites_nothing_says_so() -> None:
    found = trace("Two studies bear on it.")
    assert (found.sentences[0].records, found.records, found.checked) == ((), (), 1)
    assert "cites no record" in trace_text(found)


def test_an_old_version_is_traced_by_its_place() -> None:
    assert trace("D1/sample_size/1").sentences[0].text == "Nothing is decided on sample_size."
    assert trace("D2/sample_size/1").sentences[0].text == "Rats of both sexes."


@pytest.mark.parametrize("by", ["key", "statement"])
def test_a_record_by_its_key_and_by_what_it_states(by: str) -> None:
    shelf = approved()
    key = record_of(shelf, NAUSEA)
    found = trace(key if by == "key" else STATED, shelf)
    assert (found.kind, found.sentences, found.records[0].cited.key) == ("record", (), key)
    assert (found.records[0].bears, trace(key, shelf, KEY).records[0].bears != ()) == ((), True)


def test_attempts_are_walked_back_to_the_first() -> None:
    shelf = approved()
    record = next(r for r in shelf.all(kinds.RECORD) if r.key == record_of(shelf, NAUSEA))
    key = f"{record.version[:12]}.{'a' * 12}"
    again = replace(record, key=key, attempt=2, replaces=record.key)
    for row in (kinds.RECORD.record(again), kinds.STANDING.record(Standing(key, 1, "in_review", "rules"))):
        shelf.store.written[row.kind, row.key] = row
    found = trace(key, shelf)
    assert [(attempt.number, attempt.key) for attempt in found.records[0].attempts] == [(1, record.key), (2, key)]
    assert found.stale == (f"record {key} is in_review now",)
    assert STATED in refusal("never said of any drug", shelf) or "nearest" in refusal("never said of any drug", shelf)


def test_words_that_are_nowhere_name_the_nearest_sentences() -> None:
    said = refusal("Pain was somewhat lower")
    assert said.startswith("the words are in no design, and no record states them; the nearest are D2/evidence_basis/3")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "there are no words to trace"),
        ("D7/endpoints/1", "there is no design of version 7; there is inv1 version 1, inv1 version 2"),
        ("D2/13/1", "a design has no such section"),
        ("D2/endpoints/4", "has 1 sentences, no sentence 4"),
        ("123456789012.123456789012", "there is no record 123456789012.123456789012; backedge records list"),
    ],
)
def test_what_cannot_be_walked_says_what_to_do(words: str, why: str) -> None:
    assert why in refusal(words)


def test_before_there_is_a_design() -> None:
    shelf = begun()
    assert "there is no design to look in" in refusal("Nothing of it", shelf)
    assert "has no design yet" in refusal("Nothing of it", shelf, KEY)


def test_words_in_the_designs_of_two_investigations_are_traced_in_the_one_that_is_named() -> None:
    shelf = approved()
    for kept in shelf.all(inquiry_kinds.DESIGN):
        row = inquiry_kinds.DESIGN.record(replace(kept, investigation="other"))
        shelf.store.written[row.kind, row.key] = row
    for words in ("Rats of both sexes.", "D2/sample_size/1"):
        assert "inv1, other; name one with --investigation" in refusal(words, shelf)
        assert trace(words, shelf, KEY).sentences[0].investigation == KEY


def test_words_of_many_sentences_are_too_few() -> None:
    shelf = approved()
    assert len(trace("Nothing is decided on analysis.", shelf).sentences) == 1
    (_, last) = shelf.all(inquiry_kinds.DESIGN)
    text = " ".join(f"Rat {number} is caged." for number in range(13))
    many = tuple(replace(each, text=text) if each.name == "ethics" else each for each in last.design.sections)
    row = inquiry_kinds.DESIGN.record(replace(last, design=replace(last.design, sections=many)))
    shelf.store.written[row.kind, row.key] = row
    assert "the words stand in 13 sentences of the design; give more" in refusal("is caged", shelf)


def test_a_source_that_may_no_longer_be_used_is_said() -> None:
    shelf = approved()
    shelf.restrict(shelf.all(kinds.SOURCE)[0].id, "the licence ended")
    found = [each for words in (NAUSEA, PAIN) for each in trace(record_of(shelf, words), shelf).stale]
    assert len(found) == 1
    assert "may not be used now: restricted" in found[0]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("text", "is not what its hash says"),
        ("span", "is not what the span says"),
        ("version", "the span is of version ffffffffffff"),
        ("section", "the span does not lie in section s1"),
        ("content", "is gone"),
        ("statement", "it is not what its package says: statement"),
    ],
)
def test_a_broken_link_is_said(damage: str, said: str) -> None:
    shelf = approved()
    record = next(r for r in shelf.all(kinds.RECORD) if r.key == record_of(shelf, NAUSEA))
    span = record.spans[0][0]
    if damage == "text":
        shelf.contents.kept[span.text] += b" more"
    elif damage == "content":
        del shelf.contents.kept[record.version]
    else:
        other = {
            "span": replace(record, spans=((replace(span, start=span.start + 1),),)),
            "version": replace(record, spans=((replace(span, version="f" * 64),),)),
            "section": replace(record, spans=((replace(span, section="s1"),),)),
            "statement": replace(record, proposal=replace(record.proposal, statement="Nausea was halved.")),
        }[damage]
        row = kinds.RECORD.record(other)
        shelf.store.written[row.kind, row.key] = row
    found = trace("D2/evidence_basis/2", shelf)
    assert any(said in each for each in found.broken)
    assert trace_text(found).startswith("BROKEN: ")
    whole = trace("D2/evidence_basis/3", shelf)
    assert whole.broken == ()


def test_a_quotation_that_nobody_said_is_a_broken_link() -> None:
    shelf = approved()
    (_, last) = shelf.all(inquiry_kinds.DESIGN)
    said = "One says “nausea was halved in all rats”."
    many = tuple(replace(each, text=said) if each.name == "ethics" else each for each in last.design.sections)
    row = inquiry_kinds.DESIGN.record(replace(last, design=replace(last.design, sections=many)))
    shelf.store.written[row.kind, row.key] = row
    found = trace("D2/ethics/1", shelf)
    assert found.sentences[0].quotes[0].record == ""
    assert found.broken == (
        "D2/ethics/1: “nausea was halved in all rats” stands in no span of what the sentence cites",
    )


def test_the_trace_as_text_and_as_data() -> None:
    found = trace("D2/evidence_basis/2")
    lines = trace_text(found).splitlines()
    assert lines[0] == "7 links checked, 0 broken"
    assert "    …RESULTS【Nausea did not differ between ketorolac and placebo (p = 0.62).】…" in lines
    assert adapter(Trace).validate_python(copy.deepcopy(trace_json(found))) == found
