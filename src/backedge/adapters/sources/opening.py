"""The source adapters of the network by name, opened when one is first used, and which of them an identifier is for."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from backedge.evidence.identifiers import arxiv, identified
from backedge.evidence.ports import ExternalFound, SearchableSource, SourceAdapter, StatusSource
from backedge.evidence.source_names import NETWORK, RESOLVER, SEARCHABLE, WEB
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.ports import Clock

REGISTRIES = ("crossref", "europepmc", "pubmed", "openalex", "arxiv")

_PREPRINT = re.compile(r"(?:PPR:)?\s*(PPR\d{1,9})", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


@dataclass(frozen=True)
class Network:
    """The adapters of the network: all by name, those that can be searched, and the registries of status."""

    sources: Mapping[str, SourceAdapter]
    searchable: Mapping[str, SearchableSource]
    registries: tuple[StatusSource, ...]


class _Opened(Protocol):
    """What `connected.Connected` holds; it is imported only when an adapter is used."""

    @property
    def sources(self) -> Mapping[str, SourceAdapter]: ...

    @property
    def searchable(self) -> Mapping[str, SearchableSource]: ...

    @property
    def registries(self) -> Mapping[str, StatusSource]: ...


@dataclass
class _Opening:
    """What the adapters are opened with."""

    environment: Mapping[str, str]
    clock: Clock
    contact: str
    described: Callable[[bytes, str, str], Awaitable[Metadata]]
    keys: Mapping[str, str]

    @cached_property
    def opened(self) -> _Opened:
        """The adapters, with the libraries that they need."""
        from backedge.adapters.sources.connected import SERVICES, connected
        from backedge.adapters.sources.polite import Key, Polite

        keys = {SERVICES[name].name: Key(v, self.environment.get(v, "")) for name, v in self.keys.items()}
        client = Polite(self.clock, self.contact, keys)
        return connected(client, self.described, frozenset(self.keys))


class _Later:
    """An adapter that is opened when it is first used, since most commands use none."""

    def __init__(self, name: str, opening: _Opening) -> None:
        self.name = name
        self._opening = opening

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`."""
        return await self._opening.opened.sources[self.name].fetch(identifier)

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`."""
        return await self._opening.opened.searchable[self.name].search(query, limit)

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`."""
        return await self._opening.opened.registries[self.name].status(sources)


def network(
    environment: Mapping[str, str],
    clock: Clock,
    contact: str,
    described: Callable[[bytes, str, str], Awaitable[Metadata]],
    keys: Mapping[str, str],
) -> Network:
    """The adapters. `keys` are variables of the environment that hold keys, by the names of adapters.

    `described` tells what a content says of itself, as `reading.opening.ContentReader.describe` does.
    """
    opening = _Opening(environment, clock, contact, described, keys)
    later = {name: _Later(name, opening) for name in NETWORK}
    return Network(later, {name: later[name] for name in SEARCHABLE}, tuple(later[name] for name in REGISTRIES))


def which(identifier: str) -> str:
    """The adapter that a typed identifier is for; empty where it names no source."""
    typed = identifier.strip()
    if arxiv(typed)[0]:
        return "arxiv"
    if identified(typed):
        return RESOLVER
    if _PREPRINT.fullmatch(typed):
        return "europepmc"
    return WEB if _ADDRESS.fullmatch(typed) else ""


def spelled(identifier: str) -> str:
    """A typed identifier in one spelling, so that a source has one name however it is typed."""
    typed = identifier.strip()
    if preprint := _PREPRINT.fullmatch(typed):
        return preprint[1].upper()
    paper, version = arxiv(typed)
    return f"arxiv:{paper}{version}" if paper else next(iter(identified(typed).named()), typed)
