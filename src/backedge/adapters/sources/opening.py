"""The source adapters of the network by name, over one polite client, and which of them a typed identifier is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from backedge.adapters.sources import arxiv, crossref, europe_pmc, openalex, pubmed, unpaywall
from backedge.adapters.sources.polite import Polite, Rate
from backedge.adapters.sources.pubmed import Describe
from backedge.adapters.sources.resolving import Resolver
from backedge.adapters.sources.web import WebSource
from backedge.evidence.identifiers import identified
from backedge.evidence.ports import SearchableSource, SourceAdapter, StatusSource
from backedge.kernel.ports import Clock

RESOLVER = "doi"


@dataclass(frozen=True)
class Network:
    """The adapters of the network: all by name, those that can be searched, and the registries of status."""

    sources: Mapping[str, SourceAdapter]
    searchable: Mapping[str, SearchableSource]
    registries: tuple[StatusSource, ...]


def network(
    clock: Clock, describe: Describe, contact: str, keys: Mapping[str, str], client: Polite | None = None
) -> Network:
    """The adapters. `keys` are keys by service; `client` is what is asked instead of a new one."""
    asked = client or Polite(clock, contact, rates(bool(keys.get("pubmed"))))
    europe, central = europe_pmc.EuropePmc(asked), pubmed.PubMed(asked, describe, keys.get("pubmed", ""))
    registry, works, preprints = crossref.Crossref(asked), openalex.OpenAlex(asked), arxiv.Arxiv(asked)
    copies = unpaywall.Unpaywall(asked)
    resolver = Resolver(europe, central, copies, registry, works, preprints)
    searchable: dict[str, SearchableSource] = {
        each.name: each for each in (europe, central, registry, works, preprints)
    }
    sources: dict[str, SourceAdapter] = {
        **searchable,
        copies.name: copies,
        resolver.name: resolver,
        WebSource.name: WebSource(asked, describe),
    }
    return Network(sources, searchable, (registry, europe, central, works, preprints))


def rates(with_key: bool) -> dict[str, Rate]:
    """How often each host may be asked."""
    of_host = {
        crossref.HOST: crossref.RATE,
        europe_pmc.HOST: europe_pmc.RATE,
        openalex.HOST: openalex.RATE,
        unpaywall.HOST: unpaywall.RATE,
        arxiv.HOST: arxiv.RATE,
        pubmed.HOST: pubmed.RATE_WITH_KEY if with_key else pubmed.RATE,
    }
    return {urlsplit(host).netloc: rate for host, rate in of_host.items()}


def which(identifier: str) -> str:
    """The adapter that a typed identifier is for; empty where it is none."""
    if identified(identifier):
        return RESOLVER
    return WebSource.name if identifier.startswith(("https://", "http://")) else ""
