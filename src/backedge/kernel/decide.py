"""The rules of a run, pure: what to do next, what an attempt's outcome is, and what the entries for it are."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import JsonValue

from backedge.kernel.budget import back_off, over
from backedge.kernel.codec import fields_of
from backedge.kernel.defect import Defect, Failure, Permanent, RateLimited, Transient
from backedge.kernel.journal import Moved, Proposed, Refused, Stopped
from backedge.kernel.run import Run, signature
from backedge.kernel.stage import Child, Lesson, Record, Refusal, Settled, Stage, Unreadable


class EdgeError(Exception):
    """A bug in a stage: it settled into a state that its row does not list."""


@dataclass(frozen=True)
class Rest:
    """Nothing to do: the run waits or is over."""


@dataclass(frozen=True)
class Call:
    """Ask the stage for a proposal."""

    stage: Stage[Any, Any]
    lesson: Lesson
    attempt: int


@dataclass(frozen=True)
class BackOff:
    """Do nothing until then."""

    until: datetime


@dataclass(frozen=True)
class OnTime:
    """The time of a waiting run has come: the clock offers this."""

    proposal: object


@dataclass(frozen=True)
class Write:
    """Entries to append, with what goes into the same transaction. `wake` is how long the next state waits."""

    entries: tuple[Refused | Moved | Stopped, ...]
    records: tuple[Record, ...] = ()
    children: tuple[Child, ...] = ()
    accepted: tuple[str, int] | None = None
    wake: timedelta | None = None


Action = Rest | Call | BackOff | OnTime | Write


def decide(run: Run, now: datetime) -> Action:
    """What a driver does next with a run."""
    stage = run.workflow.stage_of(run.state)
    if run.stopped or stage is None:
        return Rest()
    if run.pending is not None:
        return judge(run)
    if stage.waits:
        return on_time(run, now) or Rest()
    if reached := over(run.limits, run.total):
        mend = f"raise the limit, or `retry` the run to go on with fresh budgets ({reached})"
        return Write((Stopped(f"the run's budget is spent ({reached})", "budget", True, mend),))
    if run.sent_back and run.spent_of(stage.name).refused > stage.budget.max_retries:
        return _give_up(run, stage, run.learned[stage.name].defects, "", None)
    if run.until is not None and now < run.until:
        return BackOff(run.until)
    spent = run.spent_of(stage.name)
    return Call(stage, run.lesson(), spent.refused + spent.transient + spent.rate_limited + 1)


def on_time(run: Run, now: datetime) -> OnTime | None:
    """What the clock offers to a waiting run, where its time has come; None otherwise."""
    stage = run.workflow.stage_of(run.state)
    if run.status != "waiting" or run.until is None or now < run.until or stage is None or stage.on_time is None:
        return None
    proposal = stage.on_time(run.state)
    return None if proposal is None else OnTime(proposal)


def judge(run: Run) -> Write:
    """The verdict on the kept proposal: the move it makes, or its refusal and what follows from that."""
    pending, stage = run.pending, run.workflow.stage_of(run.state)
    assert pending is not None
    assert stage is not None
    if isinstance(pending.value, Unreadable):
        defects: tuple[Defect, ...] = (pending.value.defect,)
    else:
        defects = tuple(d for gate in stage.gates if (d := gate(run.state, pending.value)) is not None)
    if not defects:
        return _settle(run, stage, pending.value, pending.seq)
    attempt = run.spent_of(stage.name).refused + 1
    refused = Refused(stage.name, "defects", attempt, pending.seq, defects, key=pending.key)
    if stage.waits:
        return Write((refused,))
    same = not stage.varies and (pending.key, signature(defects)) in run.refused
    if attempt <= stage.budget.max_retries and not same and all(d.retryable for d in defects):
        return Write((refused,))
    gone = _give_up(run, stage, defects, pending.key, pending.value)
    return Write((refused, *gone.entries))


def _settle(run: Run, stage: Stage[Any, Any], proposal: object, seq: int) -> Write:
    settled: Settled[Any] = stage.settle(run.state, proposal)
    _check_edge(run, stage, settled.state)
    known = run.known
    state = run.workflow.codec.write(settled.state, known)
    moved = Moved(state, seq, settled.because, fresh=settled.fresh)
    target = run.workflow.stage_of(settled.state)
    if settled.wake is not None and (target is None or target.on_time is None):
        raise EdgeError(f"{stage.name} sets a time for {type(settled.state).__name__}, whose stage has no on_time")
    if settled.fresh and not stage.waits:
        raise EdgeError(f"{stage.name} opens a fresh budget, but nobody offers it anything: it could go on for ever")
    accepted = (run.pending.key, seq) if stage.reuse and run.pending and run.pending.key else None
    return Write((moved,), settled.records, settled.children, accepted, settled.wake)


def _check_edge(run: Run, stage: Stage[Any, Any], state: object) -> None:
    if type(state) not in run.workflow.edges[stage.state]:
        row = ", ".join(s.__name__ for s in run.workflow.edges[stage.state])
        raise EdgeError(f"{stage.name} settled into {type(state).__name__}; its row lists {row}")


def _give_up(run: Run, stage: Stage[Any, Any], defects: tuple[Defect, ...], key: str, proposal: object) -> Write:
    said = "; ".join(d.message for d in defects)
    if stage.otherwise is None:
        reason = f"{stage.name} was refused {run.spent_of(stage.name).refused + 1} times: {said}"
        return Write((Stopped(reason, "refused", True, "mend the cause, then `retry` the run"),))
    repeated = (key, signature(defects)) in run.given_up
    refusal = Refusal(defects, run.spent_of(stage.name).refused + 1, proposal, repeated)
    state = stage.otherwise(came_from=run.state, refusal=refusal)
    _check_edge(run, stage, state)
    written = run.workflow.codec.write(state, run.known)
    seq = run.pending.seq if run.pending else None
    return Write((Moved(written, seq, defects, otherwise=True, key=key),))


def failed(run: Run, failure: Failure, now: datetime, ms: int) -> Write:
    """What a call that raised one of the three failures comes to: a back-off within its own budget, or a stop."""
    stage = run.workflow.stage_of(run.state)
    assert stage is not None
    spent = run.spent_of(stage.name)
    facts: dict[str, Any] = {"message": failure.message, "ms": ms, "usage": failure.usage, "details": failure.details}
    if isinstance(failure, Permanent):
        refused = Refused(stage.name, "permanent", 1, **facts)
        stop = Stopped(failure.message, "permanent", bool(failure.mend), failure.mend)
        return Write((refused, stop))
    limited = isinstance(failure, RateLimited)
    kind: Literal["rate_limited", "transient"] = "rate_limited" if limited else "transient"
    count, budget = (
        (spent.rate_limited + 1, stage.budget.rate_limited)
        if limited
        else (spent.transient + 1, stage.budget.transient)
    )
    wait = back_off(count, failure.retry_after if isinstance(failure, RateLimited | Transient) else None)
    refused = Refused(stage.name, kind, count, **facts)
    if count > budget:
        reason = f"{stage.name} failed {count} times: {failure.message}"
        return Write((refused, Stopped(reason, kind, True, "`retry` the run when the cause is gone")))
    waited = replace(refused, until=now + wait, ms=ms + int(wait.total_seconds() * 1000))
    return Write((waited,))


def stage_key(run: Run, stage: Stage[Any, Any], ports: object, lesson: Lesson, moment: JsonValue = None) -> str:
    """The hash of all that a proposal depends on: stage, version, settings, declared inputs, who may see what, and,
    where replies are reused, the lesson."""
    codec = run.workflow.codec
    if stage.inputs is not None:
        inputs: JsonValue = codec.write(stage.inputs(run.state))
    else:
        inputs = {n: codec.write(getattr(run.state, n)) for n in fields_of(stage.state) if n != "came_from"}
    told: dict[str, JsonValue] | None = None
    if stage.reuse:
        told = {"defects": [asdict(d) for d in lesson.defects], "previous": codec.write(lesson.previous)}
        told |= {} if moment is None else {"moment": moment}
    parts = {
        "workflow": run.workflow.name,
        "stage": stage.name,
        "version": stage.version,
        "settings": stage.settings(ports),
        "inputs": inputs,
        "lesson": told,
        "attributes": run.context.attributes,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def proposed(run: Run, stage: Stage[Any, Any], value: object, **facts: Any) -> Proposed:
    """The entry that keeps a proposal. Raises `CodecError` where the stage did not declare its type."""
    return Proposed(stage.name, run.workflow.codec.write(value), **facts)
