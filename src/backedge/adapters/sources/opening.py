"""The source adapters of the network by name, opened when one is first used, and which of them an identifier is for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any

from backedge.evidence.identifiers import arxiv, identified
from backedge.evidence.ports import ExternalFound, SearchableSource, SourceAdapter, StatusSource
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.ports import Clock

RESOLVER = "doi"
WEB = "web"
_PREPRINT = re.compile(r"(?:PPR:)?\s*PPR\d{1,9}", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_MADE = {
    "europepmc": ("europe_pmc", "EuropePmc"),
    "pubmed": ("pubmed", "PubMed"),
    "crossref": ("crossref", "Crossref"),
    "arxiv": ("arxiv", "Arxiv"),
    "openalex": ("openalex", "OpenAlex"),
    "unpaywall": ("unpaywall", "Unpaywall"),
}
"""Adapters of one service by name: module and class. The resolver asks them, and believes them in another order."""
_BELIEVED = ("pubmed", "europepmc", "crossref", "arxiv", "openalex", "unpaywall")
_SEARCHED = ("europepmc", "pubmed", "crossref", "arxiv", "openalex")
_REGISTRIES = ("crossref", "europepmc", "pubmed", "openalex", "arxiv")


@dataclass(frozen=True)
class Network:
    """The adapters of the network: all by name, those that can be searched, and the registries of status."""

    sources: Mapping[str, SourceAdapter]
    searchable: Mapping[str, SearchableSource]
    registries: tuple[StatusSource, ...]


class _Later:
    """An adapter that is opened when it is first used, since most commands use none."""

    def __init__(self, name: str, opened: Callable[[str], Any]) -> None:
        self.name = name
        self._opened = opened

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`."""
        brought: Delivery = await self._opened(self.name).fetch(identifier)
        return brought

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`."""
        found: ExternalFound = await self._opened(self.name).search(query, limit)
        return found

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`."""
        said: tuple[Metadata | None, ...] = await self._opened(self.name).status(sources)
        return said


class _Opening:
    """Makes the adapters, all over one client, so that they share its paces."""

    def __init__(
        self, clock: Clock, described: Any, contact: str, keys: Mapping[str, str], environment: Mapping[str, str]
    ) -> None:
        self._clock, self._described, self._contact = clock, described, contact
        self._keys, self._environment = keys, environment

    @cached_property
    def adapters(self) -> dict[str, Any]:
        """All adapters by name."""
        polite = import_module("backedge.adapters.sources.polite")
        keys = {
            service.name: polite.Key(variable, self._environment.get(variable, ""))
            for name, variable in self._keys.items()
            for service in (import_module(f"backedge.adapters.sources.{_MADE[name][0]}").SERVICE,)
        }
        return adapters_over(polite.Polite(self._clock, self._contact, keys), self._described, set(self._keys))


def adapters_over(
    client: Any,
    described: Any,
    keyed: set[str] = frozenset(),
    urls: Mapping[str, str] | None = None,  # type: ignore[assignment]
) -> dict[str, Any]:
    """All adapters over one client. `keyed` have keys; `urls` are where services are instead, as tests serve them."""
    made: dict[str, Any] = {}
    for name, (module_name, class_name) in _MADE.items():
        module = import_module(f"backedge.adapters.sources.{module_name}")
        service = module.SERVICE
        if name == "pubmed" and name in keyed:
            service = replace(service, apart=module.APART_WITH_KEY)
        if urls and name in urls:
            service = replace(service, url=urls[name])
        told = (described,) if name == "pubmed" else ()
        made[name] = getattr(module, class_name)(client, *told, service)
    resolving = import_module("backedge.adapters.sources.resolving")
    made[RESOLVER] = resolving.Resolver([made[name] for name in _BELIEVED], made["arxiv"])
    made[WEB] = import_module("backedge.adapters.sources.web").WebSource(client, described)
    return made


def network(
    environment: Mapping[str, str], clock: Clock, contact: str, described: Any, keys: Mapping[str, str]
) -> Network:
    """The adapters. `keys` are the variables of the environment that hold keys, by the name of the adapter.

    `described` tells what a content says of itself, as `reading.opening.ContentReader.describe` does.
    """
    opening = _Opening(clock, described, contact, keys, environment)
    later = {name: _Later(name, lambda name: opening.adapters[name]) for name in (*_MADE, RESOLVER, WEB)}
    return Network(later, {name: later[name] for name in _SEARCHED}, tuple(later[name] for name in _REGISTRIES))


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
