"""The automations that questions to an agent may be handed to, out of the project's files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from pydantic import JsonValue

from backedge.ask.delegable import Delegable, Taken
from backedge.automations.tasks import Automation, Variable
from backedge.config.project import Project
from backedge.kernel.defect import Defect


def delegables(project: Project) -> tuple[Delegable, ...]:
    """Those that are in the agent's context."""
    return tuple(_delegable(a) for a in project.automations if a.file in project.delegable)


def _delegable(automation: Automation) -> Delegable:
    return Delegable(
        automation.name,
        automation.file,
        partial(_problems, automation.variables),
        automation.description,
        automation.include,
        automation.exclude,
        tuple(_taken(automation.variables)),
    )


def _problems(variables: tuple[Variable, ...], given: Mapping[str, JsonValue]) -> tuple[Defect, ...]:
    from backedge.automations.inputs import problems  # jsonschema is slow to import, and most questions need none

    return tuple(problems(variables, given))


def _taken(variables: tuple[Variable, ...]) -> Iterator[Taken]:
    for variable in variables:
        listed = variable.schema.get("enum")
        texts = [value for value in listed if isinstance(value, str)] if isinstance(listed, list) else []
        choices = tuple(texts) if isinstance(listed, list) and len(texts) == len(listed) else ()
        about = variable.description or str(variable.schema.get("type") or "any")
        yield Taken(variable.name, variable.required, variable.schema.get("default"), about, choices)
