"""Puts the evidence workflows and what they need of the outside together, for one project."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from backedge.adapters.reading.opening import ContentReader
from backedge.adapters.search.view import SqliteSearchView
from backedge.adapters.sources.files import FileSource
from backedge.adapters.sources.listing import Skipped, listed
from backedge.adapters.sources.opening import spelled, which
from backedge.agent.ports import Embedder
from backedge.config.evidence_file import EvidenceProject
from backedge.evidence.catching_up import caught_up
from backedge.evidence.chunks import Found, Snapshot
from backedge.evidence.fusion import fused
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents
from backedge.evidence.refresh.states import Marking, Refresh
from backedge.evidence.saved_searches import SavedSearch
from backedge.evidence.searching import arms
from backedge.evidence.sources import Wanted
from backedge.evidence.summary import Told
from backedge.kernel.defect import Permanent
from backedge.kernel.drive import Driver
from backedge.kernel.journal import Context, Moved
from backedge.kernel.ports import Head, Store
from backedge.kernel.run import Run, Status
from backedge.query.ports import Connector

PAGE = 200
UNFINISHED: tuple[Status, ...] = ("running", "stopped", "waiting")


@dataclass(frozen=True)
class Asked:
    """A source that somebody typed: the adapter that brings it, and what it is called there."""

    adapter: str
    identifier: str

    @property
    def name(self) -> str:
        """As a list of runs shows it."""
        return f"{self.adapter}:{self.identifier}"


@dataclass(frozen=True)
class Named:
    """What somebody typed, as sources; `skipped` is what is none, and why."""

    asked: tuple[Asked, ...]
    skipped: tuple[Skipped, ...]


@dataclass
class EvidenceApp:
    """One project's evidence. `close` it when done."""

    project: EvidenceProject
    store: Store
    driver: Driver
    library: Library
    contents: Contents
    view: SqliteSearchView
    embedder: Embedder | None
    files: FileSource
    reader: ContentReader
    adapters: tuple[str, ...]
    connectors: tuple[Connector, ...]

    def context(self, by: str) -> Context:
        """Who asks, and when."""
        return Context(datetime.now(UTC).date(), self.project.timezone or "UTC", by, {})

    async def named(self, typed: Sequence[str]) -> Named:
        """The sources that somebody typed: files and all in folders and lists, else identifiers of registries."""
        asked: list[Asked] = []
        skipped: list[Skipped] = []
        for text in typed:
            if not await asyncio.to_thread(os.path.lexists, self.files.folder / text):
                asked.append(self.registered(text))
                continue
            found = await listed(self.files, text)
            skipped += found.skipped
            asked += [
                Asked("file", e.identifier) if e.is_file else self.registered(e.identifier) for e in found.entries
            ]
        return Named(tuple(dict.fromkeys(asked)), tuple(skipped))

    def registered(self, text: str) -> Asked:
        """The source that an identifier names. Raises `Permanent` where it names none."""
        named, _, name = text.partition(":")
        if named in self.adapters and name and not name.startswith("//"):
            return Asked(named, name)
        adapter = which(text)
        if not adapter:
            mend = "give a path, a DOI, a PMID, a PMCID, an arXiv number or an https address"
            raise Permanent(f"{text!r} is no file here and no identifier", mend=mend)
        return Asked(adapter, spelled(text))

    async def begin(self, asked: Sequence[Asked], *, by: str, restricted: str = "") -> tuple[str, ...]:
        """A run for each source; where an ingest of it is unfinished, that one. Nothing is driven yet."""
        known = {head.labels.get("wanted", ""): head.id for head in await self.unfinished("ingest")}
        runs = []
        for source in asked:
            run_id = known.get(source.name)
            if run_id is None:
                run_id = secrets.token_hex(6)
                wanted = Wanted(source.adapter, source.identifier, run_id, by, restricted)
                labels = {"wanted": source.name, "asked": f"ingest {source.name}"[:200]}
                await self.driver.start("ingest", wanted, self.context(by), labels=labels, run_id=run_id)
                known[source.name] = run_id
            runs.append(run_id)
        return tuple(dict.fromkeys(runs))

    async def drive_all(self, runs: Sequence[str], told: Callable[[Told], None] = lambda _: None) -> tuple[Told, ...]:
        """Drive ingests with the runs of their parts and records. `told` hears of each that rests.

        What surfaces in one of them is raised when the others rest; nothing of them is lost.
        """

        async def one(run_id: str) -> Told:
            await self.driver.drive(run_id)
            done = await self.told(run_id)
            told(done)
            return done

        results = await asyncio.gather(*map(one, runs), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return tuple(result for result in results if isinstance(result, Told))

    async def rebuild_view(self) -> Snapshot:
        """Make the search view anew from the stored chunks. Snapshots that were taken before are gone with it."""
        if self.embedder is None:
            raise Permanent("the view needs vectors, and there is no embedder", mend="pip install 'backedge[embed]'")
        self.view.clear()
        return await caught_up(self.view, self.embedder, self.library, self.contents)

    async def retry(self, run_id: str, *, by: str) -> Told:
        """Go on with an ingest that paused, and with its parts and records that did, each with fresh budgets."""
        before = await self.told(run_id)
        for run in (before.run, *before.parts, *before.records):
            if run.stopped is not None and run.stopped.resumable:
                await self.driver.retry(run.id, by=by)
        await self.driver.drive(run_id)
        return await self.told(run_id)

    async def restrict(self, source: str, reason: str, *, by: str, lifted: bool = False) -> Run:
        """Mark a source as one that may not be used, or may again, and judge it anew."""
        marking = Marking(source, by, reason, lifted)
        run_id = await self.driver.start("restrict", marking, self.context(by), labels={"asked": f"restrict {source}"})
        return await self.driver.drive(run_id)

    async def refresh(self, sources: Sequence[str], *, by: str) -> Run:
        """Ask the registries how sources stand, and judge anew what changes."""
        asked = Refresh(tuple(sources), by)
        labels = {"asked": f"refresh {len(sources)} sources"}
        run_id = await self.driver.start("refresh", asked, self.context(by), labels=labels)
        return await self.driver.drive(run_id)

    async def watch(self, saved: SavedSearch) -> Run:
        """One look of a saved search."""
        labels = {"asked": f"search {saved.name}"}
        run_id = await self.driver.start("watch", saved, self.context(saved.by), labels=labels)
        return await self.driver.drive(run_id)

    async def search(self, query: str, limit: int, at: Snapshot | None = None) -> tuple[Found, ...]:
        """What each arm finds, and last what they find together. A view that was removed is made anew first."""
        if self.embedder is not None and at is None and (await self.view.snapshot()).revision == 0:
            await caught_up(self.view, self.embedder, self.library, self.contents)
        found = await arms(self.view, self.embedder, query, at)
        return (*found, fused(found, limit))

    async def told(self, run_id: str) -> Told:
        """An ingest with the runs of its parts and records."""
        run = await self.driver.load(run_id)
        parts = await self._children(run.id)
        records = [record for part in parts for record in await self._children(part.id)]
        return Told(run, parts, tuple(records))

    async def _children(self, run_id: str) -> tuple[Run, ...]:
        entries = await self.store.read(run_id)
        children = [c for stored in entries if isinstance(stored.entry, Moved) for c in stored.entry.children]
        return tuple([await self.driver.load(child) for child in children])

    async def unfinished(self, workflow: str) -> tuple[Head, ...]:
        """The runs of a workflow that can go on."""
        return tuple([head for status in UNFINISHED async for head in self.heads(workflow, status)])

    async def heads(self, workflow: str, status: Status | None = None) -> AsyncIterator[Head]:
        """The runs of a workflow, newest first."""
        before: str | None = None
        while page := await self.store.heads(status=status, workflow=workflow, limit=PAGE, before=before):
            for head in page:
                yield head
            before = page[-1].id

    async def close(self) -> None:
        """End the children that read, and release the files."""
        self.view.close()
        await self.files.close()
        await self.reader.close()
        for connector in self.connectors:
            await connector.close()
        await self.store.close()
