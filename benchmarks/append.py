"""What an append costs against a raw SQLite commit of the same bytes: inline, and with 20 runs in flight."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from datetime import UTC, date, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from backedge.adapters.stores.sqlite import SqliteStore, open_sqlite
from backedge.kernel.budget import Limits
from backedge.kernel.journal import Context, Proposed, Started, Stored, entry_to_json
from backedge.kernel.ports import Beginning, Change, Head

IN_FLIGHT = 20
ROUNDS = 40
NOW = datetime.now(UTC)
ENTRY = Proposed("Drafting", {"$": "Draft", "text": "x" * 2000}, key="k" * 64)
BODY = entry_to_json(ENTRY)
GOAL = 2.0


class Raw:
    """One row a commit, in WAL mode, flushed: as fast as SQLite itself keeps these bytes."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("CREATE TABLE entry (run_id TEXT, seq INTEGER, kind TEXT, body TEXT, at TEXT)")
        self._seqs = count()

    def commit(self, rows: int) -> None:
        """Write that many rows in one transaction."""
        self._connection.execute("BEGIN IMMEDIATE")
        for _ in range(rows):
            values = ("a1b2c3d4e5f6", next(self._seqs), "proposed", BODY, "2026-11-30T12:00:00.000000+00:00")
            self._connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", values)
        self._connection.execute("COMMIT")


class Ours:
    """As many runs as are in flight, each appended to in turn."""

    def __init__(self, path: Path, *, grouped: bool) -> None:
        self._store: SqliteStore = open_sqlite(path, grouped=grouped)
        self._seqs: dict[str, Iterator[int]] = {}
        self._tokens: dict[str, str] = {}

    async def begin(self, runs: int) -> None:
        """Begin and take the runs."""
        for n in range(runs):
            run_id = f"run-{n}"
            head = Head(run_id, "letters", "Drafting", "running", 1, NOW, NOW)
            started = Started("letters", {"$": "Drafting"}, Context(date.today()), Limits())
            await self._store.begin(Beginning(head, Stored(0, NOW, started)))
            self._tokens[run_id] = await self._store.take(run_id)
            self._seqs[run_id] = count(1)

    def appends(self) -> list[Coroutine[Any, Any, None]]:
        """The next append of every run."""
        return [self._store.append(self._next(run_id)) for run_id in self._tokens]

    def _next(self, run_id: str) -> Change:
        seq = next(self._seqs[run_id])
        head = Head(run_id, "letters", "Drafting", "running", seq + 1, NOW, NOW)
        return Change(run_id, seq, (Stored(seq, NOW, ENTRY),), head, self._tokens[run_id])


def seconds(work: Callable[[], object]) -> float:
    """How long some work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


async def seconds_of(*work: Coroutine[Any, Any, None]) -> float:
    """How long some work takes that is done at once."""
    began = time.perf_counter()
    await asyncio.gather(*work)
    return time.perf_counter() - began


async def inline(folder: Path) -> float:
    """The median ratio of one append to one raw commit."""
    raw, ours = Raw(folder / "raw-inline.db"), Ours(folder / "inline.db", grouped=False)
    await ours.begin(IN_FLIGHT)
    ratios = []
    for _ in range(ROUNDS):
        pairs = []
        for append in ours.appends():
            began = time.perf_counter()
            await append
            pairs.append((time.perf_counter() - began, seconds(partial(raw.commit, 1))))
        ratios.append(sum(our for our, _ in pairs) / sum(theirs for _, theirs in pairs))
    return statistics.median(ratios)


async def grouped(folder: Path) -> tuple[float, float]:
    """The median ratios of 20 appends at once to 20 raw commits, and to one raw commit of the 20 rows."""
    raw, ours = Raw(folder / "raw-grouped.db"), Ours(folder / "grouped.db", grouped=True)
    await ours.begin(IN_FLIGHT)
    apart, together = [], []
    for _ in range(ROUNDS):
        our = await seconds_of(*ours.appends())
        apart.append(our / sum(seconds(partial(raw.commit, 1)) for _ in range(IN_FLIGHT)))
        together.append(our / seconds(partial(raw.commit, IN_FLIGHT)))
    return statistics.median(apart), statistics.median(together)


def main() -> None:
    """Print the ratios; the exit code is 1 where the goal is missed."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        alone = asyncio.run(inline(Path(folder)))
        apart, together = asyncio.run(grouped(Path(folder)))
    print(f"inline: one append / one raw commit                  {alone:5.2f}  (goal ≤ {GOAL:g})")
    print(f"20 in flight: 20 appends / 20 raw commits            {apart:5.2f}  (goal ≤ {GOAL:g})")
    print(f"20 in flight: 20 appends / one raw commit of 20 rows {together:5.2f}")
    sys.exit(max(alone, apart) > GOAL)


if __name__ == "__main__":
    main()
