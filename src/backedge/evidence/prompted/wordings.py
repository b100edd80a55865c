"""The evidence agent's fixed wordings: a Markdown file beside each stage, whose hash is its version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from backedge.agent.blocks import RULE

Task = Literal["extracting", "reextracting", "verifying"]

# What a model is told, and what a small one is told instead: it does what it is shown rather than what it is told.
_FILES: dict[Task, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "extracting": (("extract/stages/extract.md",), ("extract/stages/extract.small.md",)),
    "reextracting": (("verify/stages/reextract.md",), ("verify/stages/reextract.md",)),
    "verifying": (
        ("verify/stages/verify.md", "verify/stages/verify.examples.md"),
        ("verify/stages/verify.small.md", "verify/stages/verify.examples.md"),
    ),
}


@dataclass(frozen=True)
class Wording:
    """What a model is told of its task. `version` changes with every letter of it, its examples included."""

    text: str
    version: str


@cache
def wording(task: Task, small: bool = False) -> Wording:
    """The wording of a task, for a model that is `small` or one that is not."""
    told = "\n\n".join((*map(_read, _FILES[task][small]), RULE))
    return Wording(told, hashlib.sha256(told.encode()).hexdigest()[:12])


def _read(name: str) -> str:
    return files("backedge.evidence").joinpath(name).read_text("utf-8").strip()
