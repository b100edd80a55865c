"""Sources of every end, stores that die at an append, and what an ingest of many sources left, for comparing."""

from __future__ import annotations

import asyncio
import gc
import os
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from threading import Thread
from typing import Any

from backedge.evidence import kinds
from backedge.evidence.kinds import Kind
from backedge.evidence.ports import Extraction, Shown, Verdict
from backedge.evidence.records import Proposal
from backedge.evidence.sources import Delivery, Signal
from backedge.kernel.defect import Permanent, Transient
from backedge.kernel.ports import Change, Store
from backedge.kernel.stage import Lesson
from tests.evidence.outside import NAUSEA, PAIN, Agent, Judge, article, delivery, doi, quoting, verdict
from tests.evidence.shelf import Shelf
from tests.kernel.memory import Crash, MemoryStore

MARKED = (  # these hold who brought the content first, or what stood in other sources at that time
    *(kind.name for kind in (kinds.VERSION, kinds.VERSION_OF, kinds.SOURCE)),
    kinds.GIVEN_UP.name,
)
ALL = [value for value in vars(kinds).values() if isinstance(value, Kind)]


class Dying(MemoryStore):
    """A store whose process is dead from the crash on, for all that it was doing, until it is `born` again."""

    dead = False

    async def append(self, change: Change) -> None:
        if self.dead:
            raise Crash
        try:
            await super().append(change)
        except Crash:
            self.dead = True
            raise

    def born(self) -> None:
        """Another process begins with what is stored."""
        self.dead, self.crash_at = False, None


def source(number: int) -> list[Delivery | Exception]:
    """What the adapter brings for a source: one in ten a duplicate, unreadable, retracted, failing, hard to extract."""
    text = article(f"Study {number}", f"{PAIN} That was study {number}.\n{NAUSEA}")
    known: dict[str, Any] = {"identifiers": doi(f"n{number}"), "title": f"Study {number}"}
    match number % 10:
        case 1:
            return source(number - 1)
        case 2:
            return [delivery(b"<article><front>%d</article>" % number, "a.xml", "application/xml")]
        case 3:
            return [delivery(text, signals=(Signal("retracted", "registry"),), **known)]
        case 4:
            return [Permanent("gone")]
        case 5:
            return [Transient("lost"), delivery(text, **known)]
        case 6:
            return [delivery(text.replace(b"Others have", b"Nobody has"), **known)]
    return [delivery(text, **known)]


def extracted(sections: Sequence[Shown], lesson: Lesson) -> Extraction:
    """Two findings; where the introduction says so, one of them is false for ever."""
    false = any("Nobody has" in section.text for section in sections)
    quoted = "It was worse." if false else PAIN
    second = quoting(sections, quoted, statement="Pain was lower in rats with ketorolac.", effect="")
    return Extraction((quoting(sections, NAUSEA), second))


def judged(proposal: Proposal) -> Verdict:
    """Pain is contradicted, the rest entailed."""
    return verdict("contradicted" if proposal.statement.startswith("Pain") else "entailed")


def shelf_of(count: int, **given: Any) -> tuple[Shelf, list[str]]:
    """A shelf with the runs of so many sources begun."""
    shelf = Shelf(agent=Agent([extracted]), judge=Judge([judged]), **given)
    for number in range(count):
        shelf.brings(f"n{number}", *source(number))
    return shelf, [shelf.begin(f"n{number}") for number in range(count)]


def left(shelf: Shelf) -> dict[str, Any]:
    """All that an ingest left, without who of two that brought the same was first."""
    return asyncio.run(_left(shelf))


async def _left(shelf: Shelf) -> dict[str, Any]:
    store: Store = shelf.store
    stored: list[tuple[str, str, str]] = []
    for kind in ALL:
        for record in await store.records(kind.name):
            first = kind.name in MARKED
            stored.append(
                (kind.name, record.key.split("-")[0] if first else record.key, "" if first else str(record.body))
            )
    heads = await store.heads(limit=100_000)
    found = await shelf.view.lexical("nausea ketorolac pain others nobody sixty study", 100_000)
    return {
        "records": sorted(stored),
        "runs": Counter((head.workflow, head.state, head.status) for head in heads),
        "chunks": Counter(hit.chunk for hit in found.hits),
        "revision": (await shelf.view.snapshot()).revision,
    }


class Forking(MemoryStore):
    """A store that at each append forks a process which dies there; `go_on` is what another one does then.

    The child's coroutines are never resumed, as those of a killed process are not. `died` has the number of each append
    with what `go_on` said, at most `at_once` of them running.
    """

    def __init__(self, go_on: Callable[[], bool], *, after: bool, at_once: int = 2) -> None:
        super().__init__()
        self._go_on, self._after, self._at_once = go_on, after, at_once
        self._children: dict[int, int] = {}
        self._numbers = count(1)
        self._is_child = False
        self.died: dict[int, bool] = {}

    async def append(self, change: Change) -> None:
        """Write it; before or after that, see what a death there comes to."""
        if self._is_child:
            await super().append(change)
            return
        if not self._after:
            self._fork()
        await super().append(change)
        if self._after:
            self._fork()

    def _fork(self) -> None:
        number = next(self._numbers)
        if len(self._children) == self._at_once:
            self.wait(1)
        gc.freeze()  # a collection in the child would copy all that it shares
        child = os.fork()
        if child:
            self._children[child] = number
            return
        self._is_child = True
        told: list[bool] = []
        going_on = Thread(target=lambda: told.append(self._go_on()))  # this thread has the loop of who died
        going_on.start()
        going_on.join()
        os._exit(0 if told == [True] else 1)

    def wait(self, least: int | None = None) -> None:
        """Hear so many of those that run, the oldest first, by default all."""
        for child in list(self._children)[:least]:
            self.died[self._children.pop(child)] = os.waitpid(child, 0)[1] == 0
