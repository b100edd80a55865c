"""arXiv: the PDF of a version with its metadata; a version may be withdrawn or superseded while another stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from backedge.adapters.sources.polite import Polite, Rate
from backedge.evidence.identifiers import arxiv, doi
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Delivery, Identifiers, Metadata, Relation, Signal
from backedge.kernel.defect import Permanent, Transient

HOST = "https://export.arxiv.org"
RATE = Rate(3.0)
TOGETHER = 50
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_WITHDRAWN = re.compile(r"\b(?:has been |was |is )?withdrawn\b|\bwithdrawal\b", re.IGNORECASE)
_SUPERSEDED = re.compile(r"\bsuperseded by (?:arxiv:\s*)?(\S+)", re.IGNORECASE)


class Arxiv:
    """A source adapter, searchable, and a registry of status."""

    name = "arxiv"

    def __init__(self, client: Polite, host: str = HOST) -> None:
        self._client = client
        self._host = host

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: the version that is named, else the newest."""
        name, named = arxiv(identifier)
        if not name:
            raise Permanent(f"{identifier!r} is no arXiv id", mend="give one such as 2301.00001v2")
        entries = await self._entries({"id_list": f"{name}{named}"})
        if not entries:
            raise Permanent(f"arXiv does not know {name}{named}")
        metadata = entries[0]
        answer = await self._client.get(f"{self._host}/pdf/{name}{named or metadata.version_label}")
        if not answer.content.startswith(b"%PDF"):
            raise Transient(f"arXiv did not send a PDF of {name}")
        return Delivery(answer.content, "application/pdf", f"{name.replace('/', '-')}.pdf", metadata)

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`."""
        words = " AND ".join(f"all:{word}" for word in re.findall(r"\w+", query)[:20])
        entries = await self._entries({"search_query": words, "max_results": str(min(limit, 100))})
        hits = tuple(External(entry.identifiers.arxiv + entry.version_label, entry) for entry in entries)
        return ExternalFound(query, None, hits)

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`: the newest version of each."""
        names = list(dict.fromkeys(source.arxiv for source in sources if source.arxiv))
        known: dict[str, Metadata] = {}
        for start in range(0, len(names), TOGETHER):
            some = names[start : start + TOGETHER]
            for entry in await self._entries({"id_list": ",".join(some), "max_results": str(len(some))}):
                known[entry.identifiers.arxiv] = entry
        return tuple(known.get(source.arxiv) for source in sources)

    async def _entries(self, params: dict[str, str]) -> list[Metadata]:
        from lxml import etree  # only where arXiv is asked

        answer = await self._client.get(f"{self._host}/api/query", params)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        try:
            feed = etree.fromstring(answer.content, parser)
        except etree.XMLSyntaxError as error:
            raise Transient(f"arXiv did not answer with a feed: {error.msg}") from error
        entries = feed.findall(f"{_ATOM}entry")
        for entry in entries:
            if "api/errors" in (entry.findtext(f"{_ATOM}id") or ""):
                raise Permanent(f"arXiv says: {_plain(entry.findtext(f'{_ATOM}summary'))}")
        return [_metadata(entry) for entry in entries if entry.findtext(f"{_ATOM}title")]


def _metadata(entry: Any) -> Metadata:
    address = entry.findtext(f"{_ATOM}id") or ""
    name, label = arxiv(address)
    comment = _plain(entry.findtext(f"{_ARXIV}comment"))
    signals, relations = [], []
    if _WITHDRAWN.search(comment):
        signals.append(Signal("withdrawn", f"arxiv comment of {label or 'this version'}", comment))
    if found := _SUPERSEDED.search(comment):
        signals.append(Signal("superseded", "arxiv comment", comment))
        relations.append(Relation("updated_by", Identifiers(arxiv=arxiv(found[1].rstrip(".,;"))[0]), comment))
    published = doi(_plain(entry.findtext(f"{_ARXIV}doi")))
    if published:
        relations.append(Relation("published_as", Identifiers(doi=published), "arxiv doi"))
    return Metadata(
        title=_plain(entry.findtext(f"{_ATOM}title")),
        authors=tuple(_plain(author.findtext(f"{_ATOM}name")) for author in entry.findall(f"{_ATOM}author")),
        journal="arXiv",
        year=int((entry.findtext(f"{_ATOM}published") or "0")[:4] or 0),
        kind="preprint",
        access="open",
        url=address,
        version_label=label,
        identifiers=Identifiers(arxiv=name),
        relations=tuple(relations),
        signals=tuple(signals),
    )


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())
