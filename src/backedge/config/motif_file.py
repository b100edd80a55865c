"""`.motif.yml`: columns computed over the rows of a question, as airlayer writes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from backedge.config.problem import Problem
from backedge.config.shape import Name, Shape, Text, read_shape
from backedge.config.yaml_file import Block, Scalar
from backedge.semantic.dialects import dialect_of
from backedge.semantic.model import Motif, MotifParam
from backedge.semantic.motif_file import parsed
from backedge.semantic.motifs import OUTPUTS
from backedge.semantic.refusal import Refused


class _Param(Shape):
    what: ClassVar[str] = "a motif's parameter"
    type: Literal["measure", "dimension", "number", "string"]
    constraints: tuple[Literal["numeric", "temporal"], ...] = ()
    default: object = None
    description: str = ""


class _Output(Shape):
    what: ClassVar[str] = "an output"
    name: Name
    expr: Text


class _Motif(Shape):
    what: ClassVar[str] = "a motif"
    name: Name
    description: str = ""
    params: dict[Name, _Param] = Field(default_factory=dict)
    outputs: Annotated[tuple[_Output, ...], Field(min_length=1)]


def read_motif(file: str, tree: Block, found: list[Problem]) -> Motif | None:
    """The motif of a file, or None with every problem in `found`."""
    raw = read_shape(_Motif, tree, file, found)
    if raw is None:
        return None
    problems = list(_checks(file, raw))
    found.extend(problems)
    if problems:
        return None
    return Motif(
        name=raw.name,
        params=tuple(_param(name, param) for name, param in raw.params.items()),
        outputs=tuple((output.name, output.expr) for output in raw.outputs),
        description=raw.description.strip(),
        at=f"{file}:{raw.line}",
    )


def _param(name: str, raw: _Param) -> MotifParam:
    default = raw.default.value if isinstance(raw.default, Scalar) else None
    return MotifParam(name, raw.type, default, "temporal" in raw.constraints, raw.description.strip())


def _checks(file: str, raw: _Motif) -> Iterator[Problem]:
    if raw.name in OUTPUTS:
        yield Problem(file, raw.line, f"motif `{raw.name}` is there without a file: choose another name")
    names: dict[str, int] = {}
    for output in raw.outputs:
        if names.setdefault(output.name.lower(), output.line) != output.line:
            yield Problem(file, output.line, f"output name `{output.name}` stands twice: rename one")
        try:
            parsed(output.expr, list(raw.params), dialect_of("duckdb").name, f"output {output.name}")
        except Refused as refused:
            yield Problem(file, output.line, refused.defects[0].message)
    for name, param in raw.params.items():
        fits = {"number": int | float, "string": str}.get(param.type)
        value = param.default.value if isinstance(param.default, Scalar) else param.default
        if value is not None and (fits is None or not isinstance(value, fits) or isinstance(value, bool)):
            yield Problem(file, param.line, f"`default` of parameter `{name}` is no {param.type}")
