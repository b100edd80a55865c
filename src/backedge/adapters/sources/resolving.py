"""The resolver: for any identifier the best text that may be had, with what all registries say of its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from backedge.adapters.sources.arxiv import Arxiv
from backedge.adapters.sources.crossref import Crossref
from backedge.adapters.sources.europe_pmc import EuropePmc
from backedge.adapters.sources.openalex import OpenAlex
from backedge.adapters.sources.pubmed import PubMed
from backedge.adapters.sources.unpaywall import Unpaywall
from backedge.evidence.identifiers import identified
from backedge.evidence.sources import Delivery, Identifiers, Metadata, Signal
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient

TEXTS = ("application/xml", "text/xml", "application/pdf")


class Registry(Protocol):
    """A registry of status with its name."""

    name: str

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """What it says of each source."""
        ...


class Resolver:
    """A source adapter over the others. One service that is down does not lose what the others say."""

    name = "doi"

    def __init__(
        self,
        europe_pmc: EuropePmc,
        pubmed: PubMed,
        unpaywall: Unpaywall,
        crossref: Crossref,
        openalex: OpenAlex,
        arxiv: Arxiv,
    ) -> None:
        self._texts = (europe_pmc, unpaywall, pubmed, openalex, crossref)
        self._arxiv = arxiv
        self._registries: tuple[Registry, ...] = (crossref, europe_pmc, pubmed, openalex)

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: full text before an abstract, metadata and status of all that answer.

        Raises `Transient` where something may be had later, `Permanent` where nobody has anything.
        """
        wanted = identified(identifier)
        if not wanted:
            raise Permanent(f"{identifier!r} is no identifier", mend="give a DOI, a PMID, a PMCID or an arXiv id")
        if wanted.arxiv:
            return await self._arxiv.fetch(identifier)
        known, silent = await self._said(wanted)
        best, failures = await self._best(wanted.joined(known.identifiers))
        if best is None:
            later = [failure for failure in failures if isinstance(failure, Transient | RateLimited)]
            if later:
                raise later[0]
            raise Permanent(f"nobody has a text of {identifier}: {'; '.join(dict.fromkeys(map(str, failures)))}")
        metadata = best.metadata.joined(known)
        notes = tuple(Signal("unasked", name, "it did not answer") for name in silent)
        return replace(best, metadata=replace(metadata, signals=(*metadata.signals, *notes)))

    async def _best(self, wanted: Identifiers) -> tuple[Delivery | None, list[Failure]]:
        """The first full text, else the first of anything; and why others brought nothing."""
        failures: list[Failure] = []
        found: Delivery | None = None
        for adapter in self._texts:
            for name in _names(adapter.name, wanted):
                try:
                    brought = await adapter.fetch(name)
                except Failure as failure:
                    failures.append(failure)
                    continue
                if brought.media_type in TEXTS and not (adapter.name == "pubmed" and not name.startswith("PMC")):
                    return brought, failures
                if found is None and brought.media_type != "application/json":
                    found = brought
        return found, failures

    async def _said(self, wanted: Identifiers) -> tuple[Metadata, list[str]]:
        known, silent = Metadata(identifiers=wanted), []
        for registry in self._registries:
            try:
                (said,) = await registry.status([known.identifiers])
            except (Transient, RateLimited):
                silent.append(registry.name)
                continue
            if said is not None:
                known = known.joined(said)
        return known, silent


def _names(adapter: str, wanted: Identifiers) -> tuple[str, ...]:
    """What an adapter calls the source, the best name first."""
    if adapter in ("unpaywall", "crossref"):
        return tuple(name for name in (wanted.doi,) if name)
    if adapter == "pubmed":
        return tuple(name for name in (wanted.pmcid, f"PMID:{wanted.pmid}" if wanted.pmid else "") if name)
    order = (wanted.pmcid, f"PMID:{wanted.pmid}" if wanted.pmid else "", wanted.doi)
    return next(((name,) for name in order if name and (adapter != "openalex" or not name.startswith("PMC"))), ())
