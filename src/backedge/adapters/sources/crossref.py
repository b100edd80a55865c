"""Crossref: metadata of DOIs, with retractions and corrections told from both ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from backedge.adapters.sources.polite import Polite, Rate
from backedge.evidence.identifiers import doi
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Delivery, Identifiers, Metadata, Relation, RelationKind, Signal
from backedge.kernel.defect import Permanent

HOST = "https://api.crossref.org"
RATE = Rate(0.1)
TOGETHER = 40  # DOIs that one request filters by
UPDATES: dict[str, tuple[RelationKind, RelationKind]] = {
    "retraction": ("retraction_of", "retracted_by"),
    "partial_retraction": ("retraction_of", "retracted_by"),
    "removal": ("withdrawal_of", "withdrawn_by"),
    "withdrawal": ("withdrawal_of", "withdrawn_by"),
    "expression_of_concern": ("concern_about", "concern_by"),
    "correction": ("correction_of", "corrected_by"),
    "corrigendum": ("correction_of", "corrected_by"),
    "erratum": ("correction_of", "corrected_by"),
    "addendum": ("correction_of", "corrected_by"),
    "new_version": ("update_of", "updated_by"),
    "new_edition": ("update_of", "updated_by"),
}
"""Kinds of updates: what one makes of the notice (`update-to`) and of the original (`updated-by`)."""
LINKS: dict[str, RelationKind] = {
    "is-preprint-of": "published_as",
    "has-preprint": "update_of",
    "is-version-of": "update_of",
    "has-version": "updated_by",
    "is-part-of": "part_of",
}
NOTICES = frozenset(
    {"retraction", "partial_retraction", "removal", "withdrawal", "expression_of_concern", "correction"}
)


class Crossref:
    """A source adapter, searchable, and a registry of status. It brings metadata, and the abstract where it has one."""

    name = "crossref"

    def __init__(self, client: Polite, host: str = HOST) -> None:
        self._client = client
        self._host = host

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`; the identifier is a DOI."""
        name = doi(identifier)
        if not name:
            raise Permanent(f"{identifier!r} is no DOI", mend="give one such as 10.1371/journal.pone.0000217")
        said = (await self._client.get(f"{self._host}/works/{quote(name, safe='')}", self._polite())).json("Crossref")
        work = said.get("message") if isinstance(said, dict) else None
        if not isinstance(work, dict):
            raise Permanent(f"Crossref does not describe {name}")
        content = json.dumps(work, sort_keys=True, ensure_ascii=False).encode()
        abstract = str(work.get("abstract") or "")
        metadata = metadata_of(work)
        if abstract:
            page = f"<html><body><h1>{metadata.title}</h1><h2>Abstract</h2>{abstract}</body></html>"
            return Delivery(page.encode(), "text/html", f"{name}.html", metadata)
        return Delivery(content, "application/json", f"{name}.json", metadata)

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`."""
        asked = {"query": query, "rows": str(min(limit, 100)), **self._polite()}
        said = (await self._client.get(f"{self._host}/works", asked)).json("Crossref")
        message = said.get("message", {})
        hits = tuple(
            External(metadata.identifiers.doi, metadata)
            for work in message.get("items", ())
            for metadata in (metadata_of(work),)
        )
        return ExternalFound(query, message.get("total-results"), hits)

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`: those with a DOI, as many as fit in one request at a time."""
        names = list(dict.fromkeys(source.doi for source in sources if source.doi and "," not in source.doi))
        known: dict[str, Metadata] = {}
        for start in range(0, len(names), TOGETHER):
            some = names[start : start + TOGETHER]
            asked = {"filter": ",".join(f"doi:{name}" for name in some), "rows": str(len(some)), **self._polite()}
            said = (await self._client.get(f"{self._host}/works", asked)).json("Crossref")
            for work in said.get("message", {}).get("items", ()):
                metadata = metadata_of(work)
                known[metadata.identifiers.doi] = metadata
        return tuple(known.get(source.doi) for source in sources)

    def _polite(self) -> dict[str, str]:
        return {"mailto": self._client.contact} if self._client.contact else {}


def metadata_of(work: dict[str, Any]) -> Metadata:
    """What a work of Crossref says of itself."""
    updates = [u for u in work.get("update-to", ()) if isinstance(u, dict)]
    updated = [u for u in work.get("updated-by", ()) if isinstance(u, dict)]
    relations = [*_updates(updates, 0), *_updates(updated, 1), *_links(work.get("relation") or {})]
    signals = [Signal("notice", "crossref update-to", str(u.get("type"))) for u in updates if u.get("type") in NOTICES]
    licences = [str(entry.get("URL", "")) for entry in work.get("license", ()) if isinstance(entry, dict)]
    return Metadata(
        title=_first(work.get("title")),
        authors=tuple(
            " ".join(part for part in (a.get("given"), a.get("family"), a.get("name")) if part)
            for a in work.get("author", ())
        ),
        journal=_first(work.get("container-title")),
        year=_year(work),
        kind=str(work.get("type") or ""),
        language=str(work.get("language") or ""),
        licence=licences[0] if licences else "",
        url=str(work.get("URL") or ""),
        identifiers=Identifiers(doi=doi(str(work.get("DOI") or ""))),
        relations=tuple(dict.fromkeys(relations)),
        signals=tuple(dict.fromkeys(signals)),
    )


def _updates(updates: list[dict[str, Any]], side: int) -> list[Relation]:
    found = []
    for update in updates:
        kinds = UPDATES.get(str(update.get("type", "")).replace("-", "_"))
        if kinds is not None:
            note = f"crossref {'updated-by' if side else 'update-to'}: {update.get('source', '')}".rstrip(": ")
            found.append(Relation(kinds[side], Identifiers(doi=doi(str(update.get("DOI") or ""))), note))
    return found


def _links(links: dict[str, Any]) -> list[Relation]:
    return [
        Relation(LINKS[kind], Identifiers(doi=doi(str(link.get("id") or ""))), f"crossref {kind}")
        for kind, stated in sorted(links.items())
        if kind in LINKS
        for link in stated
        if isinstance(link, dict) and link.get("id-type") == "doi"
    ]


def _first(value: object) -> str:
    return str(value[0]) if isinstance(value, list) and value else ""


def _year(work: dict[str, Any]) -> int:
    for name in ("issued", "published", "created"):
        parts = (work.get(name) or {}).get("date-parts") or [[None]]
        if parts[0] and isinstance(parts[0][0], int):
            return int(parts[0][0])
    return 0
