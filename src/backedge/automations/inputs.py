"""The variables of an automation: what is given, checked by their JSON Schemas, with defaults for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jsonschema import Draft7Validator
from pydantic import JsonValue

from backedge.automations.tasks import Variable
from backedge.kernel.defect import Defect
from backedge.semantic.refusal import nearest


def inputs(variables: tuple[Variable, ...], given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The value of every variable: what is given, else its default. `problems` says what is missing or wrong."""
    defaults = {v.name: v.schema["default"] for v in variables if not v.required}
    return {**defaults, **given}


def problems(variables: tuple[Variable, ...], given: Mapping[str, JsonValue]) -> Iterator[Defect]:
    """A defect for every variable that is unknown, missing, or not as its schema wants it."""
    names = [v.name for v in variables]
    for name in given:
        if name not in names:
            known = ", ".join(names) or "none"
            yield Defect(
                "unknown_variable", f"there is no variable {name} (there is: {known})", name, near=nearest(name, names)
            )
    for variable in variables:
        if variable.name not in given:
            if variable.required:
                about = f": {variable.description}" if variable.description else ""
                yield Defect("missing_variable", f"the variable {variable.name} needs a value{about}", variable.name)
            continue
        for error in Draft7Validator(variable.schema).iter_errors(given[variable.name]):
            yield Defect("bad_variable", f"the variable {variable.name}: {error.message}", variable.name)


def typed(variable: Variable, text: str) -> JsonValue:
    """A value written as text, such as on a command line, as the variable's type has it."""
    import json

    kind = variable.schema.get("type")
    if kind == "string":
        return text
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return text
    return text if kind is None and not isinstance(value, dict | list) else value
