"""Finds sources and records by what somebody typed, and puts together what a page shows of each."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.evidence.identifiers import identified
from backedge.evidence.library import Library
from backedge.evidence.records import EvidenceRecord, Judgement, Standing
from backedge.evidence.sources import Metadata
from backedge.evidence.versions import SourceEntry, Text, Unread, Version
from backedge.kernel.defect import Permanent
from backedge.kernel.ports import Head

NEAR = 5


@dataclass(frozen=True)
class VersionShown:
    """A version with all that a page shows of it."""

    version: Version
    metadata: Metadata
    text: Text | None
    unread: Unread | None
    judgement: Judgement | None
    records: tuple[tuple[EvidenceRecord, Standing | None], ...]

    @property
    def status(self) -> str:
        """One word: eligible, ineligible, quarantined or unjudged."""
        if self.judgement is None:
            return "unjudged"
        if self.unread is not None:
            return "quarantined"
        return "eligible" if self.judgement.eligible else "ineligible"


@dataclass(frozen=True)
class SourceShown:
    """A source with its versions, the oldest first; `current` is the content of the one that supersedes the others."""

    entry: SourceEntry
    versions: tuple[VersionShown, ...]
    current: str = ""

    @property
    def newest(self) -> VersionShown:
        """The version that is not superseded."""
        return next((shown for shown in self.versions if shown.version.content == self.current), self.versions[-1])


async def all_sources(library: Library) -> tuple[SourceEntry, ...]:
    """Every source, in the order of their ids."""
    return await library.all(kinds.SOURCE)


async def source_named(library: Library, typed: str) -> SourceEntry:
    """The source that an id, the beginning of one, an identifier or the path of its file names.

    Raises `Permanent` where not exactly one.
    """
    found = await library.all(kinds.SOURCE, typed) if typed else ()
    if not found and (identifiers := identified(typed)):
        ids = await library.sources_named(identifiers)
        found = tuple([entry for source in ids if (entry := await library.one(kinds.SOURCE, source)) is not None])
    if not found:
        found = await _brought_as(library, typed)
    if len(found) == 1:
        return found[0]
    if found:
        said = ", ".join(entry.id for entry in found[:NEAR])
        raise Permanent(f"{typed!r} names {len(found)} sources: {said}", mend="give more of the id")
    near = _near(typed, [entry.id for entry in await all_sources(library)])
    raise Permanent(f"there is no source {typed!r}{near}", mend="`backedge sources list` lists them")


async def _brought_as(library: Library, typed: str) -> tuple[SourceEntry, ...]:
    """The sources of which a version was brought by that name: `file:a/b.xml`, or `a/b.xml`."""
    versions = await library.all(kinds.VERSION)
    names = {typed, f"file:{typed}"}
    ids = [v.source for v in versions if names & {v.fetched.identifier, f"{v.fetched.adapter}:{v.fetched.identifier}"}]
    return tuple([e for source in dict.fromkeys(ids) if (e := await library.one(kinds.SOURCE, source)) is not None])


def _near(typed: str, ids: list[str]) -> str:
    near = difflib.get_close_matches(typed, ids, NEAR)
    return f"; near it are {', '.join(near)}" if near else ""


async def source_shown(library: Library, entry: SourceEntry) -> SourceShown:
    """A source with what is recorded of it."""
    versions = [await version_shown(library, version) for version in await library.versions(entry.id)]
    current = await library.current(entry.id)
    return SourceShown(entry, tuple(versions), current.content if current else "")


async def runs_of(app: EvidenceApp, source: SourceShown) -> tuple[Head, ...]:
    """The ingests and marks of a source, the oldest first: those by a name that a version came by, or that read it."""
    names = {f"{shown.version.fetched.adapter}:{shown.version.fetched.identifier}" for shown in source.versions}
    found = [head async for head in app.heads("ingest") if head.labels.get("wanted") in names]
    known = {head.id for head in found}
    parts = [head async for head in app.heads("extract") if head.labels.get("source") == source.entry.id]
    for root in dict.fromkeys(head.id.partition(".")[0] for head in parts):
        if root not in known:
            found.append(await app.store.head(root))
    asked = f"restrict {source.entry.id}"
    found += [head async for head in app.heads("restrict") if head.labels.get("asked") == asked]
    return tuple(sorted(found, key=lambda head: (head.created, head.id)))


async def version_shown(library: Library, version: Version) -> VersionShown:
    """A version with what is recorded of it."""
    records = [(record, await library.standing(record.key)) for record in await library.records_of(version.content)]
    text = await library.one(kinds.TEXT, version.content)
    unread = await library.one(kinds.UNREAD, version.content)
    metadata, judgement = await library.metadata(version), await library.judgement(version.content)
    return VersionShown(version, metadata, text, unread, judgement, tuple(records))


async def record_named(library: Library, key: str) -> EvidenceRecord:
    """The record that a key, or the beginning of one, names. Raises `Permanent` where not exactly one."""
    found = await library.all(kinds.RECORD, key) if key else ()
    exact = tuple(record for record in found if record.key == key) or found
    if len(exact) == 1:
        return exact[0]
    if exact:
        said = ", ".join(record.key for record in exact[:NEAR])
        raise Permanent(f"{len(exact)} records begin with {key}: {said}", mend="give more of the key")
    near = _near(key, [record.key for record in await library.all(kinds.RECORD)])
    raise Permanent(f"there is no record {key!r}{near}", mend="`backedge records list` lists them")
