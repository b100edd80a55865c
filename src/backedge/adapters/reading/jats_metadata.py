"""What a JATS article says of itself: title, authors, journal, licence, identifiers, links to others, its standing."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from backedge.adapters.reading.markup import LANGUAGE, XLINK, child, children, plain
from backedge.evidence.identifiers import identified
from backedge.evidence.sources import Access, Identifiers, Metadata, Relation, Signal
from backedge.evidence.standing import JATS_LINKS, JATS_TYPES

_OPEN = ("creativecommons.org", "creative commons", "public domain", "open access", "open-access")
_ID_TYPES = {"doi": "doi:", "pmid": "PMID:", "pmc": "PMC", "pmcid": "PMC", "arxiv": "arXiv:"}


def metadata_of(article: etree._Element) -> Metadata:
    """The metadata of an `article` element; what it does not say stays empty."""
    front = child(article, "front")
    meta = child(front, "article-meta")
    licence, access = _licence(child(meta, "permissions"))
    kind = article.get("article-type") or ""
    return Metadata(
        title=plain(child(meta, "title-group", "article-title")),
        authors=tuple(_authors(meta)),
        journal=_journal(child(front, "journal-meta")),
        year=_year(meta),
        kind=kind,
        language=(article.get(LANGUAGE) or "").lower(),
        licence=licence,
        access=access,
        version_label=plain(child(meta, "article-version")) or plain(child(meta, "article-version-alternatives")),
        identifiers=_identifiers(meta),
        relations=tuple(dict.fromkeys(_relations(meta))),
        signals=tuple(dict.fromkeys(_signals(kind, meta))),
        headings=tuple(_headings(meta)),
    )


def _authors(meta: etree._Element | None) -> Iterator[str]:
    """Given names before surnames; groups by their names."""
    for group in children(meta, "contrib-group"):
        for contributor in children(group, "contrib"):
            if contributor.get("contrib-type", "author") != "author":
                continue
            if name := _name(contributor):
                yield name


def _name(contributor: etree._Element) -> str:
    alternatives = child(contributor, "name-alternatives")
    holder = contributor if alternatives is None else alternatives
    name = child(holder, "name")
    if name is not None:
        return " ".join(text for part in ("given-names", "surname", "suffix") if (text := plain(child(name, part))))
    written = child(holder, "string-name")
    if written is not None:
        return plain(written)
    collective = child(contributor, "collab")
    named = child(collective, "named-content") if collective is not None else None
    return plain(named if named is not None else collective)


def _journal(meta: etree._Element | None) -> str:
    """Its title; where there is none its short title, or that of the National Library of Medicine."""
    short = [written for written in children(meta, "journal-id") if written.get("journal-id-type") == "nlm-ta"]
    titles = [child(meta, "journal-title-group", "journal-title"), child(meta, "journal-title")]
    titles += [child(meta, "journal-title-group", "abbrev-journal-title"), *short]
    return next((title for written in titles if (title := plain(written))), "")


def _year(meta: etree._Element | None) -> int:
    """The first year that it was published in, in any form."""
    written = [plain(child(date, "year")) for date in children(meta, "pub-date")]
    return min((int(year) for year in written if year.isdecimal() and len(year) == 4), default=0)


def _licence(permissions: etree._Element | None) -> tuple[str, Access]:
    """The licence: its address where there is one, and its words; without a licence the copyright statement."""
    licences = children(permissions, "license")
    pieces: list[str] = []
    for licence in licences:
        reference = plain(child(licence, "license_ref"))
        words = plain(licence).replace(reference, "", 1).strip()
        pieces += [piece for piece in (licence.get(XLINK) or reference, words) if piece and piece not in pieces]
    free = child(permissions, "free_to_read") is not None
    said = " ".join([*pieces, *(licence.get("license-type") or "" for licence in licences)]).lower()
    access: Access = "open" if free or any(word in said for word in _OPEN) or "openaccess" in said else "unknown"
    return " ".join(pieces) or plain(child(permissions, "copyright-statement")), access


def _identifiers(meta: etree._Element | None) -> Identifiers:
    found = Identifiers()
    for written in children(meta, "article-id"):
        found = found.joined(_typed(written.get("pub-id-type") or "", plain(written)))
    return found


def _typed(kind: str, value: str) -> Identifiers:
    """An identifier of a kind that is named beside it; nothing where the kind is none that counts."""
    prefix = _ID_TYPES.get(kind.lower())
    if prefix is None or not value:
        return Identifiers()
    bare = value[len(prefix) :] if value.lower().startswith(prefix.lower()) else value
    return identified(prefix + bare.strip())


def _relations(meta: etree._Element | None) -> Iterator[Relation]:
    for link in children(meta, "related-article"):
        kind = JATS_LINKS.get((link.get("related-article-type") or "").lower())
        if kind is None:
            continue
        address = (link.get(XLINK) or "").removeprefix("info:doi/")
        other = _typed(link.get("ext-link-type") or "", address) or identified(address)
        for written in children(link, "pub-id", "article-id"):
            other = other.joined(_typed(written.get("pub-id-type") or "", plain(written)))
        yield Relation(kind, other, link.get("related-article-type") or "")


def _signals(kind: str, meta: etree._Element | None) -> Iterator[Signal]:
    signal = JATS_TYPES.get(kind.lower())
    if signal:
        yield Signal(signal, "article type", kind)
    for group in children(child(meta, "article-categories"), "subj-group"):
        for subject in children(group, "subject"):
            told = JATS_TYPES.get("-".join(plain(subject).lower().removesuffix(" notice").split()))
            if told and group.get("subj-group-type") == "heading":
                yield Signal(told, "subject heading", plain(subject))


def _headings(meta: etree._Element | None) -> Iterator[str]:
    """MeSH headings only: an author's keywords are no headings."""
    for group in children(meta, "kwd-group"):
        if "mesh" in (group.get("kwd-group-type") or group.get("vocab") or "").lower():
            yield from (plain(word) for word in children(group, "kwd"))
