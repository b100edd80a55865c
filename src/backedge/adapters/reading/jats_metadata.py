"""What a JATS article says of itself: title, authors, journal, licence, identifiers, links to others, its standing."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from backedge.adapters.reading.markup import LANGUAGE, XLINK, child, children, local, plain
from backedge.evidence.identifiers import doi, doi_in, identified
from backedge.evidence.sources import Access, Identifiers, Metadata, Relation, Signal
from backedge.evidence.standing import JATS_LINKS, JATS_NOTICES, JATS_TYPES

_OPEN = ("creativecommons.org", "creative commons", "public domain", "open access", "open-access")
_LINKS = frozenset({"related-article", "related-object", "ext-link", "uri"})
_OF_OTHERS = frozenset({"ref-list", "sub-article", "response"})
_PLURALS = {"retractions": "retraction", "withdrawals": "withdrawal", "expressions-of-concern": "expression-of-concern"}
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
        relations=tuple(dict.fromkeys(_relations(article, meta))),
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


def _relations(article: etree._Element, meta: etree._Element | None) -> Iterator[Relation]:
    """Links that say how the article stands; where a notice has none, the one article that it links to."""
    links = list(_linked(article))
    stated = []
    for link in links:
        said = link.get("related-article-type") or link.get("link-type") or ""
        kind = JATS_LINKS.get(said.lower()) if local(link).startswith("related") else None
        if kind is not None:
            stated.append(Relation(kind, _other(link), said))
    yield from stated
    notice = next((JATS_NOTICES[said] for said in _said(article, meta) if said in JATS_NOTICES), None)
    if notice is None or any(relation.kind == notice and relation.other for relation in stated):
        return
    own = _identifiers(meta).doi  # of the article's own pages, figures and files, too
    found = {_other(link).doi for link in links} - {""}
    named = {name for name in found if not f"{name}.".startswith(f"{own}.")}
    if len(named) == 1:  # of several nobody could say which one it is about
        yield Relation(notice, Identifiers(doi=named.pop()), "the one article that the notice links to")


def _linked(element: etree._Element) -> Iterator[etree._Element]:
    """The links of an article, those of its references and of what others say in it left out."""
    for inner in element:
        if local(inner) in _LINKS:
            yield inner
        elif isinstance(inner.tag, str) and local(inner) not in _OF_OTHERS:
            yield from _linked(inner)


def _other(link: etree._Element) -> Identifiers:
    """What a link names: by its address, its identifiers, links within it, or its words."""
    address = (link.get(XLINK) or "").removeprefix("info:doi/")
    other = _typed(link.get("ext-link-type") or "", address) or identified(address)
    other = other or Identifiers(doi=doi_in(address))
    for written in children(link, "pub-id", "article-id", "object-id"):
        other = other.joined(_typed(written.get("pub-id-type") or "", plain(written)))
    for inner in children(link, "ext-link", "uri"):
        other = other or _other(inner)
    return other or Identifiers(doi=doi(plain(link)))


def _said(article: etree._Element, meta: etree._Element | None) -> Iterator[str]:
    """The type of the article and the headings of its subjects, as they stand in the tables."""
    yield (article.get("article-type") or "").lower()
    yield from (word for word, _ in _subjects(meta))


def _subjects(meta: etree._Element | None) -> Iterator[tuple[str, str]]:
    """Subjects that are headings, as types of articles are written, and as they are; without a type they are, too."""
    for group in children(child(meta, "article-categories"), "subj-group"):
        if (group.get("subj-group-type") or "heading").lower() == "heading":
            for subject in children(group, "subject"):
                words = plain(subject).lower().removesuffix(" notice").removesuffix(" note").split()
                word = "-".join(words)
                yield _PLURALS.get(word, word), plain(subject)


def _signals(kind: str, meta: etree._Element | None) -> Iterator[Signal]:
    signal = JATS_TYPES.get(kind.lower())
    if signal:
        yield Signal(signal, "article type", kind)
    for word, written in _subjects(meta):
        told = JATS_TYPES.get(word)
        if told:
            yield Signal(told, "subject heading", written)


def _headings(meta: etree._Element | None) -> Iterator[str]:
    """MeSH headings only: an author's keywords are no headings."""
    for group in children(meta, "kwd-group"):
        if "mesh" in (group.get("kwd-group-type") or group.get("vocab") or "").lower():
            yield from (plain(word) for word in children(group, "kwd"))
