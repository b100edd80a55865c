"""`.sql`: a verified query where the file opens with an `oxy:` header, else an example for writing SQL."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from textwrap import dedent
from typing import Annotated, ClassVar

from pydantic import BeforeValidator

from backedge.ask.catalog import Verified
from backedge.config.problem import Problem
from backedge.config.shape import Shape, read_shape
from backedge.config.yaml_file import Block, parse_yaml

_HEADER = re.compile(r"\A(?:\s|--[^\n]*(?:\n|\Z))*/\*(?P<yaml>.*?)\*/", re.DOTALL)


def _lines(value: object) -> object:
    """A single text holds one question per line."""
    return value.splitlines() if isinstance(value, str) else value


class _Header(Shape):
    what: ClassVar[str] = "an `oxy:` header"
    database: str = ""
    description: str = ""
    embed: Annotated[tuple[str, ...], BeforeValidator(_lines)] = ()


class _Comment(Shape):
    what: ClassVar[str] = "the header comment"
    oxy: _Header


def read_sql(file: str, text: str, found: list[Problem]) -> Verified | tuple[str, str] | None:
    """A verified query, or (path, text) of an example; None where the header is wrong (its problems are in `found`)."""
    match = _HEADER.match(text)
    if match is None or not match["yaml"].lstrip().startswith("oxy:"):
        return file, text
    first_line = text.count("\n", 0, match.start("yaml")) + 1
    tree = parse_yaml(file, dedent(match["yaml"]), found, first_line)
    raw = read_shape(_Comment, tree, file, found) if tree else None
    if tree is None or raw is None:
        return None
    sql = text[match.end() :].strip()
    if not sql:
        found.append(Problem(file, first_line, "has an `oxy:` header but no SQL below it: write the query there"))
        return None
    return _verified(file, raw.oxy, sql, tree, found)


def _verified(file: str, header: _Header, sql: str, tree: Block, found: list[Problem]) -> Verified:
    embed = tuple(line.strip() for line in header.embed if line.strip())
    if not embed and not header.description:
        message = "has neither `description` nor `embed` questions: no question can find it"
        found.append(Problem(file, tree.line, message, "warning"))
    return Verified(
        name=PurePosixPath(file).stem,
        sql=sql,
        database=header.database,
        description=header.description.strip(),
        embed=embed,
        at=f"{file}:{tree.line}",
    )
