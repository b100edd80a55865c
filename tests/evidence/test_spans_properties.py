"""What holds of every quotation: where it is found is its text, and no changed one is found."""

from __future__ import annotations

import re
import string
import unicodedata

from hypothesis import assume, given
from hypothesis import strategies as st

from backedge.evidence.places import LocatedText
from backedge.evidence.quoted import quoted_strings
from backedge.evidence.records import Quotation
from backedge.evidence.spans import located, resolve
from backedge.evidence.text_key import folded, key_of
from backedge.kernel.defect import Defect
from tests.evidence.quotations import locate, reading

ODD = (
    "\u00ad\ufffe\u2011\u2013\u2212\u2265\u2260\ufb01\ufb03\u2026\u00b2\u00bd\u2460\u201c\u2019\u00a0\u200b\u00e9\u0301\u6cbb\u4e0d"
    "\u05d0\u0645\ufee3\uff11\U0001d7ce\u03bc\u00b5"
)
COMMON = string.ascii_letters + string.digits + " .,;-<>%()[]\n\t'\"" + ODD
CHARACTERS = st.one_of(st.sampled_from(COMMON), st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
ANY = st.text(alphabet=CHARACTERS, max_size=80)
SOME = (
    *("the", "mortality", "of", "treated", "rats", "was", "not", "lower", "in", "group", "no", "ineffective"),
    *("12", "10-20", "1.5%", "(p", "<", "0.05),", "[38]", "\u2212", "9.15", "well-known"),
)
WORDS = st.lists(st.sampled_from(SOME), min_size=6, max_size=25).map(" ".join)
DIFFERENT = re.compile(r"\s+")


@given(text=ANY, quote=ANY)
def test_whatever_comes_ends_in_spans_that_hold_or_in_a_defect(text: str, quote: str) -> None:
    found = locate(text, quote)
    if isinstance(found, Defect):
        assert found.kind.startswith("quote_")
        return
    for span in found:
        assert text[span.start : span.end] == span.exact
        assert resolve(span, text, "t") is None


@given(text=ANY, data=st.data())
def test_what_is_cut_out_of_a_text_is_found_there_or_told_why_not(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    found = locate(text, quote)
    if isinstance(found, Defect):
        assert found.kind in ("quote_cut", "quote_ambiguous", "quote_too_short", "quote_empty")
    else:
        assert quote.strip() in found[0].exact
        assert len(found[0].exact) - len(quote.strip()) <= 17


@given(text=WORDS, data=st.data())
def test_a_located_quotation_is_located_again_by_its_exact_words(text: str, data: st.DataObject) -> None:
    words = text.split()
    first = data.draw(st.integers(0, len(words) - 1))
    quote = "\n ".join(words[first : data.draw(st.integers(first + 1, len(words)))])
    found = locate(text, quote)
    if isinstance(found, Defect):
        return
    for span in found:
        again = located(
            LocatedText(reading(text)),
            Quotation("s1", span.exact, span.prefix, span.suffix),
            version="v",
            text_hash="t",
        )
        assert again == (span,)


@given(text=WORDS, data=st.data())
def test_a_changed_character_is_refused_unless_that_truly_stands_there(text: str, data: st.DataObject) -> None:
    quote = text[: data.draw(st.integers(12, len(text)))].strip()
    assume(not isinstance(locate(text, quote), Defect))
    at = data.draw(st.integers(0, len(quote) - 1))
    assume(not quote[at].isspace())
    other = data.draw(st.sampled_from(string.ascii_letters + string.digits + string.punctuation))
    assume(folded(other) != folded(quote[at]))
    changed = quote[:at] + other + quote[at + 1 :]
    found = locate(text, changed)
    if not isinstance(found, Defect):
        assert DIFFERENT.sub("", changed) in DIFFERENT.sub("", folded(text)), (changed, found)


@given(text=ANY)
def test_a_key_knows_where_each_of_its_characters_comes_from(text: str) -> None:
    key = key_of(text)
    assert key.text == folded(text)
    assert len(key.text) == len(key.places)
    assert list(key.places) == sorted(key.places)
    assert all(character in folded(text[place]) for character, place in zip(key.text, key.places, strict=True))
    assert folded(key.text) == key.text, "folding twice changes nothing more"


def test_no_digit_of_unicode_changes_its_value() -> None:
    told = {chr(code): unicodedata.numeric(chr(code), None) for code in range(0x110000)}
    numbers = {character: value for character, value in told.items() if value is not None}
    assert len(numbers) > 1_800
    for character, value in numbers.items():
        to = folded(character)
        assert to == character or (len(to) == 1 and unicodedata.numeric(to) == value), character


@given(prose=ANY)
def test_quoted_strings_lie_in_the_prose_in_order(prose: str) -> None:
    at = 0
    for quoted in quoted_strings(prose):
        assert at <= quoted.start <= quoted.end <= len(prose)
        assert quoted.text
        at = quoted.end
