"""`.query.yml`: a saved query of named steps with typed parameters, as airlayer writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from backedge.config.problem import Problem
from backedge.config.shape import Name, Shape, read_shape
from backedge.config.yaml_file import Block, Scalar
from backedge.semantic.refusal import Refused
from backedge.semantic.saved_queries import Parameter, ParameterType, SavedQuery, Step, typed
from backedge.semantic.spec import Value


class _Parameter(Shape):
    what: ClassVar[str] = "a parameter"
    type: ParameterType = "string"
    values: tuple[object, ...] = ()
    default: object = None
    description: str = ""


class _Step(Shape):
    what: ClassVar[str] = "a step"
    name: Name
    description: str = ""
    query: object


class _Query(Shape):
    what: ClassVar[str] = "a saved query"
    name: Name
    description: str = ""
    params: dict[Name, _Parameter] = Field(default_factory=dict)
    steps: Annotated[tuple[_Step, ...], Field(min_length=1)]


def read_query(file: str, tree: Block, found: list[Problem]) -> SavedQuery | None:
    """The saved query of a file, or None with every problem in `found`."""
    raw = read_shape(_Query, tree, file, found)
    if raw is None:
        return None
    problems = list(_checks(file, raw))
    found.extend(problems)
    if problems:
        return None
    return SavedQuery(
        name=raw.name,
        steps=tuple(
            Step(step.name, json.dumps(plain_value(step.query)), step.description.strip()) for step in raw.steps
        ),
        parameters=tuple(_parameter(name, param) for name, param in raw.params.items()),
        description=raw.description.strip(),
        at=f"{file}:{raw.line}",
    )


def _parameter(name: str, raw: _Parameter) -> Parameter:
    values = tuple(_value(value, raw.type) for value in raw.values)
    default = None if raw.default is None else _value(raw.default, raw.type)
    return Parameter(name, raw.type, values, default, raw.description.strip())


def _value(node: object, type_: ParameterType) -> Value:
    """A scalar of the file as a value: text stays as it is written where text is wanted."""
    if not isinstance(node, Scalar):
        return str(node)
    return str(node) if type_ == "string" else node.value


def _checks(file: str, raw: _Query) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for step in raw.steps:
        if first.setdefault(step.name, step.line) != step.line:
            yield Problem(file, step.line, f"step name `{step.name}` stands twice: rename one")
        if not isinstance(step.query, Block):
            yield Problem(file, step.line, f"`query` of step `{step.name}` must be a mapping (`key: value` lines)")
    for name, param in raw.params.items():
        for node in (*param.values, *(() if param.default is None else (param.default,))):
            yield from _fits(file, name, param, node)
        held = [_value(value, param.type) for value in param.values]
        if held and param.default is not None and _value(param.default, param.type) not in held:
            message = f"`default` of parameter `{name}` is none of its `values`"
            yield Problem(file, param.line, message)


def _fits(file: str, name: str, param: _Parameter, node: object) -> Iterator[Problem]:
    try:
        typed(_value(node, param.type), param.type, f"parameter {name}")
    except Refused as refused:
        yield Problem(file, param.line, refused.defects[0].message)


def plain_value(node: object) -> object:
    """A tree of a file as parsed JSON would be."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, dict):
        return {key: plain_value(value) for key, value in node.items()}
    return [plain_value(item) for item in node] if isinstance(node, list | tuple) else node
