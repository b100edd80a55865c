"""What the models of ask reply: one closed shape for each stage."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from backedge.ask.intent import AnswerKind

Scalar = str | int | float | bool


class Shape(BaseModel):
    """A reply, or a part of one. Keys that it does not have are an error, never ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class OpenQuestion(Shape):
    """One thing that only the person can decide."""

    slot: str = Field(description="a short name of what is open")
    prompt: str = Field(description="one question to the person")
    suggestions: tuple[str, ...] = Field(default=(), description="of a choice two to four complete readings")
    answers: AnswerKind = Field(default="choice", description="what an answer must be")
    default: str = Field(default="", description="the suggestion to take if nobody answers; empty where none is likely")


class Variable(Shape):
    """One input of an automation. A list of these, since Claude is held to no mapping of free keys."""

    name: str
    value: Scalar


class Meaning(Shape):
    """What a word of the question was taken for."""

    word: str = Field(description="a word of the question, as it stands there")
    member: str = Field(description="the path that it means, one of `members`")


class Triage(Shape):
    """Clarifying's reply."""

    kind: Literal["data", "inquiry", "automation", "unanswerable"]
    intent: str = ""
    members: tuple[str, ...] = ()
    words: tuple[Meaning, ...] = ()
    verified: str = ""
    assumptions: tuple[str, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    answer: str = ""
    automation: str = ""
    variables: tuple[Variable, ...] = ()
    reason: str = ""


class TimeDimension(Shape):
    """A date to group or to filter by. Both days of `date_range` are included."""

    dimension: str
    granularity: Literal["year", "quarter", "month", "week", "day", "hour"] | None = None
    date_range: tuple[str, ...] | None = Field(None, min_length=2, max_length=2)


class Condition(Shape):
    """One filter."""

    field: str
    op: str
    values: tuple[Scalar, ...] = ()


class Sorting(Shape):
    """One sort key."""

    field: str
    direction: Literal["asc", "desc"] = "asc"


class Specification(Shape):
    """Specifying's reply."""

    kind: Literal["request", "parts", "beyond", "ask"]
    measures: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    time_dimensions: tuple[TimeDimension, ...] = ()
    filters: tuple[Condition, ...] = ()
    segments: tuple[str, ...] = ()
    order: tuple[Sorting, ...] = ()
    limit: int | None = None
    ungrouped: bool = False
    compare: Literal["previous_period", "previous_year"] | None = None
    parts: tuple[str, ...] = ()
    reason: str = ""
    columns: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    assumptions: tuple[str, ...] = ()


class Sql(Shape):
    """Solving's reply."""

    sql: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()


class Picture(Shape):
    """A chart that Interpreting proposes, over columns of the result."""

    kind: Literal["line", "bar", "pie", "table"]
    x: str = ""
    y: str = ""
    series: str = ""


class Words(Shape):
    """Interpreting's reply."""

    text: str
    chart: Picture | None = None
