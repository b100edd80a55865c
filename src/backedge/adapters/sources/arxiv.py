"""The arXiv: the PDF of a version with its metadata; a version may be withdrawn or superseded while others stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lxml import etree

from backedge.adapters.sources.abstract_record import record_of
from backedge.adapters.sources.answers import moved, xml_root, year
from backedge.adapters.sources.full_texts import Copy, Looked, best
from backedge.adapters.sources.polite import Polite, Service, part
from backedge.evidence.identifiers import arxiv, doi
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Delivery, Identifiers, Metadata, Relation, Signal
from backedge.kernel.defect import Permanent, Transient

SERVICE = Service("arXiv", "https://export.arxiv.org", apart=3.0, at_once=1)
TOGETHER = 50
MOST_FOUND = 1_000
_PAGE = 100
_ATOM = "{http://www.w3.org/2005/Atom}"
_TERMS = "{http://arxiv.org/schemas/atom}"
_SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
_ERRORS = re.compile(r"https?://(?:export\.)?arxiv\.org/api/errors(?:#(?P<what>.*))?")
_THING = r"(?:paper|submission|article|manuscript|preprint|work|note|letter|version)"
_GONE = r"(?:withdrawn|retracted)(?! from (?!arxiv))"  # from a journal it may be withdrawn, and stand here
_IS = r"(?:has been|have been|was|is|is being)"
_WITHDRAWN = re.compile(
    rf"^\W*{_GONE}(?=\W*$|[.,;:(\[]| (?:by|due|because|since|as|for|until|pending|from arxiv)\b)"
    rf"|\b(?:this|the|our) {_THING} {_IS} (?:\w+ )?(?:{_GONE}|removed by arxiv)\b"
    rf"|\b{_THING} (?:{_IS} )?{_GONE}\b|\b{_GONE} by (?:the |its )?(?:authors?|arxiv|submitter)\b"
    r"|\bremoved by arxiv\b"
    r"|\b(?:we|i|the authors?) (?:have |has |had )?(?:withdraw|withdrew|withdrawn|retract|retracted) this\b",
    re.IGNORECASE,
)
_SUMMARY_WITHDRAWN = re.compile(
    rf"^\W*(?:this {_THING} {_IS} (?:\w+ )?{_GONE}\b|{_GONE}(?=\W*$|[.,;:(\[]| (?:by|due|because)\b))", re.IGNORECASE
)
_SUPERSEDED = re.compile(r"\bsuperseded by\b(?P<by>.{0,80})", re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """One version as the feed describes it. `number` counts the versions of its paper."""

    metadata: Metadata
    abstract: str
    number: int


class Arxiv:
    """A source adapter, searchable, and a registry of status. It takes arXiv numbers, with a version or without."""

    name = "arxiv"

    def __init__(self, client: Polite, service: Service = SERVICE) -> None:
        self._client = client
        self._service = client.known(service)

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: the version that is named, else the newest."""
        paper, version = arxiv(identifier)
        if not paper:
            mend = "give one such as 2301.00001 or 2301.00001v2"
            raise Permanent(f"{identifier[:200]!r} is no arXiv number", mend=mend)
        looked = await self._look(paper, version)
        if looked is None:
            raise Permanent(f"arXiv does not know {paper}{version}", mend="check the number and the version")
        return await best([looked], looked.metadata, identifier)

    def takes(self, identifiers: Identifiers) -> bool:
        """See `full_texts.Registry`."""
        return bool(identifiers.arxiv)

    async def look(self, identifiers: Identifiers) -> Looked | None:
        """See `full_texts.Registry`: the newest version."""
        return await self._look(identifiers.arxiv, "")

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`. Words are all searched for; a query with fields is taken as it is."""
        has_fields = re.search(r"\b(?:ti|au|abs|co|jr|cat|rn|id|all):", query) is not None
        words = query if has_fields else " AND ".join(f"all:{word}" for word in re.findall(r"\w+", query)[:30])
        hits: list[External] = []
        total, limit = None, min(limit, MOST_FOUND)
        while words and len(hits) < limit:
            size = min(limit - len(hits), _PAGE)
            feed = await self._feed({"search_query": words, "start": str(len(hits)), "max_results": str(size)})
            found = feed.findtext(f"{_SEARCH}totalResults") or ""
            total = int(found) if found.strip().isdecimal() else None
            page = [entry.metadata for entry in _entries(feed)]
            hits += [External(f"arXiv:{said.identifiers.arxiv}{said.version_label}", said) for said in page]
            if len(page) < size:
                break
        return ExternalFound(query, total, tuple(hits[:limit]))

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`: the newest version says which are superseded, and which is withdrawn.

        The label of the newest version is left out: what is asked about may be an older one.
        """
        papers = list(dict.fromkeys(source.arxiv for source in sources if source.arxiv))
        known: dict[str, Metadata] = {}
        for start in range(0, len(papers), TOGETHER):
            some = papers[start : start + TOGETHER]
            feed = await self._feed({"id_list": ",".join(some), "max_results": str(len(some))})
            for entry in _entries(feed):
                older = tuple(signal for number in range(1, entry.number) for signal in _superseded(number, entry))
                said = replace(entry.metadata, version_label="", signals=(*entry.metadata.signals, *older))
                known[said.identifiers.arxiv] = said
        return tuple(known.get(source.arxiv) if source.arxiv else None for source in sources)

    async def _look(self, paper: str, version: str) -> Looked | None:
        names = [f"{paper}{version}", paper] if version else [paper]
        feed = await self._feed({"id_list": ",".join(names), "max_results": str(len(names))})
        entries = [entry for entry in _entries(feed) if entry.metadata.identifiers.arxiv == paper]
        wanted = next((e for e in entries if not version or e.metadata.version_label == version), None)
        if wanted is None:
            return None
        newest = max(entries, key=lambda entry: entry.number)
        metadata = wanted.metadata
        if newest.number > wanted.number:
            later = tuple(signal for signal in newest.metadata.signals if signal.kind == "withdrawn")
            signals = (*metadata.signals, *later, *_superseded(wanted.number, newest))
            metadata = replace(metadata, signals=tuple(dict.fromkeys(signals)))
        label = metadata.version_label
        record = record_of(metadata.title, wanted.abstract, f"{paper.replace('/', '-')}{label}.xml", metadata)
        is_withdrawn = any(signal.kind == "withdrawn" for signal in wanted.metadata.signals)
        # a version that is withdrawn has no PDF, at most one of an older version
        return Looked(metadata, () if is_withdrawn else (self._copy(paper, label),), record)

    def _copy(self, paper: str, label: str) -> Copy:
        async def bring() -> Delivery | None:
            answer = await self._client.ask(self._service, f"/pdf/{part(f'{paper}{label}', slashes=True)}")
            if answer is None:
                return None
            if b"%PDF-" not in answer.content[:1024]:
                raise Transient("arXiv sent a page instead of the PDF: it is still being made, or arXiv has trouble")
            return Delivery(answer.content, "application/pdf", f"{paper.replace('/', '-')}{label}.pdf")

        return Copy("pdf", f"arXiv ({paper}{label})", bring)

    async def _feed(self, asked: dict[str, str]) -> etree._Element:
        answer = await self._client.ask(self._service, "/api/query", asked)
        if answer is None:
            raise moved("arXiv")
        feed = xml_root(answer, "arXiv")
        if feed.tag != f"{_ATOM}feed":
            raise Transient("arXiv did not answer with a feed")
        for entry in feed.findall(f"{_ATOM}entry"):
            if error := _ERRORS.fullmatch(_plain(entry.findtext(f"{_ATOM}id"))):
                words = _plain(entry.findtext(f"{_ATOM}summary"))[:200]
                if error["what"]:
                    raise Permanent(f"arXiv refuses the request: {words}", mend="check the number, or the words")
                raise Transient(f"arXiv has trouble: {words}")
        return feed


def _superseded(number: int, newest: Entry) -> Iterator[Signal]:
    """That a version has a newer one. A newer one that only withdraws takes no version's place."""
    if not any(signal.kind == "withdrawn" for signal in newest.metadata.signals):
        label = newest.metadata.version_label
        yield Signal("superseded", "arXiv: versions", f"v{number}: {label} is the newest version")


def _entries(feed: etree._Element) -> list[Entry]:
    found = (_entry(entry) for entry in feed.findall(f"{_ATOM}entry"))
    return [entry for entry in found if entry is not None]


def _entry(entry: etree._Element) -> Entry | None:
    address = _plain(entry.findtext(f"{_ATOM}id"))
    paper, label = arxiv(address)
    if not paper:
        return None
    abstract, comment = _plain(entry.findtext(f"{_ATOM}summary")), _plain(entry.findtext(f"{_TERMS}comment"))
    metadata = Metadata(
        title=_plain(entry.findtext(f"{_ATOM}title")),
        authors=tuple(
            name for author in entry.findall(f"{_ATOM}author") if (name := _plain(author.findtext(f"{_ATOM}name")))
        ),
        journal=_plain(entry.findtext(f"{_TERMS}journal_ref")) or "arXiv",
        year=year({"": _plain(entry.findtext(f"{_ATOM}published"))}, ""),
        kind="preprint",
        access="open",
        url=address,
        version_label=label,
        identifiers=Identifiers(doi=doi(f"10.48550/arXiv.{paper}"), arxiv=paper),
        relations=tuple(_relations(entry, comment)),
        signals=tuple(_signals(label, comment, abstract)),
    )
    return Entry(metadata, abstract, int(label[1:] or 0))


def _signals(label: str, comment: str, abstract: str) -> Iterator[Signal]:
    """What the words of one version say of it; they are about that version alone."""
    version = f"{label}: " if label else ""
    if _WITHDRAWN.search(comment):
        yield Signal("withdrawn", "arXiv: comment", version + comment)
    elif _SUMMARY_WITHDRAWN.match(abstract):
        yield Signal("withdrawn", "arXiv: abstract", version + abstract[:200])
    if _SUPERSEDED.search(comment):
        yield Signal("superseded", "arXiv: comment", version + comment)


def _relations(entry: etree._Element, comment: str) -> Iterator[Relation]:
    """The article that it became has a DOI of its own, and is another work."""
    if published := doi(_plain(entry.findtext(f"{_TERMS}doi"))):
        yield Relation("published_as", Identifiers(doi=published), "arXiv: doi")
    found = _SUPERSEDED.search(comment)
    for other in dict.fromkeys(arxiv(word)[0] for word in found["by"].split()) if found else ():
        if other:
            yield Relation("updated_by", Identifiers(arxiv=other), f"arXiv: comment: {comment}")


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())
