"""Drives one run for the command line: opens its project, watches it, prompts where it waits, shows its end."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Protocol

from rich.console import Console

from backedge.assemble import App, assemble, open_store, runs_folder
from backedge.cli.exact_json import dumps
from backedge.cli.exits import code_of
from backedge.cli.session import who
from backedge.cli.show import show
from backedge.cli.trace import tracer
from backedge.config.project import load_project
from backedge.kernel.drive import OfferRefused
from backedge.kernel.journal import Stored, entry_to_json
from backedge.kernel.ports import Watch
from backedge.kernel.run import Run


class Manner(Protocol):
    """How a run is shown."""

    as_json: bool
    events: bool
    quiet: bool

    @property
    def may_ask(self) -> bool:
        """Whether somebody sits there to choose."""
        ...


class Driving:
    """One run of one project, from the command line."""

    def __init__(self, folder: Path, agent: str | None, manner: Manner) -> None:
        self._folder = folder
        self._agent = agent
        self._manner = manner
        self._run_id = ""

    def how_to_resume(self) -> str:
        """What to type to go on after an interruption."""
        where = "" if self._folder == Path() else f" --project {self._folder}"
        return f"; go on with: backedge runs retry {self._run_id}{where}" if self._run_id else ""

    async def ask(self, text: str) -> int:
        """A new run for a question; its exit code."""
        app = self._open(self._agent)
        try:
            labels = {"agent": app.project.agent.file} if app.project.agent else {}
            self._run_id = await app.ask(text, by=who(), labels=labels)
            return await self._go_on(app)
        finally:
            await app.close()

    async def answer(self, run_id: str, values: tuple[str, ...], asked: int | None) -> int:
        """An answer to a waiting run, which then goes on; its exit code."""
        app = await self._reopen(run_id)
        try:
            await app.say(self._run_id, values, by=who(), asked=asked)
            return await self._go_on(app)
        finally:
            await app.close()

    async def retry(self, run_id: str) -> int:
        """Fresh budgets for a stopped run; an interrupted one just goes on. Its exit code."""
        app = await self._reopen(run_id)
        try:
            await app.driver.retry(self._run_id, by=who())
            return await self._go_on(app)
        finally:
            await app.close()

    def _open(self, agent: str | None) -> App:
        project = load_project(self._folder, agent)
        if not self._manner.quiet:
            for problem in project.problems:
                print(f"warning: {problem}", file=sys.stderr)
            if runs_folder(project.root).parent != project.root:
                print(
                    f"note: {project.root} is read-only; runs are kept in {runs_folder(project.root)}", file=sys.stderr
                )
        return assemble(project, watch=self._watch())

    async def _reopen(self, run_id: str) -> App:
        """The project as the run saw it: with the agent that it was started with."""
        store = open_store(self._folder)
        try:
            head = await store.head(run_id)
        finally:
            await store.close()
        self._run_id = head.id
        return self._open(head.labels.get("agent"))

    async def _go_on(self, app: App) -> int:
        run = await app.driver.drive(self._run_id)
        while run.status == "waiting" and self._manner.may_ask:
            run = await self._prompt(app, run)
        found = await app.answer(run)
        if self._manner.as_json or self._manner.events:
            print(dumps(found, None if self._manner.events else 2))
        else:
            show(run, found, Console(highlight=False))
            self._next_step(found["status"])
        return code_of(found)

    async def _prompt(self, app: App, run: Run) -> Run:
        found = await app.answer(run)
        if found["status"] != "needs_input":
            return run
        show(run, found, Console(highlight=False, stderr=True))
        print("Which one? ", end="", file=sys.stderr, flush=True)
        said = (await asyncio.to_thread(sys.stdin.readline)).strip()
        try:
            await app.say(run.id, (said,), by=who(), asked=run.asked)
        except OfferRefused as refused:
            print(str(refused), file=sys.stderr)
            if not said:
                raise
        return await app.driver.drive(run.id)

    def _next_step(self, status: str) -> None:
        where = "" if self._folder == Path() else f" --project {self._folder}"
        if status == "needs_input":
            print(f"answer with: backedge answer {self._run_id} NUMBER{where}", file=sys.stderr)

    def _watch(self) -> Watch | None:
        if self._manner.events:
            return _print_event
        return None if self._manner.quiet else tracer()


def _print_event(run_id: str, stored: Stored) -> None:
    entry = json.loads(entry_to_json(stored.entry))
    print(json.dumps({"run_id": run_id, "seq": stored.seq, "at": stored.at.isoformat(), **entry}), flush=True)
