"""The ladder of quotations: what is found, by which rung, and every kind of what is not."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from backedge.evidence.places import MOST_PLACES, LocatedText
from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import Quotation, Span
from backedge.evidence.spans import AROUND, Other, elsewhere, located, resolve, stands
from backedge.evidence.verdicts import ROWS
from backedge.kernel.defect import Defect
from tests.evidence.quotations import exact, locate, reading

ROOT = Path(__file__).parents[2]
NOT_FOUND = "quote_not_found"

# text, quotation: found by presentation alone, with the exact words of the text.
PRESENTATION = {
    "white space": ("mortality  was\n lower in rats", "mortality was lower in rats"),
    "no-break and thin spaces": ("n\u00a0=\u200912 animals died", "n = 12 animals died"),
    "no spaces (#19)": ("mortalitywaslowerinthetreatedgroup", "mortality was lower in the treated group"),
    "spaces that were lost in a number's line": ("p<0.05 for mortality", "p < 0.05 for mortality"),
    "ligatures (#17)": ("a scienti\ufb01c e\ufb00ect of the dru\u0261", "a scientific effect of the dru\u0261"),
    "three letters in one": ("su\ufb03cient e\ufb04uent volume", "sufficient effluent volume"),
    "dashes": ("ages 10\u201320 were included\u2014all", "ages 10-20 were included-all"),
    "hyphen that does not break (#26)": ("a well\u2011known effect", "a well-known effect"),
    "curly quotes (#26)": ("the \u201cplacebo\u201d group\u2019s mean", 'the "placebo" group\'s mean'),
    "at least (#26)": ("patients aged \u2265 65 years", "patients aged >= 65 years"),
    "at least, straight": ("patients aged >=65 years", "patients aged \u226565 years"),
    "minus": ("a change of \u22129.15 points", "a change of -9.15 points"),
    "micro": ("dose of 5 \u00b5g per day", "dose of 5 \u03bcg per day"),
    "ohm and kelvin": ("of 5 k\u2126 at 300 \u212a there", "of 5 k\u03a9 at 300 K there"),
    "degrees": ("kept at 37 \u2103 overnight", "kept at 37 \u00b0C overnight"),
    "ellipsis": ("we saw it\u2026 and then left", "we saw it... and then left"),
    "fullwidth": ("\uff50 \uff1c \uff10.\uff10\uff15 in all groups", "p < 0.05 in all groups"),
    "alphabets of mathematics": ("\U0001d45d < \U0001d7ce.05 in all groups", "p < 0.05 in all groups"),
    "accents": ("the Sj\u00f6gren patients improved", "the Sjo\u0308gren patients improved"),
    "soft hyphen inside a word (#22)": ("the hyper\u00adtension improved", "the hypertension improved"),
    "soft hyphen for a hyphen (#22)": ("a dose\u00addependent effect", "a dose-dependent effect"),
    "line end, hyphen dropped": ("the hyper-\ntension improved", "the hypertension improved"),
    "line end, hyphen kept (#20)": ("the price-\ndetermining factor", "the price-determining factor"),
    "line end of a PDF, dropped": ("the hyper\ufffetension improved", "the hypertension improved"),
    "line end of a PDF, kept": ("the price\ufffedetermining factor", "the price-determining factor"),
    "line end with a carriage return": ("the hyper-\r\ntension improved", "the hypertension improved"),
    "line end in the quotation": ("the hypertension improved", "the hyper-\ntension improved"),
    "arabic shapes": (
        "\ufee3\ufeae\ufea3\ufe92\ufe8e \ufee3\ufeae\ufea3\ufe92\ufe8e",
        "\u0645\u0631\u062d\u0628\u0627 \u0645\u0631\u062d\u0628\u0627",
    ),
    "marks of direction": ("the \u200eeffect\u200f of treatment", "the effect of treatment"),
}
# text, quotation: never the same.
OTHER_WORDS = {
    "another digit": ("fell by 12.5 points", "fell by 12.6 points"),
    "comparator": ("with p < 0.05 for all", "with p > 0.05 for all"),
    "comparator that includes": ("aged \u2265 65 years old", "aged > 65 years old"),
    "sign": ("a change of 9.15 points", "a change of -9.15 points"),
    "raised": ("of 10\u00b2 cells per well", "of 102 cells per well"),
    "lowered": ("of CO\u2082 in the chamber", "of CO2 in the chamber"),
    "half": ("took \u00bd tablet per day", "took 12 tablet per day"),
    "half as two": ("took \u00bd tablet per day", "took 1/2 tablet per day"),
    "circled": ("in step \u2460 of the trial", "in step 1 of the trial"),
    "case": ("the Effect of treatment", "the effect of treatment"),
    "punctuation": ("died, of the treated rats", "died of the treated rats"),
    "brackets": ("died [38] of the treated", "died of the treated"),
    "inserted not": ("was effective in mice", "was not effective in mice"),
    "dropped not": ("was not effective in mice", "was effective in mice"),
    "one number of two": ("had 10 20 and 30 events", "had 1020 and 30 events"),
    "two numbers of one": ("had 1020 and 30 events", "had 10 20 and 30 events"),
    "a decimal of two": ("in group 1. 5 patients died", "in group 1.5 patients died"),
    "two of a decimal": ("in group 1.5 patients died", "in group 1. 5 patients died"),
    "a sign of a dash": ("the dose - 5 mg was given", "the dose -5 mg was given"),
    "not in notable": ("it was notable to move", "it was not able to move"),
    "notable of not able": ("it was not able to move", "it was notable to move"),
    "in effective": ("these ineffective doses", "these in effective doses"),
    "ineffective of two": ("these in effective doses", "these ineffective doses"),
    "ineffective at a line's end": ("these in-\neffective doses", "these in effective doses"),
    "a symptomatic": ("of asymptomatic patients", "of a symptomatic patients"),
    "hyphen that is there": ("the re-signed patients", "the resigned patients"),
    "hyphen that is not": ("the resigned patients", "the re-signed patients"),
    "range broken by a line": ("from 10-\n20 patients died", "from 1020 patients died"),
    "number broken by a soft hyphen": ("from 10\u00ad20 patients died", "from 1020 patients died"),
    "half a ligature": ("the drug was o\ufb03cial", "the drug was of"),
    "half an inequality": ("the mean of A \u2260 B", "the mean of A ="),
    "unequal": ("the mean A \u2260 B of groups", "the mean A = B of groups"),
    "accent": ("the na\u00efve patients here", "the naive patients here"),
    "replacement": ("the \ufffdrst patients here", "the first patients here"),
    "letters": ("5 mg of the compound", "5 \u03bcg of the compound"),
    "paraphrase (#26)": ("mortality was lower in rats", "rats had lower mortality"),
}
# text, quotation: it truly stands there, but begins or ends where it must not.
CUT = {
    "digits behind": ("increased by 15 in all", "increased by 1"),
    "digits before": ("of 11.5 points in all", "1.5 points in all"),
    "decimal behind": ("increased by 1.5 points", "increased by 1"),
    "decimal point": ("increased by 1.5 points", "increased by 1."),
    "decimal before": ("of 0.15 points in all", ".15 points in all"),
    "thousands": ("enrolled 1,500 patients", "enrolled 1"),
    "percent": ("increased by 5% in all", "increased by 5"),
    "spaced percent": ("increased by 5 % in all", "increased by 5"),
    "range behind": ("increased by 10\u201320 points", "increased by 10"),
    "range before": ("of 10\u201320 points in all", "20 points in all"),
    "power": ("a count of 10^6 cells", "a count of 10"),
    "power, raised": ("a count of 10\u00b2 cells", "a count of 10"),
    "power, negative": ("a count of 10\u207b\u00b2 cells", "a count of 10"),
    "magnitude": ("a count of 1.5 \u00d7 10^6 cells", "a count of 1.5"),
    "ratio": ("a share of 5/10 patients", "a share of 5"),
    "sign": ("was \u22129.15 points lower", "9.15 points lower"),
    "sign with a space": ("was (\u2212 9.15 points lower)", "9.15 points lower"),
    "hyphen as sign": ("was -9.15 points lower", "9.15 points lower"),
    "comparator": ("at p < 0.05 for mortality", "0.05 for mortality"),
    "two signs of one": ("aged >= 65 years and over", "= 65 years and over"),
    "end of two signs": ("all were aged >= 65", "all were aged >"),
    "word before": ("ineffective in mice here", "effective in mice"),
    "word behind": ("the dose was increased", "the dose was increase"),
    "hyphened before": ("non-significant changes", "significant changes"),
    "hyphened behind": ("this was well-known here", "this was well"),
    "line end before": ("was in-\neffective in mice", "effective in mice"),
    "line end behind": ("the drug was in-\neffective", "the drug was in"),
    "PDF line end": ("was in\ufffeeffective in mice", "effective in mice"),
    "capital that turns": ("Asymptomatic patients died", "symptomatic patients died"),
    "contraction": ("the drug didn't work", "the drug didn"),
    "mark": ("the patients took cafe\u0301", "the patients took cafe"),
    "not": ("was not effective in mice", "effective in mice"),
    "no": ("No significant difference", "significant difference"),
    "n't": ("it didn't improve survival", "improve survival"),
    "without": ("done without adverse events", "adverse events"),
    "Chinese": (
        "\u6cbb\u7597\u6ca1\u6709\u6548\u679c\u660e\u663e\u7684\u6539\u5584\u7ed3\u679c",
        "\u6709\u6548\u679c\u660e\u663e\u7684\u6539\u5584\u7ed3\u679c",
    ),
    "Japanese": (
        "\u6cbb\u7642\u306f\u6709\u52b9\u3067\u3042\u308b\u3068\u306f\u8a00\u3048\u306a\u3044",
        "\u6cbb\u7642\u306f\u6709\u52b9\u3067\u3042\u308b\u3068\u306f\u8a00\u3048",
    ),
}
# text, quotation: beginnings and ends that cut nothing.
WHOLE = {
    "number at the end of a sentence": ("increased by 1.5. Then it fell", "increased by 1.5"),
    "before a comma": ("in 15, 20 and 30 patients", "in 15, 20 and 30"),
    "equals": ("with p = 0.05 for mortality", "0.05 for mortality"),
    "cell of a table": ("Yes\tNo\tPlacebo group mean", "Placebo group mean"),
    "line of a table": ("Yes\tNo\nPlacebo group mean", "Placebo group mean"),
    "quoted word": ("the 'placebo group' of all", "placebo group"),
    "suspended hyphen": ("the pre- and post-treatment values", "and post-treatment values"),
    "unspaced": (
        "\u6cbb\u7642\u7ec4\u7684\u6b7b\u4ea1\u7387\u663e\u8457\u964d\u4f4e\u4e86\u5f88\u591a",
        "\u6b7b\u4ea1\u7387\u663e\u8457\u964d\u4f4e\u4e86",
    ),
}


@pytest.mark.parametrize(("text", "quote"), PRESENTATION.values(), ids=PRESENTATION)
def test_presentation_is_folded(text: str, quote: str) -> None:
    assert exact(text, quote) == [text]
    assert exact(quote, text) == [quote], "the fold is symmetric"


@pytest.mark.parametrize(("text", "quote"), OTHER_WORDS.values(), ids=OTHER_WORDS)
def test_other_words_are_refused(text: str, quote: str) -> None:
    assert exact(text, quote) == NOT_FOUND
    assert exact(f"It says: {text}!", quote) == NOT_FOUND


@pytest.mark.parametrize(("text", "quote"), CUT.values(), ids=CUT)
def test_a_quotation_cuts_nothing(text: str, quote: str) -> None:
    found = locate(text, quote)
    assert isinstance(found, Defect)
    assert found.kind == ("quote_too_short" if len("".join(quote.split())) < 8 else "quote_cut"), found
    assert exact(f"{text}.\nBut {quote} here.", quote) == [quote], "where it stands whole it is found"


@pytest.mark.parametrize(("text", "quote"), WHOLE.values(), ids=WHOLE)
def test_whole_words_and_numbers_are_found(text: str, quote: str) -> None:
    assert exact(text, quote) == [quote]


def test_only_the_capital_of_a_sentence_may_be_missing_or_stray() -> None:
    text = "We saw it. There were no deaths. For others see below"
    assert exact(text, "here were no deaths.") == ["There were no deaths."]
    assert exact(text, "There were no deaths. F") == ["There were no deaths. For"]
    assert exact(text, "ere were no deaths.") == "quote_cut"
    assert exact("We saw no There were deaths", "here were deaths") == "quote_cut"
    assert exact("vitamin Deficiency was rare", "vitamin D") == "quote_cut"


@pytest.mark.parametrize(
    ("quote", "kind"),
    [
        ("", "quote_empty"),
        (" \n\u00a0", "quote_empty"),
        ("\u200b\u2060", "quote_empty"),
        ("rats", "quote_too_short"),
        ("a\x00 lower mortality", "quote_unreadable"),
        ("\ud800 lower mortality", "quote_unreadable"),
        ("...", "quote_too_short"),
        ("... [...] \u2026 (...)", "quote_empty"),
        ("x" * 100_000, NOT_FOUND),
    ],
)
def test_what_is_no_quotation(quote: str, kind: str) -> None:
    found = locate("The mortality of rats was lower.", quote)
    assert isinstance(found, Defect)
    assert found.kind == kind
    assert found.hint
    assert len(found.message) < 300


def test_half_a_character_beside_it_is_a_defect_too() -> None:
    assert exact("The mortality of rats was lower.", "mortality of rats", prefix="\udfff") == "quote_unreadable"


def test_it_is_looked_for_in_its_section_and_nowhere_else() -> None:
    text = LocatedText(reading("Mortality was lower.", "Weight was higher."))
    found = located(text, Quotation("s2", "Mortality was lower"), version="v", text_hash="t")
    assert isinstance(found, Defect)
    assert found.kind == NOT_FOUND
    across = located(text, Quotation("s1", "was lower. Weight"), version="v", text_hash="t")
    assert isinstance(across, Defect), "a quotation does not reach over the end of its section"
    unknown = located(text, Quotation("s9", "Mortality was lower"), version="v", text_hash="t")
    assert isinstance(unknown, Defect)
    assert (unknown.kind, unknown.near) == ("quote_section_unknown", ("s1", "s2"))


def test_a_span_keeps_position_and_words_and_the_innermost_role() -> None:
    text = "a" * 40 + " the mortality was lower " + "b" * 40
    sections = (Section("s1", "results", "", 0, len(text)), Section("s2", "table", "", 30, 80, parent="s1"))
    found = located(
        LocatedText(Reading(text, sections, "test/1")),
        Quotation("s1", "the mortality was lower"),
        version="v",
        text_hash="t",
    )
    start = text.index("the mortality")
    before, behind = text[start - AROUND : start], text[start + 23 : start + 23 + AROUND]
    assert found == (Span("v", "t", "s1", "table", start, start + 23, "the mortality was lower", before, behind),)
    assert (len(before), len(behind)) == (32, 32)


def test_prefix_and_suffix_tell_which_of_several_places() -> None:
    text = "In rats there was no difference. In mice there was no difference at all."
    assert exact(text, "there was no difference") == "quote_ambiguous"
    for prefix, suffix, start in (("In rats", "", 8), ("In  mice\n", "", 41), ("", " at all", 41)):
        found = locate(text, "there was no difference", prefix, suffix)
        assert not isinstance(found, Defect)
        assert found[0].start == start
    assert exact(text, "there was no difference", prefix="In dogs ") == "quote_context"
    assert exact(text, "In rats there was", prefix="wrong ") == "quote_context", "what is given is not ignored"


def test_the_words_as_they_are_come_before_the_key() -> None:
    assert exact('so \u201clow\u201d was it here. So, so "low" was it here.', 'so "low" was it here') == [
        'so "low" was it here'
    ]


ELIDED = "Mortality was lower in the treated group. Weight was not changed. Survival was longer in females [38]."


@pytest.mark.parametrize("dots", ["...", "\u2026", "[...]", "[\u2026]", "(...)", " . . . ", "[ ... ]", "...."])
def test_an_elided_quotation_is_several_spans(dots: str) -> None:
    found = exact(ELIDED, f"Mortality was lower in the treated group {dots} longer in females")
    assert found == ["Mortality was lower in the treated group", "longer in females"]
    assert exact(ELIDED, f"{dots} Survival was longer {dots}") == ["Survival was longer"]


@pytest.mark.parametrize(
    ("quote", "kind"),
    [
        ("longer in females ... Mortality was lower", "quote_elision"),
        ("Mortality was lower ... longer", "quote_elision"),
        ("Mortality was lower ... longer in males", NOT_FOUND),
        ("Mortality was lower ... was not ch", "quote_too_short"),
        ("Mortality was lower ... survival was longer", NOT_FOUND),
        ("Weight was changed ... Survival was longer", NOT_FOUND),
        ("Mortality was lower ... was lower in the treated", "quote_elision"),
        (" ... ".join(["Mortality was lower"] * 9), "quote_elision"),
    ],
)
def test_pieces_stand_in_order_whole_and_long_enough(quote: str, kind: str) -> None:
    assert exact(ELIDED, quote) == kind.replace("quote_too_short", "quote_elision")


def test_a_piece_that_stands_in_several_places_needs_an_order_that_decides() -> None:
    text = "The mean was higher. Group A got the drug. The mean was higher. Group B got nothing."
    assert exact(text, "Group A got ... The mean was higher") == "quote_elision", "eleven letters are too few"
    assert exact(text, "Group A got the drug ... The mean was higher") == [
        "Group A got the drug",
        "The mean was higher",
    ]
    assert exact(text, "The mean was higher ... Group B got nothing") == "quote_ambiguous"


def test_an_elision_does_not_hide_a_negation() -> None:
    text = "The treatment did not clearly improve the survival of mice. It was not tried. Rats lived longer than mice."
    assert exact(text, "The treatment ... improve the survival of mice") == "quote_elision"
    assert exact(text, "the survival of mice. ... lived longer than mice") == [
        "the survival of mice",
        "lived longer than mice",
    ]


@pytest.mark.parametrize("dots", ["...", "[38]", "[2Fe-2S]", "[>2.5 mg/dL]", "[missing digits]", "[\u2026]"])
def test_what_stands_in_the_text_is_no_elision(dots: str) -> None:
    text = f"The cluster {dots} was bound by the protein."
    assert exact(text, text) == [text]


def test_a_stored_span_resolves_or_says_why_not() -> None:
    text = "The mortality of rats was lower in the treated group."
    found = locate(text, "rats was lower in the treated group.")
    assert not isinstance(found, Defect)
    span = found[0]
    assert span.end == len(text), "a quotation may end at the last character (#14)"
    assert resolve(span, text, "t") is None
    wrong = {
        "span_stale": [(span, text, "u")],
        "span_out_of_range": [
            (span, text[:-1], "t"),
            (span, "", "t"),
            (replace(span, start=500, end=600), text, "t"),
            (replace(span, start=-3), text, "t"),
            (replace(span, start=span.end), text, "t"),
        ],
        "span_differs": [
            (span, text.replace("lower", "wider"), "t"),
            (replace(span, exact="rats"), text, "t"),
            (replace(span, prefix=""), text, "t"),
            (replace(span, suffix="x"), text, "t"),
            (replace(span, start=span.start + 1), text, "t"),
        ],
    }
    for kind, cases in wrong.items():
        for case in cases:
            defect = resolve(*case)
            assert defect is not None
            assert defect.kind == kind


MINE = "Mortality was lower in rats."
THEIRS = "In dogs the weight was higher than before."


def told(quote: str, section: str = "s1", others: tuple[Other, ...] = ()) -> Defect:
    text = LocatedText(
        reading(MINE, "Survival was longer in females. Then it fell.", "Survival was longer in females.")
    )
    quotation = Quotation(section, quote)
    missing = located(text, quotation, version="v", text_hash="t")
    assert isinstance(missing, Defect), missing
    return elsewhere(missing, quotation, text, others)


def test_what_is_not_in_its_section_is_looked_for_elsewhere() -> None:
    others = (
        Other("Dogs 2020", reading(THEIRS)),
        Other("an older version", reading("Old words: " + THEIRS), older=True),
    )
    section = told("Survival was longer in females")
    assert (section.kind, section.near) == ("quote_wrong_section", ("s3", "s2"))
    assert told("Survival was longer \u2026 Then it fell.").kind == NOT_FOUND, (
        "a piece that is too short is not looked for"
    )
    assert told("Survival was longer \u2026 females. Then it fell").kind == "quote_wrong_section"
    stale = told("the weight was higher", others=others)
    assert (stale.kind, "an older version" in stale.message) == ("quote_stale", True)
    other = told("the weight was higher", others=others[:1])
    assert (other.kind, "Dogs 2020" in other.message) == ("quote_misattributed", True)
    assert told("the weight was lower", others=others).kind == NOT_FOUND, "fabricated"
    assert told("rtality was lower", others=(Other("x", reading("rtality was lower")),)).kind == "quote_cut"
    named = told("Survival was longer in females", section="s9")
    assert (named.kind, named.near) == ("quote_section_unknown", ("s3", "s2"))


def test_a_repair_is_proposed_and_never_taken() -> None:
    text = "We saw that the mortality of treated rats was lower by 12.5 points. " * 1 + "Nothing else was seen in dogs."
    found = locate(text, "the mortality of the treated rats was lower by 12.6 points")
    assert isinstance(found, Defect)
    assert found.kind == NOT_FOUND
    assert found.near
    assert found.near[0] in text
    assert "lower by 12.5 points" in found.near[0]
    assert not isinstance(locate(text, found.near[0]), Defect), "what is proposed would be found"
    far = locate(text, "an entirely different sentence about the weather in spring")
    assert isinstance(far, Defect)
    assert far.near == ()
    short = locate(text, "mortality of dogs")
    assert isinstance(short, Defect)
    assert short.near == (), "nothing is proposed for what is short (#12)"
    long = locate("mortality was lower " * 90, "mortality was lower " * 60 + "mortality was wider")
    assert isinstance(long, Defect)
    assert long.near == (), "nor for what would take long"


def test_every_kind_has_a_row_that_says_what_follows_and_its_place_in_the_docs() -> None:
    files = [ROOT / "src" / "backedge" / "evidence" / f"{name}.py" for name in ("spans", "elision")]
    kinds = {kind for file in files for kind in re.findall(r'Defect\("(\w+)"', file.read_text(encoding="utf-8"))}
    kinds |= {"quote_stale", "quote_misattributed", "quote_unreadable"}
    docs = (ROOT / "docs" / "quotations.md").read_text(encoding="utf-8")
    assert len(kinds) == 15
    assert {kind for kind in kinds if f"\n| `{kind}` |" not in docs} == set()
    assert kinds <= set(ROWS)


def test_words_that_stand_too_often_are_ambiguous_and_the_work_is_bounded() -> None:
    text = "no difference was seen. " * (MOST_PLACES + 50)
    found = locate(text, "no difference was seen")
    assert isinstance(found, Defect)
    assert (found.kind, "at least" in found.message) == ("quote_ambiguous", True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a" * 1_000_000, "a " * 200),
        ("a b" * 300_000, "ab" * 100),
        ("-" * 1_000_000, "- " * 40 + "x"),
        ("(" * 1_000_000, "(\u2026" * 1_000),
        (" " * 1_000_000 + "x", "mortality was lower"),
        ("\u6cbb\u7597\u7ec4" * 300_000, "\u6cbb \u7597\u7ec4" * 50),
        ("\u05d0\u05d1\u05d2 " * 200_000, "\u05d0 \u05d1\u05d2 " * 50),
        ("mortality was lower " * 50_000, "mortality  was\nlower " * 20 + "x"),
        ("e\u0301" * 300_000, "\u00e9" * 50 + "e"),
    ],
    ids=range(9),
)
def test_texts_of_a_megabyte_are_no_trouble(text: str, quote: str) -> None:
    found = locate(text, quote)
    assert isinstance(found, Defect)


def test_words_stand_in_a_text_by_the_same_rules() -> None:
    assert stands("lower", "Mortality was lower by 5%")
    assert stands("lower by 5%", "It was lower by 5 %. It was lower by 5%.")
    assert not stands("low", "Mortality was lower by 5%")
    assert not stands("lower by 5", "Mortality was lower by 5%")
    assert not stands("", "Mortality")
    assert not stands("\ud800", "Mortality")


def test_a_leading_minus_is_looked_for_at_each_place_by_itself() -> None:
    line = "\u22125 mg tumour weights were re-\nduced in treated mice."
    text = f"At first {line} Later {line}"
    reading = Reading(text, (Section("s1", "results", "", 0, len(text)),), "test")
    found = located(
        LocatedText(reading),
        Quotation("s1", "-5 mg tumour weights were reduced in treated mice."),
        version="v",
        text_hash="t",
    )
    assert isinstance(found, Defect)
    assert found.kind == "quote_ambiguous"
