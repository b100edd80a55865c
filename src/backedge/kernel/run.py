"""A run: the fold of its journal, from which everything that is known of it follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from pydantic import JsonValue

from backedge.kernel.budget import Limits, Spent, Total, Usage
from backedge.kernel.defect import Defect
from backedge.kernel.journal import Context, Moved, Parent, Proposed, Refused, Started, Stopped, Stored
from backedge.kernel.stage import Lesson
from backedge.kernel.workflow import Workflow

Status = Literal["running", "waiting", "ended", "stopped"]
Signature = frozenset[tuple[str, str, str]]
CLOCK = "clock"


def signature(defects: Iterable[Defect]) -> Signature:
    """What makes two refusals the same: kind, place and message of every defect."""
    return frozenset((d.kind, d.where, d.message) for d in defects)


@dataclass(frozen=True)
class Pending:
    """A kept proposal that is not judged yet."""

    seq: int
    value: Any
    key: str
    by: str


@dataclass(frozen=True)
class Learned:
    """What a state's next attempt will be told."""

    defects: tuple[Defect, ...] = ()
    errors: tuple[str, ...] = ()
    previous: object = None


@dataclass(frozen=True)
class Run:
    """One run at one moment. `seq` is the place of its next entry, `asked` of that by which it came to its state.

    `until` is when its back-off ends, or its waiting.
    """

    id: str
    workflow: Workflow
    context: Context
    limits: Limits
    labels: Mapping[str, str]
    parent: Parent | None
    state: Any
    asked: int
    seq: int
    trail: tuple[str, ...]
    sent_back: bool = False
    pending: Pending | None = None
    until: datetime | None = None
    stopped: Stopped | None = None
    spent: Mapping[str, Spent] = field(default_factory=dict)
    total: Total = field(default_factory=Total)
    learned: Mapping[str, Learned] = field(default_factory=dict)
    succeeded: frozenset[str] = frozenset()
    refused: frozenset[tuple[str, Signature]] = frozenset()
    given_up: frozenset[tuple[str, Signature]] = frozenset()
    last: Mapping[str, object] = field(default_factory=dict)
    answered: Mapping[int, tuple[str, JsonValue]] = field(default_factory=dict)
    awaited: tuple[str, ...] = ()
    heard: frozenset[str] = frozenset()
    values: Mapping[int, object] = field(default_factory=dict)

    @property
    def status(self) -> Status:
        """Whether a driver can go on (`running`), the run waits for an offer, or it is over."""
        if self.stopped:
            return "stopped"
        stage = self.workflow.stage_of(self.state)
        if stage is None:
            return "ended"
        return "waiting" if stage.waits and self.pending is None else "running"

    @property
    def known(self) -> dict[int, int]:
        """`id(value)` to the seq of the entry that holds it: what a new entry may refer to instead of repeating it."""
        return {id(value): seq for seq, value in self.values.items()}

    def spent_of(self, state: str) -> Spent:
        """What a state has used of its budget."""
        return self.spent.get(state, Spent())

    def lesson(self) -> Lesson:
        """What the next attempt at the present state is told."""
        stage = self.workflow.stage_of(self.state)
        name = type(self.state).__name__
        learned = self.learned.get(name, Learned())
        refused = self.spent_of(name).refused
        of = max(stage.budget.max_retries if stage else 0, refused) + 1
        return Lesson(refused + 1, of, learned.defects, learned.errors, learned.previous)


def fold(workflow: Workflow, run_id: str, entries: Iterable[Stored]) -> Run:
    """The run that a whole journal gives. Raises `ValueError` for a journal that does not begin with `Started`."""
    journal = iter(entries)
    first = next(journal, None)
    if first is None or not isinstance(first.entry, Started):
        raise ValueError(f"the journal of {run_id} does not begin with Started")
    run = _begin(workflow, run_id, first.entry)
    for stored in journal:
        run = apply(run, stored)
    return run


def apply(run: Run, stored: Stored) -> Run:
    """The run after one more entry."""
    run = replace(run, seq=stored.seq + 1)
    match stored.entry:
        case Started():
            return replace(
                run,
                limits=stored.entry.limits,
                stopped=None,
                until=None,
                spent={},
                total=Total(),
                given_up=frozenset(),
                refused=frozenset(),
            )
        case Proposed():
            return _proposed(run, stored.seq, stored.entry)
        case Refused():
            return _refused(run, stored.entry)
        case Moved():
            return _moved(run, stored.seq, stored.entry)
        case Stopped():
            return replace(run, stopped=stored.entry, until=None)


def _begin(workflow: Workflow, run_id: str, entry: Started) -> Run:
    state = workflow.codec.read(entry.state, _nothing)
    trail = (type(state).__name__,)
    return Run(
        run_id, workflow, entry.context, entry.limits, entry.labels, entry.parent, state, 0, 1, trail, values={0: state}
    )


def _nothing(seq: int) -> object:
    raise KeyError(seq)


def _charge(total: Total, ms: int, usage: Usage | None, steps: int) -> Total:
    used = usage or Usage()
    tokens = total.tokens + used.input_tokens + used.output_tokens
    cost, unpriced = (used.cost, 0) if used.cost is not None else (0, 1)
    return Total(total.steps + steps, tokens, total.cost + cost, total.ms + ms, total.unpriced + unpriced)


def _proposed(run: Run, seq: int, entry: Proposed) -> Run:
    value = run.workflow.codec.read(entry.proposal, run.values.__getitem__)
    total = run.total if entry.by else _charge(run.total, entry.ms, entry.usage, 1)
    answered = run.answered
    if entry.by and entry.asked is not None:
        answered = {**answered, entry.asked: (entry.by, entry.proposal)}
    heard = run.heard | {entry.by.removeprefix("run:")} if entry.by.startswith("run:") else run.heard
    pending = Pending(seq, value, entry.key, entry.by)
    values = {**run.values, seq: value}
    until = run.until if entry.by and entry.by != CLOCK else None
    return replace(run, pending=pending, total=total, values=values, answered=answered, heard=heard, until=until)


def _refused(run: Run, entry: Refused) -> Run:
    name, pending = entry.stage, run.pending
    learned, spent = run.learned.get(name, Learned()), run.spent_of(name)
    if entry.failure != "defects":
        if entry.failure != "permanent":
            spent = replace(spent, **{entry.failure: getattr(spent, entry.failure) + 1})
        learned = replace(learned, errors=(*learned.errors, entry.message))
        total = _charge(run.total, entry.ms, entry.usage, 1)
        return _put(replace(run, total=total, until=entry.until), name, spent, learned)
    if pending is not None and pending.by:
        forgotten = {seq: said for seq, said in run.answered.items() if seq != run.asked}
        return replace(run, pending=None, answered=forgotten)
    spent = replace(spent, refused=spent.refused + 1)
    previous = pending.value if pending else None
    learned = replace(learned, defects=(*learned.defects, *entry.defects), previous=previous)
    refused = run.refused | {(entry.key, signature(entry.defects))}
    return _put(replace(run, pending=None, refused=refused), name, spent, learned)


def _put(run: Run, name: str, spent: Spent, learned: Learned) -> Run:
    return replace(run, spent={**run.spent, name: spent}, learned={**run.learned, name: learned})


def _moved(run: Run, seq: int, entry: Moved) -> Run:
    left, pending = type(run.state).__name__, run.pending
    state = run.workflow.codec.read(entry.state, run.values.__getitem__)
    name = type(state).__name__
    if entry.otherwise:
        run = replace(run, given_up=run.given_up | {(entry.key, signature(entry.because))})
    elif pending is not None:
        run = replace(run, succeeded=run.succeeded | {left}, last={**run.last, left: pending.value})
    back = () if entry.otherwise else entry.because
    run = _enter(run, name, back, fresh=entry.fresh)
    awaited = entry.children or (run.awaited if name == left else ())
    return replace(
        run,
        state=state,
        asked=seq,
        trail=(*run.trail, name),
        sent_back=bool(back),
        pending=None,
        until=entry.until,
        values={**run.values, seq: state},
        awaited=awaited,
    )


def _enter(run: Run, name: str, because: tuple[Defect, ...], *, fresh: bool) -> Run:
    """A back-edge adds to the lesson of the state returned to; going forward into one that succeeded clears it."""
    learned, spent = run.learned.get(name, Learned()), run.spent_of(name)
    if because:
        spent = Spent() if fresh else replace(spent, refused=spent.refused + 1)
        learned = replace(learned, defects=(*learned.defects, *because), previous=run.last.get(name))
    elif name in run.succeeded:
        learned = Learned()
    return _put(replace(run, succeeded=run.succeeded - {name}), name, spent, learned)
