"""What a web page says of the article on it: citation tags, Dublin Core, the licence, the address it goes by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from backedge.evidence.identifiers import identified
from backedge.evidence.sources import Access, Identifiers, Metadata, Signal
from backedge.evidence.title_marks import marked

_HEAD = 4_096  # bytes in which a page declares its encoding
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_TITLES = ("citation_title", "dc.title", "dcterms.title", "og:title")
_HEADINGS = 5  # of the highest level that are looked at
_AUTHORS = ("citation_author", "dc.creator", "author")
_JOURNALS = ("citation_journal_title", "citation_conference_title", "prism.publicationname", "og:site_name")
_DATES = ("citation_publication_date", "citation_online_date", "citation_date", "dc.date", "article:published_time")
_NAMED = {
    "citation_doi": "doi:",
    "dc.identifier": "",
    "prism.doi": "doi:",
    "citation_pmid": "PMID:",
    "citation_pmcid": "",
    "citation_arxiv_id": "arXiv:",
}


def charset_of(content: bytes) -> str:
    """The encoding that a page declares; empty where there is none, or one that could not declare itself so."""
    found = _CHARSET.search(content[:_HEAD])
    name = found[1].decode("ascii") if found else ""
    return "" if name.lower().startswith(("utf-16", "utf-32")) else name


def metadata_of(tree: LexborHTMLParser) -> Metadata:
    """The metadata of a page; what it does not say stays empty."""
    tags: dict[str, list[str]] = {}
    for tag in tree.css("meta"):
        name = (tag.attributes.get("name") or tag.attributes.get("property") or "").lower()
        value = " ".join((tag.attributes.get("content") or "").split())
        if name and value:
            tags.setdefault(name, []).append(value)
    title = _first(tags, _TITLES) or _written(tree, "title")
    licence = _licence(tree, tags)
    root = tree.css_first("html")
    language = (root.attributes.get("lang") or "") if root is not None else ""
    access: Access = "open" if "creativecommons.org" in licence.lower() else "unknown"
    return Metadata(
        title=title,
        authors=next((tuple(tags[name]) for name in _AUTHORS if name in tags), ()),
        journal=_first(tags, _JOURNALS),
        year=_year(tags),
        kind=_first(tags, ("citation_article_type", "dc.type")),
        language=(_first(tags, ("citation_language", "dc.language")) or language).lower(),
        licence=licence,
        access=access,
        url=_canonical(tree),
        identifiers=_identifiers(tags),
        signals=tuple(_headlines(tree, tags, title)),
    )


def _headlines(tree: LexborHTMLParser, tags: dict[str, list[str]], title: str) -> Iterator[Signal]:
    """What the page's other titles and its headings say of the standing of the article (`RETRACTED: …`)."""
    titles = [
        ("page title", _written(tree, "title")),
        *(("page title", tags[name][0]) for name in _TITLES if name in tags),
    ]
    headings = [("heading", _text(node)) for node in tree.css("h1")[:_HEADINGS]]
    for words, by in {words: by for by, words in (*titles, *headings) if words != title}.items():
        if signal := marked(words, by):
            yield signal


def _written(tree: LexborHTMLParser, name: str) -> str:
    node = tree.css_first(name)
    return _text(node) if node is not None else ""


def _text(node: LexborNode) -> str:
    return " ".join(node.text(deep=True).split())


def _first(tags: dict[str, list[str]], names: Iterable[str]) -> str:
    return next((tags[name][0] for name in names if name in tags), "")


def _year(tags: dict[str, list[str]]) -> int:
    """The first year that any date of publication names."""
    written = [value for name in _DATES for value in tags.get(name, [])]
    return min((int(found[0]) for value in written if (found := _YEAR.search(value))), default=0)


def _identifiers(tags: dict[str, list[str]]) -> Identifiers:
    found = Identifiers()
    for name, prefix in _NAMED.items():
        for value in tags.get(name, [])[:1]:
            bare = value[len(prefix) :] if value.lower().startswith(prefix.lower()) else value
            found = found.joined(identified(prefix + bare.strip()))
    return found


def _licence(tree: LexborHTMLParser, tags: dict[str, list[str]]) -> str:
    for link in tree.css("link[rel=license], a[rel=license]"):
        if address := link.attributes.get("href"):
            return address
    return _first(tags, ("dc.rights", "dcterms.license", "citation_license"))


def _canonical(tree: LexborHTMLParser) -> str:
    link = tree.css_first("link[rel=canonical]")
    address = (link.attributes.get("href") or "") if link is not None else ""
    return address if address.startswith(("http://", "https://")) else ""
