"""Europe PMC: metadata, open full texts as JATS, else the abstract; searches; preprints; status of records."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from backedge.adapters.sources.polite import Polite, Rate
from backedge.evidence.identifiers import doi, identified, pmcid, pmid
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Delivery, Identifiers, Metadata, Relation, RelationKind, Signal
from backedge.kernel.defect import Permanent

HOST = "https://www.ebi.ac.uk"
RATE = Rate(0.1)
TOGETHER = 25
_REST = "/europepmc/webservices/rest"
LINKS: dict[str, RelationKind] = {
    "retraction in": "retracted_by",
    "retraction of": "retraction_of",
    "expression of concern in": "concern_by",
    "expression of concern for": "concern_about",
    "erratum in": "corrected_by",
    "erratum for": "correction_of",
    "update in": "updated_by",
    "update of": "update_of",
    "preprint in": "update_of",
    "preprint of": "published_as",
    "republished in": "updated_by",
    "republished from": "update_of",
}
TYPES = {"retracted publication": "retracted", "retraction of publication": "notice", "published erratum": "notice"}


class EuropePmc:
    """A source adapter, searchable, and a registry of status."""

    name = "europepmc"

    def __init__(self, client: Polite, host: str = HOST) -> None:
        self._client = client
        self._host = host

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: full text where it is open, else the abstract."""
        result = await self._one(identifier)
        metadata = metadata_of(result)
        source, name = str(result.get("source", "")), str(result.get("id", ""))
        central = str(result.get("pmcid") or "")
        if result.get("isOpenAccess") == "Y" and central:
            path = f"{self._host}{_REST}/{quote(central, safe='')}/fullTextXML"
            answer = await self._client.get(path)
            return Delivery(answer.content, "application/xml", f"{central}.nxml", metadata)
        abstract = str(result.get("abstractText") or "")
        if not abstract.strip():
            raise Permanent(f"Europe PMC has neither full text nor abstract of {identifier}")
        title = html.escape(metadata.title)
        page = (
            f"<html><head><title>{title}</title></head><body><h1>{title}</h1><h2>Abstract</h2>{abstract}</body></html>"
        )
        return Delivery(page.encode(), "text/html", f"{source}-{name}.html", metadata)

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`."""
        said = await self._found(query, min(limit, 100))
        hits = tuple(External(_name(result), metadata_of(result)) for result in _results(said))
        total = said.get("hitCount")
        return ExternalFound(query, total if isinstance(total, int) else None, hits)

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`."""
        names = list(dict.fromkeys(query for source in sources if (query := _query(source))))
        known: list[Metadata] = []
        for start in range(0, len(names), TOGETHER):
            some = names[start : start + TOGETHER]
            known += [metadata_of(result) for result in _results(await self._found(" OR ".join(some), len(some) * 2))]
        return tuple(
            next((m for m in known if set(m.identifiers.named()) & set(source.named())), None) for source in sources
        )

    async def _one(self, identifier: str) -> dict[str, Any]:
        query = _query(identified(identifier)) or (f"EXT_ID:{identifier}" if identifier.startswith("PPR") else "")
        if not query:
            raise Permanent(f"{identifier!r} is no identifier that Europe PMC knows", mend="give a DOI, PMID or PMCID")
        results = _results(await self._found(query, 5))
        if not results:
            raise Permanent(f"Europe PMC does not know {identifier}")
        return results[0]

    async def _found(self, query: str, size: int) -> dict[str, Any]:
        asked = {"query": query, "resultType": "core", "format": "json", "pageSize": str(size)}
        if self._client.contact:
            asked["email"] = self._client.contact
        said = (await self._client.get(f"{self._host}{_REST}/search", asked)).json("Europe PMC")
        if not isinstance(said, dict) or said.get("errCode"):
            raise Permanent(f"Europe PMC says: {str(said.get('errMsg') if isinstance(said, dict) else said)[:200]}")
        return said


def _results(said: dict[str, Any]) -> list[dict[str, Any]]:
    return [result for result in (said.get("resultList") or {}).get("result", ()) if isinstance(result, dict)]


def _query(identifiers: Identifiers) -> str:
    if identifiers.pmid:
        return f"(EXT_ID:{identifiers.pmid} AND SRC:MED)"
    if identifiers.pmcid:
        return f"PMCID:{identifiers.pmcid}"
    return f'DOI:"{identifiers.doi}"' if identifiers.doi and '"' not in identifiers.doi else ""


def _name(result: dict[str, Any]) -> str:
    return str(result.get("pmcid") or result.get("doi") or result.get("id") or "")


def metadata_of(result: dict[str, Any]) -> Metadata:
    """What a core result says of its article."""
    types = [str(kind) for kind in (result.get("pubTypeList") or {}).get("pubType", ())]
    links = [
        link
        for link in (result.get("commentCorrectionList") or {}).get("commentCorrection", ())
        if isinstance(link, dict)
    ]
    authors = (result.get("authorList") or {}).get("author", ())
    open_access = result.get("isOpenAccess")
    year = str(result.get("pubYear") or "")
    journal = ((result.get("journalInfo") or {}).get("journal") or {}).get("title")
    signals: list[Signal] = []
    for kind in types:
        if (signal := TYPES.get(kind.casefold())) in ("retracted", "notice"):
            signals.append(
                Signal("retracted" if signal == "retracted" else "notice", "europepmc publication type", kind)
            )
    return Metadata(
        title=html.unescape(str(result.get("title") or "")).rstrip("."),
        authors=tuple(str(author.get("fullName") or author.get("collectiveName") or "") for author in authors),
        journal=str(journal or ""),
        year=int(year) if year.isdigit() else 0,
        kind="; ".join(types),
        language=str(result.get("language") or ""),
        licence=str(result.get("license") or ""),
        access="open" if open_access == "Y" else "restricted" if open_access == "N" else "unknown",
        identifiers=Identifiers(
            doi(str(result.get("doi") or "")),
            pmid(str(result.get("pmid") or "")),
            pmcid(str(result.get("pmcid") or "")),
        ),
        relations=tuple(dict.fromkeys(relation for link in links if (relation := _relation(link)) is not None)),
        signals=tuple(dict.fromkeys(signals)),
        headings=tuple(
            str(heading.get("descriptorName") or "")
            for heading in (result.get("meshHeadingList") or {}).get("meshHeading", ())
        ),
    )


def _relation(link: dict[str, Any]) -> Relation | None:
    kind = LINKS.get(str(link.get("type") or "").casefold())
    if kind is None:
        return None
    other = Identifiers(pmid=pmid(str(link.get("id") or ""))) if link.get("source") == "MED" else Identifiers()
    return Relation(kind, other, f"europepmc {link.get('type')}: {link.get('reference') or ''}".strip())
