"""Checking: registries are asked, some sources at a time, and what they say that was not known is recorded."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import kinds
from backedge.evidence.notices import noticed
from backedge.evidence.ports import StatusSource
from backedge.evidence.refresh.ports import RefreshPorts
from backedge.evidence.refresh.states import Checking, Rejudging, Status, Statuses
from backedge.evidence.sources import Identifiers, Metadata
from backedge.kernel.defect import Failure, Permanent
from backedge.kernel.stage import Lesson, Record, Settled, Stage

TOGETHER = 50  # sources that a registry is asked for in one call


async def propose(state: Checking, ports: RefreshPorts, lesson: Lesson) -> Statuses:
    """What is new of the next sources. A registry that does not answer is named; if none does, that is the failure."""
    sources = state.asked.sources[state.at : state.at + TOGETHER]
    named = [await ports.library.identifiers(source) for source in sources]
    news: list[Status] = []
    known: set[str] = set()
    asked = [source for source, identifiers in zip(sources, named, strict=True) if identifiers]
    failed: dict[str, Failure] = {}
    for registry in ports.registries:
        try:
            said = await _asked(registry, named)
        except Failure as failure:
            failed[registry.name] = failure
            continue
        for source, metadata in zip(sources, said, strict=True):
            if metadata is not None:
                known.add(source)
                news += await _news(ports, source, registry.name, metadata)
    if failed and len(failed) == len(ports.registries):
        later = (failure for failure in failed.values() if not isinstance(failure, Permanent))
        raise next(later, next(iter(failed.values())))
    checked = tuple(source for source in asked if source in known or (ports.registries and not failed))
    return Statuses(tuple(news), tuple(s for s in sources if s not in known), _silent(failed), checked)


def _silent(failed: dict[str, Failure]) -> tuple[str, ...]:
    """Who said nothing, and why."""
    return tuple(f"{name}: {failure.message}" for name, failure in failed.items())


async def _asked(registry: StatusSource, named: list[Identifiers]) -> tuple[Metadata | None, ...]:
    """What a registry says of each; those without an identifier it is not asked for."""
    asked = [identifiers for identifiers in named if identifiers]
    said = iter(await registry.status(asked) if asked else ())
    return tuple(next(said) if identifiers else None for identifiers in named)


async def _news(ports: RefreshPorts, source: str, registry: str, metadata: Metadata) -> list[Status]:
    """The status as a record to be, where it says anything that is not known of the source's newest version."""
    versions = await ports.library.versions(source)
    known = await ports.library.metadata(versions[-1])
    new = (
        set(metadata.signals) - set(known.signals)
        or set(metadata.relations) - set(known.relations)
        or (metadata.version_label and metadata.version_label != known.version_label)
        or (metadata.access != "unknown" and metadata.access != known.access)
        or (metadata.licence and metadata.licence != known.licence)
    )
    if not new:
        return []
    before = await ports.library.all(kinds.REFRESHED, f"{source}/")
    return [Status(source, registry, len(before) + 1, metadata)]


def settle(state: Checking, said: Statuses) -> Settled[Checking | Rejudging]:
    """What is new is recorded, and who was checked today; the next sources follow."""
    news = tuple(dict.fromkeys((*state.news, *(status.source for status in said.news))))
    done = replace(
        state,
        at=state.at + TOGETHER,
        checked=state.checked + len(said.checked),
        news=news,
        unknown=(*state.unknown, *said.unknown),
        silent=tuple(dict.fromkeys((*state.silent, *said.silent))),
    )
    told = (record for status in said.news for record in _records(state, status))
    records = (*told, *(kinds.CHECKED.record(kinds.Checked(source, state.day)) for source in said.checked))
    if done.at < len(state.asked.sources):
        return Settled(done, records=records)
    return Settled(Rejudging(state.asked.sources, done.checked, done.unknown, done.silent, news), records=records)


def _records(state: Checking, status: Status) -> tuple[Record, ...]:
    new = kinds.RefreshedStatus(status.source, status.number, status.registry, state.day, status.metadata)
    return (kinds.REFRESHED.record(new), *noticed(status.source, status.metadata))


CHECKING = Stage(state=Checking, proposal=Statuses, propose=propose, settle=settle)
