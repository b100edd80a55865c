"""Unpaywall: where open copies of a DOI are."""

from __future__ import annotations

from collections.abc import Iterator

from backedge.adapters.sources.abstract_record import without_marks
from backedge.adapters.sources.answers import Found, at, json_object, objects, text, year
from backedge.adapters.sources.full_texts import Copy, Looked, best, open_copy
from backedge.adapters.sources.licences import is_open, licence
from backedge.adapters.sources.polite import Polite, Service, part
from backedge.evidence.identifiers import doi, identified
from backedge.evidence.sources import Access, Delivery, Identifiers, Metadata
from backedge.kernel.defect import Permanent, Transient

SERVICE = Service("Unpaywall", "https://api.unpaywall.org/v2", apart=0.1, at_once=4, contact="email")


class Unpaywall:
    """A source adapter. It takes DOIs, and must be told an e-mail address."""

    name = "unpaywall"

    def __init__(self, client: Polite, service: Service = SERVICE) -> None:
        self._client = client
        self._service = client.known(service)

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: an open copy."""
        wanted = identified(identifier)
        if not wanted.doi:
            raise Permanent(f"{identifier[:200]!r} is no DOI, and Unpaywall takes no other", mend="give a DOI")
        if not self._client.contact:
            raise Permanent("Unpaywall must be told an e-mail address", mend="set `contact` in evidence.yml")
        looked = await self.look(wanted)
        if looked is None:
            raise Permanent(f"Unpaywall does not know {wanted.doi}", mend="check the DOI")
        return await best([looked], looked.metadata, identifier)

    def takes(self, identifiers: Identifiers) -> bool:
        """See `full_texts.Registry`."""
        return bool(identifiers.doi and self._client.contact)

    async def look(self, identifiers: Identifiers) -> Looked | None:
        """See `full_texts.Registry`."""
        answer = await self._client.ask(self._service, f"/{part(identifiers.doi, slashes=True)}")
        if answer is None:
            return None
        said = json_object(answer, "Unpaywall")
        if not doi(text(said, "doi")):
            raise Transient("Unpaywall answered without a DOI")
        return Looked(metadata_of(said), tuple(_copies(self._client, said)))


def _copies(client: Polite, said: Found) -> Iterator[Copy]:
    """The open places: PDFs, and pages of publishers that an open licence covers. The best one comes first."""
    title = without_marks(text(said, "title"))
    for place in (*objects(said, "best_oa_location"), *objects(said, "oa_locations")):
        pdf, page = text(place, "url_for_pdf"), text(place, "url_for_landing_page") or text(place, "url")
        if pdf:
            yield open_copy(client, pdf, "pdf", title)
        elif page and is_open(text(place, "license")) and text(place, "host_type") == "publisher":
            yield open_copy(client, page, "page", title)


def metadata_of(said: Found) -> Metadata:
    """What Unpaywall says of a DOI."""
    is_oa = at(said, "is_oa")
    access: Access = "open" if is_oa is True else "restricted" if is_oa is False else "unknown"
    return Metadata(
        title=without_marks(text(said, "title")),
        journal=text(said, "journal_name"),
        year=year(said, "year"),
        kind=text(said, "genre"),
        licence=licence(text(said, "best_oa_location", "license")),
        access=access,
        url=text(said, "best_oa_location", "url_for_landing_page") or text(said, "doi_url"),
        identifiers=Identifiers(doi=doi(text(said, "doi"))),
    )
