"""YAML as it was written: text scalars with their plain value, and the line of every key and item."""

from __future__ import annotations

import math
import re

import yaml

from backedge.config.problem import Problem

PlainValue = str | int | float | bool | None
_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAGS = "tag:yaml.org,2002:"
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,29})")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]{1,3})?")
MAX_CHARACTERS = 2_000_000
MAX_NODES = 100_000
MAX_DEPTH = 64


class Scalar(str):
    """The text of one scalar. `value` is what an untyped reader may take it for; `yes`, `0123` and dates stay text."""

    __slots__ = ("value",)
    value: PlainValue


class Block(dict[str, object]):
    """A mapping: `line` is where it starts, `lines` the line of each key. Values are Scalar, Block or Items."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}


class Items(list[object]):
    """A sequence: `line` is where it starts, `lines` the line of each item."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: list[int] = []


class _TooMuch(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def parse_yaml(file: str, text: str, found: list[Problem], first_line: int = 1) -> Block | None:
    """The mapping that `text` holds, or None with the reason in `found`. `first_line` is the line where it starts."""
    if len(text) > MAX_CHARACTERS:
        limit = f"{len(text) / 1e6:.1f} MB; at most {MAX_CHARACTERS / 1e6:.0f} MB are read"
        found.append(Problem(file, 0, f"is too large ({limit}): split it"))
        return None
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        found.append(_broken(file, text, error, first_line))
        return None
    except RecursionError:
        found.append(Problem(file, 0, f"is nested too deep (at most {MAX_DEPTH} levels)"))
        return None
    return _mapping(file, root, found, first_line)


def _mapping(file: str, root: yaml.Node | None, found: list[Problem], first_line: int) -> Block | None:
    if root is None:
        found.append(Problem(file, 0, "is empty: write its keys, or remove the file"))
        return None
    if not isinstance(root, yaml.MappingNode):
        found.append(Problem(file, root.start_mark.line + first_line, _not_a_mapping(root)))
        return None
    try:
        return _Builder(file, first_line, found).block(root, 0)
    except _TooMuch as stop:
        found.append(Problem(file, stop.line, stop.message))
        return None


def _not_a_mapping(root: yaml.Node) -> str:
    if isinstance(root, yaml.SequenceNode):
        return "must be a mapping (`key: value` lines) but is a list"
    text = str(root.value)
    link = ": a symbolic link checked out as text? Replace it by the file it names" if text.startswith("../") else ""
    return f"must be a mapping (`key: value` lines) but is the text `{text[:60]}`{link}"


def _broken(file: str, text: str, error: yaml.YAMLError, first_line: int) -> Problem:
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        said = " ".join(part for part in (error.context, error.problem) if part)
        line, column = (mark.line + first_line, mark.column + 1) if mark else (0, 0)
        return Problem(file, line, f"is not valid YAML: {said}", column=column)
    position = int(getattr(error, "position", 0) or 0)
    line = text.encode()[:position].count(b"\n") + first_line
    return Problem(file, line, f"is not valid YAML: {getattr(error, 'reason', None) or error}")


class _Builder:
    """Turns composed nodes into Block, Items and Scalar, counting every visit so that aliases cannot explode."""

    def __init__(self, file: str, first_line: int, found: list[Problem]) -> None:
        self.file = file
        self.first_line = first_line
        self.found = found
        self.nodes = 0

    def line(self, node: yaml.Node) -> int:
        return int(node.start_mark.line) + self.first_line

    def tree(self, node: yaml.Node, depth: int) -> Scalar | Block | Items:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise _TooMuch(
                self.line(node), f"holds more than {MAX_NODES:,} values once its aliases are followed: split it"
            )
        if depth > MAX_DEPTH:
            raise _TooMuch(
                self.line(node), f"is nested too deep (at most {MAX_DEPTH} levels), or an alias holds itself"
            )
        if isinstance(node, yaml.MappingNode):
            return self.block(node, depth)
        return self.items(node, depth) if isinstance(node, yaml.SequenceNode) else self.scalar(node)

    def block(self, node: yaml.MappingNode, depth: int) -> Block:
        self.check_tag(node, "map")
        block = Block(self.line(node))
        merged: list[Block] = []
        for key, value in node.value:
            if key.tag == f"{_TAGS}merge":
                merged += self.merge(value, depth + 1)
            elif not isinstance(key, yaml.ScalarNode):
                self.found.append(
                    Problem(self.file, self.line(key), "a key must be plain text: quote `{{…}}` and `[…]`")
                )
            elif key.value in block:
                first = block.lines[key.value]
                text = f"key `{key.value}` stands twice (first on line {first}): keep one of them"
                self.found.append(Problem(self.file, self.line(key), text))
            else:
                block[key.value] = self.tree(value, depth + 1)
                block.lines[key.value] = self.line(key)
        for other in merged:
            for name in other.keys() - block.keys():
                block[name], block.lines[name] = other[name], other.lines[name]
        return block

    def merge(self, node: yaml.Node, depth: int) -> list[Block]:
        tree = self.tree(node, depth)
        parts = [part for part in (tree if isinstance(tree, Items) else [tree]) if isinstance(part, Block)]
        if not parts:
            self.found.append(Problem(self.file, self.line(node), "`<<` must name a mapping (`<<: *anchor`)"))
        return parts

    def items(self, node: yaml.SequenceNode, depth: int) -> Items:
        self.check_tag(node, "seq")
        items = Items(self.line(node))
        for item in node.value:
            items.append(self.tree(item, depth + 1))
            items.lines.append(self.line(item))
        return items

    def scalar(self, node: yaml.Node) -> Scalar:
        scalar = Scalar(node.value)
        scalar.value = _plain_value(node.value, node.tag)
        if not node.tag.startswith(_TAGS):
            self.check_tag(node, "str")
        return scalar

    def check_tag(self, node: yaml.Node, kind: str) -> None:
        if node.tag != f"{_TAGS}{kind}":
            tag = node.tag.replace(_TAGS, "!!")
            text = f"tag `{tag}` is not known here: remove it (an environment variable is written `${{NAME}}`)"
            self.found.append(Problem(self.file, self.line(node), text))


def _plain_value(text: str, tag: str) -> PlainValue:
    if tag == f"{_TAGS}null":
        return None
    if tag == f"{_TAGS}bool" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if tag == f"{_TAGS}int" and _INTEGER.fullmatch(text):
        return int(text)
    if tag == f"{_TAGS}float" and _FLOAT.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return text
