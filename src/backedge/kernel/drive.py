"""Drives runs: the only loop. It obtains proposals, appends entries, and returns where a run rests."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from backedge.kernel.budget import Limits
from backedge.kernel.decide import (
    BackOff,
    Call,
    OnTime,
    Rest,
    Write,
    decide,
    failed,
    judge,
    on_time,
    proposed,
    stage_key,
)
from backedge.kernel.defect import Defect, Failure, Transient
from backedge.kernel.journal import Context, Moved, Parent, Proposed, Refused, Started, Stopped, Stored
from backedge.kernel.ports import Beginning, Change, Clock, Conflict, Head, Store, Taken
from backedge.kernel.run import CLOCK, Pending, Run, apply, fold
from backedge.kernel.stage import Child, ChildEnd, Lesson, Reply, Stage, Unreadable
from backedge.kernel.workflow import Workflow

RUNNING_AT_ONCE = 8
OFFERS_TRIED = 100


class NotAsked(Exception):
    """An offer answers nothing that the run asks now. `asked` is the seq that it asks with, or None."""

    def __init__(self, run: Run, message: str) -> None:
        super().__init__(message)
        self.run = run
        self.asked = run.asked if run.status == "waiting" else None


class OfferRefused(Exception):
    """A gate refused an offer; the run still waits. `defects` say why."""

    def __init__(self, run: Run, defects: tuple[Defect, ...]) -> None:
        super().__init__("; ".join(d.message for d in defects))
        self.run = run
        self.defects = defects


class CannotRetry(Exception):
    """The run is not stopped in a way that an operator can resume."""


@dataclass(frozen=True)
class Bound:
    """A workflow with the ports that its stages use."""

    workflow: Workflow
    ports: Any


def _new_id() -> str:
    return secrets.token_hex(6)


class Driver:
    """The five verbs. `workflows` are the workflows that runs and their children may have, by name.

    `at_once` runs are worked on at the same time; the others wait their turn.
    """

    def __init__(
        self,
        store: Store,
        workflows: Mapping[str, Bound],
        clock: Clock,
        *,
        new_id: Callable[[], str] = _new_id,
        at_once: int = RUNNING_AT_ONCE,
    ) -> None:
        self._store = store
        self._workflows = workflows
        self._clock = clock
        self._new_id = new_id
        self._slots = asyncio.Semaphore(at_once)

    async def start(
        self,
        workflow: str,
        given: object,
        context: Context,
        *,
        limits: Limits | None = None,
        labels: Mapping[str, str] | None = None,
        run_id: str | None = None,
    ) -> str:
        """Write a new run and give its id. Nothing is driven yet. With a `run_id` that exists, raises `Taken`."""
        run_id = run_id or self._new_id()
        child = Child(workflow, given, dict(labels or {}))
        await self._store.begin(self._beginning(run_id, child, context, limits or Limits(), None))
        return run_id

    async def load(self, run_id: str) -> Run:
        """The run as its journal says."""
        head = await self._store.head(run_id)
        return fold(self._workflows[head.workflow].workflow, head.id, await self._store.read(head.id))

    async def drive(self, run_id: str, *, patience: float = float("inf")) -> Run:
        """Go on until the run rests: it waits, is over, or backs off for more than `patience` seconds.

        Children that it waits for, or that its end left behind, are driven with it. Raises `Taken` when another driver
        took the run over. A stage's own exception surfaces; nothing is written.
        """
        run_id = (await self._store.head(run_id)).id
        while True:
            async with self._slots:  # not held while children are awaited: they need one each
                run = await self._segment(run_id, patience)
            if not run.awaited or not await self._children(run, patience):
                break
        await self._tell_parent(run)
        return run

    async def offer(self, run_id: str, value: object, *, by: str, asked: int | None = None) -> Run:
        """Offer a proposal to a waiting run. `asked` is the seq that asked for it (None: the present one).

        The same answer again changes nothing. Where the run's time has come, the clock's offer goes first,
        whoever drives. Raises `OfferRefused` (a gate), `NotAsked` (late, older, another answer).
        """
        for _ in range(OFFERS_TRIED):
            try:
                run = await self.on_time(run_id)
                if run.status != "waiting" or asked not in (None, run.asked) or not _fits(run, value):
                    return self._again(run, value, asked)
                return await self._take_offer(run, value, by)
            except Taken:
                continue
        raise Taken(run_id)

    async def on_time(self, run_id: str) -> Run:
        """The run, with the clock's offer written where its time has come. Nothing is driven."""
        run = await self.load(run_id)
        due = on_time(run, self._clock.now())
        if due is None:
            return run
        return (await self._judged(run, await self._hold(run), due.proposal, CLOCK))[0]

    async def retry(self, run_id: str, *, by: str, limits: Limits | None = None) -> Run:
        """Open fresh budgets for a stopped, resumable run, so that `drive` goes on.

        An interrupted run needs none, nor a waiting one whose time has come.
        """
        run = await self.load(run_id)
        if on_time(run, self._clock.now()) is not None:
            return run
        if run.status in ("ended", "waiting") or (run.stopped and not run.stopped.resumable):
            state = (
                run.stopped.reason
                if run.stopped
                else f"it {'has ended' if run.status == 'ended' else 'waits for an answer'}"
            )
            raise CannotRetry(f"run {run.id} cannot be retried: {state}")
        if not run.stopped:
            return run
        again = Started(run.workflow.name, None, run.context, limits or run.limits, again=True, by=by)
        return await self._append(run, await self._hold(run), again)

    async def cancel(self, run_id: str, *, by: str, reason: str = "cancelled") -> Run:
        """Stop a run for good, and the children that it waits for. A run that is over stays as it is."""
        token = await self._store.take((await self._store.head(run_id)).id)
        run = await self.load(run_id)
        if _is_over(run):
            return run
        run = await self._append(run, token, Stopped(reason, "cancelled", False, by=by))
        for child in run.awaited:
            await self.cancel(child, by=by, reason=reason)
        await self._tell_parent(run)
        return run

    async def _segment(self, run_id: str, patience: float) -> Run:
        token = await self._store.take(run_id)
        run = await self.load(run_id)
        while True:
            match decide(run, self._clock.now()):
                case Rest():
                    return run
                case BackOff(until):
                    wait = (until - self._clock.now()).total_seconds()
                    if wait > patience:
                        return run
                    await self._clock.sleep(wait)
                case OnTime(proposal):
                    run, _ = await self._judged(run, token, proposal, CLOCK)
                case Write() as write:
                    run = await self._write(run, token, write)
                case Call(stage, lesson, attempt):
                    run = await self._called(run, token, stage, lesson, attempt)

    async def _called(self, run: Run, token: str, stage: Stage[Any, Any], lesson: Lesson, attempt: int) -> Run:
        """Call a stage; one whose proposal another run outran is called anew, since nothing of it was written."""
        for _ in range(OFFERS_TRIED):
            try:
                return await self._call(run, token, stage, lesson, attempt)
            except Conflict:
                if not stage.anew:
                    raise
        return await self._call(run, token, stage, lesson, attempt)

    async def _call(self, run: Run, token: str, stage: Stage[Any, Any], lesson: Lesson, attempt: int) -> Run:
        ports = self._workflows[run.workflow.name].ports
        assert stage.propose is not None
        began = self._clock.now()
        try:
            async with asyncio.timeout(_left(run)) as deadline:
                key, kept = await self._reusable(run, stage, lesson, attempt)
                reply = kept or await stage.propose(run.state, ports, lesson)
        except TimeoutError:
            if not deadline.expired():
                raise
            return await self._write(
                run, token, failed(run, Transient("the run's wall clock ran out"), *self._took(began))
            )
        except Failure as failure:
            return await self._write(run, token, failed(run, failure, *self._took(began)))
        if isinstance(reply, Proposed):
            return await self._append(run, token, reply)
        value = reply.proposal if isinstance(reply, Reply) else reply
        facts: dict[str, Any] = {"key": key, "attempt": attempt, "ms": self._took(began)[1]}
        if isinstance(reply, Reply | Unreadable):
            facts |= {"usage": reply.usage, "details": reply.details}
        entry = proposed(run, stage, value, **facts)
        if stage.outside and not stage.anew:
            return await self._append(run, token, entry)
        pending = replace(run, pending=Pending(run.seq, value, key, ""), values={**run.values, run.seq: value})
        return await self._write(run, token, judge(pending), entry)

    async def _hold(self, run: Run) -> str:
        """Take a run that is still as it was read: taking one that has moved on would only stop whoever drives it."""
        return await self._store.take(run.id, at=run.seq)

    def _took(self, began: datetime) -> tuple[datetime, int]:
        now = self._clock.now()
        return now, int((now - began).total_seconds() * 1000)

    async def _reusable(
        self, run: Run, stage: Stage[Any, Any], lesson: Lesson, attempt: int
    ) -> tuple[str, Proposed | None]:
        """The key of the call, and what was accepted for it before."""
        ports = self._workflows[run.workflow.name].ports
        if not stage.reuse or stage.moment is None:
            key = stage_key(run, stage, ports, lesson)
            return key, await self._kept(key, stage, attempt) if stage.reuse else None
        moment = await stage.moment(ports)
        key = stage_key(run, stage, ports, lesson, moment)
        return key, None if moment is None else await self._kept(key, stage, attempt)

    async def _kept(self, key: str, stage: Stage[Any, Any], attempt: int) -> Proposed | None:
        ref = await self._store.accepted(key)
        if ref is None:
            return None
        (stored,) = (await self._store.read(ref.run_id, ref.seq - 1))[:1]
        assert isinstance(stored.entry, Proposed)
        return Proposed(stage.name, stored.entry.proposal, key, attempt, reused=ref, details=stored.entry.details)

    def _again(self, run: Run, value: object, asked: int | None) -> Run:
        codec = run.workflow.codec
        said = [answer for seq, (_, answer) in run.answered.items() if asked is None or seq == asked]
        if said and said[-1] == codec.write(value):
            return run
        if run.status == "waiting":
            other = f", not {asked}" if asked not in (None, run.asked) else f": {type(run.state).__name__}"
            raise NotAsked(run, f"run {run.id} now asks at {run.asked}{other}")
        over = f"stopped: {run.stopped.reason}" if run.stopped else f"is {run.status} in {type(run.state).__name__}"
        raise NotAsked(run, f"run {run.id} asks nothing now: it {over}")

    async def _take_offer(self, run: Run, value: object, by: str) -> Run:
        after, defects = await self._judged(run, await self._hold(run), value, by)
        if defects:
            raise OfferRefused(after, defects)
        return after

    async def _judged(self, run: Run, token: str, value: object, by: str) -> tuple[Run, tuple[Defect, ...]]:
        """Write an offer with its verdict: the run after it, and the defects that refuse it."""
        stage = run.workflow.stage_of(run.state)
        assert stage is not None
        entry = proposed(run, stage, value, by=by, asked=run.asked)
        held = replace(run, pending=Pending(run.seq, value, "", by), values={**run.values, run.seq: value})
        verdict = judge(held)
        first = verdict.entries[0]
        after = await self._write(run, token, verdict, entry)
        return after, first.defects if isinstance(first, Refused) else ()

    async def _children(self, run: Run, patience: float) -> bool:
        """Drive what the run waits for, or left; whether anything of it was offered."""
        waiting = [child for child in run.awaited if child not in run.heard]
        if run.status == "ended":
            waiting = [child for child in waiting if (await self._store.head(child)).status in ("running", "waiting")]
        driven = (self.drive(child, patience=patience) for child in waiting)
        results = await asyncio.gather(*driven, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, Taken):
                raise result
        return (await self.load(run.id)).seq != run.seq

    async def _tell_parent(self, run: Run) -> None:
        if run.parent is None or not _is_over(run):
            return
        if (await self._store.head(run.parent.run_id)).status != "waiting":  # its journal may be long
            return
        ended = run.workflow.outcome(run.state) if run.status == "ended" else None
        reason = run.stopped.reason if run.stopped else ""
        end = ChildEnd(run.id, run.workflow.name, run.parent.index, run.parent.of, ended, reason)
        for _ in range(OFFERS_TRIED):
            parent = await self.load(run.parent.run_id)
            if parent.status != "waiting" or run.id not in parent.awaited or run.id in parent.heard:
                return
            try:
                await self._take_offer(parent, end, f"run:{run.id}")
            except Taken:
                continue
            return
        raise Taken(run.parent.run_id)

    async def _append(self, run: Run, token: str, *entries: Started | Proposed | Stopped) -> Run:
        return await self._write(run, token, Write(()), *entries)

    async def _write(self, run: Run, token: str, write: Write, *first: Started | Proposed | Stopped) -> Run:
        now, after, seq = self._clock.now(), run, run.seq
        stored: list[Stored] = []
        children: list[Beginning] = []
        for entry in (*first, *write.entries):
            if isinstance(entry, Moved):
                children = self._begin_children(run, seq + len(stored), write.children)
                until = now + write.wake if write.wake is not None else None
                entry = replace(entry, children=tuple(child.head.id for child in children), until=until)
            stored.append(Stored(seq + len(stored), now, entry))
            after = apply(after, stored[-1])
        head = _head(after, now)
        change = Change(run.id, seq, tuple(stored), head, token, write.records, tuple(children), write.accepted)
        await self._store.append(change)
        return after

    def _begin_children(self, run: Run, seq: int, children: tuple[Child, ...]) -> list[Beginning]:
        return [
            self._beginning(
                f"{run.id}.{seq}.{i}",
                _named(child, run),
                run.context,
                run.limits,
                Parent(run.id, seq, i, len(children)),
            )
            for i, child in enumerate(children)
        ]

    def _beginning(
        self, run_id: str, child: Child, context: Context, limits: Limits, parent: Parent | None
    ) -> Beginning:
        workflow = self._workflows[child.workflow].workflow
        written: JsonValue = workflow.codec.write(workflow.begin(child.input, context))
        now = self._clock.now()
        started = Started(workflow.name, written, context, limits, parent, child.labels, by=context.by)
        stored = Stored(0, now, started)
        return Beginning(_head(fold(workflow, run_id, [stored]), now), stored)


def _named(child: Child, run: Run) -> Child:
    """A child of the run's own workflow has its labels too, under those of its own."""
    return (
        child if child.workflow else replace(child, workflow=run.workflow.name, labels={**run.labels, **child.labels})
    )


def _is_over(run: Run) -> bool:
    return run.status == "ended" or (run.stopped is not None and not run.stopped.resumable)


def _fits(run: Run, value: object) -> bool:
    stage = run.workflow.stage_of(run.state)
    return stage is not None and isinstance(value, stage.proposal)


def _left(run: Run) -> float | None:
    if run.limits.wall_clock is None:
        return None
    return max(0.0, run.limits.wall_clock - run.total.ms / 1000)


def _head(run: Run, now: datetime) -> Head:
    state = type(run.state).__name__
    return Head(
        run.id, run.workflow.name, state, run.status, run.seq, now, now, run.until, run.parent, dict(run.labels)
    )
