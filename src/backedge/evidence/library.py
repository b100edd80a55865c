"""Reads what the evidence workflows have recorded: sources, versions, judgements, records and how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from backedge.evidence import kinds
from backedge.evidence.facts import Facts, Mark, Notice
from backedge.evidence.kinds import Kind
from backedge.evidence.records import EvidenceRecord, Judgement, Standing
from backedge.evidence.sources import Identifiers, Metadata
from backedge.evidence.versions import Returned, Text, Version
from backedge.kernel.defect import Permanent
from backedge.kernel.journal import Stored
from backedge.kernel.ports import Store, UnknownRun

T = TypeVar("T")


class Library:
    """The stored records of the evidence workflows, read with their types. Nothing is written here."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self, kind: Kind[T], under: str = "") -> tuple[T, ...]:
        """The records of a kind whose keys begin with `under`, in the order of their keys."""
        return tuple(kind.value(record) for record in await self._store.records(kind.name, under=under))

    async def one(self, kind: Kind[T], key: str) -> T | None:
        """The record with that key."""
        found = await self._store.records(kind.name, under=key)
        return next((kind.value(record) for record in found if record.key == key), None)

    async def sources_named(self, identifiers: Identifiers) -> tuple[str, ...]:
        """The ids of the sources that have any of these identifiers."""
        found = [named for name in identifiers.named() for named in await self.all(kinds.NAMED, f"{name}/")]
        return tuple(dict.fromkeys(named.source for named in found))

    async def identifiers(self, source: str) -> Identifiers:
        """All that the versions of a source are called."""
        found = Identifiers()
        for version in await self.versions(source):
            found = found.joined((await self.metadata(version)).identifiers)
        return found

    async def versions(self, source: str) -> tuple[Version, ...]:
        """The versions of a source, the oldest first."""
        return await self.all(kinds.VERSION_OF, f"{source}/")

    async def current(self, source: str) -> Version | None:
        """The version of a source that supersedes the others: the newest, or an older one whose content came back."""
        versions, back = await self.versions(source), await self.returned(source)
        return next((v for v in versions if back and v.content == back.content), versions[-1] if versions else None)

    async def returned(self, source: str) -> Returned | None:
        """What came back of a source last, where no newer version came since."""
        found = await self.all(kinds.RETURNED, f"{source}/")
        newest = max((version.number for version in await self.versions(source)), default=0)
        return found[-1] if found and found[-1].newest >= newest else None

    async def mark(self, source: str) -> Mark | None:
        """The operator's mark that counts: the last, and of several that were made at once one that forbids."""
        marks = await self.all(kinds.MARK, f"{source}/")
        return max(marks, key=lambda mark: (mark.number, not mark.lifted), default=None)

    async def version(self, content: str) -> Version:
        """A version by the hash of its content. Raises `Permanent` where there is none."""
        found = await self.one(kinds.VERSION, content)
        if found is None:
            raise Permanent(f"there is no version {content[:12]}; `backedge sources list` lists the sources")
        return found

    async def over(self, run_id: str) -> bool:
        """Whether a run has ended, was stopped for good, or never was."""
        try:
            head = await self._store.head(run_id)
        except UnknownRun:
            return True
        return head.status in ("ended", "stopped")

    async def journal(self, run_id: str) -> tuple[Stored, ...]:
        """The entries of a run, in order; none where there is no such run."""
        try:
            return await self._store.read((await self._store.head(run_id)).id)
        except UnknownRun:
            return ()

    async def text(self, version: str) -> Text:
        """A version as it was read. Raises `Permanent` where it was not."""
        found = await self.one(kinds.TEXT, version)
        if found is None:
            raise Permanent(f"version {version[:12]} has not been read; see `backedge sources show`")
        return found

    async def judgement(self, version: str) -> Judgement | None:
        """The judgement that counts: the last, and of several that were made at once one that forbids."""
        found = await self.all(kinds.JUDGEMENT, f"{version}/")
        return counting(found)

    async def standing(self, record: str) -> Standing | None:
        """How a record stands now."""
        found = await self.all(kinds.STANDING, f"{record}/")
        return found[-1] if found else None

    async def records_of(self, version: str) -> tuple[EvidenceRecord, ...]:
        """The records that were proposed of a version."""
        found = await self.all(kinds.RECORD, f"{version[:12]}.")
        return tuple(record for record in found if record.version == version)

    async def alike(self, version: str, sameness: str) -> tuple[EvidenceRecord, ...]:
        """Of the records of a version that are proposed, in review or accepted those that say the same."""
        found = []
        for alike in await self.all(kinds.ALIKE, f"{version}/{sameness}/"):
            standing, record = await self.standing(alike.record), await self.one(kinds.RECORD, alike.record)
            if record is not None and standing is not None and standing.status in ("proposed", "in_review", "accepted"):
                found.append(record)
        return tuple(found)

    async def verified(self, version: str) -> tuple[str, ...]:
        """The keys of the accepted records of a version that may be used; none where it may not."""
        judgement = await self.judgement(version)
        if judgement is None or not judgement.eligible:
            return ()
        found = []
        for record in await self.records_of(version):
            standing = await self.standing(record.key)
            if standing is not None and standing.status == "accepted":
                found.append(record.key)
        return tuple(found)

    async def metadata(self, version: Version) -> Metadata:
        """What is known of a version: what registries said last, what came with it, and what its content says."""
        refreshed = await self.all(kinds.REFRESHED, f"{version.source}/")
        known = version.fetched.metadata
        if (read := await self.one(kinds.TEXT, version.content)) is not None:
            known = known.joined(read.metadata)
        if (unread := await self.one(kinds.UNREAD, version.content)) is not None:
            known = known.joined(unread.metadata)
        own = known.version_label  # a registry names its newest version, which need not be this one
        for later in refreshed:
            known = later.metadata.joined(known)
        return replace(known, version_label=own or known.version_label)

    async def facts(self, version: Version, also: tuple[Notice, ...] = (), current: str = "") -> Facts:
        """All that the eligibility of a version is judged by.

        `also` are notices, and `current` is the version of its source that counts, where they are not stored yet.
        """
        metadata = await self.metadata(version)
        unread = await self.one(kinds.UNREAD, version.content)
        counts = await self.current(version.source)
        current = current or (counts.content if counts else "")
        notices = (*await self._notices(version.source, metadata.identifiers), *also)
        return Facts(
            metadata,
            tuple(dict.fromkeys(notices)),
            await self.mark(version.source),
            unread.why if unread else None,
            current if current != version.content else "",
        )

    async def _notices(self, source: str, identifiers: Identifiers) -> tuple[Notice, ...]:
        found = [n.notice for name in identifiers.named() for n in await self.all(kinds.NOTICED, f"{name}/")]
        return tuple(notice for notice in found if notice.by != source)


def counting(judgements: Sequence[Judgement]) -> Judgement | None:
    """Of the judgements of a version the one that counts."""
    last = max((judgement.number for judgement in judgements), default=0)
    found = sorted((j for j in judgements if j.number == last), key=lambda judgement: judgement.eligible)
    return found[0] if found else None
