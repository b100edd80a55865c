"""What the sentence of a quotation says of it outside of the marks: cues that govern it are found, others are not."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.evidence.flags import flags_of
from backedge.evidence.governing import governing
from tests.evidence.judged import passage, proposal
from tests.evidence.quotations import exact

CURCUMIN = "Curcumin reduces tumour growth in mice."
CUT = "curcumin reduces tumour growth in mice"
DRUG = "The drug reduced mortality in treated mice."
LOWER = "the drug reduced mortality in treated mice"
RATS = "The treated rats had pain after surgery."
PAIN = "treated rats had pain after surgery"

# The statement, what stands before the quotation, the quotation, what stands behind it, and how it is turned.
GOVERNED: tuple[tuple[str, str, str, str, str], ...] = (
    (CURCUMIN, "There was no evidence that ", CUT, ".", "denied"),
    (CURCUMIN, "We did not find that ", CUT, ".", "denied"),
    (CURCUMIN, "We refuted that ", CUT, ".", "denied"),
    (CURCUMIN, "We rejected the hypothesis that ", CUT, ".", "denied"),
    (CURCUMIN, "It is untrue that ", CUT, ".", "denied"),
    (CURCUMIN, "There was no evidence that, after 12 weeks, ", CUT, ".", "denied"),
    (CURCUMIN, "In the absence of evidence that ", CUT, ", it is not used.", "denied"),
    (CURCUMIN, "To our knowledge no study has shown that ", CUT, ".", "denied"),
    (CURCUMIN, "Pain was lower. It is a myth that ", CUT, ".", "denied"),
    (CURCUMIN, "", "Curcumin reduces tumour growth in mice", " is a myth.", "denied"),
    (CURCUMIN, "That ", CUT, " could not be confirmed.", "denied"),
    (CURCUMIN, "That ", CUT, " was refuted.", "denied"),
    (DRUG, "The drug did not significantly ", "reduce mortality in treated mice", ".", "denied"),
    (DRUG, "The drug did not, however, ", "reduce mortality in treated mice", ".", "denied"),
    (DRUG, "The drug failed to clearly ", "reduce mortality in treated mice", ".", "denied"),
    (RATS, "Few of the ", PAIN, ".", "denied"),
    (RATS, "None of the ", PAIN, ".", "denied"),
    (RATS, "Neither the mice nor the ", PAIN, ".", "denied"),
    (
        DRUG,
        "",
        "The drug reduced mortality in treated mice",
        ", but this was not statistically significant.",
        "insignificant",
    ),
    (
        DRUG,
        "",
        "The drug reduced mortality in treated mice",
        ", although the effect did not reach significance.",
        "insignificant",
    ),
    (DRUG, "", "The drug reduced mortality in treated mice", ", but not significantly so.", "insignificant"),
    (CURCUMIN, "It is unclear whether ", CUT, ".", "open"),
    (CURCUMIN, "Whether ", CUT, " remains unclear.", "open"),
    (CURCUMIN, "We hypothesised that ", CUT, ".", "hedged"),
    (CURCUMIN, "Our aim was to determine whether ", CUT, ".", "hedged"),
    (CURCUMIN, "We expected that ", CUT, ".", "hedged"),
)
FREE: tuple[tuple[str, str, str, str], ...] = (
    (DRUG, "Although there was no difference in pain, ", LOWER, "."),
    (DRUG, "We did not see toxicity, and ", LOWER, "."),
    (DRUG, "The vehicle was not tested in rats and ", LOWER, "."),
    (DRUG, "Not only was it safe, ", LOWER, "."),
    (DRUG, "There is no doubt that ", LOWER, "."),
    (DRUG, "In the absence of vehicle ", LOWER, "."),
    (DRUG, "Pain was not changed; ", LOWER, "."),
    (DRUG, "It failed in rats. ", "The drug reduced mortality in treated mice", "."),
    (DRUG, "No effect was seen in rats.\n\n", "The drug reduced mortality in treated mice", "."),
    (DRUG, "In the first few weeks ", LOWER, "."),
    (DRUG, "Consistent with the hypothesis, ", LOWER, "."),
    (DRUG, "In May 2010 ", LOWER, "."),
    (DRUG, "In animals that did not respond ", LOWER, "."),
    (DRUG, "In patients who did not respond ", LOWER, "."),
    (DRUG, "", "The drug reduced mortality in treated mice", ", whereas pain was not significantly different."),
    (DRUG, "", "The drug reduced mortality in treated mice", ", but not in rats."),
    (DRUG, "", "The drug reduced mortality in treated mice", ", and may be useful."),
    (DRUG, "", "The drug reduced mortality in treated mice", "; whether pain fell remains unclear."),
    (RATS, "A few of the ", PAIN, "."),
    (RATS, "", "The treated rats had pain after surgery", " that was not severe."),
    ("Whether curcumin reduces tumour growth in mice is unclear.", "It is unclear whether ", CUT, "."),
    ("Curcumin may reduce tumour growth in mice.", "We hypothesised that ", CUT, "."),
    ("Curcumin does not reduce tumour growth in mice.", "There was no evidence that ", CUT, "."),
    ("Curcumin had no effect on tumour growth in mice.", "There was no evidence that ", CUT, "."),
)
KINDS = {
    "denied": "negation_outside",
    "insignificant": "negation_outside",
    "open": "negation_doubtful",
    "hedged": "hedge_lost",
}


@pytest.mark.parametrize(("statement", "before", "quoted", "after", "how"), GOVERNED)
def test_what_governs_a_quotation_from_outside_is_flagged(
    statement: str, before: str, quoted: str, after: str, how: str
) -> None:
    passages = (passage(quoted, before=before, after=after),)
    found = governing(statement, passages)
    assert (found and found.how, KINDS[how] in kinds_of(statement, passages)) == (how, True)


@pytest.mark.parametrize(("statement", "before", "quoted", "after"), FREE)
def test_what_does_not_govern_it_is_left_alone(statement: str, before: str, quoted: str, after: str) -> None:
    passages = (passage(quoted, before=before, after=after),)
    assert governing(statement, passages) is None
    assert not kinds_of(statement, passages) & {"negation_outside", "hedge_lost"}


def kinds_of(statement: str, passages: tuple[Any, ...]) -> set[str]:
    return {flag.kind for flag in flags_of(proposal(statement), passages, ())}


def test_another_quotation_that_says_as_much_speaks_for_it() -> None:
    denied = passage(CUT, before="There was no evidence before that ", after=".")
    said = passage("curcumin reduces tumour growth in mice", before="Here ", after=".")
    beside = passage("Pain in mice was told", after=".")
    assert governing(CURCUMIN, (denied,)) is not None
    assert governing(CURCUMIN, (denied, beside)) is not None
    assert governing(CURCUMIN, (denied, said)) is None


@pytest.mark.parametrize("word", ["rarely", "hardly", "seldom", "scarcely", "barely", "never", "not", "is unlikely to"])
def test_an_elision_hides_no_cue_of_the_table(word: str) -> None:
    text = f"The older drug {word} in these animals reduced the pain of rats."
    assert exact(text, "The older drug ... reduced the pain of rats") == "quote_elision"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Few of the older rats with fever in the cage had severe pain.", "older rats with fever ... had severe pain"),
        (
            "The older drug, in a few cases, reduced the pain of rats.",
            "The older drug, in ... reduced the pain of rats",
        ),
        ("The older drug, in these animals, reduced the pain of rats.", "The older drug ... reduced the pain of rats"),
    ],
)
def test_an_elision_that_hides_none_is_taken(text: str, quote: str) -> None:
    assert len(exact(text, quote)) == 2


@pytest.mark.parametrize("word", ["rarely", "hardly", "seldom", "scarcely", "barely"])
def test_a_quotation_does_not_begin_behind_such_a_word(word: str) -> None:
    assert exact(f"The drug {word} reduced the pain of rats.", "reduced the pain of rats") == "quote_cut"
    assert exact(f"The drug {word[:-1]} reduced the pain of rats.", "reduced the pain of rats") == [
        "reduced the pain of rats"
    ]


def test_words_in_brackets_put_into_a_quotation_stand_nowhere() -> None:
    assert exact("Mortality fell in rats.", "Mortality fell [reviewer approved it] in rats") == "quote_not_found"
