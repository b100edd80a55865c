"""Automations as data: tasks in order, the variables they take, what each task exports and caches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

ExportFormat = Literal["csv", "json", "sql", "txt"]


@dataclass(frozen=True)
class Export:
    """A file to write a task's output to; `path` is a template, relative to the project."""

    path: str
    format: ExportFormat


@dataclass(frozen=True)
class Cache:
    """A file that keeps a task's output. While it is there, the task is not done again."""

    path: str


@dataclass(frozen=True)
class Common:
    """What every task has: its name among its neighbours, its export, its cache, and `file:line`."""

    name: str
    export: Export | None = None
    cache: Cache | None = None
    at: str = ""


@dataclass(frozen=True)
class SqlTask:
    """Runs one SELECT, of `sql` or of the file at `file` (a template too).

    `variables` are templates, named for the SQL; `limit` bounds the rows (`dry_run_limit`).
    """

    common: Common
    database: str
    sql: str = ""
    file: str = ""
    variables: dict[str, JsonValue] = field(default_factory=dict)
    limit: int | None = None


@dataclass(frozen=True)
class SemanticTask:
    """Asks the semantic model. `request` is in the keys of a request; texts in it are templates."""

    common: Common
    request: dict[str, JsonValue]


@dataclass(frozen=True)
class AgentTask:
    """Asks an agent, for its answer or its SQL (`mode`). Of several `runs` the answer that most agree on is taken."""

    common: Common
    agent: str
    prompt: str
    runs: int = 1
    mode: Literal["answer", "sql"] = "answer"


@dataclass(frozen=True)
class LoopTask:
    """Does `tasks` for each of `values` (a list, or a template that gives one), at most `concurrency` at once."""

    common: Common
    values: str | tuple[JsonValue, ...]
    tasks: tuple[Task, ...]
    concurrency: int = 1


@dataclass(frozen=True)
class Branch:
    """Tasks to do where a condition (a Jinja expression) holds."""

    condition: str
    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class ConditionalTask:
    """Does the tasks of the first branch whose condition holds, else `otherwise`."""

    common: Common
    branches: tuple[Branch, ...]
    otherwise: tuple[Task, ...] = ()


@dataclass(frozen=True)
class FormatterTask:
    """Renders a template."""

    common: Common
    template: str


@dataclass(frozen=True)
class WorkflowTask:
    """Runs another automation. `variables` are templates, or plain values."""

    common: Common
    automation: str
    variables: dict[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class HttpTask:
    """One request over HTTPS. `secrets` names environment variables by header; no secret is kept anywhere.

    `expected` are the statuses that count as success (none: every 2xx). Only hosts of `allow_hosts` are asked, where
    there are any; private and local addresses never are.
    """

    common: Common
    url: str
    method: str = "POST"
    headers: dict[str, JsonValue] = field(default_factory=dict)
    body: JsonValue = None
    form: dict[str, JsonValue] = field(default_factory=dict)
    secrets: dict[str, JsonValue] = field(default_factory=dict)
    seconds: int = 30
    expected: tuple[int, ...] = ()
    allow_hosts: tuple[str, ...] = ()


Task = SqlTask | SemanticTask | AgentTask | LoopTask | ConditionalTask | FormatterTask | WorkflowTask | HttpTask


@dataclass(frozen=True)
class Variable:
    """One input, as JSON Schema says it. `required` where there is no default."""

    name: str
    schema: dict[str, JsonValue] = field(default_factory=dict)

    @property
    def required(self) -> bool:
        """Whether a value must be given."""
        return "default" not in self.schema

    @property
    def description(self) -> str:
        """What it is for."""
        return str(self.schema.get("description", ""))


@dataclass(frozen=True)
class Automation:
    """One automation file. `include` and `exclude` are questions that it is, and is not, meant for."""

    name: str
    file: str
    tasks: tuple[Task, ...]
    variables: tuple[Variable, ...] = ()
    description: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    at: str = ""
