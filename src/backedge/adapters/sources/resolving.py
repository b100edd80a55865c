"""The resolver: for any identifier the best text that may be had, with what all registries say of its source."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from backedge.adapters.sources.full_texts import Looked, Registry, best, either
from backedge.evidence.identifiers import arxiv, identified
from backedge.evidence.ports import SourceAdapter
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient


@dataclass
class _Heard:
    """What the registries said so far, by name, and those that did not answer, with why."""

    looked: dict[str, Looked] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    failed: dict[str, Failure] = field(default_factory=dict)

    def asked(self, name: str) -> bool:
        return name in self.looked or name in self.unknown or name in self.failed


class Resolver:
    """A source adapter over registries, the first of which is believed where they differ on the plain facts.

    What they know of how a source stands is taken from all. One that does not answer is named in `notes`.
    """

    name = "doi"

    def __init__(self, registries: Sequence[Registry], preprints: SourceAdapter) -> None:
        self._registries = tuple(registries)
        self._preprints = preprints

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`.

        Raises `Transient` or `RateLimited` where nobody answered, or where a full text may come later; `Permanent`
        where nobody knows the source, or nobody has a text of it.
        """
        wanted = identified(identifier)
        if not wanted:
            mend = "give a DOI, a PMID, a PMCID or an arXiv number"
            raise Permanent(f"{identifier[:200]!r} is no identifier", mend=mend)
        if arxiv(identifier)[1]:  # a version is named, and only arXiv tells versions apart
            return await self._preprints.fetch(identifier)
        heard = _Heard()
        known = await self._ask(heard, wanted)
        known = await self._ask(heard, known)  # those that could not be asked before they had its other names
        if not heard.looked:
            raise _nobody(heard, identifier)
        looked = [heard.looked[each.name] for each in self._registries if each.name in heard.looked]
        try:
            brought = await best(looked, _joined(looked), identifier)
        except Permanent as failure:
            raise _later(heard) or failure from None
        return replace(brought, notes=(*_notes(heard), *brought.notes))

    async def _ask(self, heard: _Heard, wanted: Identifiers) -> Identifiers:
        """Ask all that can be asked by these names and were not yet; gives the names that are known then."""
        asked = [each for each in self._registries if not heard.asked(each.name) and each.takes(wanted)]
        for registry, said in zip(asked, await asyncio.gather(*(_look(each, wanted) for each in asked)), strict=True):
            if isinstance(said, Failure):
                heard.failed[registry.name] = said
            elif said is None or not either(wanted, said.metadata.identifiers):
                heard.unknown.add(registry.name)
            else:
                heard.looked[registry.name] = said
        for each in self._registries:
            if each.name in heard.looked and _agrees(wanted, heard.looked[each.name].metadata.identifiers):
                wanted = wanted.joined(heard.looked[each.name].metadata.identifiers)
        return wanted


async def _look(registry: Registry, wanted: Identifiers) -> Looked | Failure | None:
    try:
        return await registry.look(wanted)
    except Failure as failure:
        return failure


def _agrees(one: Identifiers, other: Identifiers) -> bool:
    """Whether two sets of names contradict each other nowhere."""
    mine, theirs = (dict(name.split(":", 1) for name in each.named()) for each in (one, other))
    return all(theirs.get(kind, value) == value for kind, value in mine.items())


def _joined(looked: Sequence[Looked]) -> Metadata:
    """What all say: of several, open access where any says so, and the licence of whoever does."""
    joined = looked[0].metadata
    for each in looked[1:]:
        said = each.metadata
        if not _agrees(joined.identifiers, said.identifiers):
            said = replace(said, identifiers=Identifiers())
        joined = joined.joined(said)
    is_open = any(each.metadata.access == "open" for each in looked)
    return replace(joined, access="open") if is_open else joined


def _nobody(heard: _Heard, identifier: str) -> Failure:
    failure = _later(heard)
    if failure is not None:
        return failure
    refused = "; ".join(each.message for each in heard.failed.values())
    message = f"no service knows {identifier[:200]}{f' ({refused})' if refused else ''}"
    mend = next((each.mend for each in heard.failed.values() if isinstance(each, Permanent) and each.mend), "")
    return Permanent(message, mend=mend or "check the identifier, or add the file")


def _later(heard: _Heard) -> Transient | RateLimited | None:
    """The failure of those that may answer later, if there are any; a lost one before one that has too much to do."""
    lost = [each for each in heard.failed.values() if isinstance(each, Transient)]
    limited = [each for each in heard.failed.values() if isinstance(each, RateLimited)]
    later: list[Transient | RateLimited] = [*lost, *limited]
    waits = [each.retry_after for each in later if each.retry_after is not None]
    words = "; ".join(dict.fromkeys(each.message for each in later))
    if lost:
        return Transient(words, max(waits, default=None))
    return RateLimited(words, max(waits, default=None)) if limited else None


def _notes(heard: _Heard) -> tuple[str, ...]:
    return tuple(f"{name} was not heard: {failure.message}" for name, failure in heard.failed.items())
