"""Unpaywall: where an open copy of a DOI is."""

from __future__ import annotations

from urllib.parse import quote

from backedge.adapters.sources.polite import Polite, Rate
from backedge.evidence.identifiers import doi
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.defect import Permanent

HOST = "https://api.unpaywall.org"
RATE = Rate(0.1)


class Unpaywall:
    """A source adapter: the open copy of a DOI. It needs a contact e-mail."""

    name = "unpaywall"

    def __init__(self, client: Polite, host: str = HOST) -> None:
        self._client = client
        self._host = host

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`."""
        name = doi(identifier)
        if not name:
            raise Permanent(f"{identifier!r} is no DOI", mend="give one such as 10.1371/journal.pone.0000217")
        if not self._client.contact:
            raise Permanent("Unpaywall needs a contact e-mail", mend="set `contact` in evidence.yml")
        asked = {"email": self._client.contact}
        said = (await self._client.get(f"{self._host}/v2/{quote(name, safe='')}", asked)).json("Unpaywall")
        place = said.get("best_oa_location") or {}
        where = str(place.get("url_for_pdf") or place.get("url") or "")
        if not where:
            raise Permanent(f"Unpaywall knows no open copy of {name}", mend="add the file itself, if you may use it")
        answer = await self._client.get(where)
        metadata = Metadata(
            title=str(said.get("title") or ""),
            journal=str(said.get("journal_name") or ""),
            year=int(said.get("year") or 0),
            kind=str(said.get("genre") or ""),
            licence=str(place.get("license") or ""),
            access="open" if said.get("is_oa") else "restricted",
            url=answer.url,
            identifiers=Identifiers(doi=name),
        )
        return Delivery(answer.content, answer.media_type, answer.url.rstrip("/").rpartition("/")[2][:100], metadata)
