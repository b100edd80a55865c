"""What `backedge automation list` and `show` print."""

from __future__ import annotations

from pathlib import Path

from backedge.automations.tasks import Automation, ConditionalTask, LoopTask, Task
from backedge.cli.automating import find
from backedge.config.project import load_project
from backedge.query.exact_json import dumps


async def list_automations(folder: Path, as_json: bool) -> None:
    """Print the automations of a project."""
    found = load_project(folder).automations
    if as_json:
        print(dumps([_head(a) for a in found], 2))
    elif not found:
        print("The project has no automations: write NAME.automation.yml")
    for automation in () if as_json else found:
        about = automation.description.splitlines()[0] if automation.description else ""
        print(f"{automation.name}  ({automation.file}){f': {about}' if about else ''}")


async def show_automation(folder: Path, name: str, as_json: bool) -> None:
    """Print one automation."""
    found = find(load_project(folder).automations, name)
    if as_json:
        print(dumps({**_head(found), "tasks": [_task(task) for task in found.tasks]}, 2))
        return
    print(f"{found.name}  ({found.file})")
    if found.description:
        print(found.description)
    for variable in found.variables:
        needed = "required" if variable.required else f"default {variable.schema['default']!r}"
        about = f": {variable.description}" if variable.description else ""
        print(f"  --param {variable.name}=…  {variable.schema.get('type', 'any')}, {needed}{about}")
    for line in _lines(found.tasks, 0):
        print(line)


def _lines(tasks: tuple[Task, ...], depth: int) -> list[str]:
    lines = []
    for task in tasks:
        lines.append(f"{'  ' * (depth + 1)}{task.common.name}: {type(task).__name__.removesuffix('Task').lower()}")
        lines += _lines(inner(task), depth + 1)
    return lines


def inner(task: Task) -> tuple[Task, ...]:
    """The tasks inside of a task."""
    match task:
        case LoopTask():
            return task.tasks
        case ConditionalTask():
            return (*(t for branch in task.branches for t in branch.tasks), *task.otherwise)
        case _:
            return ()


def _task(task: Task) -> dict[str, object]:
    kind = type(task).__name__.removesuffix("Task").lower()
    return {"name": task.common.name, "kind": kind, "tasks": [_task(t) for t in inner(task)]}


def _head(automation: Automation) -> dict[str, object]:
    variables = [{"name": v.name, "required": v.required, "schema": dict(v.schema)} for v in automation.variables]
    return {
        "name": automation.name,
        "file": automation.file,
        "description": automation.description,
        "variables": variables,
    }
