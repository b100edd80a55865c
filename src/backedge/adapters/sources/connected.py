"""All adapters of the network over one client, so that they share what is known of its services' paces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from backedge.adapters.sources import arxiv, crossref, europe_pmc, openalex, pubmed, unpaywall
from backedge.adapters.sources.polite import Polite, Service
from backedge.adapters.sources.resolving import Resolver
from backedge.adapters.sources.web import WebSource
from backedge.evidence.ports import SearchableSource, SourceAdapter, StatusSource

SERVICES: Mapping[str, Service] = {
    "europepmc": europe_pmc.SERVICE,
    "pubmed": pubmed.SERVICE,
    "crossref": crossref.SERVICE,
    "arxiv": arxiv.SERVICE,
    "openalex": openalex.SERVICE,
    "unpaywall": unpaywall.SERVICE,
}
"""The services by the names of their adapters."""


@dataclass(frozen=True)
class Connected:
    """The adapters by name: all, those that can be searched, and the registries that say how sources stand."""

    sources: Mapping[str, SourceAdapter]
    searchable: Mapping[str, SearchableSource]
    registries: Mapping[str, StatusSource]


def connected(
    asked: Polite, described: pubmed.Described, keyed: frozenset[str], urls: Mapping[str, str] | None = None
) -> Connected:
    """The adapters. `keyed` are those with a key; `urls` say where services are instead, as tests serve them."""
    at = {name: replace(service, url=(urls or {}).get(name, service.url)) for name, service in SERVICES.items()}
    if "pubmed" in keyed:
        at["pubmed"] = replace(at["pubmed"], apart=pubmed.APART_WITH_KEY)
    europe = europe_pmc.EuropePmc(asked, at["europepmc"])
    central = pubmed.PubMed(asked, described, at["pubmed"])
    works = crossref.Crossref(asked, at["crossref"])
    preprints = arxiv.Arxiv(asked, at["arxiv"])
    index = openalex.OpenAlex(asked, at["openalex"])
    copies = unpaywall.Unpaywall(asked, at["unpaywall"])
    resolver = Resolver((central, europe, works, preprints, index, copies), preprints)
    searchable: dict[str, SearchableSource] = {each.name: each for each in (europe, central, works, preprints, index)}
    registries: dict[str, StatusSource] = {each.name: each for each in (works, europe, central, index, preprints)}
    web = WebSource(asked, described)
    return Connected(
        {**searchable, copies.name: copies, resolver.name: resolver, web.name: web}, searchable, registries
    )
