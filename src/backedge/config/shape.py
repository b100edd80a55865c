"""Typed shapes of project files: strict pydantic models whose errors become problems with their line and near names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from backedge.config.problem import Problem, nearest
from backedge.config.yaml_file import Block, Items, Scalar


class Shape(BaseModel):
    """A mapping in a file. Unknown keys are errors; a key without a value (`label:`) counts as absent.

    `what` names it in messages, `refused` gives the reason for keys that users write but that cannot be set.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    what: ClassVar[str] = "the file"
    refused: ClassVar[Mapping[str, str]] = {}
    _line: int = PrivateAttr(default=0)

    @property
    def line(self) -> int:
        """The line on which the mapping starts."""
        return self._line

    @model_validator(mode="wrap")
    @classmethod
    def _keep_line(cls, data: object, handler: ModelWrapValidatorHandler[Shape]) -> Shape:
        if not isinstance(data, Block):
            return handler(data)
        known = cls.keys()
        shape = handler({key: value for key, value in data.items() if not (key in known and _is_null(value))})
        shape._line = data.line
        return shape

    @classmethod
    def keys(cls) -> dict[str, type[Shape] | None]:
        """Every key as files write it, with the shape of what it holds where that is a mapping (or a list of them)."""
        return _keys(cls)


ShapeT = TypeVar("ShapeT", bound=Shape)


def check_name(text: str) -> str:
    """A name of a view, member, topic or database: not empty, no control, no dot (`view.member` is split there)."""
    name = text.strip()
    if not name or any(unicodedata.category(letter) == "Cc" for letter in name):
        raise ValueError("must be a name: not empty, without control characters")
    if "." in name:
        raise ValueError(f"is `{name}`: a name cannot hold a dot, because `view.member` is split there")
    return name


def check_text(text: str) -> str:
    """A text that must say something."""
    if not text.strip():
        raise ValueError("must not be empty")
    return text


Name = Annotated[str, AfterValidator(check_name)]
Text = Annotated[str, AfterValidator(check_text)]


def read_shape(shape: type[ShapeT], tree: Block, file: str, found: list[Problem]) -> ShapeT | None:
    """`tree` as a `shape`, or None with every problem appended to `found`."""
    try:
        return shape.model_validate(tree)
    except ValidationError as error:
        found.extend(_problem(shape, tree, file, detail) for detail in error.errors(include_url=False))
        return None


@cache
def _keys(shape: type[Shape]) -> dict[str, type[Shape] | None]:
    return {info.alias or name: next(_shapes_in(info.annotation), None) for name, info in shape.model_fields.items()}


def _is_null(value: object) -> bool:
    return isinstance(value, Scalar) and value.value is None


def _shapes_in(annotation: Any) -> Iterator[type[Shape]]:
    inner = get_args(annotation)
    if not inner and isinstance(annotation, type) and issubclass(annotation, Shape):
        yield annotation
    for part in inner:
        yield from _shapes_in(part)


def _problem(shape: type[Shape], tree: Block, file: str, detail: ErrorDetails) -> Problem:
    path = _path(tree, detail)
    owner = _owner(shape, path)
    message, near = _message(owner, path, detail)
    return Problem(file, _line_of(tree, path), message, near=near)


def _owner(shape: type[Shape], path: tuple[int | str, ...]) -> type[Shape]:
    for part in path[:-1]:
        shape = (shape.keys().get(part) if isinstance(part, str) else None) or shape
    return shape


def _path(tree: Block, detail: ErrorDetails) -> tuple[int | str, ...]:
    """Where the error is, without the names of union members that pydantic puts between."""
    node: object = tree
    path: list[int | str] = []
    for part in detail["loc"]:
        match node, part:
            case Block(), str() if part in node:
                path, node = [*path, part], node[part]
            case Items(), int():
                path, node = [*path, part], node[part]
    return (*path, detail["loc"][-1]) if detail["type"] == "missing" else tuple(path)


def _line_of(tree: Block, path: tuple[int | str, ...]) -> int:
    node: object = tree
    line = tree.line
    for part in path:
        match node, part:
            case Block(), str() if part in node:
                line, node = node.lines[part], node[part]
            case Items(), int():
                line, node = node.lines[part], node[part]
    return line


def _message(owner: type[Shape], path: tuple[int | str, ...], detail: ErrorDetails) -> tuple[str, tuple[str, ...]]:
    key = str(path[-1]) if path else ""
    given = detail["input"]
    match detail["type"]:
        case "extra_forbidden" if key in owner.refused:
            return owner.refused[key], ()
        case "extra_forbidden":
            return f"unknown key `{key}` in {owner.what}", nearest(key, owner.keys())
        case "missing":
            return f"{owner.what} needs `{key}`", ()
        case "literal_error":
            names = tuple(name.strip("'") for name in detail["ctx"]["expected"].replace(" or ", ", ").split(", "))
            choice = ", ".join(f"`{name}`" for name in names)
            return f"{_place(owner, path)} cannot be {_shown(given)}: write one of {choice}", nearest(str(given), names)
        case _:
            return f"{_place(owner, path)} {_expected(detail)}", ()


def _place(owner: type[Shape], path: tuple[int | str, ...]) -> str:
    names = [part for part in path if isinstance(part, str)]
    if not names:
        return owner.what
    item = f"item {path[-1] + 1} of " if isinstance(path[-1], int) else ""
    return f"{item}`{names[-1]}` of {owner.what}"


_EXPECTED = {
    "string_type": "must be text: put it in quotes",
    "int_parsing": "must be a whole number, not {given}",
    "int_type": "must be a whole number, not {given}",
    "float_parsing": "must be a number, not {given}",
    "bool_parsing": "must be `true` or `false`, not {given}",
    "bool_type": "must be `true` or `false`, not {given}",
    "tuple_type": "must be a list (lines that start with `- `), not {given}",
    "list_type": "must be a list (lines that start with `- `), not {given}",
    "dict_type": "must be a mapping (`key: value` lines), not {given}",
    "model_type": "must be a mapping (`key: value` lines), not {given}",
}


def _expected(detail: ErrorDetails) -> str:
    if detail["type"] == "value_error":
        return str(detail["ctx"]["error"])
    words = _EXPECTED.get(detail["type"])
    return words.format(given=_shown(detail["input"])) if words else detail["msg"].replace("Input should", "must")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list) else f"`{str(value)[:60]}`"
