"""What another process does with a project that asks a server: it asks, and may die at an append."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from backedge.adapters.stores.sqlite import open_sqlite
from backedge.assemble import App, open_app
from backedge.kernel.run import Run
from tests.kernel.deaths import DyingStore
from tests.models.wired import surroundings

QUESTION = "how did turnover spread over the regions"
Moment = tuple[int, bool]  # the number of an append, and whether death comes after it


def opened(project: Path, work: Callable[[App], Awaitable[Run]]) -> Run:
    """What comes of it, in an application of its own."""

    async def whole() -> Run:
        app = open_app(project)
        try:
            return await work(app)
        finally:
            await app.close()

    return asyncio.run(whole())


def in_another_process(project: Path, dies_at: Moment | None = None) -> int | None:
    """Ask the question in a process that is forked of one without threads; its exit code."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    process = context.Process(target=_live, args=(project, dies_at))
    process.start()
    process.join()
    return process.exitcode


def _live(project: Path, dies_at: Moment | None) -> None:
    with surroundings("chat"), pytest.MonkeyPatch.context() as patch:
        if dies_at:
            patch.setattr("backedge.assembling.storing.open_sqlite", partial(_dying, dies_at))
        opened(project, ask)


def _dying(at: Moment, path: Path) -> DyingStore:
    return DyingStore(open_sqlite(path), *at)


async def ask(app: App) -> Run:
    """Ask the question, and drive its run."""
    return await app.driver.drive(await app.ask(QUESTION, by="ann"))
