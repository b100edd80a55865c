"""The states of the ask workflow: each holds what its stage needs and the state it came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from pydantic import JsonValue

from backedge.ask.figures import Figure
from backedge.ask.intent import Ambiguous, Before, Given, Intent, Questions, RefusalKind, Unknown
from backedge.ask.rules import RuleSetting
from backedge.kernel.stage import Refusal
from backedge.query.ports import Ran
from backedge.semantic.spec import OutputColumn, Spec, Value

Path = Literal["semantic", "verified", "written", "edited", "automation"]


@dataclass(frozen=True)
class Question:
    """What somebody asks, the day that it is asked on, the time zone that "today" is meant in, the agent's rules.

    `attributes` of the asker are what row policies look at; the run's context has the same. `before` is what a
    follow-up may keep: it is copied here, so that this run can be read, and goes on, without the other. `default_after`
    are the seconds that a stage's questions wait, by its name, before their defaults are taken. One that `is_part` of
    another is not split again by a model. With `sql`, which `sql_by` wrote for the database `sql_on` ("": the default),
    that is run instead of a reading of the text.
    """

    text: str
    today: date
    timezone: str = "UTC"
    rules: tuple[RuleSetting, ...] = ()
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    before: Before | None = None
    default_after: tuple[tuple[str, int], ...] = ()
    is_part: bool = False
    sql: str = ""
    sql_by: str = ""
    sql_on: str = ""

    @property
    def asker(self) -> dict[str, tuple[str, ...]]:
        """The attributes by name."""
        return dict(self.attributes)


@dataclass(frozen=True)
class Query:
    """SQL that is to run, how it was made, and what a reader of its result must know.

    `columns` are empty, and `spec` is None, where no member of the model stands behind them; `filters` and `notes` are
    in words, the spec's own conditions first.
    """

    path: Path
    sql: str
    params: tuple[Value, ...] = ()
    columns: tuple[OutputColumn, ...] = ()
    database: str = ""
    filters: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    name: str = ""
    spec: Spec | None = None


@dataclass(frozen=True)
class Clarifying:
    """The question is not understood yet. `given` are the person's answers so far."""

    question: Question
    given: tuple[Given, ...] = ()


@dataclass(frozen=True)
class Specifying:
    """Every word is understood; what to ask of the model is not settled yet."""

    came_from: Clarifying
    intent: Intent
    given: tuple[Given, ...] = ()


@dataclass(frozen=True)
class AwaitingAnswer:
    """A person must say which readings are meant. The stage that paused goes on with the answers."""

    came_from: Clarifying | Specifying
    asks: Ambiguous | Questions

    @property
    def questions(self) -> tuple[Ambiguous, ...]:
        """What is asked, one or several."""
        return self.asks.asks if isinstance(self.asks, Questions) else (self.asks,)

    @property
    def question(self) -> Question:
        """What the run was asked."""
        paused = self.came_from
        return paused.question if isinstance(paused, Clarifying) else paused.came_from.question


@dataclass(frozen=True)
class Delegating:
    """An automation runs for the question, with these `variables`; what it gives comes back here."""

    came_from: Clarifying
    automation: str
    variables: dict[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """How one part of a question in several parts ended: its own answer as data, or the reason why there is none."""

    question: str
    answer: dict[str, JsonValue] | None
    reason: str = ""


@dataclass(frozen=True)
class Gathering:
    """Each part of the question is answered by a run of its own. `ended` holds a place for each, in their order."""

    came_from: Specifying
    questions: tuple[str, ...]
    ended: tuple[Part | None, ...]


@dataclass(frozen=True)
class Solving:
    """The model cannot express the spec, for `reason`; SQL must be written, after the `outline` where there is one."""

    came_from: Specifying
    spec: Spec | None
    reason: str
    outline: str = ""


@dataclass(frozen=True)
class Executing:
    """There is SQL to run."""

    came_from: Specifying | Solving
    query: Query


@dataclass(frozen=True)
class Interpreting:
    """There are validated rows to put into words: of a query, of an automation, or of the parts of a question.

    `remarks` must be said beside them, `spoken` in the answer itself; `plain` asks for the template's words, after
    others were refused. `told` is what an automation itself says, where its last task gives text.
    """

    came_from: Executing | Delegating | Gathering
    ran: Ran | None = None
    parts: tuple[Part, ...] = ()
    remarks: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    plain: bool = False
    told: str = ""


@dataclass(frozen=True)
class Diagnosing:
    """Something was given up; where to go back to is to be found."""

    came_from: Clarifying | Specifying | Solving | Executing | Interpreting | Delegating | Gathering
    refusal: Refusal


@dataclass(frozen=True)
class Answered:
    """The question has its answer. Every figure of `text` names its cells; `chart` is Vega-Lite or None."""

    text: str
    figures: tuple[Figure, ...] = ()
    chart: dict[str, JsonValue] | None = None


@dataclass(frozen=True)
class CannotAnswer:
    """Nothing here can answer it: the reason, the words that nothing means, what can be asked instead, what to do."""

    reason: str
    unknown: tuple[Unknown, ...] = ()
    instead: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    kind: RefusalKind = "unclear"


@dataclass(frozen=True)
class Done:
    """The end."""

    came_from: Clarifying | Interpreting | Diagnosing
    outcome: Answered | CannotAnswer
