"""A stage as data: how one state obtains a proposal, which gates judge it, and what an accepted one becomes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Generic, TypeVar

from pydantic import JsonValue

from backedge.kernel.budget import Budget, Usage
from backedge.kernel.defect import Defect

S = TypeVar("S")
P = TypeVar("P")
N_co = TypeVar("N_co", covariant=True)


@dataclass(frozen=True)
class Record:
    """A domain record, written in the transaction of the move that makes it. `kind` and `key` name it for ever."""

    kind: str
    key: str
    body: dict[str, JsonValue]


@dataclass(frozen=True)
class Child:
    """A run to start in the transaction of the move: `input` is what that workflow's `begin` takes.

    Without the name of a `workflow` it is the parent's own, with the parent's labels too.
    """

    workflow: str
    input: object
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ChildEnd:
    """How a child ended, offered once to the run that waits. `index` is its place among the `of` that were started.

    `outcome` is what the child's end gives (`Workflow.outcome`), or None where it stopped with `reason`.
    """

    run_id: str
    workflow: str
    index: int
    of: int
    outcome: dict[str, JsonValue] | None
    reason: str = ""


@dataclass(frozen=True)
class Settled(Generic[N_co]):
    """The next state. With `because` it is a back-edge: those defects are the lesson of the state returned to.

    Where that state waits, `wake` is how long it waits for an offer before its stage's `on_time` is offered.
    `fresh` opens a fresh budget for it, as `retry` does for all: only what was offered, as by a person, can say so.
    """

    state: N_co
    because: tuple[Defect, ...] = ()
    records: tuple[Record, ...] = ()
    children: tuple[Child, ...] = ()
    wake: timedelta | None = None
    fresh: bool = False


@dataclass(frozen=True)
class Lesson:
    """What the next attempt should know: its number of how many, every defect, failed calls, the last proposal."""

    attempt: int = 1
    of: int = 1
    defects: tuple[Defect, ...] = ()
    errors: tuple[str, ...] = ()
    previous: object = None


@dataclass(frozen=True)
class Refusal:
    """Why a state was given up: its defects, its last proposal, and whether the same had been given up once before."""

    defects: tuple[Defect, ...]
    attempts: int
    proposal: object = None
    repeated: bool = False


@dataclass(frozen=True)
class Reply(Generic[P]):
    """A proposal with what it cost and what produced it (model, settings, prompt version …)."""

    proposal: P
    usage: Usage | None = None
    details: dict[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Unreadable:
    """A reply that is no proposal at all, such as half a JSON object: kept as `text`, refused with `defect`."""

    text: str
    defect: Defect
    usage: Usage | None = None
    details: dict[str, JsonValue] = field(default_factory=dict)


Gate = Callable[[Any, Any], Defect | None]


def _no_settings(_ports: Any) -> object:
    return None


@dataclass(frozen=True)
class Stage(Generic[S, P]):
    """One state's stage. Without `propose` it waits: a person, a finished child or a clock offers the proposal.

    `otherwise` is where a given-up state goes: a state class that takes (came_from, refusal), or a function that does.
    `outside` is False where `propose` calls nothing outside; then proposal and verdict are one append.
    `anew` says that a proposal holds only while what it was made from is all that is stored: proposal and verdict are
    one append here, too, and where another run wrote one of its records first, it is proposed anew.
    `reuse` skips the call where the same key was accepted before. `inputs` are what the key is made of (default: the
    state's own fields), `settings` what it takes from the ports (model, instructions). `model` names the role, if any.
    `moment` says what a reply that is reused also depends on, of the outside as it is at the call; where that is None
    nobody knows, and nothing is reused.
    `varies`: the same call may give another proposal, so the same defect again is a retry like any other.
    `on_time` is what the clock offers to a waiting state whose time has come; None leaves it waiting.
    """

    state: type[S]
    proposal: Any
    settle: Callable[[S, P], Settled[Any]]
    propose: Callable[[S, Any, Lesson], Awaitable[P | Reply[P] | Unreadable]] | None = None
    gates: tuple[Gate, ...] = ()
    otherwise: Callable[..., Any] | None = None
    budget: Budget = field(default_factory=Budget)
    outside: bool = True
    anew: bool = False
    reuse: bool = False
    version: str = "1"
    inputs: Callable[[S], object] | None = None
    settings: Callable[[Any], object] = _no_settings
    model: str = ""
    varies: bool = False
    on_time: Callable[[S], P | None] | None = None
    moment: Callable[[Any], Awaitable[JsonValue]] | None = None

    @property
    def name(self) -> str:
        """The name of the stage is the name of its state."""
        return self.state.__name__

    @property
    def waits(self) -> bool:
        """Whether the proposal comes from outside the run."""
        return self.propose is None
