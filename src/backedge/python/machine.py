"""`backedge.Machine`: a workflow of your own, run with the SQLite store of a folder, with and without `await`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from backedge.adapters.clock import SystemClock
from backedge.assembling.storing import open_store
from backedge.kernel.budget import Limits
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context, Stored
from backedge.kernel.ports import Clock, Head
from backedge.kernel.run import Run, Status
from backedge.kernel.workflow import Workflow
from backedge.python.background import Background
from backedge.python.errors import told
from backedge.python.project import who


class Machine:
    """Runs of one workflow, kept in `folder`/.backedge/runs.db. A stage's own exception is a bug, and surfaces.

    `ports` is what its stages are given; `others` are the workflows of child runs, each with its ports.
    """

    def __init__(
        self,
        workflow: Workflow,
        folder: str | Path,
        ports: object = None,
        *,
        by: str = "",
        others: Mapping[Workflow, object] | None = None,
        clock: Clock | None = None,
    ) -> None:
        bound = {workflow.name: Bound(workflow, ports)}
        bound |= {other.name: Bound(other, given) for other, given in (others or {}).items()}
        self._name = workflow.name
        self._by = by or who()
        self._clock = clock or SystemClock()
        with told():
            self._store = open_store(Path(folder).expanduser().resolve())
        self._driver = Driver(self._store, bound, self._clock)
        self._work = Background()
        self._work.at_last(self._store.close)

    def run(self, given: object, *, limits: Limits | None = None, labels: Mapping[str, str] | None = None) -> Run:
        """Start a run with what the workflow's `begin` takes, and go on until it waits or is over."""
        return self._work.wait(self._run(given, limits, labels))

    async def run_async(
        self, given: object, *, limits: Limits | None = None, labels: Mapping[str, str] | None = None
    ) -> Run:
        """See `run`."""
        return await self._work.later(self._run(given, limits, labels))

    def offer(self, run: Run | str, value: object, *, by: str = "") -> Run:
        """Give a waiting run what it waits for, and go on. What a gate refuses raises `BackedgeError`; it waits on."""
        return self._work.wait(self._offer(run, value, by))

    async def offer_async(self, run: Run | str, value: object, *, by: str = "") -> Run:
        """See `offer`."""
        return await self._work.later(self._offer(run, value, by))

    def go_on(self, run: Run | str) -> Run:
        """Go on with a run that was interrupted; one that was stopped gets fresh budgets. What rests stays as it is."""
        return self._work.wait(self._go_on(run))

    async def go_on_async(self, run: Run | str) -> Run:
        """See `go_on`."""
        return await self._work.later(self._go_on(run))

    def cancel(self, run: Run | str, *, reason: str = "cancelled") -> Run:
        """Stop a run for good, with the children that it waits for."""
        return self._work.wait(self._driver.cancel(_id(run), by=self._by, reason=reason))

    def load(self, run_id: str) -> Run:
        """A run as its journal says; the beginning of an id is enough."""
        return self._work.wait(self._driver.load(run_id))

    def journal(self, run: Run | str) -> tuple[Stored, ...]:
        """Every entry of a run: what was proposed, refused and why, where it moved."""
        return self._work.wait(self._store.read(_id(run)))

    def runs(self, *, status: Status | None = None, limit: int = 50) -> tuple[Head, ...]:
        """The runs of this workflow, newest first."""
        return self._work.wait(self._store.heads(status=status, workflow=self._name, limit=limit))

    def close(self) -> None:
        """Release the store."""
        self._work.close()

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    async def _run(self, given: object, limits: Limits | None, labels: Mapping[str, str] | None) -> Run:
        context = Context(datetime.now(UTC).date(), by=self._by)
        return await self._driver.drive(
            await self._driver.start(self._name, given, context, limits=limits, labels=labels)
        )

    async def _offer(self, run: Run | str, value: object, by: str) -> Run:
        asked = run.asked if isinstance(run, Run) else None
        with told(_id(run)):
            offered = await self._driver.offer(_id(run), value, by=by or self._by, asked=asked)
        return await self._driver.drive(offered.id)

    async def _go_on(self, run: Run | str) -> Run:
        now = await self._driver.load(_id(run))
        if now.stopped is not None:
            await self._driver.retry(now.id, by=self._by)
        return await self._driver.drive(now.id)


def _id(run: Run | str) -> str:
    return run.id if isinstance(run, Run) else run
