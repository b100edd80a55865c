"""Drives one run for the command line: opens its project, watches it, prompts where it waits, shows its end."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from backedge.ask.answer import Found
from backedge.ask.states import AwaitingAnswer
from backedge.assemble import App, agent_followed, assemble, check_drawing, head_of, runs_folder
from backedge.assembling.below import retry_below
from backedge.assembling.models import missing_models, vendor_agents
from backedge.cli.asking import Beforehand, how_to_answer, typed_answers
from backedge.cli.exits import CONFIGURATION, NOT_PERMITTED, code_of, fail
from backedge.cli.session import project_flag, who
from backedge.cli.trace import tracer
from backedge.config.project import load_project
from backedge.config.stage_models import has_preset
from backedge.kernel.drive import OfferRefused
from backedge.kernel.journal import Stored, entry_to_json
from backedge.kernel.ports import Watch
from backedge.kernel.run import Run
from backedge.query.attributes import kept
from backedge.query.exact_json import dumps

THINKING = "thinking"  # the label of runs that are asked with the agent's preset


class Manner(Protocol):
    """How a run is shown."""

    as_json: bool
    events: bool
    quiet: bool
    chart: Path | None
    extended: bool

    @property
    def may_ask(self) -> bool:
        """Whether somebody sits there to choose."""
        ...


class Driving:
    """One run of one project, from the command line."""

    def __init__(
        self, folder: Path, agent: str | None, manner: Manner, attributes: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self._folder = folder
        self._agent = agent
        self._manner = manner
        self._attributes = attributes or {}
        self._run_id = ""
        self._prompting = ""
        self._beforehand = Beforehand(())

    def how_to_resume(self) -> str:
        """What to type to go on after an interruption."""
        if not self._run_id:
            return ""
        retry = f"backedge runs retry {self._run_id}{project_flag(self._folder)}"
        return f"; go on with: {self._prompting or retry}"

    async def ask(self, text: str, after: str = "", given: tuple[str, ...] = ()) -> int:
        """A new run for a question, which may follow an answered one; its exit code. `given` are answers beforehand."""
        agent, self._beforehand = self._agent, Beforehand(given)
        if after and agent is None:
            agent = await agent_followed(self._folder, after)
        app = self._open(agent, self._manner.extended)
        try:
            labels = {"agent": app.project.agent.file} if app.project.agent else {}
            labels |= {THINKING: "extended"} if self._manner.extended else {}
            self._run_id = await app.ask(text, by=who(), labels=labels, attributes=self._attributes, after=after)
            return await self._go_on(app)
        finally:
            await app.close()

    async def answer(self, run_id: str, values: tuple[str, ...], asked: int | None) -> int:
        """The answers to a waiting run, which then goes on; its exit code."""
        app = await self._reopen(run_id)
        try:
            await self._refuse_others(app)
            await app.say(self._run_id, values, by=who(), asked=asked)
            return await self._go_on(app)
        except OfferRefused as refused:
            if self._manner.as_json:
                self._print(await app.answer(refused.run))
            raise
        finally:
            await app.close()

    async def _refuse_others(self, app: App) -> None:
        """Row policies held what was asked so far for the one who asked: nobody else goes on with it."""
        run = await app.driver.load(self._run_id)
        if self._attributes and kept(self._attributes) != run.context.attributes:
            said = ", ".join(f"{name}={text}" for name, text in run.context.attributes.items()) or "no attributes"
            fail(f"run {run.id} was asked with {said}; ask again to be answered with others", NOT_PERMITTED)

    async def retry(self, run_id: str) -> int:
        """Fresh budgets for a stopped run; an interrupted one just goes on. Its exit code."""
        app = await self._reopen(run_id)
        try:
            run = await app.driver.load(self._run_id)
            if run.status == "waiting" and run.awaited:
                await retry_below(app.driver, run, who())
            else:
                await app.driver.retry(run.id, by=who())
            return await self._go_on(app)
        finally:
            await app.close()

    def _open(self, agent: str | None, extended: bool) -> App:
        if self._manner.chart:
            check_drawing()
        project = load_project(self._folder, agent)
        if not self._manner.quiet:
            for problem in project.problems:
                print(f"warning: {problem}", file=sys.stderr)
            if runs_folder(project.root).parent != project.root:
                print(
                    f"note: {project.root} is read-only; runs are kept in {runs_folder(project.root)}", file=sys.stderr
                )
        if extended and not (project.agent and has_preset(project.agent)):
            fail("the agent has no `llm.extended_thinking`; add it, or ask without --extended-thinking", CONFIGURATION)
        agents = vendor_agents(project, os.environ)
        if not self._manner.quiet:
            for missing in missing_models(project, os.environ, extended=extended):
                print(f"note: {missing}", file=sys.stderr)
        return assemble(project, watch=self._watch(), agents=agents, extended=extended)

    async def _reopen(self, run_id: str) -> App:
        """The project as the run saw it: with the agent and the preset that it was started with."""
        head = await head_of(self._folder, run_id)
        self._run_id = head.id
        return self._open(head.labels.get("agent"), THINKING in head.labels)

    async def _go_on(self, app: App) -> int:
        run = await app.driver.drive(self._run_id)
        found = await app.answer(run)
        while found["status"] == "needs_input" and (said := await self._answers(await app.asking(run), found)):
            run = await self._say(app, await app.asking(run), said)
            found = await app.answer(run)
        if self._beforehand.unused and not self._manner.quiet:
            print(f"note: nothing was asked about {self._beforehand.unused} (--answer)", file=sys.stderr)
        if self._manner.as_json or self._manner.events:
            self._print(found)
        else:
            self._show(run, found, await app.parts(run))
        if self._manner.chart and found["status"] == "answered":
            from backedge.cli.chart_file import write_chart

            write_chart(self._manner.chart, found)
        return code_of(found)

    def _print(self, found: Found) -> None:
        print(dumps(found, None if self._manner.events else 2))

    def _show(self, run: Run, found: Found, parts: tuple[Run, ...]) -> None:
        from rich.console import Console

        from backedge.cli.show import follow_up, next_step, show

        show(run, found, Console(highlight=False), parts=parts)
        if step := next_step(found, self._folder):
            print(step, file=sys.stderr)
        elif not self._manner.quiet and sys.stderr.isatty() and (hint := follow_up(found, self._folder)):
            print(hint, file=sys.stderr)

    async def _answers(self, run: Run, found: Found) -> tuple[str, ...]:
        """What was given beforehand, or what the person types; none where the answer is put off."""
        if said := self._beforehand.take(found):
            return said
        if not self._manner.may_ask or not isinstance(run.state, AwaitingAnswer):
            return ()
        from rich.console import Console

        self._prompting = how_to_answer(found, self._folder)
        said = await typed_answers(run.state, found, Console(highlight=False, stderr=True))
        self._prompting = ""
        return said

    async def _say(self, app: App, run: Run, said: tuple[str, ...]) -> Run:
        try:
            await app.say(run.id, said, by=who(), asked=run.asked)
        except OfferRefused as refused:
            if self._manner.quiet or self._manner.events:
                print(str(refused), file=sys.stderr)
            return await app.driver.load(self._run_id)
        return await app.driver.drive(self._run_id)

    def _watch(self) -> Watch | None:
        if self._manner.events:
            return _print_event
        return None if self._manner.quiet else tracer()


def _print_event(run_id: str, stored: Stored) -> None:
    entry = json.loads(entry_to_json(stored.entry))
    print(json.dumps({"run_id": run_id, "seq": stored.seq, "at": stored.at.isoformat(), **entry}), flush=True)
