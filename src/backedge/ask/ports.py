"""What the stages of ask need of the outside: somebody who reads, specifies, solves and words, and the databases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from backedge.ask.catalog import Catalog
from backedge.ask.intent import Ambiguous, Clarified, Questions
from backedge.ask.proposals import Automation, Beyond, Chosen, Compilation, Interpretation, Several, Written
from backedge.ask.states import Clarifying, Interpreting, Solving, Specifying
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.ports import Caps, Connector

Specified = Compilation | Chosen | Several | Beyond | Ambiguous | Questions


class Clarifier(Protocol):
    """Reads the question."""

    async def clarify(
        self, state: Clarifying, lesson: Lesson
    ) -> Clarified | Automation | Reply[Clarified | Automation] | Unreadable:
        """A grounded intent, a question back, an automation that does it, or what is not understood."""
        ...


class Specifier(Protocol):
    """Makes a spec of an intent."""

    async def specify(self, state: Specifying, lesson: Lesson) -> Specified | Reply[Specified] | Unreadable:
        """A compiled spec, a verified query, parts, or that the model has no construct for it."""
        ...


class Solver(Protocol):
    """Writes SQL where the model cannot express what is asked."""

    async def solve(self, state: Solving, lesson: Lesson) -> Written | Reply[Written] | Unreadable:
        """SQL for one database, or the reason why there is none."""
        ...


class Interpreter(Protocol):
    """Puts validated rows into words."""

    async def interpret(
        self, state: Interpreting, lesson: Lesson
    ) -> Interpretation | Reply[Interpretation] | Unreadable:
        """Words, their figures, and a chart where one is useful."""
        ...


@dataclass(frozen=True)
class AskPorts:
    """The outside of one ask run. `connectors` are by database name; `default` is the database of unnamed SQL."""

    catalog: Catalog
    connectors: Mapping[str, Connector]
    default: str
    clarifier: Clarifier
    specifier: Specifier
    solver: Solver
    interpreter: Interpreter
    caps: Caps


def settings_of(port: object) -> object:
    """What a port's proposals depend on beside the state: a model, its settings and its prompt; None for rules."""
    return getattr(port, "settings", None)
