"""Failures of others that concern quotations (evidence.md §6), by their number: what came in, and what is right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.evidence.places import LocatedText
from backedge.evidence.quoted import quoted_strings
from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import Quotation
from backedge.evidence.spans import Other, elsewhere, located, resolve, stands
from backedge.kernel.defect import Defect
from tests.evidence.quotations import exact, locate, reading

VERBATIM = {
    "#1": ("The activated time [APTT] was prolonged.", "time [APTT] was prolonged"),
    "#2 interval": ("The ratio was 1.5 (95% CI [1.3-1.7]).", "ratio was 1.5 (95% CI [1.3-1.7])"),
    "#2 comparator": ("Creatinine [>2.5 mg/dL] was excluded.", "Creatinine [>2.5 mg/dL] was excluded"),
    "#3": ("The [2Fe-2S] cluster was lost.", "The [2Fe-2S] cluster was lost"),
    "#4 reference": ("It was seen before [38] in patients.", "seen before [38] in patients"),
    "#4 gloss": ("The value [missing digits] was left out.", "value [missing digits] was left out"),
    "#14 end": ("Mortality was lower in treated rats", "lower in treated rats"),
    "#15 Chinese": (
        "\u60a3\u8005\u7684\u6b7b\u4ea1\u7387\u663e\u8457\u964d\u4f4e\u4e86\u3002",
        "\u6b7b\u4ea1\u7387\u663e\u8457\u964d\u4f4e\u4e86",
    ),
    "#15 Japanese": (
        "\u60a3\u8005\u306e\u6b7b\u4ea1\u7387\u304c\u4f4e\u4e0b\u3057\u305f\u3002",
        "\u6b7b\u4ea1\u7387\u304c\u4f4e\u4e0b\u3057\u305f",
    ),
    "#24": ("per 1.73 m2 of body-surface area", "per 1.73 m2 of body-surface area"),
}


@pytest.mark.parametrize(("text", "quote"), VERBATIM.values(), ids=VERBATIM)
def test_what_is_copied_verbatim_is_found(text: str, quote: str) -> None:
    assert exact(text, quote) == [quote]


FOLDED = {
    "#13 broken word": ("in this Sec-\ntion of it", "in this Section of it"),
    "#17": ("a scienti\ufb01c paper here", "a scientific paper here"),
    "#19": ("wordsruntogetherinthisline", "words run together in this line"),
    "#20 kept": ("the price-\ndetermining one", "the price-determining one"),
    "#20 dropped": ("the deter-\nmining factor", "the determining factor"),
    "#22 as a hyphen": ("a dose\u00addependent one", "a dose-dependent one"),
    "#22 within a word": ("a hyper\u00adtensive one", "a hypertensive one"),
    "#26 hyphen": ("a non\u2011breaking hyphen", "a non-breaking hyphen"),
    "#26 quotes": ("the \u201ctrue\u201d patients\u2019 mean", 'the "true" patients\' mean'),
    "#26 comparator": ("was \u2265 30 kg/m2 in all", "was >= 30 kg/m2 in all"),
}


@pytest.mark.parametrize(("text", "quote"), FOLDED.values(), ids=FOLDED)
def test_presentation_is_folded_and_offsets_stay_those_of_the_raw_text(text: str, quote: str) -> None:
    assert exact(f"So: {text}; yes.", quote) == [text]


REFUSED = {
    "#1 brackets dropped": ("The activated time [APTT] was prolonged.", "The activated time APTT was prolonged"),
    "#2 comparator": ("Creatinine [>2.5 mg/dL] was excluded.", "Creatinine [<2.5 mg/dL] was excluded"),
    "#4 reference dropped": ("It was seen before [38] in patients.", "seen before in patients"),
    "#12 short": ("the ma\u00adchines were slow", "Linus were"),
    "#13 footnote between": ("the first half of\n1 A footnote.\nthe second half", "the first half of the second half"),
    "#16 NUL replaced": ("the \ufffdrst patients died", "the first patients died"),
    "#16 wrong sign": ("the \u02dbrst patients died", "the first patients died"),
    "#18": ("signi\ufffdcant changes here", "significant changes here"),
    "#21": ("The mean of rats was lower\nrose in dogs than in mice", "The mean of rats was lower than in mice"),
    "#24 glued": ("per 1.73 m2 of body-surface area", "per 1.73 m of body-surface area"),
    "#26 paraphrase": ("mortality was reduced in rats", "rats had reduced mortality"),
}


@pytest.mark.parametrize(("text", "quote"), REFUSED.values(), ids=REFUSED)
def test_a_guess_is_never_made(text: str, quote: str) -> None:
    assert exact(text, quote) == "quote_not_found"


def test_6_fabricated_is_told_from_misattributed_and_9_from_stale() -> None:
    text = LocatedText(reading("Mortality was lower in rats."))
    others = (Other("Dogs 2020", reading("Weight rose in dogs.")), Other("version 1", reading("Survival rose."), True))
    kinds = {}
    for words in ("Weight rose in dogs", "Survival rose", "Nobody said this"):
        quotation = Quotation("s1", words)
        missing = located(text, quotation, version="v", text_hash="t")
        assert isinstance(missing, Defect)
        kinds[words] = elsewhere(missing, quotation, text, others).kind
    assert list(kinds.values()) == ["quote_misattributed", "quote_stale", "quote_not_found"]


def test_7_the_role_of_the_section_is_kept_with_the_span() -> None:
    text = reading("Others saw lower mortality.", "We saw lower mortality too.", roles=("introduction", "results"))
    found = located(LocatedText(text), Quotation("s1", "Others saw lower mortality"), version="v", text_hash="t")
    assert not isinstance(found, Defect)
    assert [span.role for span in found] == ["introduction"]


def test_9_a_span_is_bound_to_its_text() -> None:
    found = locate("Mortality was lower in rats.", "Mortality was lower")
    assert not isinstance(found, Defect)
    stale = resolve(found[0], "Mortality was lower in rats.", "another hash")
    assert stale is not None
    assert stale.kind == "span_stale"


def test_10_an_elided_quotation_is_several_spans() -> None:
    assert exact("Mortality fell in rats. It rose in old dogs.", "Mortality fell in rats ... rose in old dogs") == [
        "Mortality fell in rats",
        "rose in old dogs",
    ]


def test_11_every_quoted_string_of_a_prose_can_be_checked() -> None:
    spans = ["Mortality was lower in treated rats.", "Weight rose."]
    prose = 'They found that "Mortality was lower" and \u201cweight fell sharply\u201d in rats\' groups.'
    held = {quoted.text: any(stands(quoted.text, span) for span in spans) for quoted in quoted_strings(prose)}
    assert held == {"Mortality was lower": True, "weight fell sharply": False}


def test_14_a_span_beyond_the_text_is_a_defect() -> None:
    found = locate("Mortality was lower", "Mortality was lower")
    assert not isinstance(found, Defect)
    span = found[0]
    assert (span.end, span.suffix) == (19, "")
    beyond = resolve(replace(span, start=90, end=99), "Mortality was lower", "t")
    assert beyond is not None
    assert beyond.kind == "span_out_of_range"


@pytest.mark.parametrize("quote", ["Mortality\x00 was lower", "Mortality\ud83d was lower", "\udc00Mortality was lower"])
def test_22_23_nul_and_half_a_character_are_a_defect(quote: str) -> None:
    assert exact("Mortality was lower in rats.", quote) == "quote_unreadable"


def test_25_each_label_of_an_abstract_is_a_section_of_its_own() -> None:
    text = "Mortality was measured. Mortality was lower."
    sections = (Section("s1", "abstract", "", 0, 23, "METHODS"), Section("s2", "abstract", "", 24, 44, "RESULTS"))
    wanted = Quotation("s2", "Mortality was measured")
    found = located(LocatedText(Reading(text, sections, "test/1")), wanted, version="v", text_hash="t")
    assert isinstance(found, Defect)
    told = elsewhere(found, wanted, LocatedText(Reading(text, sections, "test/1")), ())
    assert (told.kind, told.near) == ("quote_wrong_section", ("s1",))
