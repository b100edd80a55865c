"""PubMed and PubMed Central over NCBI's E-utilities: records, open full texts, searches, and the status of records."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from backedge.adapters.sources.polite import Answer, Polite, Rate
from backedge.evidence.identifiers import pmcid, pmid
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.defect import Permanent, RateLimited, Transient

HOST = "https://eutils.ncbi.nlm.nih.gov"
RATE = Rate(0.34)  # three requests a second
RATE_WITH_KEY = Rate(0.1)
TOGETHER = 200
_ERROR = re.compile(rb"<(?:ERROR|error|eFetchResult|Error)>(.*?)</", re.DOTALL)
_RECORD = re.compile(rb"<PubmedArticle[ >].*?</PubmedArticle>|<PubmedBookArticle[ >].*?</PubmedBookArticle>", re.DOTALL)
Describe = Callable[[bytes, str, str], Awaitable[Metadata]]


class PubMed:
    """A source adapter, searchable, and a registry of status. `key` is an NCBI API key, or empty."""

    name = "pubmed"

    def __init__(self, client: Polite, describe: Describe, key: str = "", host: str = HOST) -> None:
        self._client = client
        self._describe = describe
        self._key = key
        self._host = host

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: a PMID gives its record, a PMCID the full text where that is open."""
        if name := pmcid(identifier):
            answer = await self._asked("efetch", {"db": "pmc", "id": name.removeprefix("PMC"), "retmode": "xml"})
            return await self._delivery(answer, f"{name}.nxml")
        if not (name := pmid(identifier)):
            raise Permanent(f"{identifier!r} is no PubMed id", mend="give a PMID such as 31031480, or a PMCID")
        answer = await self._asked("efetch", {"db": "pubmed", "id": name, "retmode": "xml"})
        if not _RECORD.search(answer.content):
            raise Permanent(f"PubMed has no record {name}")
        return await self._delivery(answer, f"{name}.xml")

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`."""
        asked = {"db": "pubmed", "term": query, "retmax": str(min(limit, 200)), "retmode": "json"}
        result = (await self._asked("esearch", asked)).json("PubMed").get("esearchresult", {})
        if said := result.get("ERROR"):
            raise Permanent(f"PubMed cannot search so: {said}")
        ids = [str(found) for found in result.get("idlist", ())]
        found = await self._records(ids)
        hits = tuple(External(name, found.get(name, Metadata(identifiers=Identifiers(pmid=name)))) for name in ids)
        total = result.get("count")
        return ExternalFound(query, int(total) if str(total or "").isdigit() else None, hits)

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`: those with a PMID, two hundred at a time."""
        found = await self._records(list(dict.fromkeys(source.pmid for source in sources if source.pmid)))
        return tuple(found.get(source.pmid) for source in sources)

    async def _records(self, ids: list[str]) -> dict[str, Metadata]:
        known: dict[str, Metadata] = {}
        for start in range(0, len(ids), TOGETHER):
            some = ids[start : start + TOGETHER]
            answer = await self._asked("efetch", {"db": "pubmed", "id": ",".join(some), "retmode": "xml"})
            for record in _RECORD.findall(answer.content):
                whole = b"<PubmedArticleSet>" + record + b"</PubmedArticleSet>"
                metadata = await self._describe(whole, "application/xml", "record.xml")
                known[metadata.identifiers.pmid] = metadata
        return known

    async def _delivery(self, answer: Answer, name: str) -> Delivery:
        metadata = await self._describe(answer.content, "application/xml", name)
        return Delivery(answer.content, "application/xml", name, metadata)

    async def _asked(self, what: str, params: dict[str, str]) -> Answer:
        told = {**params, "tool": "backedge"}
        if self._client.contact:
            told["email"] = self._client.contact
        if self._key:
            told["api_key"] = self._key
        answer = await self._client.get(f"{self._host}/entrez/eutils/{what}.fcgi", told)
        if answer.content.lstrip()[:1] == b"{" and b'"API rate limit exceeded"' in answer.content:
            raise RateLimited("PubMed takes no more requests now")
        if answer.content.lstrip()[:1] == b"<" and (error := _ERROR.search(answer.content)):
            said = " ".join(error[1].decode("utf-8", "replace").split())[:200]
            if "unable" in said.casefold() or "temporar" in said.casefold() or "try again" in said.casefold():
                raise Transient(f"PubMed says: {said}")
            raise Permanent(f"PubMed says: {said}")
        if b"<html" in answer.content[:500].lower():
            raise Transient("PubMed answered with a page instead of a record")
        return answer
