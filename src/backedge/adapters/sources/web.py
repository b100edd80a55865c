"""A public URL of an article: the page or the file that is there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from backedge.adapters.sources.polite import Polite
from backedge.evidence.sources import Delivery, Metadata
from backedge.kernel.defect import Permanent

Describe = Callable[[bytes, str, str], Awaitable[Metadata]]


class WebSource:
    """A source adapter for addresses of the public web."""

    name = "web"

    def __init__(self, client: Polite, describe: Describe) -> None:
        self._client = client
        self._describe = describe

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`."""
        if not identifier.startswith(("https://", "http://")):
            raise Permanent(f"{identifier!r} is no URL", mend="give one that begins with https://")
        answer = await self._client.get(identifier)
        name = answer.url.partition("?")[0].rstrip("/").rpartition("/")[2][:100] or "page"
        metadata = await self._describe(answer.content, answer.media_type, name)
        return Delivery(answer.content, answer.media_type, name, metadata.joined(Metadata(url=answer.url)))
