"""The fixed wordings of the evidence agents: Markdown files beside their stages, whose hash is their version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from backedge.agent.blocks import RULE

Task = Literal[
    "extracting",
    "reextracting",
    "verifying",
    "extracting_facets",
    "round_tripping",
    "deriving_questions",
    "planning",
    "assessing",
    "weighing",
    "proposing",
    "designing",
]

# What a model is told of these, and what a small one is told instead: it does what it is shown rather than told.
_FILES: dict[Task, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "extracting": (("extract/stages/extract.md",), ("extract/stages/extract.small.md",)),
    "reextracting": (("verify/stages/reextract.md",), ("verify/stages/reextract.md",)),
    "verifying": (
        ("verify/stages/verify.md", "verify/stages/verify.examples.md"),
        ("verify/stages/verify.small.md", "verify/stages/verify.examples.md"),
    ),
}
# What every model is told of these, whatever its size.
_ONE: dict[Task, str] = {
    "extracting_facets": "investigate/stages/extract_facets.md",
    "round_tripping": "investigate/stages/round_trip.md",
    "deriving_questions": "investigate/stages/derive_questions.md",
    "planning": "inquire/stages/plan.md",
    "assessing": "inquire/stages/assess.md",
    "weighing": "inquire/stages/weigh.md",
    "proposing": "investigate/stages/propose_candidates.md",
    "designing": "investigate/stages/design.md",
}


@dataclass(frozen=True)
class Wording:
    """What a model is told of its task. `version` changes with every letter of it, its examples included."""

    text: str
    version: str


@cache
def wording(task: Task, small: bool = False) -> Wording:
    """The wording of a task, for a model that is `small` or one that is not."""
    named = (_ONE[task],) if task in _ONE else _FILES[task][small]
    told = "\n\n".join((*map(_read, named), RULE))
    return Wording(told, hashlib.sha256(told.encode()).hexdigest()[:12])


def _read(name: str) -> str:
    return files("backedge.evidence").joinpath(name).read_text("utf-8").strip()
