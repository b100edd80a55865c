"""Automations that a question may be handed to: what each is meant for, what it takes, and what forbids a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from backedge.kernel.defect import Defect


@dataclass(frozen=True)
class Taken:
    """One input: `choices` are the texts that it may be, where its schema lists them; `default` where none is given."""

    name: str
    required: bool
    default: JsonValue = None
    about: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Delegable:
    """One automation. `include` and `exclude` are questions that it is, and is not, meant for.

    `problems` says what is wrong with the values that it would be given, by the schemas of its inputs.
    """

    name: str
    file: str
    problems: Callable[[Mapping[str, JsonValue]], tuple[Defect, ...]]
    description: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    takes: tuple[Taken, ...] = ()

    def filled(self, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """What it runs with: the values given, and the defaults of the others, so that an answer can say them all."""
        return {**{taken.name: taken.default for taken in self.takes if not taken.required}, **given}
