"""`store` of `config.yml`: where a project's runs are kept. It is read by itself, whatever else the file says."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import model_validator

from backedge.config.folder import read_text
from backedge.config.problem import ConfigError, Problem
from backedge.config.shape import Shape, Text, read_shape
from backedge.config.yaml_file import Block, parse_yaml

_FILE = "config.yml"


class StoreKeys(Shape):
    """The keys of `store`. An address holds a password, so it is never written in the file itself."""

    what: ClassVar[str] = "`store`"
    refused: ClassVar[dict[str, str]] = {
        "url": "`url` of `store` would hold a password: name the variable that holds the address with `url_var`",
    }
    type: Literal["sqlite", "postgres"]
    url_var: Text | None = None

    @model_validator(mode="after")
    def _fits(self) -> StoreKeys:
        if (self.type == "postgres") != (self.url_var is not None):
            said = "needs `url_var`, the name of the variable that holds the address of the database"
            raise ValueError(f"`store` {said}" if self.type == "postgres" else "`url_var` is of a postgres `store`")
        return self


def store_variable(root: Path) -> str:
    """The variable that holds the address of the PostgreSQL store, or "" where runs are kept in the project's folder.

    Raises ConfigError where `config.yml` cannot be read so far, or its `store` is wrong.
    """
    if not (root / _FILE).is_file():
        return ""
    found: list[Problem] = []
    text = read_text(root, _FILE, found)
    tree = parse_yaml(_FILE, text[1], found) if text else None
    block = tree.get("store") if tree else None
    keys = read_shape(StoreKeys, block, _FILE, found) if isinstance(block, Block) else None
    errors = [problem for problem in found if problem.severity == "error"]
    if errors:
        raise ConfigError(errors)
    return keys.url_var or "" if keys else ""
