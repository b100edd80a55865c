"""The states of an automation: one kind for each kind of task, each with what was done so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from backedge.automations.outputs import Names, Output, Part
from backedge.automations.tasks import (
    AgentTask,
    Automation,
    ConditionalTask,
    FormatterTask,
    HttpTask,
    LoopTask,
    SemanticTask,
    SqlTask,
    Task,
    WorkflowTask,
)
from backedge.kernel.stage import Refusal

CURRENT_DATE = "current_date"


@dataclass(frozen=True)
class Call:
    """What starts a run: an automation by name with its variables, or `plan`, tasks of a loop or branch of another one.

    `names` are what is around such tasks; `asker` holds the attributes of who asks, which row policies look at;
    `today` (ISO) is what templates name `current_date`.
    """

    automation: str
    variables: dict[str, JsonValue] = field(default_factory=dict)
    plan: Automation | None = None
    names: Names = field(default_factory=Names)
    asker: tuple[tuple[str, tuple[str, ...]], ...] = ()
    today: str = ""

    @property
    def attributes(self) -> dict[str, tuple[str, ...]]:
        """The attributes by name."""
        return dict(self.asker)


@dataclass(frozen=True)
class Frame:
    """Where an automation is: its plan, what its templates may name, what is done, and which task is next."""

    call: Call
    plan: Automation
    variables: dict[str, JsonValue]
    done: tuple[Part, ...] = ()
    at: int = 0

    @property
    def task(self) -> Task:
        """The task to do."""
        return self.plan.tasks[self.at]

    @property
    def names(self) -> Names:
        """What templates may name."""
        around = self.call.names
        given = {CURRENT_DATE: self.call.today, **around.variables, **self.variables}
        return Names(given, (*around.parts, *self.done))

    def after(self, output: Output) -> Frame:
        """With the task done. What a branch has done can be named as if it stood here."""
        inner = output.parts if isinstance(self.task, ConditionalTask) else ()
        return replace(self, done=(*self.done, *inner, Part(self.task.common.name, output)), at=self.at + 1)


@dataclass(frozen=True)
class Loading:
    """An automation was asked for; its file is not read yet."""

    call: Call


@dataclass(frozen=True)
class RunningSql:
    """A SELECT is to run."""

    frame: Frame


@dataclass(frozen=True)
class Querying:
    """The semantic model is to be asked."""

    frame: Frame


@dataclass(frozen=True)
class Consulting:
    """An agent is to be asked."""

    frame: Frame


@dataclass(frozen=True)
class Looping:
    """A loop's values are to be found."""

    frame: Frame


@dataclass(frozen=True)
class Branching:
    """A condition is to be decided."""

    frame: Frame


@dataclass(frozen=True)
class Formatting:
    """A template is to be rendered."""

    frame: Frame


@dataclass(frozen=True)
class Calling:
    """Another automation is to be started."""

    frame: Frame


@dataclass(frozen=True)
class Requesting:
    """An HTTP request is to be sent."""

    frame: Frame


@dataclass(frozen=True)
class Rounds:
    """A loop's values, in order."""

    values: tuple[JsonValue, ...]


@dataclass(frozen=True)
class Taken:
    """The branch whose condition holds: its number, or None where none does."""

    branch: int | None


@dataclass(frozen=True)
class Started:
    """Another automation, and what it is given."""

    automation: str
    variables: dict[str, JsonValue]


@dataclass(frozen=True)
class Votes:
    """The same question, asked several times."""

    runs: int


@dataclass(frozen=True)
class Asked:
    """A question for an agent with stages of its own: `workflow` is the one that its runs have."""

    workflow: str
    text: str


Unfolding = Rounds | Taken | Started | Votes | Asked


@dataclass(frozen=True)
class AwaitingTasks:
    """Runs of their own do a part of the automation; `ended` holds the output of each that is through, in order.

    A loop starts as many at a time as it may: `begun` were started so far.
    """

    frame: Frame
    unfolding: Unfolding
    begun: int
    ended: tuple[Output | None, ...] = ()


@dataclass(frozen=True)
class Saving:
    """A task is done; its output is to be written to the files that it names."""

    frame: Frame
    output: Output


@dataclass(frozen=True)
class Finished:
    """The end: every task is done."""

    frame: Frame


@dataclass(frozen=True)
class Failed:
    """The end: a task could not be done, for the reason in `refusal`."""

    came_from: (
        Loading
        | RunningSql
        | Querying
        | Consulting
        | Looping
        | Branching
        | Formatting
        | Calling
        | Requesting
        | AwaitingTasks
        | Saving
    )
    refusal: Refusal


Doing = RunningSql | Querying | Consulting | Looping | Branching | Formatting | Calling | Requesting
Next = Doing | Finished
After = Saving | Next


def next_of(frame: Frame) -> Next:
    """The state of the next task, or the end."""
    if frame.at >= len(frame.plan.tasks):
        return Finished(frame)
    match frame.task:
        case SqlTask():
            return RunningSql(frame)
        case SemanticTask():
            return Querying(frame)
        case AgentTask():
            return Consulting(frame)
        case LoopTask():
            return Looping(frame)
        case ConditionalTask():
            return Branching(frame)
        case FormatterTask():
            return Formatting(frame)
        case WorkflowTask():
            return Calling(frame)
        case HttpTask():
            return Requesting(frame)


def done(frame: Frame, output: Output) -> After:
    """What follows on a task that is done: writing its output where it names a file, else the next task."""
    common = frame.task.common
    if common.export or (common.cache and not output.cached):
        return Saving(frame, output)
    return next_of(frame.after(output))
