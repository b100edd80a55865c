"""What the server needs of the project: runs, questions and their answers; given to it by `backedge.serving`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from backedge.ask.catalog import Verified
from backedge.ask.keeping.workflow import Note, NoteKind
from backedge.kernel.journal import Stored
from backedge.kernel.ports import Head
from backedge.kernel.run import Run, Status
from backedge.kernel.stage import Record
from backedge.query.table import Table
from backedge.web.evidence_services import Evidence


class Runs(Protocol):
    """The runs of a project, of every workflow; they are driven in the background."""

    async def heads(
        self, *, status: Status | None = None, workflow: str | None = None, limit: int = 50, before: str | None = None
    ) -> tuple[Head, ...]:
        """Runs, newest first."""
        ...

    async def head(self, run_id: str) -> Head:
        """A run's row; a unique beginning of its id is enough. Raises `UnknownRun`."""
        ...

    async def load(self, run_id: str) -> Run:
        """A run as its journal says."""
        ...

    async def entries(self, run_id: str, after: int = -1) -> tuple[Stored, ...]:
        """Its entries behind `after`."""
        ...

    async def changed(self, run_id: str, after: int, seconds: float) -> None:
        """Wait until there are entries behind `after`, or so long."""
        ...

    def surfaced(self, run_id: str) -> str:
        """The error of the program that keeps a run from going on, in a sentence; empty where there is none."""
        ...

    async def retry(self, run_id: str, *, by: str) -> None:
        """Open fresh budgets, and go on in the background. Raises `CannotRetry`."""
        ...

    async def cancel(self, run_id: str, *, by: str, reason: str) -> None:
        """Stop it for good, with what it started."""
        ...


@dataclass(frozen=True)
class Sample:
    """A question that a project offers to newcomers."""

    text: str
    why: str = ""


@dataclass(frozen=True)
class Asked:
    """A question as somebody asks it. `after` is a run that it follows; `sql` is run instead of a reading of it."""

    text: str
    by: str
    attributes: Mapping[str, tuple[str, ...]]
    agent: str = ""
    after: str = ""
    sql: str = ""
    database: str = ""


class Asking(Protocol):
    """Questions about the data of a project."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that can be asked, the default one first."""
        ...

    @property
    def samples(self) -> tuple[Sample, ...]:
        """Questions to begin with."""
        ...

    def catalog(self) -> dict[str, Any]:
        """What can be asked about: topics, measures and dimensions with their descriptions."""
        ...

    async def ask(self, asked: Asked) -> str:
        """Begin a run, which goes on in the background; its id."""
        ...

    async def form(self, run_id: str) -> dict[str, Any]:
        """The answer form (`backedge.answer/1`) of a run, as it is now."""
        ...

    async def parquet(self, table: Table) -> bytes:
        """Rows as a Parquet file."""
        ...

    async def picture(self, spec: Mapping[str, Any], kind: Literal["svg", "png"]) -> bytes:
        """A Vega-Lite spec as a picture. Raises `Permanent` where the extra `charts` is not installed."""
        ...

    def dialect(self, database: str) -> str:
        """The dialect of a database's SQL; "" is the default database."""
        ...

    async def keep(self, note: Note, *, by: str) -> None:
        """Record what somebody says about an answer. Raises `Permanent` where the key has another record."""
        ...

    async def kept(self, kind: NoteKind, under: str = "") -> tuple[Record, ...]:
        """What was recorded of a kind, in the order of the keys that begin with `under`."""
        ...

    def write_example(self, query: Verified) -> str:
        """Write a verified query as a new file; its path. Raises `Permanent` where it exists, or cannot be one."""
        ...

    async def answer(self, run_id: str, values: tuple[str, ...], *, by: str, asked: int | None) -> None:
        """Answer the open questions of a run, which goes on in the background. Raises `NotAsked`, `OfferRefused`."""
        ...


@dataclass(frozen=True)
class Services:
    """All that the pages are about. `asking` is None in a project without questions about data, `evidence` without."""

    name: str
    runs: Runs
    asking: Asking | None = None
    evidence: Evidence | None = None
