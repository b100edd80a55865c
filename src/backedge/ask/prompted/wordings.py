"""The prompts' fixed wordings: a Markdown file beside each stage, whose hash is its version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from backedge.agent.blocks import RULE

FILES = {
    "clarifying": "clarify.md",
    "specifying": "specify.md",
    "solving": "solve.md",
    "interpreting": "interpret.md",
}


@dataclass(frozen=True)
class Wording:
    """What a stage's model is told of its task. `version` changes with every letter of it."""

    text: str
    version: str


@cache
def wording(stage: str, shots: bool = False) -> Wording:
    """The wording of one of the four stages that have a model, with worked examples where the model needs `shots`."""
    names = (FILES[stage], FILES[stage].replace(".md", ".examples.md"))
    told = "\n\n".join((*map(_read, names[: 1 + shots]), RULE))
    return Wording(told, hashlib.sha256(told.encode()).hexdigest()[:12])


def _read(name: str) -> str:
    return files("backedge.ask.stages").joinpath(name).read_text("utf-8").strip()
