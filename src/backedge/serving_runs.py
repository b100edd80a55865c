"""A project that is being served: what is open of it, and its runs, driven in the background."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from backedge.assemble import ASK_OF, App, open_app
from backedge.assembling.dispatching import Dispatcher, Hub
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.evidence_workflows import BY_NAME
from backedge.config.evidence_file import EVIDENCE_FILE
from backedge.kernel.defect import Permanent
from backedge.kernel.drive import Driver
from backedge.kernel.journal import Stored
from backedge.kernel.ports import Head, Store
from backedge.kernel.run import Run, Status

PAGE = 200
PATIENCE = 1.0  # seconds between two looks at a run that another process may be driving


@dataclass
class Opened:
    """A project that is being served: its applications by agent, its evidence, and what drives their runs."""

    root: Path
    hub: Hub
    apps: dict[str, App]
    evidence: EvidenceApp | None

    def app(self, agent: str) -> App:
        """The application of an agent; the default one under the empty name."""
        if agent not in self.apps:
            self.apps[agent] = open_app(self.root, agent or None, watch=self.hub.heard)
        return self.apps[agent]

    @property
    def store(self) -> Store:
        """Where all runs of the project are."""
        if self.evidence is not None:
            return self.evidence.store
        return self.app("").store

    def driver(self, head: Head) -> Driver:
        """What drives a run. Raises `Permanent` where nothing here does."""
        if head.workflow in BY_NAME:
            if self.evidence is None:
                raise Permanent(f"run {head.id} is of evidence, and this project has no {EVIDENCE_FILE}")
            return self.evidence.driver
        if head.workflow.startswith(ASK_OF):
            return self.app(head.workflow.removeprefix(ASK_OF)).driver
        return self.app(head.labels.get("agent", "")).driver

    async def close(self) -> None:
        """Release everything that was opened."""
        for app in self.apps.values():
            await app.close()
        if self.evidence is not None:
            await self.evidence.close()


class ServedRuns:
    """The runs of a project (`web.services.Runs`)."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self.dispatcher = Dispatcher(self._drive)

    async def _drive(self, run_id: str) -> None:
        """Go on with a run, and with those that wait for it above."""
        head = await self._opened.store.head(run_id)
        await self._opened.driver(head).drive(head.id)
        if head.parent is not None:
            self.dispatcher.wake(head.parent.run_id)

    async def heads(
        self, *, status: Status | None = None, workflow: str | None = None, limit: int = 50, before: str | None = None
    ) -> tuple[Head, ...]:
        """See `web.services.Runs`."""
        return await self._opened.store.heads(status=status, workflow=workflow, limit=limit, before=before)

    async def head(self, run_id: str) -> Head:
        """See `web.services.Runs`."""
        return await self._opened.store.head(run_id)

    async def load(self, run_id: str) -> Run:
        """See `web.services.Runs`."""
        head = await self._opened.store.head(run_id)
        return await self._opened.driver(head).load(head.id)

    async def entries(self, run_id: str, after: int = -1) -> tuple[Stored, ...]:
        """See `web.services.Runs`."""
        return await self._opened.store.read(run_id, after)

    async def changed(self, run_id: str, after: int, seconds: float) -> None:
        """See `web.services.Runs`. Another process may write too: it is looked at once a second."""
        left = seconds
        while left > 0 and not await self._opened.store.read(run_id, after):
            await self._opened.hub.wait(run_id, min(left, PATIENCE))
            left -= PATIENCE

    def surfaced(self, run_id: str) -> str:
        """See `web.services.Runs`."""
        return self.dispatcher.surfaced(run_id)

    async def retry(self, run_id: str, *, by: str) -> None:
        """See `web.services.Runs`."""
        head = await self._opened.store.head(run_id)
        if head.status != "running":
            await self._opened.driver(head).retry(head.id, by=by)
        self.dispatcher.wake(head.id)

    async def cancel(self, run_id: str, *, by: str, reason: str) -> None:
        """See `web.services.Runs`."""
        head = await self._opened.store.head(run_id)
        await self._opened.driver(head).cancel(head.id, by=by, reason=reason)

    async def resume(self) -> None:
        """Go on with what was under way when the server, or another process, ended."""
        before: str | None = None
        while heads := await self._opened.store.heads(status="running", limit=PAGE, before=before):
            for head in heads:
                if head.parent is None:
                    self.dispatcher.wake(head.id)
            before = heads[-1].id
