"""PubMed records: each rule of reading on a small written record, and sets taken apart."""

from __future__ import annotations

import gzip

import pytest

from backedge.adapters.reading import medline
from backedge.evidence.sources import Identifiers, Metadata, Relation, Signal
from tests.adapters.reading.readings import outline, reading_of, unparsed


def record(article: str = "", *, citation: str = "", data: str = "", pmid: str = "<PMID Version='1'>5</PMID>") -> str:
    """A record of these parts."""
    title = "" if "<ArticleTitle>" in article else "<ArticleTitle>T.</ArticleTitle>"
    return (
        f"<PubmedArticle><MedlineCitation>{pmid}<Article>{title}{article}</Article>{citation}</MedlineCitation>"
        f"<PubmedData>{data}</PubmedData></PubmedArticle>"
    )


def metadata(article: str = "", **parts: str) -> Metadata:
    """The metadata of such a record."""
    return reading_of(medline.read, record(article, **parts)).metadata


def test_title_and_abstract_with_its_labels() -> None:
    reading = reading_of(
        medline.read,
        record(
            "<ArticleTitle>10<sup>2</sup> <i>mice</i>.</ArticleTitle><Abstract>"
            "<AbstractText Label='METHODS' NlmCategory='METHODS'>We did.</AbstractText>"
            "<AbstractText Label='Main results' NlmCategory='RESULTS'>It rose by 1.73 m<sup>2</sup>.</AbstractText>"
            "<AbstractText>More.</AbstractText><CopyrightInformation>© A</CopyrightInformation></Abstract>"
            "<VernacularTitle>Mäuse.</VernacularTitle>",
            citation="<OtherAbstract Type='Publisher' Language='ger'><AbstractText>Kurz.</AbstractText></OtherAbstract>"
            "<KeywordList><Keyword>one</Keyword><Keyword>two</Keyword></KeywordList>",
        ),
    )
    assert outline(reading) == [
        ("title", "", "10^2 mice.\nMäuse."),
        ("abstract", "METHODS", "We did."),
        ("abstract", "MAIN RESULTS", "It rose by 1.73 m2."),
        ("abstract", "Abstract", "More."),
        ("abstract", "ger", "Kurz."),
        ("other", "Keywords", "one\ntwo"),
    ]
    assert (reading.metadata.title, reading.metadata.licence) == ("10^2 mice.", "© A")


def test_a_record_without_an_abstract_is_its_title_and_one_without_both_is_no_text() -> None:
    assert outline(reading_of(medline.read, record())) == [("title", "", "T.")]
    found = unparsed(medline.read, record("<ArticleTitle></ArticleTitle>"))
    assert (found.why, found.metadata.identifiers) == ("no_text", Identifiers(pmid="5"))


def test_authors_journal_year_languages_types_and_headings() -> None:
    found = metadata(
        "<Journal><JournalIssue><PubDate><MedlineDate>1976-1977 Winter</MedlineDate></PubDate></JournalIssue>"
        "<Title>J Mice</Title></Journal><AuthorList><Author><LastName>Doe</LastName><ForeName>Jane</ForeName></Author>"
        "<Author><CollectiveName>The Group</CollectiveName></Author><Author><LastName>Roe</LastName>"
        "<Initials>R</Initials>"
        "</Author></AuthorList><Language>eng</Language><Language>ger</Language><PublicationTypeList>"
        "<PublicationType>Journal Article</PublicationType><PublicationType>Review</PublicationType>"
        "</PublicationTypeList>",
        citation="<MeshHeadingList><MeshHeading><DescriptorName>Rats</DescriptorName><QualifierName>q</QualifierName>"
        "</MeshHeading></MeshHeadingList>",
    )
    assert (found.authors, found.journal, found.year) == (("Jane Doe", "The Group", "R Roe"), "J Mice", 1976)
    assert (found.language, found.kind, found.headings) == ("eng; ger", "Journal Article; Review", ("Rats",))


def test_identifiers_are_its_own_and_not_those_of_its_references() -> None:
    cited = (
        "<ReferenceList><Reference><ArticleIdList><ArticleId IdType='pmc'>PMC9</ArticleId></ArticleIdList>"
        "</Reference></ReferenceList>"
    )
    ids = (
        "<ArticleIdList><ArticleId IdType='pubmed'>5</ArticleId>"
        "<ArticleId IdType='doi'>10.1000/Other</ArticleId></ArticleIdList>"
    )
    location = (
        "<ELocationID EIdType='doi' ValidYN='N'>10.1000/bad</ELocationID>"
        "<ELocationID EIdType='doi'>10.1000/A</ELocationID>"
    )
    assert metadata(data=cited + ids).identifiers == Identifiers(doi="10.1000/other", pmid="5")
    assert metadata(location, data=cited + ids).identifiers == Identifiers(doi="10.1000/a", pmid="5")
    assert metadata(pmid="<PMID Version='3'>7</PMID>").version_label == "3"


def link(kind: str, source: str = "J. 1999", pmid: str = "<PMID>9</PMID>") -> str:
    """A list with one link of a kind."""
    inner = f"<CommentsCorrections RefType='{kind}'><RefSource>{source}</RefSource>{pmid}</CommentsCorrections>"
    return f"<CommentsCorrectionsList>{inner}</CommentsCorrectionsList>"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("RetractionIn", "retracted_by"),
        ("RetractionOf", "retraction_of"),
        ("ExpressionOfConcernIn", "concern_by"),
        ("ExpressionOfConcernFor", "concern_about"),
        ("ErratumIn", "corrected_by"),
        ("ErratumFor", "correction_of"),
        ("UpdateIn", "updated_by"),
        ("UpdateOf", "update_of"),
        ("RepublishedIn", "updated_by"),
        ("RepublishedFrom", "update_of"),
        ("CommentOn", "comment_on"),
    ],
)
def test_links_say_which_way_they_go(said: str, kind: str) -> None:
    (found,) = metadata(citation=link(said)).relations
    assert (found.kind, found.other, found.note) == (kind, Identifiers(pmid="9"), f"{said}: J. 1999")


def test_other_links_say_nothing_and_a_link_without_pmid_may_name_a_doi() -> None:
    assert metadata(citation=link("CommentIn") + link("Cites")).relations == ()
    (found,) = metadata(citation=link("RetractionIn", "J. 1999. doi: 10.1000/X", "")).relations
    assert found.other == Identifiers(doi="10.1000/x")
    assert metadata(citation=link("RetractionIn", "J. 1999", "")).relations == (
        Relation("retracted_by", Identifiers(), "RetractionIn: J. 1999"),
    )


def test_a_preprint_that_was_updated_was_published() -> None:
    types = "<PublicationTypeList><PublicationType>Preprint</PublicationType></PublicationTypeList>"
    assert [relation.kind for relation in metadata(types, citation=link("UpdateIn")).relations] == ["published_as"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Retracted Publication", "retracted"),
        ("Retraction of Publication", "notice"),
        ("Retraction Notice", "notice"),
        ("Expression of Concern", "notice"),
        ("Published Erratum", "notice"),
        ("Corrected and Republished Article", "corrected"),
    ],
)
def test_publication_types_that_speak_of_standing(said: str, kind: str) -> None:
    types = (
        "<PublicationTypeList><PublicationType>Review</PublicationType>"
        f"<PublicationType>{said}</PublicationType></PublicationTypeList>"
    )
    (found,) = metadata(types).signals
    assert (found.kind, found) == (kind, Signal(found.kind, "publication type", said))


def test_a_book() -> None:
    book = (
        "<PubmedBookArticle><BookDocument><PMID Version='1'>8</PMID><ArticleIdList>"
        "<ArticleId IdType='doi'>10.1000/b</ArticleId>"
        "</ArticleIdList><Book><BookTitle>The Book</BookTitle><PubDate><Year>2011</Year></PubDate>"
        "<AuthorList Type='editors'>"
        "<Author><LastName>Ed</LastName></Author></AuthorList></Book><ArticleTitle>A chapter</ArticleTitle>"
        "<AuthorList Type='editors'><Author><LastName>Ed</LastName></Author></AuthorList><AuthorList Type='authors'>"
        "<Author><LastName>Doe</LastName></Author></AuthorList><Abstract><AbstractText>Short.</AbstractText></Abstract>"
        "</BookDocument></PubmedBookArticle>"
    )
    found = reading_of(medline.read, f"<PubmedArticleSet>{book}</PubmedArticleSet>")
    assert outline(found) == [("title", "", "A chapter"), ("abstract", "Abstract", "Short.")]
    assert (found.metadata.authors, found.metadata.year) == (("Doe",), 2011)
    assert found.metadata.identifiers == Identifiers(doi="10.1000/b", pmid="8")
    assert (
        reading_of(medline.read, book.replace("<ArticleTitle>A chapter</ArticleTitle>", "")).text
        == "The Book\n\nShort."
    )


SECOND, THIRD = record(pmid="<PMID Version='2'>5</PMID>"), record(pmid="<PMID>6</PMID>")
SET = f"<?xml version='1.0'?><PubmedArticleSet>\n{record()}\n{SECOND}<!-- x -->{THIRD}</PubmedArticleSet>"


@pytest.mark.parametrize("content", [SET.encode(), gzip.compress(SET.encode(), mtime=0)])
def test_a_set_is_taken_apart_into_records_that_are_read_alone(content: bytes) -> None:
    found = list(medline.records(content))
    assert [key for key, _ in found] == ["5", "5.2", "6"]
    assert all(outline(reading_of(medline.read, alone)) == [("title", "", "T.")] for _, alone in found)
    assert found == list(medline.records(content)), "the same set gives the same bytes"


def test_the_bytes_of_a_record_do_not_depend_on_what_stands_around_it() -> None:
    for number, alone in enumerate((record(), SECOND, THIRD)):
        lonely = f"<PubmedArticleSet>{alone}</PubmedArticleSet>"
        assert list(medline.records(lonely.encode())) == list(medline.records(SET.encode()))[number : number + 1]


def test_a_set_is_no_one_source() -> None:
    found = unparsed(medline.read, SET)
    assert (found.why, "3 records" in found.message) == ("unknown_format", True)
    assert unparsed(medline.read, "<PubmedArticleSet/>").why == "unknown_format"


@pytest.mark.parametrize(
    "content",
    [
        SET.encode()[:-40],
        gzip.compress(SET.encode(), mtime=0)[:-9],
        gzip.compress(b"<a>", mtime=0)[:12] + b"xxxxxxxx",
        b"<a></b>",
    ],
)
def test_a_set_that_ends_badly_says_so_after_what_was_whole(content: bytes) -> None:
    with pytest.raises(medline.Damaged, match="cannot be read to its end"):
        list(medline.records(content))


def test_a_set_that_grows_beyond_the_cap_is_not_decompressed_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(medline, "MOST_BYTES", 3_000_000)
    bomb = gzip.compress(b"<PubmedArticleSet>" + b" " * 20_000_000 + b"</PubmedArticleSet>")
    with pytest.raises(medline.Damaged, match="more than 3,000,000 bytes"):
        list(medline.records(bomb))
