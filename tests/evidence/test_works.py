"""Which source a content belongs to: shared identifiers join, different DOIs never do. Which sources are one study."""

from __future__ import annotations

import pytest

from backedge.evidence.sources import Identifiers, Metadata, Relation, RelationKind
from backedge.evidence.works import (
    independent_groups,
    registrations_in,
    relations_between,
    source_id,
    source_of,
)

A = Identifiers(doi="10.1000/a", pmid="1")
PREPRINT = Identifiers(doi="10.1101/p")


def test_the_id_of_a_source_is_a_short_stable_hash_of_what_names_it() -> None:
    assert source_id("doi:10.1000/a") == "s_3723ab1de5d5" == source_of("file", "a.pdf", A, {}).id
    assert source_of("file", "a.pdf", A, {}).named == "doi:10.1000/a"
    assert source_of("file", "a.pdf", Identifiers(), {}).named == "file:a.pdf"
    assert len({source_id(named) for named in ("file:a", "file:b", "url:a")}) == 3


@pytest.mark.parametrize(
    "incoming",
    [
        A,
        Identifiers(doi="10.1000/a"),
        Identifiers(pmid="1"),
        Identifiers(doi="10.1000/a", pmcid="PMC5"),
        Identifiers(pmid="1", arxiv="2101.00001"),
    ],
)
def test_a_shared_identifier_without_a_conflict_is_the_same_source(incoming: Identifiers) -> None:
    chosen = source_of("pubmed", "1", incoming, {"s_old": A})
    assert chosen.id == "s_old"
    assert "s_old" in chosen.why


@pytest.mark.parametrize(
    ("incoming", "named", "said"),
    [
        (
            Identifiers(doi="10.1000/b", pmid="1"),
            "doi:10.1000/b",
            "doi:10.1000/a",
        ),  # Part II under the number of Part I
        (Identifiers(doi="10.1000/a", pmid="2"), "pmid:2", "pmid:1"),
        (Identifiers(pmid="1", doi="10.1101/p"), "doi:10.1101/p", "doi:10.1000/a"),  # a preprint is no version of it
    ],
)
def test_a_conflicting_identifier_keeps_apart_and_says_so(incoming: Identifiers, named: str, said: str) -> None:
    chosen = source_of("pubmed", "x", incoming, {"s_old": A})
    assert (chosen.id, chosen.named) == (source_id(named), named)
    assert said in chosen.why
    assert "apart" in chosen.why


def test_chapters_that_share_the_doi_of_their_book_are_kept_apart_by_their_titles() -> None:
    book = Identifiers(doi="10.1000/book")
    titles = {"s_one": "Kidney disease in cats"}
    chosen = source_of("file", "two.pdf", book, {"s_one": book}, title="Vaccines for poultry farms", titles=titles)
    assert (chosen.named, "Vaccines for poultry farms" in chosen.why) == ("file:two.pdf", True)
    again = source_of(
        "file", "one.pdf", book, {"s_one": book}, title="RETRACTED: Kidney disease in cats.", titles=titles
    )
    assert again.id == "s_one"
    unknown = source_of("file", "one.pdf", book, {"s_one": book}, title="", titles=titles)
    assert unknown.id == "s_one"


def test_a_new_title_of_the_same_arxiv_number_is_a_new_version() -> None:
    number = Identifiers(arxiv="2101.00001")
    chosen = source_of("arxiv", "x", number, {"s_old": number}, title="Other words", titles={"s_old": "Its first name"})
    assert chosen.id == "s_old"


def test_of_several_sources_the_one_that_does_not_conflict_is_taken() -> None:
    known = {"s_b": Identifiers(doi="10.1000/b", pmid="1"), "s_a": Identifiers(doi="10.1000/a", pmid="2")}
    assert source_of("pubmed", "1", Identifiers(doi="10.1000/b", pmid="1"), known).id == "s_b"
    assert source_of("pubmed", "1", Identifiers(pmid="2"), known).id == "s_a"


@pytest.mark.parametrize(
    ("kind", "inverse"),
    [
        ("retraction_of", "retracted_by"),
        ("withdrawal_of", "withdrawn_by"),
        ("concern_about", "concern_by"),
        ("correction_of", "corrected_by"),
        ("published_as", "update_of"),
        ("update_of", "updated_by"),
    ],
)
def test_a_relation_is_seen_from_both_sides(kind: RelationKind, inverse: RelationKind) -> None:
    one, other = Metadata(identifiers=Identifiers(pmid="9"), relations=(Relation(kind, A),)), Metadata(identifiers=A)
    assert relations_between(one, other) == (kind,)
    assert relations_between(other, one) == (inverse,)


def test_a_relation_to_something_else_is_none() -> None:
    named = Relation("comment_on", Identifiers(doi="10.1000/z", pmid="1"))
    one = Metadata(identifiers=Identifiers(pmid="9"), relations=(named, Relation("comment_on", Identifiers(pmid="7"))))
    assert relations_between(one, Metadata(identifiers=A)) == ()
    assert relations_between(Metadata(identifiers=A), one) == ()


def test_a_preprint_its_article_and_a_correction_are_one_study() -> None:
    sources = {"s1": PREPRINT, "s2": A, "s3": Identifiers(pmid="3"), "s4": Identifiers(pmid="4")}
    relations = [
        ("s1", Relation("published_as", Identifiers(doi="10.1000/a"))),
        ("s3", Relation("correction_of", Identifiers(pmid="1"))),
        ("s4", Relation("comment_on", Identifiers(pmid="1"))),
    ]
    assert independent_groups(sources, relations, {}) == {"s1": "s1", "s2": "s1", "s3": "s1", "s4": "s4"}
    assert independent_groups(sources, [], {}) == {name: name for name in sources}


def test_sources_are_joined_by_a_work_that_is_not_here() -> None:
    sources = {"s1": Identifiers(pmid="1"), "s2": Identifiers(pmid="2")}
    absent = Identifiers(doi="10.1000/absent")
    relations = [("s1", Relation("update_of", absent)), ("s2", Relation("published_as", absent))]
    assert independent_groups(sources, relations, {}) == {"s1": "s1", "s2": "s1"}


def test_two_reports_of_one_trial_are_one_study_and_a_review_joins_none() -> None:
    sources = {f"s{n}": Identifiers(pmid=str(n)) for n in range(1, 5)}
    trials = {"s1": {"NCT1"}, "s2": {"NCT1", "ISRCTN2"}, "s3": {"NCT3"}, "s4": {"NCT1", "NCT3", "NCT5", "NCT6"}}
    assert independent_groups(sources, [], trials) == {"s1": "s1", "s2": "s1", "s3": "s3", "s4": "s4"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ClinicalTrials.gov NCT01234567, and nct01234567.", {"NCT01234567"}),
        ("NCT 01234567", {"NCT01234567"}),
        ("ISRCTN12345678; ACTRN12605000123606", {"ISRCTN12345678", "ACTRN12605000123606"}),
        ("EudraCT number: 2004-000446-20", {"EUDRACT2004-000446-20"}),
        ("EudraCT 2004-000446-20", {"EUDRACT2004-000446-20"}),
        ("ChiCTR-TRC-10001234, ChiCTR2000029308", {"CHICTR-TRC-10001234", "CHICTR2000029308"}),
        ("CTRI/2020/05/025013 and DRKS00012345", {"CTRI/2020/05/025013", "DRKS00012345"}),
        ("UMIN000012345 NTR1234", {"UMIN000012345", "NTR1234"}),
        ("NCT123 and SNCT01234567 are none, nor NCT012345678", set()),
    ],
)
def test_registrations_are_found(text: str, expected: set[str]) -> None:
    assert registrations_in(text) == expected
