"""A store in memory and a clock that only moves when told, for tests of the kernel's rules."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from backedge.kernel.journal import Ref, Stored, entry_from_json, entry_to_json
from backedge.kernel.ports import Beginning, Change, Conflict, Head, Taken, UnknownRun
from backedge.kernel.run import Status
from backedge.kernel.stage import Record


class Crash(BaseException):
    """The process died."""


class MemoryStore:
    """Keeps journals as JSON text, so that what is read back went through the codec. `crash_at` dies at that append."""

    def __init__(self) -> None:
        self.rows: dict[str, Head] = {}
        self.tokens: dict[str, str] = {}
        self.journals: dict[str, list[tuple[int, datetime, str]]] = {}
        self.kept: dict[str, Ref] = {}
        self.written: dict[tuple[str, str], Record] = {}
        self.appends = 0
        self.crash_at: int | None = None
        self.crash_after = False

    async def begin(self, new: Beginning) -> None:
        if new.head.id in self.rows:
            raise Taken(new.head.id)
        self._put(new)

    def _put(self, new: Beginning) -> None:
        self.rows[new.head.id] = new.head
        self.journals[new.head.id] = [self._text(new.started)]

    def _text(self, stored: Stored) -> tuple[int, datetime, str]:
        return stored.seq, stored.at, entry_to_json(stored.entry)

    async def take(self, run_id: str, at: int | None = None) -> str:
        if at not in (None, (await self.head(run_id)).seq):
            raise Taken(run_id)
        self.tokens[run_id] = secrets.token_hex(4)
        return self.tokens[run_id]

    async def append(self, change: Change) -> None:
        self.appends += 1
        dies = self.crash_at == self.appends
        if dies and not self.crash_after:
            raise Crash
        if self.tokens.get(change.run_id) != change.token or len(self.journals[change.run_id]) != change.seq:
            raise Taken(change.run_id)
        for record in change.records:
            if self.written.get((record.kind, record.key), record) != record:
                raise Conflict(f"the {record.kind} {record.key} was already written, with another body")
        for record in change.records:
            assert self.written.setdefault((record.kind, record.key), record) == record
        self.journals[change.run_id] += [self._text(stored) for stored in change.entries]
        for child in change.children:
            assert child.head.id not in self.rows, "a child was started twice"
            self._put(child)
        if change.accepted:
            self.kept.setdefault(change.accepted[0], Ref(change.run_id, change.accepted[1]))
        self.rows[change.run_id] = replace(change.head, created=self.rows[change.run_id].created)
        if dies:
            raise Crash

    async def read(self, run_id: str, after: int = -1) -> tuple[Stored, ...]:
        return tuple(Stored(s, at, entry_from_json(text)) for s, at, text in self.journals[run_id] if s > after)

    async def head(self, run_id: str) -> Head:
        if run_id not in self.rows:
            raise UnknownRun(run_id)
        return self.rows[run_id]

    async def heads(
        self, *, status: Status | None = None, workflow: str | None = None, limit: int = 50, before: str | None = None
    ) -> tuple[Head, ...]:
        return tuple(self.rows.values())[:limit]

    async def accepted(self, key: str) -> Ref | None:
        return self.kept.get(key)

    async def records(self, kind: str, run_id: str | None = None, under: str = "") -> tuple[Record, ...]:
        found = (record for (k, key), record in self.written.items() if k == kind and key.startswith(under))
        return tuple(sorted(found, key=lambda record: record.key))

    async def close(self) -> None:
        return


class StillClock:
    """Time that moves only by `sleep` and `pass_`."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 30, 12, tzinfo=UTC)
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self.time

    def pass_(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.pass_(seconds)
