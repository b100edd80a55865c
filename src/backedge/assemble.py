"""Puts a project, the workflows and the adapters together: the only file that knows all of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from backedge.adapters.clock import SystemClock
from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.adapters.stores.sqlite import PRIVATE_FOLDER, open_sqlite
from backedge.adapters.stores.watched import WatchedStore
from backedge.ask.answer import Found, answer_of
from backedge.ask.grounded import (
    CompilingSpecifier,
    GroundingClarifier,
    NoSolver,
    TemplateInterpreter,
    ValueIndex,
)
from backedge.ask.ports import AskPorts
from backedge.ask.proposals import Saying
from backedge.ask.rules import RuleSetting
from backedge.ask.states import Question
from backedge.ask.workflow import ASK
from backedge.config.agent_file import Agent
from backedge.config.database import Database
from backedge.config.project import Project, load_project
from backedge.kernel.defect import Permanent
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context
from backedge.kernel.ports import Store, Watch
from backedge.kernel.run import Run
from backedge.kernel.workflow import Workflow
from backedge.query.ports import Caps, Connector

WORKFLOWS: Mapping[str, Workflow] = {ASK.name: ASK}
RUNS_FILE = "runs.db"


@dataclass
class App:
    """One project, ready to be asked. `close` it when done."""

    project: Project
    store: Store
    connectors: Mapping[str, Connector]
    driver: Driver
    clock: SystemClock

    async def ask(self, text: str, *, by: str, labels: Mapping[str, str] | None = None) -> str:
        """Start a run for a question and give its id. Nothing is driven yet."""
        zone = self.project.timezone or "UTC"
        today = today_in(self.clock.now(), zone)
        question = Question(_sayable(text), today, zone, _rules(self.project.agent))
        return await self.driver.start("ask", question, Context(today, zone, by), labels=labels)

    async def say(self, run_id: str, values: tuple[str, ...], *, by: str, asked: int | None = None) -> Run:
        """Answer the open question of a run."""
        return await self.driver.offer(run_id, Saying(tuple(map(_sayable, values))), by=by, asked=asked)

    async def answer(self, run: Run) -> Found:
        """The answer form of a run."""
        return answer_of(run, await self.store.read(run.id), self.project.catalog.hash)

    async def close(self) -> None:
        """End the workers and release the files."""
        for connector in self.connectors.values():
            await connector.close()
        await self.store.close()


def open_app(folder: Path, agent: str | None = None, *, watch: Watch | None = None) -> App:
    """Open a project for one agent. Raises `ConfigError`, or `Permanent` where its runs cannot be kept."""
    return assemble(load_project(folder, agent), watch=watch)


def assemble(project: Project, *, watch: Watch | None = None) -> App:
    """The application over a loaded project."""
    store = open_store(project.root, watch=watch)
    connectors = {db.name: connector for db in project.databases if (connector := connect(db, project.root))}
    values = ValueIndex(project.catalog, connectors, project.default_database)
    ports = AskPorts(
        project.catalog,
        connectors,
        project.default_database,
        GroundingClarifier(project.catalog, values),
        CompilingSpecifier(project.catalog),
        NoSolver(),
        TemplateInterpreter(),
        Caps(),
    )
    clock = SystemClock()
    return App(
        project, store, connectors, Driver(store, {"ask": Bound(budgeted(ASK, project.agent), ports)}, clock), clock
    )


def budgeted(workflow: Workflow, agent: Agent | None) -> Workflow:
    """The workflow with the retry budgets that the agent's `states` set; the other stages keep their own."""
    if agent is None:
        return workflow
    asked: dict[str, int] = {state.stage: state.max_retries for state in agent.states if state.max_retries is not None}
    stages = tuple(
        replace(
            stage, budget=replace(stage.budget, max_retries=asked.get(stage.name.lower(), stage.budget.max_retries))
        )
        for stage in workflow.stages
    )
    return replace(workflow, stages=stages)


def _rules(agent: Agent | None) -> tuple[RuleSetting, ...]:
    rules = (agent.rules or ()) if agent else ()
    return tuple(RuleSetting(rule.name, rule.enabled, rule.parameters) for rule in rules if rule.group == "solved")


def _sayable(text: str) -> str:
    """The text with lone surrogates replaced: a terminal makes them of bytes that are no UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def connect(database: Database, root: Path) -> Connector | None:
    """The connector of a database, or None where its type is not served yet."""
    if database.type != "duckdb" or database.path is None:
        return None
    cache = runs_folder(root) / "cache"
    if database.path.is_file():
        return DuckDBConnector(database.name, file=database.path, cache=cache)
    return DuckDBConnector(database.name, dataset=database.path, cache=cache)


def open_store(root: Path, *, watch: Watch | None = None) -> Store:
    """The store of a project's runs. Raises `Permanent` where there is no such folder, or its runs cannot be kept."""
    if not root.is_dir():
        raise Permanent(f"there is no folder {root}", mend="name the project's folder with --project")
    store: Store = open_sqlite(runs_folder(root) / RUNS_FILE)
    return WatchedStore(store, watch) if watch else store


def runs_folder(root: Path) -> Path:
    """Where a project's runs and caches are kept: its `.backedge`, or the user's state folder where it is read-only."""
    own = root / PRIVATE_FOLDER
    if _writable(own if own.exists() else root):
        return own
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "backedge" / hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16]


def _writable(folder: Path) -> bool:
    """Whether a file can be made there: root ignores the mode bits, so only trying tells."""
    probe = folder / f".backedge-probe-{os.getpid()}"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def today_in(now: datetime, zone: str) -> date:
    """The date of a moment in a time zone."""
    return now.astimezone(UTC if zone == "UTC" else ZoneInfo(zone)).date()
