"""Titles that mark an article as retracted, withdrawn or a notice, and honest titles that begin with such words."""

from __future__ import annotations

import pytest

from backedge.evidence.title_marks import TITLE_MARKS, marked

MARKED = {
    "retracted": (
        "Retracted: Effects of Vitamin K2 on Osteoporosis",
        "RETRACTED: Effects of X",
        "RETRACTED ARTICLE: Effects of X",
        "Retracted Article: Effects of X",
        "Retracted Paper: Effects of X",
        "Retracted Chapter: Effects of X",
        "RETRACTED - Effects of X",
        "Retracted – Effects of X",
        "RETRACTED. Effects of X",
        "[Retracted] Effects of X",
        "[RETRACTED ARTICLE] Effects of X",
        "(Retracted) Effects of X",
        "【RETRACTED】 Effects of X",
        "Effects of X [Retracted]",
        "Effects of X (retracted article)",
        "Effects of X (Retracted article. See vol. 10, pg. 5, 2013)",
        "Effects of X (Retraction of vol 5, pg 4, 2010)",
        "RETRACTED AND REPUBLISHED: Effects of X",
        "Retracted and replaced: Effects of X",
        '"RETRACTED: Effects of X"',
        "  RETRACTED : Effects of X",
        "RETRACTED",
    ),
    "withdrawn": (
        "WITHDRAWN: Decompressive surgery",
        "Withdrawn: Decompressive surgery",
        "WITHDRAWN ARTICLE: Decompressive surgery",
        "[Withdrawn] Decompressive surgery",
        "Decompressive surgery (WITHDRAWN)",
        "Withdrawn as duplicate: Decompressive surgery",
        "TEMPORARY REMOVAL: Decompressive surgery",
        "REMOVED: Decompressive surgery",
    ),
    "notice": (
        "Retraction: Effects of X",
        "RETRACTION: Effects of X",
        "Retraction",
        "Retraction.",
        "Retraction of: Effects of X",
        'Retraction of "Effects of X"',
        "Retraction to: Effects of X",
        "Retraction Note to: Effects of X",
        "Retraction Note: Effects of X",
        "Retraction notice to “Effects of X” [J. X 5 (2010) 1]",
        "Retraction Statement: Effects of X",
        "Retraction for Smith et al., Effects of X",
        "Notice of Retraction: Effects of X",
        "Statement of Retraction: Effects of X",
        "Retraction and republication: Effects of X",
        "Notice of Retraction and Replacement. Smith J. Effects of X",
        "Partial Retraction: Effects of X",
        "Withdrawal notice to: Effects of X",
        "Notice of withdrawal",
        "Expression of Concern: Effects of X",
        "Expression of Concern",
        "Expression of concern for: Effects of X",
        'Expression of concern to "Effects of X"',
        "Editorial Expression of Concern: Effects of X",
        "Editorial Expression of Concern and other matters",
        "Correction: Effects of X",
        "Correction",
        "Correction to: Effects of X",
        'Corrections to "Effects of X"',
        "Correction to Smith et al.: Effects of X",
        "Author Correction: Effects of X",
        "Publisher Correction: Effects of X",
        "Erratum: Effects of X",
        "Erratum to: Effects of X",
        "Erratum to Effects of X",
        "Erratum",
        "Corrigendum: Effects of X",
        "Corrigendum to “Effects of X”",
        "Addendum: Effects of X",
    ),
    "corrected": ("Corrected and republished: Effects of X",),
}
HONEST = (
    "Retracted rotator cuff tears and their repair",
    "Retracted papers in radiology: a survey",
    "Retracted.org and other sources of data",
    "Retracted articles live on",
    "Retraction pockets of the ear drum",
    "Retraction of the medial rectus after surgery",
    "A retraction of the claim that X does Y",
    "Retractions in the medical literature: how many patients are put at risk?",
    "Retractions: causes and consequences in 40 journals of pathology",
    "The effect of lip retraction: a trial",
    "Nipple retraction: ultrasound findings",
    "Withdrawal of life support in the intensive care unit",
    "Withdrawal symptoms after opioids: a cohort",
    "Withdrawn children and their peers",
    "Alcohol withdrawal: a review",
    "Removal of arsenic: a pilot plant",
    "Removed teeth as a source of stem cells",
    "Correction of scoliosis in adolescents",
    "Correction for multiple testing in imaging",
    "Corrections officers and burnout",
    "Correction to normality of serum sodium",
    "Corrected QT interval: a meta-analysis",
    "Errata in genomes",
    "Expression of concern about vaccines among parents",
    "Expression of CONCERN in the frontal cortex",
    "Expression of p53 in tumours",
    "Concern: a phenomenology",
    "Studies of retracted research [review]",
    "Effects of X (retraction and abduction of the arm)",
    "Editorial announcement.",
    "Statement.",
    "",
)


@pytest.mark.parametrize(("kind", "title"), [(kind, title) for kind, titles in MARKED.items() for title in titles])
def test_a_marked_title_is_told(kind: str, title: str) -> None:
    found = marked(title)
    assert found is not None
    assert (found.kind, found.by, found.detail) == (kind, "title", title)


@pytest.mark.parametrize("title", HONEST)
def test_an_honest_title_is_no_mark(title: str) -> None:
    assert marked(title) is None


def test_every_kind_of_the_table_has_titles_here() -> None:
    assert {kind for kind, _ in TITLE_MARKS} == set(MARKED)
