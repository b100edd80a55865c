"""What JATS articles say of themselves: names, licence, identifiers, links in both directions, notices."""

from __future__ import annotations

import pytest

from backedge.adapters.reading import jats
from backedge.evidence.sources import Identifiers, Metadata, Relation, Signal
from tests.adapters.reading.readings import reading_of

NAMES = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ali="http://www.niso.org/schemas/ali/1.0/"'


def metadata(meta: str, *, journal: str = "", kind: str = "research-article") -> Metadata:
    """The metadata of an article with these elements in its `article-meta`."""
    front = f"<front><journal-meta>{journal}</journal-meta><article-meta>{meta}</article-meta></front>"
    text = f"<article {NAMES} article-type='{kind}' xml:lang='EN'>{front}<body><p>x</p></body></article>"
    return reading_of(jats.read, text).metadata


def test_names_journal_years_and_language() -> None:
    found = metadata(
        "<title-group><article-title>Of <italic>mice</italic>\n and men</article-title></title-group>"
        "<contrib-group><contrib contrib-type='author'><name><surname>Doe</surname><given-names>Jane B</given-names>"
        "<suffix>Jr</suffix></name></contrib><contrib contrib-type='editor'><name><surname>Ed</surname>"
        "</name></contrib>"
        "<contrib contrib-type='author'><collab>The Mouse Group</collab></contrib>"
        "<contrib><string-name>Li Wei</string-name></contrib></contrib-group>"
        "<pub-date pub-type='ppub'><year>2009</year></pub-date><pub-date pub-type='epub'><year>2008</year></pub-date>"
        "<history><date><year>2001</year></date></history>",
        journal="<journal-title-group><journal-title>J Mice</journal-title></journal-title-group>",
    )
    assert (found.title, found.journal, found.year) == ("Of mice and men", "J Mice", 2008)
    assert found.authors == ("Jane B Doe Jr", "The Mouse Group", "Li Wei")
    assert (found.kind, found.language) == ("research-article", "en")
    assert (found.relations, found.signals, found.headings) == ((), (), ())


def test_identifiers_are_the_articles_own_and_normalised() -> None:
    found = metadata(
        "<article-id pub-id-type='pmid'>123</article-id><article-id pub-id-type='pmc'>PMC77</article-id>"
        "<article-id pub-id-type='doi'>https://doi.org/10.1371/Journal.PONE.1</article-id>"
        "<article-id pub-id-type='publisher-id'>10.9999/no</article-id>"
    )
    assert found.identifiers == Identifiers(doi="10.1371/journal.pone.1", pmid="123", pmcid="PMC77")
    assert metadata("<article-id pub-id-type='pmcid'>78</article-id>").identifiers == Identifiers(pmcid="PMC78")


@pytest.mark.parametrize(
    ("permissions", "licence", "access"),
    [
        (
            "<license xlink:href='https://creativecommons.org/licenses/by/4.0/'>"
            "<license-p>CC BY.</license-p></license>",
            "https://creativecommons.org/licenses/by/4.0/ CC BY.",
            "open",
        ),
        ("<license><p>This is an Open Access article.</p></license>", "This is an Open Access article.", "open"),
        ("<license license-type='OpenAccess'><p>Free.</p></license>", "Free.", "open"),
        (
            "<license><ali:license_ref>http://creativecommons.org/licenses/by-nc/4.0/</ali:license_ref></license>",
            "http://creativecommons.org/licenses/by-nc/4.0/",
            "open",
        ),
        (
            "<copyright-statement>© 2001 A. All rights reserved.</copyright-statement>",
            "© 2001 A. All rights reserved.",
            "unknown",
        ),
        ("", "", "unknown"),
    ],
)
def test_the_licence_and_what_it_says_of_access(permissions: str, licence: str, access: str) -> None:
    found = metadata(f"<permissions>{permissions}</permissions>")
    assert (found.licence, found.access) == (licence, access)


@pytest.mark.parametrize(
    ("kind", "relation"),
    [
        ("retracted-article", "retraction_of"),
        ("retraction-forward", "retracted_by"),
        ("corrected-article", "correction_of"),
        ("correction-forward", "corrected_by"),
        ("object-of-concern", "concern_about"),
        ("expression-of-concern", "concern_by"),
        ("commentary-article", "comment_on"),
    ],
)
def test_links_say_which_way_they_go(kind: str, relation: str) -> None:
    link = f"<related-article related-article-type='{kind}' ext-link-type='uri' xlink:href='info:doi/10.1371/a.B'/>"
    (found,) = metadata(link + link).relations
    assert (found.kind, found.other, found.note) == (relation, Identifiers(doi="10.1371/a.b"), kind)


def test_links_name_the_other_by_what_they_give() -> None:
    found = metadata(
        "<related-article related-article-type='retracted-article' ext-link-type='pmid' xlink:href='123'/>"
        "<related-article related-article-type='companion' ext-link-type='doi' xlink:href='10.1371/a'/>"
        "<related-article related-article-type='corrected-article' xlink:href='10.1371/b'/>"
        "<related-article related-article-type='retracted-article'/>"
    ).relations
    assert found == (
        Relation("retraction_of", Identifiers(pmid="123"), "retracted-article"),
        Relation("correction_of", Identifiers(doi="10.1371/b"), "corrected-article"),
        Relation("retraction_of", Identifiers(), "retracted-article"),
    )


@pytest.mark.parametrize(
    ("kind", "signals"),
    [
        ("retraction", (Signal("notice", "article type", "retraction"),)),
        ("correction", (Signal("notice", "article type", "correction"),)),
        ("expression-of-concern", (Signal("notice", "article type", "expression-of-concern"),)),
        ("retracted-article", (Signal("retracted", "article type", "retracted-article"),)),
        ("research-article", ()),
        ("article-commentary", ()),
    ],
)
def test_article_types_that_speak_of_standing(kind: str, signals: tuple[Signal, ...]) -> None:
    assert metadata("", kind=kind).signals == signals


def test_subject_headings_speak_too_other_subjects_do_not() -> None:
    found = metadata(
        "<article-categories><subj-group subj-group-type='heading'><subject>Retraction Notice</subject></subj-group>"
        "<subj-group subj-group-type='Discipline'><subject>Correction</subject></subj-group></article-categories>"
    )
    assert found.signals == (Signal("notice", "subject heading", "Retraction Notice"),)


def test_headings_are_mesh_and_not_an_authors_keywords() -> None:
    found = metadata(
        "<kwd-group><kwd>mouse</kwd></kwd-group><kwd-group kwd-group-type='MeSH'><kwd>Rats</kwd></kwd-group>"
    )
    assert found.headings == ("Rats",)


TARGET = Identifiers(doi="10.1000/182")


@pytest.mark.parametrize(
    "address",
    [
        "https://doi.org/10.1000/182",
        "http://dx.doi.org/10.1000/182",
        "https://www.frontiersin.org/articles/10.1000/182/full",
        "https://onlinelibrary.wiley.com/doi/abs/10.1000%2F182",
        "https://journals.plos.org/plosone/article?id=10.1000/182",
    ],
)
@pytest.mark.parametrize("kind", ["uri", "doi", ""])
def test_a_link_by_an_address_that_holds_a_doi_names_it(address: str, kind: str) -> None:
    typed = "related-article-type='retracted-article'"
    for link in (
        f"<related-article {typed} ext-link-type='{kind}' xlink:href='{address}'/>",
        f"<related-article {typed}><ext-link ext-link-type='{kind}' xlink:href='{address}'>it</ext-link>"
        "</related-article>",
    ):
        assert metadata(link).relations == (Relation("retraction_of", TARGET, "retracted-article"),)


def linking(*addresses: str, kind: str = "retraction", references: str = "") -> tuple[Relation, ...]:
    """The relations of an article whose text links to those addresses."""
    links = "".join(
        f"<p>See <ext-link ext-link-type='uri' xlink:href='{each}'>it</ext-link>.</p>" for each in addresses
    )
    meta = "<article-meta><article-id pub-id-type='doi'>10.1000/9</article-id></article-meta>"
    back = f"<back><ref-list><ref><ext-link xlink:href='{references}'/></ref></ref-list></back>" if references else ""
    text = f"<article {NAMES} article-type='{kind}'><front>{meta}</front><body>{links}</body>{back}</article>"
    return reading_of(jats.read, text).metadata.relations


@pytest.mark.parametrize(
    ("kind", "relation"),
    [
        ("retraction", "retraction_of"),
        ("partial-retraction", "retraction_of"),
        ("withdrawal", "withdrawal_of"),
        ("expression-of-concern", "concern_about"),
        ("correction", "correction_of"),
    ],
)
def test_a_notice_without_a_typed_link_is_about_the_one_article_that_it_links_to(kind: str, relation: str) -> None:
    address = "https://doi.org/10.1000/182"
    (found,) = linking(address, address, "https://doi.org/10.1000/9", "https://doi.org/10.1000/9.s001", kind=kind)
    assert (found.kind, found.other) == (relation, TARGET)


def test_what_links_to_several_or_is_no_notice_or_only_cites_says_nothing() -> None:
    one, other = "https://doi.org/10.1000/182", "https://doi.org/10.1000/183"
    assert linking(one, other) == ()
    assert linking(one, kind="research-article") == ()
    assert linking("https://example.org/guidelines", references=one) == ()


@pytest.mark.parametrize(
    ("subject", "signal"),
    [
        ("Retraction", "notice"),
        ("Retractions", "notice"),
        ("Expression of Concern", "notice"),
        ("Withdrawal Notice", "notice"),
        ("Retracted Article", "retracted"),
        ("Research Article", ""),
        ("Drug withdrawal", ""),
    ],
)
def test_a_subject_without_a_type_is_a_heading(subject: str, signal: str) -> None:
    for group in ("<subj-group>", "<subj-group subj-group-type='heading'>"):
        found = metadata(f"<article-categories>{group}<subject>{subject}</subject></subj-group></article-categories>")
        assert [said.kind for said in found.signals] == ([signal] if signal else [])
    topic = f"<subj-group subj-group-type='Discipline-v3'><subject>{subject}</subject></subj-group>"
    assert metadata(f"<article-categories>{topic}</article-categories>").signals == ()


def test_an_article_that_is_retracted_in_part_is_retracted() -> None:
    assert [said.kind for said in metadata("", kind="partially-retracted-article").signals] == ["retracted"]
