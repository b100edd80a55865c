"""PubMed and PubMed Central by NCBI's E-utilities: records, open full texts, searches, how records stand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from lxml import etree

from backedge.adapters.sources.answers import Found, at, json_object, local, moved, number, text, texts, xml_root
from backedge.adapters.sources.full_texts import Copy, Looked, best
from backedge.adapters.sources.polite import Answer, Polite, Service
from backedge.evidence.identifiers import identified
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.defect import Permanent, RateLimited, Transient

SERVICE = Service(
    "PubMed",
    "https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
    apart=1 / 3,
    at_once=3,
    contact="email",
    key="api_key",
)
APART_WITH_KEY = 0.1
TOGETHER = 100
"""Records of one request."""
MOST_FOUND = 9_000
"""PubMed lists no more than its first ten thousand."""

Described = Callable[[bytes, str, str], Awaitable[Metadata]]
"""Tells what a content says of itself, by its bytes, media type and name (`reading.opening.ContentReader.describe`)."""

_TROUBLE = (
    "backend",
    "unable to obtain",
    "temporar",
    "try again",
    "exception",
    "cannot retrieve",
    "timed out",
    "server",
)
_RECORDS = ("PubmedArticle", "PubmedBookArticle")
_ROOTS = frozenset({"PubmedArticleSet", "PubmedBookArticleSet", "pmc-articleset", *_RECORDS})


class PubMed:
    """A source adapter, searchable, and a registry of status. It takes PMIDs and PMCIDs.

    Of a PMID with a PMCID it brings the full text where PubMed Central gives that, with what the record says.
    """

    name = "pubmed"

    def __init__(self, client: Polite, described: Described, service: Service = SERVICE) -> None:
        self._client = client
        self._described = described
        self._service = client.known(service)

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`."""
        wanted = identified(identifier)
        if not self.takes(wanted):
            mend = "give a PMID such as PMID:31031480, or a PMCID"
            raise Permanent(f"{identifier[:200]!r} is no number of PubMed", mend=mend)
        looked = await self.look(wanted)
        if looked is None:
            raise Permanent(f"PubMed does not know {identifier[:200]}", mend="check the number")
        return await best([looked], looked.metadata, identifier)

    def takes(self, identifiers: Identifiers) -> bool:
        """See `full_texts.Registry`."""
        return bool(identifiers.pmid or identifiers.pmcid)

    async def look(self, identifiers: Identifiers) -> Looked | None:
        """See `full_texts.Registry`. Of a PMCID alone the article is fetched to learn its PMID."""
        if identifiers.pmid:
            return await self._record(identifiers.pmid, identifiers.pmcid)
        article = await self._article(identifiers.pmcid)
        if article is None:
            return None
        told = (await self._described(article.content, article.media_type, article.name)).joined(
            Metadata(identifiers=Identifiers(pmcid=identifiers.pmcid))
        )
        copies = (self._copy(identifiers.pmcid, article),) if _has_body(article) else ()
        record = await self._record(told.identifiers.pmid, "") if told.identifiers.pmid else None
        if record is None:
            return Looked(told, copies, article)
        return Looked(record.metadata.joined(told), copies, record.record)

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`. The query is in PubMed's words; its history keeps what is found."""
        limit = min(limit, MOST_FOUND)
        asked = {"db": "pubmed", "term": query, "retmax": str(limit), "retmode": "json", "usehistory": "y"}
        said = at(json_object(await self._asked("esearch", asked), "PubMed"), "esearchresult")
        if words := text(said, "ERROR"):
            raise _failure(self._client.without_secrets(words))
        ids, total = texts(said, "idlist"), number(said, "count")
        if not isinstance(at(said, "idlist"), list) or total is None:
            raise Transient("PubMed answered without a list of what it found")
        history = {"WebEnv": text(said, "webenv"), "query_key": text(said, "querykey")}
        known = await self._found(history, ids)
        hits = [External(f"PMID:{pmid}", known.get(pmid, Metadata(identifiers=Identifiers(pmid=pmid)))) for pmid in ids]
        return ExternalFound(query, total, tuple(hits[:limit]))

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`: those with a PMID, many in one request."""
        ids = list(dict.fromkeys(source.pmid for source in sources if source.pmid))
        known: dict[str, Metadata] = {}
        for start in range(0, len(ids), TOGETHER):
            known |= await self._described_records({"id": ",".join(ids[start : start + TOGETHER])})
        return tuple(known.get(source.pmid) if source.pmid else None for source in sources)

    async def _record(self, pmid: str, pmcid: str) -> Looked | None:
        record = (await self._records({"id": pmid})).get(pmid)
        if record is None:
            return None
        content = _written(record)
        named = Metadata(identifiers=Identifiers(pmid=pmid))
        metadata = (await self._described(content, "application/xml", f"{pmid}.xml")).joined(named)
        central = pmcid or metadata.identifiers.pmcid
        copies = (self._copy(central),) if central else ()
        return Looked(metadata, copies, Delivery(content, "application/xml", f"{pmid}.xml", metadata))

    def _copy(self, pmcid: str, held: Delivery | None = None) -> Copy:
        async def bring() -> Delivery | None:
            article = held or await self._article(pmcid)
            if article is None or not _has_body(article):
                return None
            told = await self._described(article.content, article.media_type, article.name)
            return replace(article, metadata=told)

        return Copy("jats", f"PubMed Central ({pmcid})", bring)

    async def _article(self, pmcid: str) -> Delivery | None:
        """The article of PubMed Central, alone; without its body where its publisher does not allow more."""
        root = await self._fetched({"db": "pmc", "id": pmcid.removeprefix("PMC")})
        found = None if root is None else next((each for each in root.iter() if local(each) == "article"), None)
        return None if found is None else Delivery(_written(found), "application/xml", f"{pmcid}.xml")

    async def _found(self, history: Mapping[str, str], ids: Sequence[str]) -> dict[str, Metadata]:
        known: dict[str, Metadata] = {}
        for start in range(0, len(ids), TOGETHER):
            asked: dict[str, str] = {"id": ",".join(ids[start : start + TOGETHER])}
            if all(history.values()):
                asked = {**history, "retstart": str(start), "retmax": str(TOGETHER)}
            known |= await self._described_records(asked)
        return known

    async def _described_records(self, asked: Mapping[str, str]) -> dict[str, Metadata]:
        records = await self._records(asked)
        told = await asyncio.gather(
            *(self._described(_written(record), "application/xml", f"{pmid}.xml") for pmid, record in records.items())
        )
        return dict(zip(records, told, strict=True))

    async def _records(self, asked: Mapping[str, str]) -> dict[str, etree._Element]:
        root = await self._fetched({"db": "pubmed", **asked})
        found = [record for record in root if local(record) in _RECORDS] if root is not None else []
        return {pmid: record for record in found if (pmid := _pmid(record))}

    async def _fetched(self, asked: Mapping[str, str]) -> etree._Element | None:
        """The root of what `efetch` gives; None where it says that there is no such record."""
        root = xml_root(await self._asked("efetch", {**asked, "retmode": "xml"}), "PubMed")
        error = next((part for part in root.iter() if local(part) in ("ERROR", "error")), None)
        if error is not None and not any(local(part) in (*_RECORDS, "article") for part in root):
            words = " ".join("".join(map(str, error.itertext())).split())
            failure = _failure(self._client.without_secrets(words))
            if isinstance(failure, Transient | RateLimited):
                raise failure
            return None
        if local(root) not in _ROOTS:
            raise Transient("PubMed answered with XML that is no answer: it has trouble")
        return root

    async def _asked(self, what: str, params: Mapping[str, str]) -> Answer:
        answer = await self._client.ask(self._service, f"/{what}.fcgi", {**params, "tool": "backedge"})
        if answer is None:
            raise moved("NCBI")
        if answer.content.lstrip()[:1] == b"{" and (words := text(_told(answer), "error")):
            raise _failure(self._client.without_secrets(words))
        return answer


def _told(answer: Answer) -> Found:
    try:
        said = json.loads(answer.content)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _failure(words: str) -> Permanent | Transient | RateLimited:
    """What an error that stands in an answer means; it comes with the status of a success."""
    said, words = words.lower(), words[:200]
    if "rate limit" in said or "too many requests" in said:
        return RateLimited("PubMed takes no more requests now")
    if "api key" in said:
        return Permanent(f"PubMed refuses the key: {words}", mend="check the variable under `keys` in evidence.yml")
    if any(word in said for word in _TROUBLE):
        return Transient(f"PubMed has trouble: {words}")
    return Permanent(f"PubMed says: {words}", mend="check the number, or the words of the search")


def _pmid(record: etree._Element) -> str:
    """The PMID of a record itself, not of those that it names."""
    for path in ("MedlineCitation/PMID", "BookDocument/PMID"):
        found = record.findtext(path)
        if found:
            return identified(f"PMID:{found.strip()}").pmid
    return ""


def _has_body(article: Delivery) -> bool:
    return b"<body" in article.content


def _written(element: etree._Element) -> bytes:
    """A part of an answer as a document of its own, in the bytes that a record of a set has, too."""
    element.tail = None
    return bytes(etree.tostring(element, encoding="utf-8", xml_declaration=True))
