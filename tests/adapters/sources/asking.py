"""Adapters over the loopback server, and what comes of asking one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from backedge.adapters.reading import jats, medline
from backedge.adapters.sources.connected import SERVICES, Connected, connected
from backedge.adapters.sources.polite import Bounds, Key, Polite
from backedge.evidence.eligibility import judge
from backedge.evidence.facts import Facts, Policy
from backedge.evidence.ports import ExternalFound
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.defect import Failure
from tests.adapters.sources.server import Server, Step
from tests.adapters.sources.shapes import (
    DOI,
    PAPER,
    PDF,
    PMCID,
    PMID,
    article,
    central,
    crossref_one,
    entry,
    europe,
    europe_found,
    feed,
    openalex,
    record,
    records,
    unpaywall,
    work,
)
from tests.kernel.memory import StillClock

T = TypeVar("T")
CONTACT = "team.alpha@lab.example"
KEYS = {"pubmed": "ncbi-key-5a5a", "crossref": "plus-key-6b6b", "openalex": "alex-key-7c7c"}
XML = "application/xml"
IDENTIFIERS: Mapping[str, Callable[[Server], str]] = {
    "europepmc": lambda _: f"PMID:{PMID}",
    "pubmed": lambda _: f"PMID:{PMID}",
    "crossref": lambda _: f"https://doi.org/{DOI}",
    "arxiv": lambda _: f"arXiv:{PAPER}v1",
    "openalex": lambda _: DOI,
    "unpaywall": lambda _: DOI,
    "doi": lambda _: f"doi:{DOI}",
    "web": lambda server: f"{server.url}/files/article.pdf?token=1",
}


async def described(content: bytes, media_type: str, name: str) -> Metadata:
    """What a content says of itself, read here instead of in a child."""
    told = (medline.read(content, name).metadata, jats.read(content, name).metadata)
    return next((metadata for metadata in told if metadata != Metadata()), Metadata())


def usual(server: Server) -> dict[str, Step | list[Step]]:
    """All services as they answer about one article."""
    return {
        "/europepmc/search": Step(europe_found(europe())),
        f"/europepmc/{PMCID}/fullTextXML": Step(article(), XML),
        "/pubmed/efetch.fcgi?db=pubmed": Step(records(record()), XML),
        "/pubmed/efetch.fcgi?db=pmc": Step(central(article()), XML),
        "/crossref/works/": Step(crossref_one(work())),
        "/arxiv/api/query": Step(feed(entry()), "application/atom+xml"),
        "/arxiv/pdf/": Step(PDF, "application/pdf"),
        "/openalex/works/": Step(openalex()),
        "/unpaywall/": Step(unpaywall(f"{server.url}/files/article.pdf")),
        "/files/": Step(PDF, "application/pdf"),
    }


def opened(
    server: Server,
    *,
    contact: str = CONTACT,
    keys: Mapping[str, str] | None = None,
    bounds: Bounds = Bounds(size=300_000, seconds=5),
    clock: StillClock | None = None,
) -> Connected:
    """All adapters, with keys."""
    held = {
        SERVICES[name].name: Key(f"{name.upper()}_KEY", key) for name, key in (KEYS if keys is None else keys).items()
    }
    client = Polite(clock or StillClock(), contact, held, bounds=bounds, loopback=True)
    urls = {name: f"{server.url}/{name}" for name in SERVICES}
    return connected(client, described, frozenset(held), urls)


def go(work: Coroutine[Any, Any, T]) -> T:
    """Do it."""
    return asyncio.run(work)


async def outcome(asked: Coroutine[Any, Any, Delivery]) -> Delivery | Failure:
    """What was brought, or the failure."""
    try:
        return await asked
    except Failure as failure:
        return failure


def fetched(server: Server, name: str, identifier: str, **instead: Any) -> Delivery:
    """What an adapter brings."""
    return go(opened(server, **instead).sources[name].fetch(identifier))


def failed(server: Server, name: str, identifier: str, **instead: Any) -> Failure:
    """How an adapter fails."""
    result = go(outcome(opened(server, **instead).sources[name].fetch(identifier)))
    assert isinstance(result, Failure), result
    return result


def stands(metadata: Metadata) -> tuple[bool, set[str], set[str]]:
    """Whether it is eligible, the kinds of the reasons why not, and those of the warnings."""
    eligible, reasons, warnings = judge(Facts(metadata), Policy())
    return eligible, {reason.kind for reason in reasons}, {warning.kind for warning in warnings}


def statuses(server: Server, name: str, *sources: Identifiers) -> tuple[Metadata | None, ...]:
    """How sources stand, as a registry says."""
    return go(opened(server).registries[name].status(sources))


def found(server: Server, name: str, query: str = "statins", limit: int = 5) -> ExternalFound:
    """What a search finds."""
    return go(opened(server).searchable[name].search(query, limit))


def links_of(metadata: Metadata) -> list[tuple[str, tuple[str, ...]]]:
    """The relations, by kind and names."""
    return [(relation.kind, relation.other.named()) for relation in metadata.relations]
