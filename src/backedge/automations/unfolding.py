"""Parts of an automation that runs of their own do: how those runs are started, and what their ends come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace

from pydantic import JsonValue

from backedge.automations.outputs import Item, Names, Output, Part
from backedge.automations.states import (
    Asked,
    AwaitingTasks,
    Call,
    Frame,
    Rounds,
    Started,
    Taken,
    Unfolding,
    Votes,
)
from backedge.automations.tasks import AgentTask, Automation, ConditionalTask, LoopTask, Task
from backedge.automations.templates import needed, texts_in
from backedge.kernel.stage import Child, Settled
from backedge.query.table import Table


def unfold(frame: Frame, unfolding: Unfolding) -> Settled[AwaitingTasks]:
    """The first runs begin."""
    return begin_more(AwaitingTasks(frame, unfolding, 0))


def begin_more(state: AwaitingTasks) -> Settled[AwaitingTasks]:
    """The next runs begin: all, or of a loop as many as it does at once."""
    count = min(_at_once(state), _count(state.unfolding) - state.begun)
    children = tuple(_child(state, number) for number in range(state.begun, state.begun + count))
    ended = (*state.ended, *(None for _ in children))
    return Settled(replace(state, begun=state.begun + count, ended=ended), children=children)


def is_through(state: AwaitingTasks) -> bool:
    """Whether every run that is needed was begun."""
    return state.begun >= _count(state.unfolding)


def started_before(state: AwaitingTasks, of: int) -> int:
    """How many runs were begun before the last `of`."""
    return state.begun - of


def _at_once(state: AwaitingTasks) -> int:
    task = state.frame.task
    return max(1, task.concurrency) if isinstance(task, LoopTask) else _count(state.unfolding)


def _count(unfolding: Unfolding) -> int:
    match unfolding:
        case Rounds(values):
            return len(values)
        case Votes(runs):
            return runs
        case _:
            return 1


def _child(state: AwaitingTasks, number: int) -> Child:
    frame, task = state.frame, state.frame.task
    match state.unfolding:
        case Rounds(values):
            assert isinstance(task, LoopTask)
            item = Part(task.common.name, Output(str(values[number]), data={"value": {"value": values[number]}}))
            return _inner(frame, task.tasks, (item,))
        case Taken() as taken:
            return _inner(frame, branch_tasks(task, taken))
        case Votes():
            assert isinstance(task, AgentTask)
            alone = replace(task, runs=1, common=replace(task.common, export=None, cache=None))
            return _inner(frame, (alone,))
        case Started(automation, variables):
            return Child("automation", Call(automation, variables))
        case Asked(workflow, text):
            return Child(workflow, {"text": text})


def _inner(frame: Frame, tasks: tuple[Task, ...], own: tuple[Part, ...] = ()) -> Child:
    """A run of some tasks of this automation, which may name what those tasks look up, and nothing else."""
    wanted = needed(texts_in([asdict(task) for task in tasks]))
    names = frame.names
    around = tuple(part for part in names.parts if part.name in wanted)
    variables = {name: value for name, value in names.variables.items() if name in wanted}
    plan = Automation(frame.plan.name, frame.plan.file, tasks)
    return Child("automation", Call(frame.plan.name, plan=plan, names=Names(variables, (*around, *own))))


def branch_tasks(task: Task, taken: Taken) -> tuple[Task, ...]:
    """The tasks of the branch that was taken."""
    assert isinstance(task, ConditionalTask)
    return task.otherwise if taken.branch is None else task.branches[taken.branch].tasks


def gathered(state: AwaitingTasks, ended: tuple[Output, ...]) -> Output:
    """What the outputs of all runs come to, in the order of their starts."""
    match state.unfolding:
        case Rounds(values):
            items = tuple(Item(value, output.parts) for value, output in zip(values, ended, strict=True))
            return Output("\n".join(output.text for output in ended), items=items)
        case Votes():
            return _voted(ended)
        case _:
            return ended[0]


def _voted(ended: tuple[Output, ...]) -> Output:
    """The answer that most runs gave, the first of them where several are as many; with the share that agreed."""
    said = Counter(_normal(output.text) for output in ended)
    most, votes = max(said.items(), key=lambda pair: pair[1])
    chosen = next(output for output in ended if _normal(output.text) == most)
    score = f"{votes / len(ended):.2f}"
    return Output(chosen.text, parts=(Part("value", Output(chosen.text)), Part("score", Output(score))))


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())


def outcome_of(parts: tuple[Part, ...]) -> Output:
    """What an automation gives to whoever started it: the outputs of its tasks, and the text and table of the last."""
    tables = [part.output.table for part in parts if part.output.table is not None]
    text = parts[-1].output.text if parts else ""
    return Output(text, tables[-1] if tables else None, parts=parts)


def asked_output(outcome: dict[str, JsonValue], mode: str) -> Output | None:
    """What an ask run gave: its answer or its SQL; None where it has none."""
    if outcome.get("status") != "answered":
        return None
    sql, rows = str(outcome.get("sql") or ""), outcome.get("table")
    table = Table.model_validate(rows) if rows and mode == "answer" else None
    return Output(sql if mode == "sql" else str(outcome.get("answer") or ""), table, sql=sql)


def reasons(outcome: dict[str, JsonValue] | None, reason: str) -> Iterator[str]:
    """Why a run gave nothing."""
    said = (outcome or {}).get("reason") or (outcome or {}).get("answer") or reason
    yield str(said or "it gave no reason")
