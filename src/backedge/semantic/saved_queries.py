"""Saved queries: named steps over the model with typed parameters, whose values are bound and never text of a query."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Literal

from backedge.kernel.defect import Defect
from backedge.semantic.operators import moment
from backedge.semantic.refusal import Findings, Refused, did_you_mean, nearest, refused
from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import Spec, Value

ParameterType = Literal["string", "number", "date", "datetime", "boolean"]
_FILLED = re.compile(r"\{\{\s*(?:params|variables)\.(\w+)\s*\}\}")

_PLAIN_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")


@dataclass(frozen=True)
class Parameter:
    """A value that a saved query is given. With `values` it is one of these; without a `default` it must be given."""

    name: str
    type: ParameterType = "string"
    values: tuple[Value, ...] = ()
    default: Value = None
    description: str = ""


@dataclass(frozen=True)
class Step:
    """One request of a saved query, as JSON text; `{{params.name}}` in a text stands for a parameter's value."""

    name: str
    query: str
    description: str = ""


@dataclass(frozen=True)
class SavedQuery:
    """Requests that belong together under one name."""

    name: str
    steps: tuple[Step, ...]
    parameters: tuple[Parameter, ...] = ()
    description: str = ""
    at: str = ""


def step_specs(
    saved: SavedQuery, given: Mapping[str, Value]
) -> tuple[Spec | tuple[Defect, ...], ...] | tuple[Defect, ...]:
    """The spec of each step, or the reasons why it has none; only the reasons where the parameters are wrong."""
    try:
        values = bound(saved.parameters, given, f"query {saved.name}")
    except Refused as refusal:
        return refusal.defects
    return tuple(spec_with(json.loads(step.query), values) for step in saved.steps)


def spec_with(query: object, values: Mapping[str, Value]) -> Spec | tuple[Defect, ...]:
    """The spec of a request whose placeholders stand for `values`, which its expressions may need too."""
    try:
        filled = _fill(query, values)
    except Refused as refusal:
        return refusal.defects
    spec = spec_from_json(filled)
    if not isinstance(spec, Spec):
        return spec
    return replace(spec, variables=tuple({**values, **dict(spec.variables)}.items()))


def bound(parameters: tuple[Parameter, ...], given: Mapping[str, Value], where: str) -> dict[str, Value]:
    """The value of each parameter, of its type. Refuses all that are unknown, missing, of another type, not allowed."""
    findings = Findings()
    names = [p.name for p in parameters]
    findings.each(partial(_refuse_unknown, names, where), given)
    values = {p.name: findings.attempt(partial(_one, p, given, where)) for p in parameters}
    findings.close()
    return values


def _refuse_unknown(names: list[str], where: str, name: str) -> None:
    if name not in names:
        near = nearest(name, names)
        hint = did_you_mean(near) or (f"parameters: {', '.join(names)}" if names else "leave it out")
        raise refused("unknown_parameter", f"{where} has no parameter {name}", where=name, hint=hint, near=near)


def _one(parameter: Parameter, given: Mapping[str, Value], where: str) -> Value:
    value = given.get(parameter.name, parameter.default)
    if value is None:
        allowed = f" (one of {', '.join(map(str, parameter.values))})" if parameter.values else ""
        message = f"{where} needs a value for {parameter.name}, a {parameter.type}{allowed}"
        hint = f"give it: --param {parameter.name}=..."
        raise refused("missing_parameter", message, where=parameter.name, hint=hint)
    found = typed(value, parameter.type, f"{where}: {parameter.name}")
    allowed_values = [typed(v, parameter.type, where) for v in parameter.values]
    if parameter.values and found not in allowed_values:
        near = nearest(str(value), map(str, parameter.values)) or tuple(map(str, parameter.values))
        message = f"{where}: {parameter.name} cannot be {value}"
        raise refused("bad_value", message, where=parameter.name, hint=f"one of {', '.join(near)}", near=near)
    return found


def typed(value: Value, type_: ParameterType, where: str) -> Value:
    """The value as its parameter's type; text may spell it. Refuses what does not fit."""
    if type_ in ("date", "datetime"):
        found = moment(value, where)
        if type_ == "datetime" or type(found) is date:
            return found
    elif type_ == "boolean":
        words = {"true": True, "false": False}
        if isinstance(value, bool) or str(value).lower() in words:
            return value if isinstance(value, bool) else words[str(value).lower()]
    elif type_ == "string":
        if isinstance(value, str):
            return value
    else:
        number = _number(value)
        if number is not None:
            return number
    raise refused("bad_value", f"{where} is {value!r}, no {type_}", where=where, hint=f"give a {type_}")


def from_text(text: str) -> Value:
    """A value that somebody typed and nothing declares a type for: a number, true, false, or the text itself."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    number = _number(text) if _PLAIN_NUMBER.fullmatch(text) else None
    return text if number is None else number


def _number(value: Value) -> int | float | Decimal | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float | Decimal):
        return value
    try:
        found = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    if not found.is_finite():
        return None
    return int(found) if found == found.to_integral_value() else found


def _fill(node: object, values: Mapping[str, Value]) -> object:
    if isinstance(node, dict):
        return {key: _fill(value, values) for key, value in node.items()}
    if isinstance(node, list | tuple):
        return [_fill(item, values) for item in node]
    if not isinstance(node, str):
        return node
    whole = _FILLED.fullmatch(node.strip())
    if whole:
        value = _value_of(whole[1], values)
        return value.isoformat() if isinstance(value, date) else value
    return _FILLED.sub(lambda found: str(_value_of(found[1], values)), node)


def _value_of(name: str, values: Mapping[str, Value]) -> Value:
    if name not in values:
        near = nearest(name, values)
        hint = did_you_mean(near) or f"declare it under params, or give it: --param {name}=..."
        message = f"the query uses {{{{params.{name}}}}}, which has no value"
        raise refused("missing_parameter", message, where=f"params.{name}", hint=hint, near=near)
    return values[name]
