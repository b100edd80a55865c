"""A workflow as data: its table of edges, its stages, and the checks that refuse a plan that cannot be right."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic import JsonValue

from backedge.kernel.codec import Codec, is_record
from backedge.kernel.journal import Context
from backedge.kernel.stage import Refusal, Settled, Stage, Unreadable

Edges = Mapping[type, tuple[type, ...]]


class PlanError(Exception):
    """A workflow cannot be built. `problems` lists every reason, one sentence each."""

    def __init__(self, workflow: str, problems: tuple[str, ...]) -> None:
        super().__init__(f"the workflow {workflow} cannot be built:\n" + "\n".join(f"- {p}" for p in problems))
        self.workflow = workflow
        self.problems = problems


def _no_outcome(_end: Any) -> dict[str, JsonValue]:
    return {}


@dataclass(frozen=True)
class Workflow:
    """States, edges and stages. Building one checks it; a `PlanError` says what is wrong.

    `begin` makes the first state of `(input, context)`; its first parameter's annotation is the input's type.
    `outcome` tells a parent run how this one ended. `formerly` maps old type names of old journals to today's types.
    """

    name: str
    start: type
    edges: Edges
    stages: tuple[Stage[Any, Any], ...]
    begin: Callable[[Any, Context], object]
    outcome: Callable[[Any], dict[str, JsonValue]] = _no_outcome
    formerly: Mapping[str, type] = field(default_factory=dict)

    def __post_init__(self) -> None:
        problems = tuple(_problems(self))
        if problems:
            raise PlanError(self.name, problems)

    @cached_property
    def states(self) -> tuple[type, ...]:
        """All states, those with a row first, then the ends."""
        rows = tuple(self.edges)
        ends = dict.fromkeys(state for row in self.edges.values() for state in row if state not in self.edges)
        return rows + tuple(ends)

    @cached_property
    def ends(self) -> frozenset[type]:
        """The states without a row."""
        return frozenset(self.states) - frozenset(self.edges)

    @cached_property
    def codec(self) -> Codec:
        """Writes and reads this workflow's states, proposals and inputs."""
        proposals = [stage.proposal for stage in self.stages]
        return Codec([*self.states, *proposals, Refusal, Unreadable, self.input_type], self.formerly)

    @cached_property
    def input_type(self) -> Any:
        """What `begin` takes."""
        return next(iter(get_type_hints(self.begin).values()))

    def stage_of(self, state: object) -> Stage[Any, Any] | None:
        """The stage of a state, or None for an end."""
        return self._by_state.get(type(state))

    @cached_property
    def _by_state(self) -> dict[type, Stage[Any, Any]]:
        return {stage.state: stage for stage in self.stages}


def targets(stage: Stage[Any, Any]) -> tuple[tuple[type, ...], tuple[type, ...]]:
    """The states that a stage's `settle` names in its annotation, and those that its `otherwise` leads to."""
    hint = get_type_hints(stage.settle).get("return")
    settled = _members(get_args(hint)[0]) if get_origin(hint) is Settled else ()
    if stage.otherwise is None:
        return settled, ()
    if isinstance(stage.otherwise, type):
        return settled, (stage.otherwise,)
    return settled, _members(get_type_hints(stage.otherwise).get("return"))


def _members(hint: Any) -> tuple[type, ...]:
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(get_args(hint))
    return (hint,) if isinstance(hint, type) else ()


def _problems(plan: Workflow) -> list[str]:
    found = _shape_problems(plan)
    for stage in plan.stages:
        found += _stage_problems(plan, stage)
    reached = _reachable(plan)
    found += [f"{s.__name__} cannot be reached from {plan.start.__name__}" for s in plan.states if s not in reached]
    return found


def _shape_problems(plan: Workflow) -> list[str]:
    found = []
    staged = [stage.state for stage in plan.stages]
    found += [f"{s.__name__} has two stages" for s in dict.fromkeys(staged) if staged.count(s) > 1]
    found += [f"{s.__name__} has a row of edges but no stage" for s in plan.edges if s not in staged]
    found += [f"{s.__name__} has a stage but no row of edges" for s in dict.fromkeys(staged) if s not in plan.edges]
    if plan.start not in plan.edges:
        found.append(f"it starts in {plan.start.__name__}, which has no row of edges")
    if not plan.ends:
        found.append("it has no end: every state has a row of edges")
    for state in plan.states:
        frozen = getattr(getattr(state, "__dataclass_params__", None), "frozen", None)
        config = getattr(state, "model_config", {})
        if not is_record(state) or not (frozen or config.get("frozen")):
            found.append(f"{state.__name__} is not a frozen dataclass or a frozen pydantic model")
    names = [state.__name__ for state in plan.states]
    found += [f"two states are called {name}" for name in dict.fromkeys(names) if names.count(name) > 1]
    return found


def _stage_problems(plan: Workflow, stage: Stage[Any, Any]) -> list[str]:
    settled, otherwise = targets(stage)
    row = plan.edges.get(stage.state, ())
    found = []
    if not settled:
        found.append(f"settle of {stage.name} does not say where it goes: annotate it `-> Settled[Next | Other]`")
    elif set(settled) | set(otherwise) != set(row):
        found += [f"{stage.name} can go to {s.__name__}, which its row does not list" for s in settled if s not in row]
        found += [
            f"{stage.name} gives up to {s.__name__}, which its row does not list" for s in otherwise if s not in row
        ]
        missing = [s for s in row if s not in settled and s not in otherwise]
        found += [f"the row of {stage.name} lists {s.__name__}, but nothing of it goes there" for s in missing]
    if stage.otherwise is not None and not otherwise:
        found.append(f"otherwise of {stage.name} does not say where it goes: annotate its return")
    found += _use_problems(stage)
    return found


def _use_problems(stage: Stage[Any, Any]) -> list[str]:
    found = []
    if stage.waits and (stage.reuse or stage.otherwise is not None or stage.model):
        found.append(f"{stage.name} waits, so it can have neither reuse, otherwise nor a model")
    if stage.on_time is not None and not stage.waits:
        found.append(f"{stage.name} does not wait, so nothing is offered to it on time")
    if stage.reuse and not stage.outside:
        found.append(f"{stage.name} calls nothing outside, so there is nothing to reuse")
    if stage.anew and (stage.waits or stage.reuse or not stage.outside):
        found.append(f"{stage.name} proposes anew what another run outran, so it neither waits nor reuses a reply")
    if not stage.waits and not inspect.iscoroutinefunction(stage.propose):
        found.append(f"propose of {stage.name} is not async")
    if stage.otherwise is not None and isinstance(stage.otherwise, type):
        taken = set(inspect.signature(stage.otherwise).parameters)
        if not {"came_from", "refusal"} <= taken:
            found.append(
                f"{stage.otherwise.__name__} is where {stage.name} gives up, so it needs came_from and refusal"
            )
    return found


def _reachable(plan: Workflow) -> set[type]:
    seen: set[type] = set()
    queue = [plan.start]
    while queue:
        state = queue.pop()
        if state not in seen:
            seen.add(state)
            queue.extend(plan.edges.get(state, ()))
    return seen
