"""The five entries of a journal, the only stored state of a run, as data and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, JsonValue, TypeAdapter

from backedge.kernel.budget import Limits, Usage
from backedge.kernel.defect import Defect

FailureKind = Literal["defects", "transient", "rate_limited", "permanent"]
StopKind = Literal["transient", "rate_limited", "permanent", "budget", "refused", "cancelled"]


@dataclass(frozen=True)
class Context:
    """What a run fixes when it starts: today's date, its time zone, who asks, and the attributes that policies read."""

    today: date
    timezone: str = "UTC"
    by: str = ""
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Parent:
    """The run that started this one, by its entry `seq`; `index` is this run's place among the `of` started there."""

    run_id: str
    seq: int
    index: int
    of: int


@dataclass(frozen=True)
class Ref:
    """One entry of one run."""

    run_id: str
    seq: int


@dataclass(frozen=True)
class Started:
    """A run begins (`state`), or an operator begins it `again` with fresh budgets (then `state` is None)."""

    workflow: str
    state: JsonValue
    context: Context
    limits: Limits
    parent: Parent | None = None
    labels: dict[str, str] = field(default_factory=dict)
    again: bool = False
    by: str = ""
    kind: Literal["started"] = "started"


@dataclass(frozen=True)
class Proposed:
    """A proposal was obtained. `by` is empty for the stage itself, else who offered it: a person, a clock, `run:ID`.

    `asked` is the seq that an offer answers; `reused` the entry whose reply this repeats; `details` what produced it.
    """

    stage: str
    proposal: JsonValue
    key: str = ""
    attempt: int = 1
    by: str = ""
    asked: int | None = None
    ms: int = 0
    usage: Usage | None = None
    reused: Ref | None = None
    details: dict[str, JsonValue] = field(default_factory=dict)
    kind: Literal["proposed"] = "proposed"


@dataclass(frozen=True)
class Refused:
    """An attempt failed: gates found `defects` in the proposal at `proposal`, or the call itself failed.

    `usage` and `details` are those of a failed call; a proposal has its own.
    """

    stage: str
    failure: FailureKind
    attempt: int
    proposal: int | None = None
    defects: tuple[Defect, ...] = ()
    message: str = ""
    until: datetime | None = None
    key: str = ""
    ms: int = 0
    usage: Usage | None = None
    details: dict[str, JsonValue] = field(default_factory=dict)
    kind: Literal["refused"] = "refused"


@dataclass(frozen=True)
class Moved:
    """The run is in the next state. `because`: the defects of a back-edge, or of giving up (`otherwise`, on `key`).

    `until` is the wake-up of a state that waits: then the clock offers, if nobody did. `fresh`: with a fresh budget.
    """

    state: JsonValue
    proposal: int | None = None
    because: tuple[Defect, ...] = ()
    otherwise: bool = False
    key: str = ""
    children: tuple[str, ...] = ()
    until: datetime | None = None
    fresh: bool = False
    kind: Literal["moved"] = "moved"


@dataclass(frozen=True)
class Stopped:
    """The run stopped before an end. `mend` says what an operator can do where it is `resumable`."""

    reason: str
    stop: StopKind
    resumable: bool
    mend: str = ""
    by: str = ""
    kind: Literal["stopped"] = "stopped"


Entry = Annotated[Started | Proposed | Refused | Moved | Stopped, Field(discriminator="kind")]


@dataclass(frozen=True)
class Stored:
    """One entry in its place. `at` is UTC."""

    seq: int
    at: datetime
    entry: Started | Proposed | Refused | Moved | Stopped


@cache
def _entries() -> TypeAdapter[Started | Proposed | Refused | Moved | Stopped]:
    return TypeAdapter(Entry)


def entry_to_json(entry: Started | Proposed | Refused | Moved | Stopped) -> str:
    """One entry as a JSON object with its `kind`."""
    return _entries().dump_json(entry, exclude_defaults=False).decode()


def entry_from_json(text: str | bytes) -> Started | Proposed | Refused | Moved | Stopped:
    """The entry that `entry_to_json` wrote. Raises `pydantic.ValidationError` on anything else."""
    return _entries().validate_json(text)
