"""Drives one run of an automation for the command line, and shows how it ended."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

import click

from backedge.assemble import App, head_of, open_app
from backedge.assembling.below import leaves, retry_below
from backedge.automations.inputs import typed
from backedge.automations.report import Report, report
from backedge.automations.tasks import Automation
from backedge.cli.exits import ANSWERED, FAILED, NEEDS_INPUT, USAGE, fail
from backedge.cli.session import project_flag, who
from backedge.cli.trace import tracer
from backedge.kernel.run import Run
from backedge.query.exact_json import dumps


class Automating:
    """One run of one automation."""

    def __init__(self, folder: Path, agent: str | None, as_json: bool, quiet: bool) -> None:
        self._folder = folder
        self._agent = agent
        self._as_json = as_json
        self._quiet = quiet
        self._run_id = ""

    def how_to_resume(self) -> str:
        """What to type to go on after an interruption."""
        again = f"backedge runs retry {self._run_id}{project_flag(self._folder)}"
        return f"; go on with: {again}" if self._run_id else ""

    async def run(self, name: str, given: Iterable[str], attributes: Mapping[str, tuple[str, ...]]) -> int:
        """A new run; its exit code."""
        app = self._open(self._agent)
        try:
            automation = find(app.project.automations, name)
            variables = {}
            for text in given:
                key, equals, value = text.partition("=")
                if not equals:
                    raise click.BadParameter(f"{text!r} gives no value; write NAME=VALUE", param_hint="--param")
                declared = next((v for v in automation.variables if v.name == key.strip()), None)
                variables[key.strip()] = typed(declared, value) if declared else value
            self._run_id = await app.run_automation(automation.file, variables, by=who(), attributes=attributes)
            return await self._go_on(app)
        finally:
            await app.close()

    async def retry(self, run_id: str) -> int:
        """Fresh budgets for a stopped run, and for the runs of its tasks that stopped; its exit code."""
        head = await head_of(self._folder, run_id)
        self._run_id = head.id
        app = self._open(head.labels.get("agent"))
        try:
            await retry_below(app.driver, await app.driver.load(head.id), who())
            return await self._go_on(app)
        finally:
            await app.close()

    def _open(self, agent: str | None) -> App:
        return open_app(self._folder, agent, watch=None if self._quiet else tracer())

    async def _go_on(self, app: App) -> int:
        run = await app.driver.drive(self._run_id)
        found = report(run, await app.store.read(run.id))
        print(dumps(found, 2) if self._as_json else told(found))
        if found["status"] != "done":
            await self._next_step(app, run, found)
        return {"done": ANSWERED, "waiting": NEEDS_INPUT}.get(found["status"], FAILED)

    async def _next_step(self, app: App, run: Run, found: Report) -> None:
        flag = project_flag(self._folder)
        for leaf in await leaves(app.driver, run):
            if leaf.status == "waiting":
                print(f"Run {leaf.id} waits for an answer: backedge runs show {leaf.id}{flag}", file=sys.stderr)
        if found["resumable"]:
            print(f"{found['mend']}\nGo on with: backedge runs retry {run.id}{flag}".strip(), file=sys.stderr)


def find(automations: tuple[Automation, ...], name: str) -> Automation:
    """The automation of that file or name. Ends the command where there is none, or several."""
    found = [a for a in automations if a.file == name] or [a for a in automations if a.name == name]
    if len(found) != 1:
        fail(_not_one(automations, found, name), USAGE)
    return found[0]


def _not_one(automations: tuple[Automation, ...], found: list[Automation], name: str) -> str:
    if found:
        return f"several automations are called {name}: name one by its file: {', '.join(a.file for a in found)}"
    names = [a.name for a in automations]
    near = get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]}?" if near else f"there is: {', '.join(names) or 'none'}"
    return f"the project has no automation {name}: {hint}"


def told(found: Report) -> str:
    """The report for a person: what the last task gives, or why nothing is given."""
    if found["status"] == "done":
        return str(found["text"])
    done = ", ".join(output["task"] for output in found["outputs"]) or "nothing"
    at = f" at {found['next']}" if found["next"] else ""
    return f"{found['automation']}: {found['status']}{at}: {found['reason'] or 'it waits'}\ndone so far: {done}"
