"""What the driver needs of the outside: a store of journals, and a clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from backedge.kernel.defect import Permanent
from backedge.kernel.journal import Parent, Ref, Stored
from backedge.kernel.run import Status
from backedge.kernel.stage import Record


class Taken(Exception):
    """Somebody else appended to the run, or took it over, since it was read: nothing was written."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"run {run_id} was taken over by another process; see `backedge runs show {run_id}`")
        self.run_id = run_id


class Conflict(Permanent):
    """Another run wrote a record of that kind and key before, with another body: nothing was written.

    What was read before is not what is stored now: who reads again may propose something else.
    """


class UnknownRun(Exception):
    """There is no such run in the store. `near` are ids that begin alike."""

    def __init__(self, run_id: str, near: tuple[str, ...] = ()) -> None:
        hint = f" (did you mean {', '.join(near)}?)" if near else "; `backedge runs list` lists them"
        super().__init__(f"there is no run {run_id}{hint}")
        self.run_id = run_id
        self.near = near


@dataclass(frozen=True)
class Head:
    """What a list of runs shows of one: the fold's last state, in one row.

    `wake_at` is when a back-off or a waiting ends (UTC).
    """

    id: str
    workflow: str
    state: str
    status: Status
    seq: int
    created: datetime
    updated: datetime
    wake_at: datetime | None = None
    parent: Parent | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """One append, written whole or not at all: entries from `seq` on, the head they give, and what goes with them.

    `token` is the holder's. `accepted` is the key whose reply was accepted, with its seq.
    """

    run_id: str
    seq: int
    entries: tuple[Stored, ...]
    head: Head
    token: str
    records: tuple[Record, ...] = ()
    children: tuple[Beginning, ...] = ()
    accepted: tuple[str, int] | None = None


@dataclass(frozen=True)
class Beginning:
    """A new run: its head and its first entry."""

    head: Head
    started: Stored


Watch = Callable[[str, Stored], None]
"""Is told of a run's id and an entry, after the entry is written."""


class Store(Protocol):
    """Keeps journals. Every method may raise `Transient` or `Permanent`; `UnknownRun` where a run is named."""

    async def begin(self, new: Beginning) -> None:
        """Write a new run. Raises `Taken` where its id exists."""
        ...

    async def take(self, run_id: str, at: int | None = None) -> str:
        """Become the run's holder: a new token, which fences whoever held it before.

        With `at`, only while that is the place of the run's next entry; otherwise raises `Taken`, and changes nothing.
        """
        ...

    async def append(self, change: Change) -> None:
        """Write a change in one transaction. Raises `Taken` where seq or token no longer match.

        Raises `Conflict` where one of its records is stored with another body.
        """
        ...

    async def read(self, run_id: str, after: int = -1) -> tuple[Stored, ...]:
        """The run's entries behind `after`, in order."""
        ...

    async def head(self, run_id: str) -> Head:
        """The run's row. A unique beginning of an id is enough."""
        ...

    async def heads(
        self, *, status: Status | None = None, workflow: str | None = None, limit: int = 50, before: str | None = None
    ) -> tuple[Head, ...]:
        """Runs, newest first, those after `before` in that order."""
        ...

    async def accepted(self, key: str) -> Ref | None:
        """The entry whose reply was accepted for this key, or None."""
        ...

    async def records(self, kind: str, run_id: str | None = None, under: str = "") -> tuple[Record, ...]:
        """Domain records of a kind, in the order of their keys; with `under` those whose keys begin with it."""
        ...

    async def close(self) -> None:
        """Release files and connections."""
        ...


class Clock(Protocol):
    """Time, so that tests can own it."""

    def now(self) -> datetime:
        """The present moment, UTC, aware."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...
