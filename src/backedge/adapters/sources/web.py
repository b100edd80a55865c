"""A public address of an article: the page or the file that is there."""

from __future__ import annotations

from backedge.adapters.sources.full_texts import host_of, name_in
from backedge.adapters.sources.polite import Polite
from backedge.adapters.sources.pubmed import Described
from backedge.evidence.sources import Delivery, Metadata
from backedge.kernel.defect import Permanent


class WebSource:
    """A source adapter for https addresses of public servers."""

    name = "web"

    def __init__(self, client: Polite, described: Described) -> None:
        self._client = client
        self._described = described

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`."""
        address = identifier.strip()
        answer = await self._client.download(address)
        if answer is None:
            raise Permanent(f"{host_of(address)} has nothing at that address", mend="check the address")
        name = name_in(answer, "page.html")
        metadata = await self._described(answer.content, answer.media_type, name)
        # what the page calls itself may be another address than the one that it was found at
        told = Metadata(url=answer.url.partition("#")[0]).joined(metadata)
        return Delivery(answer.content, answer.media_type, name, told)
