"""What a PubMed record says of its article: authors, journal, identifiers, types, links to others, MeSH headings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from backedge.adapters.reading.markup import child, children, local, plain
from backedge.evidence.identifiers import identified
from backedge.evidence.sources import Identifiers, Metadata, Relation, Signal
from backedge.evidence.standing import PUBMED_LINKS, PUBMED_TYPES

_PREFIXES = {"doi": "doi:", "pubmed": "PMID:", "pmc": "PMC"}
_CITED_DOI = re.compile(r"\bdoi:\s*(10\.\S+)", re.IGNORECASE)
_PREPRINT = "Preprint"
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


def metadata_of(record: etree._Element) -> Metadata:
    """The metadata of a `PubmedArticle` or `PubmedBookArticle`; what it does not say stays empty."""
    citation = child(record, "MedlineCitation")
    book = child(record, "BookDocument")
    article = child(citation, "Article") if citation is not None else book
    types = tuple(
        plain(part)
        for holder in (article, child(article, "PublicationTypeList"))
        for part in children(holder, "PublicationType")
    )
    pmid = child(citation if citation is not None else book, "PMID")
    return Metadata(
        title=plain(child(article, "ArticleTitle")) or plain(child(article, "Book", "BookTitle")),
        authors=tuple(_authors(article)),
        journal=plain(child(article, "Journal", "Title")) or plain(child(citation, "MedlineJournalInfo", "MedlineTA")),
        year=_year(article),
        kind="; ".join(types),
        language="; ".join(plain(part) for part in children(article, "Language")),
        licence=plain(child(article, "Abstract", "CopyrightInformation")),
        version_label="" if pmid is None else (pmid.get("Version") or ""),
        identifiers=_identifiers(record, article, pmid),
        relations=tuple(dict.fromkeys(_relations(child(citation, "CommentsCorrectionsList"), types))),
        signals=tuple(Signal(PUBMED_TYPES[said], "publication type", said) for said in types if said in PUBMED_TYPES),
        headings=tuple(
            plain(child(heading, "DescriptorName"))
            for heading in children(child(citation, "MeshHeadingList"), "MeshHeading")
        ),
    )


def _authors(article: etree._Element | None) -> Iterator[str]:
    """Given names before surnames; groups by their names. Editors of a book are no authors."""
    for group in children(article, "AuthorList"):
        if group.get("Type", "authors") != "authors":
            continue
        for author in children(group, "Author"):
            given = plain(child(author, "ForeName")) or plain(child(author, "Initials"))
            pieces = (given, plain(child(author, "LastName")), plain(child(author, "Suffix")))
            if name := " ".join(piece for piece in pieces if piece) or plain(child(author, "CollectiveName")):
                yield name


def _year(article: etree._Element | None) -> int:
    """The first year among the dates of publication; a span such as `1976-1977 Winter` counts from its first."""
    dates = [child(article, "Journal", "JournalIssue", "PubDate"), child(article, "Book", "PubDate")]
    written = " ".join(plain(date) for date in [*dates, *children(article, "ArticleDate")])
    return min((int(year) for year in _YEAR.findall(written)), default=0)


def _identifiers(record: etree._Element, article: etree._Element | None, pmid: etree._Element | None) -> Identifiers:
    """Of the record itself, not of those it cites, whose identifiers stand in the same list of another parent."""
    found = identified(f"PMID:{plain(pmid)}") if pmid is not None else Identifiers()
    for location in children(article, "ELocationID"):
        if location.get("EIdType") == "doi" and location.get("ValidYN", "Y") == "Y":
            found = found.joined(identified(f"doi:{plain(location)}"))
    for holder in (child(record, "PubmedData"), child(record, "PubmedBookData"), article):
        for written in children(child(holder, "ArticleIdList"), "ArticleId"):
            if prefix := _PREFIXES.get(written.get("IdType", "")):
                value = plain(written)
                bare = value[len(prefix) :] if value.lower().startswith(prefix.lower()) else value
                found = found.joined(identified(prefix + bare))
    return found


def _relations(links: etree._Element | None, types: tuple[str, ...]) -> Iterator[Relation]:
    for link in links if links is not None else ():
        said = link.get("RefType", "") if local(link) == "CommentsCorrections" else ""
        kind = PUBMED_LINKS.get(said)
        if kind is None:
            continue
        if said == "UpdateIn" and _PREPRINT in types:
            kind = "published_as"
        source = plain(child(link, "RefSource"))
        pmid, doi = child(link, "PMID"), _CITED_DOI.search(source)
        other = identified(f"PMID:{plain(pmid)}") if pmid is not None else Identifiers()
        if doi:
            other = other.joined(identified(f"doi:{doi[1]}"))
        yield Relation(kind, other, f"{said}: {source}")
