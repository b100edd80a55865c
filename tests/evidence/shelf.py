"""A shelf: the evidence workflows with an outside that tests script, all of it in memory and in this process."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from backedge.evidence.decisions import Decision
from backedge.evidence.extract.ports import ExtractPorts
from backedge.evidence.extract.workflow import EXTRACT
from backedge.evidence.facts import Policy
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.workflow import INGEST
from backedge.evidence.kinds import Kind
from backedge.evidence.library import Library
from backedge.evidence.ports import StatusSource
from backedge.evidence.refresh.ports import RefreshPorts
from backedge.evidence.refresh.states import Marking, Refresh
from backedge.evidence.refresh.workflow import REFRESH, RESTRICT
from backedge.evidence.saved_searches import SavedSearch
from backedge.evidence.sources import Delivery, Wanted
from backedge.evidence.verify.ports import VerifyPorts
from backedge.evidence.verify.states import Reopened
from backedge.evidence.verify.workflow import VERIFY
from backedge.evidence.watch.ports import WatchPorts
from backedge.evidence.watch.workflow import WATCH
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context, Stored
from backedge.kernel.ports import Store
from backedge.kernel.run import Run
from tests.evidence.outside import Agent, Counts, Judge, Lab, Reads, Shelved, View, delivery
from tests.kernel.memory import MemoryStore, StillClock

T = TypeVar("T")
TODAY = Context(date(2026, 12, 1), by="ann")


@dataclass
class Shelf:
    """One project: its store, and an outside that can be changed between two calls."""

    store: Any = field(default_factory=MemoryStore)
    contents: Any = field(default_factory=Shelved)
    view: Any = field(default_factory=View)
    lab: Lab = field(default_factory=Lab)
    embedder: Any = field(default_factory=Counts)
    agent: Any = field(default_factory=Agent)
    judge: Any = field(default_factory=Judge)
    registries: tuple[StatusSource, ...] = ()
    policy: Policy = field(default_factory=Policy)
    clock: StillClock = field(default_factory=StillClock)
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    @property
    def library(self) -> Library:
        """What is stored, with its types."""
        return Library(self.store)

    @property
    def driver(self) -> Driver:
        """A driver as another process would have it."""
        library, contents, view = self.library, self.contents, self.view
        store: Store = self.store
        refresh = RefreshPorts(library, self.registries, self.policy)
        ingest = IngestPorts(
            library, contents, {"lab": self.lab}, Reads(), view, self.embedder, self.agent, self.policy
        )
        bounds = {
            "ingest": Bound(INGEST, ingest),
            "extract": Bound(EXTRACT, ExtractPorts(library, contents, view, self.agent)),
            "verify": Bound(VERIFY, VerifyPorts(library, contents, view, self.agent, self.judge)),
            "refresh": Bound(REFRESH, refresh),
            "restrict": Bound(RESTRICT, refresh),
            "watch": Bound(WATCH, WatchPorts(library, view, self.embedder, {"lab": self.lab})),
        }
        return Driver(store, bounds, self.clock)

    def brings(self, identifier: str, *script: Delivery | Exception) -> str:
        """From now on the adapter answers so for an identifier; gives that."""
        self.lab.brings[identifier] = list(script) or [delivery()]
        self.lab.asked[identifier] = 0
        return identifier

    def begin(self, identifier: str, *, restricted: str = "", adapter: str = "lab") -> str:
        """Start an ingest and give the id of its run; nothing is driven."""
        run_id = f"run{next(self.numbers)}"
        wanted = Wanted(adapter, identifier, run_id, "ann", restricted)
        return go(self.driver.start("ingest", wanted, TODAY, run_id=run_id))

    def ingest(self, identifier: str, *script: Delivery | Exception, restricted: str = "") -> Run:
        """Ingest a source, with its parts and records; `script` is what the adapter brings."""
        if script or identifier not in self.lab.brings:
            self.brings(identifier, *script)
        return self.drive(self.begin(identifier, restricted=restricted))

    def drive(self, *run_ids: str) -> Run:
        """Drive runs at once; the first one as it is then."""

        async def all_of_them() -> list[Run]:
            driver = self.driver
            done = await asyncio.gather(*(driver.drive(run_id) for run_id in run_ids), return_exceptions=True)
            for each in done:
                if isinstance(each, BaseException):
                    raise each
            return [each for each in done if isinstance(each, Run)]

        return go(all_of_them())[0]

    def retry(self, run_id: str) -> Run:
        """Go on with a run that paused, as an operator does."""

        async def again() -> None:
            await self.driver.retry(run_id, by="ann")

        go(again())
        return self.drive(run_id)

    def load(self, run_id: str) -> Run:
        """A run as its journal says."""
        return go(self.driver.load(run_id))

    def children(self, run_id: str) -> list[Run]:
        """The runs that a run started."""
        heads = [h for h in self.store.rows.values() if h.parent is not None and h.parent.run_id == run_id]
        return [self.load(head.id) for head in heads]

    def parts(self, run: Run) -> list[Run]:
        """The extract runs of an ingest."""
        return self.children(run.id)

    def records(self, run: Run) -> list[Run]:
        """The verify runs of an ingest."""
        return [record for part in self.parts(run) for record in self.children(part.id)]

    def record(self, run: Run) -> Run:
        """The one verify run of an ingest."""
        (found,) = self.records(run)
        return found

    def offer(self, run_id: str, decision: Decision) -> Run:
        """Offer a reviewer's decision."""
        return go(self.driver.offer(run_id, decision, by=decision.by))

    def reopen(self, opened: Reopened) -> Run:
        """A run that waits with a record that was decided before."""
        return self.drive(go(self.driver.start("verify", opened, TODAY)))

    def refresh(self, *sources: str) -> Run:
        """Ask the registries after sources."""
        return self.drive(go(self.driver.start("refresh", Refresh(sources, "ann"), TODAY)))

    def restrict(self, source: str, reason: str, *, lifted: bool = False) -> Run:
        """Mark a source."""
        return self.drive(go(self.driver.start("restrict", Marking(source, "ann", reason, lifted), TODAY)))

    def look(self, saved: SavedSearch) -> Run:
        """One look of a saved search."""
        return self.drive(go(self.driver.start("watch", saved, TODAY)))

    def all(self, kind: Kind[T], under: str = "") -> tuple[T, ...]:
        """The stored records of a kind."""
        return go(self.library.all(kind, under))

    def counts(self) -> Counter[str]:
        """How many records of each kind there are."""
        return Counter(kind for kind, _ in self.store.written)

    def journal(self, run_id: str) -> tuple[Stored, ...]:
        """The entries of a run."""
        return go(self.store.read(run_id))

    def verified(self, run: Run) -> int:
        """How many records of an ingested version may be used now."""
        return len(go(self.library.verified(run.state.version)))


def go(call: Coroutine[Any, Any, T]) -> T:
    """Run to the end."""
    return asyncio.run(call)
