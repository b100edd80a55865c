"""What the stages of ask propose, beside the readings of Clarifying (`intent.py`) and the rows of Executing (`Ran`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from backedge.ask.figures import Figure
from backedge.ask.probe import Finding
from backedge.kernel.defect import Defect
from backedge.query.ports import Ran
from backedge.semantic.spec import Compiled, Spec, Value


@dataclass(frozen=True)
class Automation:
    """Clarifying found an automation that does what is asked. `defects` are what a model named or gave it wrong."""

    name: str
    variables: dict[str, JsonValue] = field(default_factory=dict)
    file: str = ""
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True)
class Saying:
    """The answers to the open questions: `values` in their order, or each for the slot at its place in `slots`.

    `by_default` where it is the clock that says so.
    """

    values: tuple[str, ...]
    slots: tuple[str, ...] = ()
    by_default: bool = False


@dataclass(frozen=True)
class Compilation:
    """Specifying's spec, and the query that the semantic model makes of it, or the defects that forbid one.

    Where a model wrote it (`by`), another attempt may mend it; `assumptions` are what it decided for the person,
    `against` what in it is not what rules read of the question.
    """

    spec: Spec
    compiled: Compiled | None
    defects: tuple[Defect, ...] = ()
    by: Literal["words", "model"] = "words"
    assumptions: tuple[str, ...] = ()
    against: tuple[Defect, ...] = ()


@dataclass(frozen=True)
class Chosen:
    """Specifying chose a verified query: its name and its SQL, held to row policies, or the defects that forbid it."""

    name: str
    sql: str
    database: str
    params: tuple[Value, ...] = ()
    notes: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True)
class Several:
    """Specifying split the question into parts that are answered apart."""

    questions: tuple[str, ...]


@dataclass(frozen=True)
class Beyond:
    """Specifying found that the model has no construct for what is asked; Solving may write SQL after the `outline`.

    `defects` are what the outline names wrong.
    """

    spec: Spec | None
    reason: str
    outline: str = ""
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True)
class Written:
    """Solving's SQL for one database, held to row policies, or the reason or the defects why there is none."""

    sql: str
    database: str = ""
    reason: str = ""
    params: tuple[Value, ...] = ()
    notes: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True)
class Interpretation:
    """Interpreting's words, the figures in them, and a chart (Vega-Lite) where one is useful."""

    text: str
    figures: tuple[Figure, ...] = ()
    chart: dict[str, JsonValue] | None = None


@dataclass(frozen=True)
class Investigated:
    """Executing's rows where they may be empty for a bad reason, and what is known of it: no finding, no bad reason."""

    ran: Ran
    findings: tuple[Finding, ...]


Goal = Literal["Clarifying", "Specifying", "Solving", "Interpreting", "Done"]


@dataclass(frozen=True)
class Route:
    """Where Diagnosing goes back to, and what is told there."""

    to: Goal
    because: tuple[Defect, ...]
