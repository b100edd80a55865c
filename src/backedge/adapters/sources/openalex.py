"""OpenAlex: metadata of works, whether they are retracted, where an open copy is; the abstract from its index."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from backedge.adapters.sources.polite import Polite, Rate
from backedge.evidence.identifiers import doi, identified, pmcid, pmid
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Delivery, Identifiers, Metadata, Signal
from backedge.kernel.defect import Permanent

HOST = "https://api.openalex.org"
RATE = Rate(0.1)
TOGETHER = 40


class OpenAlex:
    """A source adapter, searchable, and a registry of status."""

    name = "openalex"

    def __init__(self, client: Polite, host: str = HOST) -> None:
        self._client = client
        self._host = host

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: the abstract as a page."""
        work = await self.work(identified(identifier))
        metadata = metadata_of(work)
        abstract = abstract_of(work)
        if not abstract:
            raise Permanent(f"OpenAlex has no abstract of {identifier}")
        title = html.escape(metadata.title)
        page = f"<html><body><h1>{title}</h1><h2>Abstract</h2><p>{html.escape(abstract)}</p></body></html>"
        return Delivery(page.encode(), "text/html", "work.html", metadata)

    async def work(self, identifiers: Identifiers) -> dict[str, Any]:
        """The work of an identifier. Raises `Permanent` where there is none."""
        if identifiers.doi:
            name = f"doi:{identifiers.doi}"
        elif identifiers.pmid:
            name = f"pmid:{identifiers.pmid}"
        else:
            raise Permanent("OpenAlex is asked by DOI or PMID", mend="give a DOI or a PMID")
        said = (await self._client.get(f"{self._host}/works/{quote(name, safe=':')}", self._polite())).json("OpenAlex")
        if not isinstance(said, dict) or "id" not in said:
            raise Permanent(f"OpenAlex does not describe {name}")
        return said

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`."""
        asked = {"search": query, "per-page": str(min(limit, 100)), **self._polite()}
        said = (await self._client.get(f"{self._host}/works", asked)).json("OpenAlex")
        works = [metadata_of(work) for work in said.get("results", ())]
        hits = tuple(External(work.identifiers.doi, work) for work in works if work.identifiers.doi)
        return ExternalFound(query, (said.get("meta") or {}).get("count"), hits)

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`: those with a DOI."""
        names = list(dict.fromkeys(s.doi for s in sources if s.doi and "|" not in s.doi and "," not in s.doi))
        known: dict[str, Metadata] = {}
        for start in range(0, len(names), TOGETHER):
            some = names[start : start + TOGETHER]
            asked = {"filter": f"doi:{'|'.join(some)}", "per-page": str(len(some)), **self._polite()}
            said = (await self._client.get(f"{self._host}/works", asked)).json("OpenAlex")
            for work in said.get("results", ()):
                metadata = metadata_of(work)
                known[metadata.identifiers.doi] = metadata
        return tuple(known.get(source.doi) for source in sources)

    def _polite(self) -> dict[str, str]:
        return {"mailto": self._client.contact} if self._client.contact else {}


def metadata_of(work: dict[str, Any]) -> Metadata:
    """What a work of OpenAlex says of itself."""
    ids = work.get("ids") or {}
    access = work.get("open_access") or {}
    place = work.get("primary_location") or {}
    signals = (Signal("retracted", "openalex is_retracted", "true"),) if work.get("is_retracted") is True else ()
    return Metadata(
        title=str(work.get("title") or ""),
        authors=tuple(str((a.get("author") or {}).get("display_name") or "") for a in work.get("authorships", ())),
        journal=str((place.get("source") or {}).get("display_name") or ""),
        year=int(work.get("publication_year") or 0),
        kind=str(work.get("type") or ""),
        language=str(work.get("language") or ""),
        licence=str(place.get("license") or ""),
        access="open" if access.get("is_oa") is True else "restricted" if access.get("is_oa") is False else "unknown",
        url=str(work.get("id") or ""),
        identifiers=Identifiers(
            doi(str(work.get("doi") or "")), pmid(str(ids.get("pmid") or "")), pmcid(str(ids.get("pmcid") or ""))
        ),
        signals=signals,
    )


def open_copy(work: dict[str, Any]) -> str:
    """Where an open copy of a work is, a PDF where there is one; empty where there is none."""
    place = work.get("best_oa_location") or {}
    return str(place.get("pdf_url") or place.get("landing_page_url") or "")


def abstract_of(work: dict[str, Any]) -> str:
    """The abstract, put together from the places of its words."""
    index = work.get("abstract_inverted_index") or {}
    placed = sorted((place, word) for word, places in index.items() for place in places)
    return " ".join(word for _, word in placed)
