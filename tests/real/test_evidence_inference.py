"""The quotations that doctors picked from 60 articles: found in our own reading of them, and refused when changed."""

from __future__ import annotations

from collections import Counter

import pytest

from backedge.evidence.places import LocatedText
from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import Quotation, Span
from backedge.evidence.spans import Other, elsewhere, located, resolve
from backedge.kernel.defect import Defect
from tests.real.evidence_inference import DATA, REASON, articles, changed, picked

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not DATA.is_dir(), reason=REASON)]
WHOLE = "whole"
KINDS = {"digit", "insert not", "drop negation", "direction", "comparator", "sign", "decimal point"}


def found_in(text: LocatedText, words: str) -> tuple[Span, ...] | Defect:
    """The quotation in the section that has it, as a model that names the right one would have it."""
    told: Defect | None = None
    for section in text.reading.sections:
        found = located(text, Quotation(section.key, words), version="v", text_hash="t")
        if not isinstance(found, Defect):
            return found
        told = found if told is None or told.kind == "quote_not_found" else told
    assert told is not None
    return told


def as_one(text: LocatedText) -> LocatedText:
    """The same text as a single section: what is refused there stands nowhere in it."""
    return LocatedText(Reading(text.reading.text, (Section(WHOLE, "other", "", 0, len(text.reading.text)),), "test/1"))


def test_at_least_314_of_315_are_found() -> None:
    plain = whole = 0
    missed: Counter[str] = Counter()
    for each in picked():
        text = articles()[each.article]
        plain += each.text in text.reading.text
        found = found_in(text, each.text)
        if isinstance(found, Defect):
            missed[found.kind] += 1
            continue
        for span in found:
            assert text.reading.text[span.start : span.end] == span.exact
            assert resolve(span, text.reading.text, "t") is None
        whole += "".join(each.text.split()) == "".join(found[0].exact.split())
    total, missing = len(picked()), missed.total()
    print(f"{total} quotations: {plain} by plain search, {total - missing} by the ladder, {whole} letter by letter")
    assert total == 315
    assert total - missing >= 314, missed


def test_changed_ones_are_refused_unless_they_truly_occur() -> None:
    texts = {article: as_one(text) for article, text in articles().items()}
    spaced = {article: " ".join(text.reading.text.split()) for article, text in texts.items()}
    tried: Counter[str] = Counter()
    occurs: Counter[str] = Counter()
    for each in dict.fromkeys(picked()):
        for kind, words in dict.fromkeys(changed(each.text)):
            tried[kind] += 1
            found = located(texts[each.article], Quotation(WHOLE, words), version="v", text_hash="t")
            if not isinstance(found, Defect) or found.kind == "quote_ambiguous":
                assert " ".join(words.split()) in spaced[each.article], (kind, words, found)
                occurs[kind] += 1
    for kind, count in tried.items():
        print(f"{kind}: {count} changed, {count - occurs[kind]} refused, {occurs[kind]} truly occur")
    assert set(tried) == KINDS
    assert min(tried.values()) > 10
    assert occurs.total() <= tried.total() / 100


def test_those_of_another_article_are_refused_and_said_to_be_misattributed() -> None:
    names = list(articles())
    tried: Counter[str] = Counter()
    for number, each in enumerate(dict.fromkeys(picked())):
        if isinstance(found_in(articles()[each.article], each.text), Defect):
            continue
        wrong = names[(names.index(each.article) + 1 + number % 7) % len(names)]
        if " ".join(each.text.split()) in " ".join(articles()[wrong].reading.text.split()):
            tried["truly occurs"] += 1
            continue
        text, quotation = as_one(articles()[wrong]), Quotation(WHOLE, each.text)
        missing = located(text, quotation, version="v", text_hash="t")
        assert isinstance(missing, Defect), (wrong, each)
        others = (Other(each.article, articles()[each.article].reading),)
        tried[elsewhere(missing, quotation, text, others).kind] += 1
    print(f"quotations of other articles: {dict(tried)}")
    assert tried["quote_misattributed"] > 150
    assert set(tried) <= {"quote_misattributed", "truly occurs"}
