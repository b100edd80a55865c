"""Gives the server a project's services: its runs, driven in the background, and the questions about its data."""

from __future__ import annotations

import getpass
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from backedge.assembling.dispatching import Hub
from backedge.assembling.opening_evidence import open_evidence
from backedge.config.evidence_file import EVIDENCE_FILE
from backedge.config.folder import kind_of, list_folder
from backedge.serving_asking import ServedAsking
from backedge.serving_evidence import ServedEvidence
from backedge.serving_runs import Opened, ServedRuns
from backedge.web.services import Services

ANSWERED_FROM = frozenset({"view", "topic", "sql", "agent"})


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
    asks = evidence is None or _has_data(root)
    runs = ServedRuns(opened)
    asking = _asking(opened, runs) if asks else None
    reviewed = ServedEvidence(evidence, runs, hub) if evidence else None
    services = Services(root.name, runs, asking, reviewed)
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


def _has_data(root: Path) -> bool:
    """Whether there is anything to ask about: a project of evidence alone has at most models in its config.yml."""
    return any(kind_of(path) in ANSWERED_FROM for path in list_folder(root).files)


def _asking(opened: Opened, runs: ServedRuns) -> ServedAsking:
    app = opened.app("")
    agent = app.project.agent
    return ServedAsking(opened, runs, (agent.name,) if agent else ("",))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "user"
