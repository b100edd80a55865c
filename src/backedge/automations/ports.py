"""What automations need of the outside: their files, the data, agents, the web, and a place to write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from backedge.automations.outputs import Output
from backedge.automations.tasks import Automation, Cache, Export, HttpTask
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Reply, Unreadable
from backedge.query.ports import Queried


@dataclass(frozen=True)
class Answered:
    """What a server said: its status and its body, as JSON under `value` where it is JSON."""

    status: int
    text: str
    data: dict[str, JsonValue] | None = None


@dataclass(frozen=True)
class Forbidden:
    """An address that no request is sent to, and why."""

    reason: str


@dataclass(frozen=True)
class Staged:
    """An agent with stages of its own: its questions are runs of `workflow`."""

    workflow: str


class Data(Protocol):
    """The databases and the semantic model, for somebody with attributes. Raises the three failures."""

    def dialect(self, database: str) -> str:
        """The SQL dialect of a database ("": the default one). Raises `Permanent` where there is no such database."""
        ...

    async def sql(
        self, database: str, sql: str, asker: Mapping[str, tuple[str, ...]], rows: int | None
    ) -> Queried | tuple[Defect, ...]:
        """The rows of SQL held to what the asker may see, at most `rows`, or why there are none."""
        ...

    async def request(
        self, request: Mapping[str, JsonValue], asker: Mapping[str, tuple[str, ...]]
    ) -> Queried | tuple[Defect, ...]:
        """The rows of a request to the semantic model, or why there are none."""
        ...


class Web(Protocol):
    """Sends requests. Raises `Transient`, `RateLimited` or `Permanent`."""

    async def send(self, task: HttpTask) -> Answered | Forbidden:
        """What the server said; a task's texts are rendered already."""
        ...


class Files(Protocol):
    """Files of the project: caches and exports. No path leaves the project's folder."""

    async def text(self, path: str) -> str | None:
        """The text of a file, or None where there is none."""
        ...

    async def cached(self, cache: Cache) -> Output | None:
        """The output that the cache holds, or None."""
        ...

    async def keep(self, cache: Cache, output: Output) -> None:
        """Write the cache."""
        ...

    async def export(self, export: Export, output: Output) -> str:
        """Write the file and give its path."""
        ...


class Agents(Protocol):
    """The agents of the project."""

    def staged(self, agent: str) -> Staged | None:
        """The workflow of an agent with stages, or None for one that is a single call. Raises `Permanent`."""
        ...

    async def reply(self, agent: str, prompt: str) -> Reply[Output] | Unreadable:
        """What a single call says. Raises the three failures."""
        ...


@dataclass(frozen=True)
class AutomationPorts:
    """The outside of automations: `automations` are by name and by file."""

    automations: Mapping[str, Automation]
    data: Data
    agents: Agents
    web: Web
    files: Files
