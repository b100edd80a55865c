"""Sentences: what looks like an end and is none, what is one, and that nothing is lost of any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backedge.evidence.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Mice got 5 mg/kg i.p. daily for 3 wk.",
        "Mice got 5 mg/kg i.v. or s.c. for a week.",
        "Survival is shown in Fig. 2 and in Figs. 3 and 4.",
        "Growth of E. coli was inhibited by J. R. Smith.",
        "The difference was significant (p < 0.05) and P=.03 in men.",
        "As Smith et al. showed, and Miller et al. [12] confirmed, it grows.",
        "The ratio rose from 1.5 to 11.5 vs. 2.0 in controls.",
        "It was dissolved in PBS (pH 7.4; Sigma Inc., St. Louis, MO, U.S.A.) and stored.",
        "Bacillus sp. and An. gambiae s.s. colonies were kept at approx. 25 degrees.",
        "1. Introduction to the matter",
        "Values are mean +/- S.E.M. of three runs, i.e. nine wells, e.g. those of Eq. 3.",
        "Nos. 1, 2 and 3 (cf. ref. 7) were left out.",
        "P < 0. 05 was held significant.",
        "Contents . . . . . . . . 12",
    ],
)
def test_no_sentence_ends_within(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Mice were fed.| Rats were not.",
        "Was it so?| It was not!| We do not know.",
        "It fell by 12%.| In 2010.| 25 patients were seen.",
        "They were treated with vitamin C.| The others were not.",
        "Patients had MS.| Interleukin-17 rose.",
        "It was shown by Smith et al.| However, we found none.",
        "Doses were 5 mg/kg i.p.| The control group got saline.",
        "He said “it works.”| We agree (see above.)| So it is.",
        "It was reported before.[12,13]| This is new.",
        "Cells were lysed.| mRNA was measured.| p53 was not.| miR-21 rose.",
        "METHODS\n\n|Mice were fed\n\n|Rats were not",
        "小鼠被喂食。|大鼠没有。",
        "Это первое предложение.| Это второе.",
        "هل هذا صحيح؟ نعم.| وهذا آخر.",
    ],
)
def test_a_sentence_ends_at_each_bar(text: str) -> None:
    assert [part.strip() for part in text.split("|")] == split(text.replace("|", ""))


@given(st.text(alphabet=st.sampled_from("aB1 .\n!?…)”[]0。Figet,\t"), max_size=200) | st.text(max_size=200))
@settings(max_examples=80, deadline=None)
def test_sentences_are_in_order_and_hold_all_that_is_not_white_space(text: str) -> None:
    found = sentences(text)
    edges = [edge for stretch in found for edge in stretch]
    assert edges == sorted(edges)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in found)
    assert "".join("".join(text[start:end].split()) for start, end in found) == "".join(text.split())


@pytest.mark.parametrize("unit", [".", ". ", "\n", " ", "a", "a. b ", "[1", "。", ".\u00a0", "...("])
def test_the_work_grows_with_the_text_and_no_faster(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert sum(end - start for start, end in sentences(text)) <= len(text)
