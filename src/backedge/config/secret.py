"""Secrets in project files: they are named, never read. A literal one is reported and not kept."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backedge.config.problem import Problem
from backedge.config.yaml_file import Block, Items, Scalar

_SECRET = re.compile(
    r"(^|_)(password|passwd|secret|api_key|api_token|access_token|developer_token|token|authorization)$"
)
_REFERENCE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")


def is_reference(value: str) -> bool:
    """Whether a setting is the name of the variable that holds its value, and nothing else."""
    return bool(_REFERENCE.fullmatch(value.strip()))


def is_secret(key: str, value: str) -> bool:
    """Whether a setting holds a secret itself, not the name of the variable that holds it."""
    name = key.lower().replace("-", "_")
    return bool(_SECRET.search(name)) and not is_reference(value) and bool(value.strip())


def literal_secrets(file: str, tree: object, keys: tuple[str, ...] = ()) -> Iterator[Problem]:
    """A warning for every secret that stands in the file itself, below `keys` (or anywhere where none is given)."""
    if isinstance(tree, Items):
        for item in tree:
            yield from literal_secrets(file, item)
    if not isinstance(tree, Block):
        return
    for key, value in tree.items():
        if keys and key not in keys:
            continue
        if isinstance(value, Scalar) and is_secret(key, value) and not _harmless(tree, key):
            message = f"`{key}` holds the secret itself and is not read: name an environment variable ({_instead(key)})"
            yield Problem(file, tree.lines[key], message, "warning")
        yield from literal_secrets(file, value)


def _harmless(tree: Block, key: str) -> bool:
    """A DuckLake `secret` is the name of a variable already; Ollama asks for any `api_key` and ignores it."""
    return (key == "secret" and "s3_secret_type" in tree) or (key == "api_key" and tree.get("vendor") == "ollama")


def _instead(key: str) -> str:
    return f"`{key}: ${{NAME}}`" if key != "password" else "`password_var: NAME`"
