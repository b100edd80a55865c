"""Gives the server a project's services: its runs, driven in the background, and the questions about its data."""

from __future__ import annotations

import getpass
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backedge.assemble import ASK_OF, App, open_app
from backedge.assembling.dispatching import Dispatcher, Hub
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.evidence_workflows import BY_NAME
from backedge.assembling.opening_evidence import open_evidence
from backedge.config.config_file import CONFIG_FILE
from backedge.config.evidence_file import EVIDENCE_FILE
from backedge.kernel.defect import Permanent
from backedge.kernel.drive import Driver
from backedge.kernel.journal import Stored
from backedge.kernel.ports import Head, Store, UnknownRun
from backedge.kernel.run import Run, Status
from backedge.web.services import Asked, Sample, Services

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


class ServedAsking:
    """Questions about the data of a project (`web.services.Asking`)."""

    def __init__(self, opened: Opened, runs: ServedRuns, agents: tuple[str, ...]) -> None:
        self._opened = opened
        self._runs = runs
        self.agents = agents
        self.samples: tuple[Sample, ...] = ()

    def catalog(self) -> dict[str, Any]:
        """See `web.services.Asking`."""
        return {}

    async def ask(self, asked: Asked) -> str:
        """See `web.services.Asking`."""
        labels = {"agent": asked.agent} if asked.agent else {}
        app = self._opened.app(asked.agent)
        run_id = await app.ask(asked.text, by=asked.by, labels=labels, attributes=asked.attributes, after=asked.after)
        self._runs.dispatcher.wake(run_id)
        return run_id

    async def form(self, run_id: str) -> dict[str, Any]:
        """See `web.services.Asking`."""
        app = await self._app_of(run_id)
        return await app.answer(await app.driver.load(run_id))

    async def answer(self, run_id: str, values: tuple[str, ...], *, by: str, asked: int | None) -> None:
        """See `web.services.Asking`."""
        app = await self._app_of(run_id)
        run = await app.say(run_id, values, by=by, asked=asked)
        self._runs.dispatcher.wake(run.id)

    async def _app_of(self, run_id: str) -> App:
        head = await self._opened.store.head(run_id)
        if head.workflow in BY_NAME:
            raise UnknownRun(run_id)
        return self._opened.app(head.labels.get("agent", ""))


@dataclass(frozen=True)
class Served:
    """What a server is made of: services, the names of reviewers, the user, and what runs while it serves."""

    services: Services
    reviewers: tuple[str, ...]
    user: str
    lifespan: Callable[[], AbstractAsyncContextManager[None]]


def serve_project(folder: Path) -> Served:
    """The services of a project. Raises `ConfigError`, or `Permanent` where its runs cannot be kept."""
    root = folder.resolve()
    hub = Hub()
    evidence = open_evidence(root, watch=hub.heard) if (root / EVIDENCE_FILE).exists() else None
    opened = Opened(root, hub, {}, evidence)
    asks = (root / CONFIG_FILE).exists() or evidence is None
    runs = ServedRuns(opened)
    asking = _asking(opened, runs) if asks else None
    services = Services(root.name, runs, asking)
    names = tuple(reviewer.name for reviewer in evidence.project.reviewers) if evidence else ()

    @asynccontextmanager
    async def living() -> AsyncIterator[None]:
        await runs.resume()
        try:
            yield
        finally:
            await runs.dispatcher.close()
            await opened.close()

    return Served(services, names, _user(), living)


def _asking(opened: Opened, runs: ServedRuns) -> ServedAsking:
    app = opened.app("")
    agent = app.project.agent
    return ServedAsking(opened, runs, (agent.name,) if agent else ("",))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "user"
