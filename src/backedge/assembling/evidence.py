"""Puts the evidence workflows and what they need of the outside together, for one project."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from backedge.adapters.reading.opening import ContentReader
from backedge.adapters.search.view import SqliteSearchView
from backedge.adapters.sources.files import FileSource
from backedge.adapters.sources.listing import Skipped, listed
from backedge.adapters.sources.opening import spelled, which
from backedge.agent.ports import Embedder
from backedge.config.evidence_file import EVIDENCE_FILE, EvidenceProject
from backedge.evidence.catching_up import Damaged, caught_up
from backedge.evidence.chunks import Found, Snapshot
from backedge.evidence.fusion import fused
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents
from backedge.evidence.refresh.states import Marking, Refresh
from backedge.evidence.saved_searches import SavedSearch
from backedge.evidence.searching import arms
from backedge.evidence.source_names import EVERY, FILE, NETWORK
from backedge.evidence.sources import Wanted
from backedge.evidence.summary import Told
from backedge.kernel.defect import Permanent
from backedge.kernel.drive import Driver
from backedge.kernel.journal import Context, Moved, Refused
from backedge.kernel.ports import Head, Store, Taken
from backedge.kernel.run import Run, Status
from backedge.query.ports import Connector

PAGE = 200
UNFINISHED: dict[str, tuple[Status, ...]] = {  # a record that waits does so for a person: its ingest is through
    "ingest": ("running", "stopped", "waiting"),
    "extract": ("running", "stopped"),
    "verify": ("running", "stopped"),
}


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
                self._allowed(Asked(FILE, e.identifier)) if e.is_file else self.registered(e.identifier)
                for e in found.entries
            ]
        return Named(tuple(dict.fromkeys(asked)), tuple(skipped))

    def registered(self, text: str) -> Asked:
        """The source that an identifier names. Raises `Permanent` where it names none."""
        named, _, name = text.partition(":")
        if named in EVERY and name and not name.startswith("//"):
            return self._allowed(Asked(named, spelled(name) if named in NETWORK else name))
        adapter = which(text)
        if not adapter:
            mend = "give a path, a DOI, a PMID, a PMCID, an arXiv number or an https address"
            raise Permanent(f"{text!r} is no file here and no identifier", mend=mend)
        return self._allowed(Asked(adapter, spelled(text)))

    def _allowed(self, asked: Asked) -> Asked:
        """What is asked for, where its adapter may be used. Raises `Permanent` where evidence.yml leaves it out."""
        if asked.adapter in self.adapters:
            return asked
        said = f"`sources.ingest` of {EVIDENCE_FILE} leaves out `{asked.adapter}`, which brings {asked.identifier}"
        raise Permanent(said, mend=f"add `{asked.adapter}` there; these may be used now: {', '.join(self.adapters)}")

    async def begin(self, asked: Sequence[Asked], *, by: str, restricted: str = "") -> tuple[str, ...]:
        """A run for each source; where one goes on, that one, with fresh budgets. Nothing is driven yet."""
        with suppress(Damaged):  # of other sources, which are mended when they are added again
            await self.whole_view()
        known = {head.labels.get("wanted", ""): head.id for head in await self.open_ingests()} if asked else {}
        runs: dict[str, str] = {source.name: "" for source in asked}
        for source in asked:
            if source.name in known:
                runs[source.name] = known[source.name]
                await self.go_on(known[source.name], by=by)
            elif not runs[source.name]:
                runs[source.name] = await self._begun(source, by, restricted)
        return tuple(runs.values())

    async def _begun(self, source: Asked, by: str, restricted: str) -> str:
        run_id = secrets.token_hex(6)
        wanted = Wanted(source.adapter, source.identifier, run_id, by, restricted)
        labels = {"wanted": source.name, "asked": f"ingest {source.name}"[:200]}
        return await self.driver.start("ingest", wanted, self.context(by), labels=labels, run_id=run_id)

    async def whole_view(self) -> None:
        """Make a view that was removed anew, before anything is added to it or sought in it."""
        if self.embedder is not None and (await self.view.snapshot()).revision == 0:
            await caught_up(self.view, self.embedder, self.library, self.contents)

    async def drive_all(self, runs: Sequence[str], told: Callable[[Told], None]) -> None:
        """Drive ingests with the runs of their parts and records, a few at once. `told` hears of each that rests.

        What surfaces in one of them is raised when the others rest; nothing of them is lost.
        """
        left = iter(runs)
        surfaced: list[BaseException] = []

        async def one(run_id: str) -> None:
            await self.driver.drive(run_id)
            done = await self.told(run_id)
            left = [run.id for run in (*done.parts, *done.records) if run.status == "running"]
            for below in left:  # of an ingest that is through, of which something paused and now goes on
                await self.driver.drive(below)
            told(await self.told(run_id) if left else done)

        async def in_turn() -> None:
            for run_id in left:
                (result,) = await asyncio.gather(one(run_id), return_exceptions=True)
                if result is not None:
                    surfaced.append(result)

        await asyncio.gather(*(in_turn() for _ in range(self.project.concurrency)))
        for error in surfaced:
            raise error

    async def rebuild_view(self) -> Snapshot:
        """Make the search view anew from the stored chunks. Snapshots that were taken before are gone with it."""
        if self.embedder is None:
            raise Permanent("the view needs vectors, and there is no embedder", mend="pip install 'backedge[embed]'")
        self.view.clear()
        return await caught_up(self.view, self.embedder, self.library, self.contents)

    async def go_on(self, run_id: str, *, by: str) -> None:
        """Open fresh budgets for an ingest that paused, and for its parts and records that did. Nothing is driven."""
        before = await self.told(run_id)
        for run in (before.run, *before.parts, *before.records):
            if run.stopped is not None and run.stopped.resumable:
                await self.driver.retry(run.id, by=by)

    async def mark_restricted(self, told: Told, reason: str, *, by: str) -> str:
        """See that the source of an ingest is restricted, also where it was there, or begun, before.

        The source where it had to be marked now, else nothing.
        """
        source = getattr(told.run.state, "source", "")
        if not source or source.startswith("run:"):
            return ""
        mark = await self.library.mark(source)
        if mark is not None and not mark.lifted and mark.reason == reason:
            return ""
        await self.restrict(source, reason, by=by)
        return source

    async def restrict(self, source: str, reason: str, *, by: str, lifted: bool = False) -> Run:
        """Mark a source as one that may not be used, or may again, and judge it anew."""
        marking = Marking(source, by, reason, lifted)
        run_id = await self.driver.start("restrict", marking, self.context(by), labels={"asked": f"restrict {source}"})
        try:
            return await self.driver.drive(run_id)
        except Taken:  # by a command that took it for one that was interrupted
            return await self.driver.drive(run_id)

    async def begin_refresh(self, sources: Sequence[str], *, by: str) -> str:
        """A run that asks the registries how sources stand, and judges them anew. Nothing is driven yet."""
        labels = {"asked": f"refresh {len(sources)} sources"}
        return await self.driver.start("refresh", Refresh(tuple(sources), by), self.context(by), labels=labels)

    async def watch(self, saved: SavedSearch) -> Run:
        """One look of a saved search."""
        labels = {"asked": f"search {saved.name}"}
        run_id = await self.driver.start("watch", saved, self.context(saved.by), labels=labels)
        return await self.driver.drive(run_id)

    async def search(
        self, query: str, limit: int, at: Snapshot | None = None, *, words_alone: bool = False
    ) -> tuple[Found, ...]:
        """What each arm finds, and last what they find together. A view that was removed is made anew first.

        With `words_alone`, or without an embedder, the arm of meaning is left out.
        """
        if at is None:
            await self.whole_view()
        found = await arms(self.view, None if words_alone else self.embedder, query, at)
        return (*found, fused(found, limit))

    async def told(self, run_id: str) -> Told:
        """An ingest with the runs of its parts and records."""
        run = await self.driver.load(run_id)
        parts, _ = await self._children(run.id)
        records: list[Run] = []
        sent_back = 0
        for part in parts:
            of_part, refused = await self._children(part.id)
            records += of_part
            sent_back += refused
        return Told(run, parts, tuple(records), sent_back)

    async def _children(self, run_id: str) -> tuple[tuple[Run, ...], int]:
        """The children of a run, and how many quotations its gates have refused."""
        children: list[str] = []
        refused = 0
        for stored in await self.store.read(run_id):
            if isinstance(stored.entry, Moved):
                children += stored.entry.children
            elif isinstance(stored.entry, Refused):
                refused += sum(defect.kind.startswith("quote_") for defect in stored.entry.defects)
        return tuple([await self.driver.load(child) for child in children]), refused

    async def open_ingests(self) -> tuple[Head, ...]:
        """The ingests that can go on, or whose parts or records can; what was stopped for good is not among them."""
        found: dict[str, Head] = {}
        for workflow, statuses in UNFINISHED.items():
            for status in statuses:
                async for head in self.heads(workflow, status):
                    root = head.id.partition(".")[0]
                    if root not in found and (status != "stopped" or await self._is_paused(head.id)):
                        found[root] = await self.store.head(root)
        return tuple(head for head in found.values() if head.workflow == "ingest")

    async def _is_paused(self, run_id: str) -> bool:
        stopped = (await self.driver.load(run_id)).stopped
        return stopped is not None and stopped.resumable

    async def heads(
        self, workflow: str, status: Status | None = None, before: str | None = None
    ) -> AsyncIterator[Head]:
        """The runs of a workflow, newest first; of those begun before a run."""
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
