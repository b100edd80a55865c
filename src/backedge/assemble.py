"""Puts a project, the workflows and the adapters together: the only file that knows all of them."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from backedge.adapters.clock import SystemClock
from backedge.adapters.exporting.parquet import parquet
from backedge.adapters.pictures import vega
from backedge.adapters.stores.value_shelves import SqliteShelves
from backedge.ask.answer import Found, answer_of, gathering_of, question_of, status_of
from backedge.ask.cannot_follow import CannotFollow
from backedge.ask.catalog import Catalog
from backedge.ask.following import AFTER, THREAD, before_of
from backedge.ask.grounded import (
    CompilingSpecifier,
    GroundingClarifier,
    NoSolver,
    TemplateInterpreter,
)
from backedge.ask.keeping.workflow import KEEP
from backedge.ask.keys import KeyChecks
from backedge.ask.ports import AskPorts
from backedge.ask.rules import RuleSetting
from backedge.ask.saved import Saver
from backedge.ask.states import Question
from backedge.ask.value_index import ValueIndex
from backedge.ask.workflow import ASK
from backedge.assembling.below import asked_below, asking, held_up
from backedge.assembling.connecting import connect as connect
from backedge.assembling.delegables import delegables
from backedge.assembling.embedding import project_embedder, rooted
from backedge.assembling.models import AgentMaker, vendor_agents, with_models
from backedge.assembling.parts import part_runs, with_parts
from backedge.assembling.saying import say
from backedge.assembling.storing import RUNS_FILE
from backedge.assembling.storing import open_store as open_store
from backedge.assembling.storing import runs_folder as runs_folder
from backedge.assembling.workflows import LazyWorkflows
from backedge.config.agent_file import Agent
from backedge.config.project import Project, load_project
from backedge.config.store_setting import store_variable
from backedge.kernel.drive import Bound, Driver, NotAsked
from backedge.kernel.journal import Context
from backedge.kernel.ports import Head, Store, UnknownRun, Watch
from backedge.kernel.run import Run, fold
from backedge.kernel.workflow import Workflow
from backedge.query.attributes import kept
from backedge.query.ports import Caps, Connector
from backedge.query.table import Table
from backedge.semantic.saved_queries import SavedQuery

EVIDENCE = ("ingest", "extract", "verify", "refresh", "restrict", "watch", "investigate", "inquire")
WORKFLOWS = ("ask", "automation", "keep", *EVIDENCE)
ASK_OF = "ask@"  # and the name of an agent: its questions, as an automation asks them
LABEL_LENGTH = 200
LAST = "last"
LOOKED_BACK = 50  # runs, for the last answered one


@dataclass
class App:
    """One project, ready to be asked. `close` it when done."""

    project: Project
    store: Store
    connectors: Mapping[str, Connector]
    driver: Driver
    clock: SystemClock

    async def ask(
        self,
        text: str,
        *,
        by: str,
        labels: Mapping[str, str] | None = None,
        attributes: Mapping[str, Iterable[str]] | None = None,
        after: str = "",
        sql: str = "",
        database: str = "",
    ) -> str:
        """Start a run for a question and give its id. Nothing is driven yet; `attributes` are for row policies.

        `after` is an answered run that the question follows (its id, the beginning of one, or "last"): what it leaves
        out is kept of that. `sql` is run on `database` instead of a reading of the text. Raises `CannotFollow`.
        """
        named, asker = dict(labels or {}), kept(attributes or {})
        before = None
        if after:
            before = before_of(await followed(self.store, after), asker, named.get("agent", ""))
            named |= {AFTER: before.run_id, THREAD: before.thread}
        zone = self.project.timezone or "UTC"
        today = today_in(self.clock.now(), zone)
        agent = self.project.agent
        waits = agent.waits if agent else ()
        question = Question(_sayable(text), today, zone, _rules(agent), before=before, default_after=waits)
        if sql.strip():
            question = replace(question, sql=_sayable(sql), sql_by=by, sql_on=database)
        context = Context(today, zone, by, asker)
        named = {"asked": question.text[:LABEL_LENGTH], **named}
        limits = self.project.agent.limits if self.project.agent else None
        return await self.driver.start("ask", question, context, limits=limits, labels=named)

    async def run_automation(
        self,
        name: str,
        variables: Mapping[str, JsonValue],
        *,
        by: str,
        attributes: Mapping[str, Iterable[str]] | None = None,
    ) -> str:
        """Start a run of an automation and give its id. Nothing is driven yet."""
        zone = self.project.timezone or "UTC"
        context = Context(today_in(self.clock.now(), zone), zone, by, kept(attributes or {}))
        limits = self.project.agent.limits if self.project.agent else None
        given = {"name": name, "variables": dict(variables)}
        return await self.driver.start(
            "automation", given, context, limits=limits, labels={"automation": name, "asked": f"automation {name}"}
        )

    async def say(self, run_id: str, values: tuple[str, ...], *, by: str, asked: int | None = None) -> Run:
        """Answer the open questions of a run: their values in order, or `SLOT=VALUE` for each."""
        said = tuple(map(_sayable, values))
        asks = await asking(self.driver, run := await self.driver.load(run_id))
        if len(asks) > 1:
            named = ", ".join(f"{other.id} ({question_of(other.state).text!r})" for other in asks)
            raise NotAsked(run, f"{len(asks)} runs below run {run.id} ask something; answer each of them: {named}")
        return await say(self.driver, asks[0].id if asks else run.id, said, by=by, asked=asked, now=self.clock.now())

    async def answer(self, run: Run) -> Found:
        """The answer form of a run, with those of the parts of its question, and with what is asked below it."""
        entries = await self.store.read(run.id)
        found: Found = {**answer_of(run, entries), "waits_for": await held_up(self.driver, run)}
        asks = await asking(self.driver, run)
        forms = [answer_of(other, await self.store.read(other.id)) for other in asks if other.id != run.id]
        found |= asked_below(run, asks, forms)
        return with_parts(found, [await self.answer(part) for part in await part_runs(self.driver, run, entries)])

    async def parts(self, run: Run) -> tuple[Run, ...]:
        """The run of each part of a run's question; none where it has no parts."""
        return await part_runs(self.driver, run, await self.store.read(run.id)) if gathering_of(run.state) else ()

    async def asking(self, run: Run) -> Run:
        """The run whose question is open: this one, or the first below it that asks something."""
        return next(iter(await asking(self.driver, run)), run)

    async def close(self) -> None:
        """End the workers and release the files."""
        for connector in self.connectors.values():
            await connector.close()
        await self.store.close()


def open_app(folder: Path, agent: str | None = None, *, watch: Watch | None = None, extended: bool = False) -> App:
    """Open a project for one agent, with the models that have their keys here.

    Raises `ConfigError`, or `Permanent` where its runs cannot be kept.
    """
    project = load_project(folder, agent)
    return assemble(project, watch=watch, agents=vendor_agents(project, os.environ), extended=extended)


def assemble(
    project: Project, *, watch: Watch | None = None, agents: AgentMaker | None = None, extended: bool = False
) -> App:
    """The application over a loaded project. `agents` makes the model of a stage; without it, no stage has one."""
    store = open_store(project.root, watch=watch)
    connectors = {db.name: connector for db in project.databases if (connector := connect(db, project.root))}
    ask, clock = bound_ask(project, connectors, agents, extended), SystemClock()

    def make(name: str) -> Bound | None:
        if name == "automation":
            from backedge.assembling.automations import automation_bound

            keys = key_checks(project, connectors)
            return automation_bound(project, connectors, keys, agents, clock)
        if name == KEEP.name:
            return Bound(KEEP, None)
        if name.startswith(ASK_OF):
            other = load_project(project.root, name.removeprefix(ASK_OF))
            bound = bound_ask(other, connectors, agents, extended)
            return replace(bound, workflow=replace(bound.workflow, name=name))
        return None

    return App(project, store, connectors, Driver(store, LazyWorkflows(ask, make), clock), clock)


def bound_ask(
    project: Project, connectors: Mapping[str, Connector], agents: AgentMaker | None, extended: bool
) -> Bound:
    """The ask workflow over a project, with its ports."""
    shelves = SqliteShelves(runs_folder(project.root) / "cache")
    values = ValueIndex(project.catalog, connectors, project.default_database, shelves, project.timezone)
    ports = AskPorts(
        project.catalog,
        connectors,
        project.default_database,
        GroundingClarifier(project.catalog, values, delegables(project)),
        CompilingSpecifier(project.catalog, key_checks(project, connectors)),
        NoSolver(),
        TemplateInterpreter(),
        Caps(),
    )
    workflow = budgeted(ASK, project.agent)
    if agents is not None:
        named = rooted(project.embeddings, project.root)
        embedder = project_embedder(named, runs_folder(project.root) / "cache", os.environ)
        ports, workflow = with_models(ports, workflow, project, agents, extended, embedder)
    return Bound(workflow, ports)


def workflow_named(name: str) -> Workflow | None:
    """The workflow of that name, without ports; None where there is none."""
    if name == "automation":
        from backedge.automations.workflow import AUTOMATION

        return AUTOMATION
    if name == KEEP.name:
        return KEEP
    if name in EVIDENCE:
        from backedge.assembling.evidence_workflows import evidence_workflow

        return evidence_workflow(name)
    return ASK if name == ASK.name or name.startswith(ASK_OF) else None


def passing_index(catalog: Catalog, connector: Connector) -> ValueIndex:
    """The value index of one database, of which nothing is kept."""
    return ValueIndex(catalog, {connector.name: connector}, connector.name, SqliteShelves(None))


def key_checks(project: Project, connectors: Mapping[str, Connector]) -> KeyChecks:
    """What finds keys that rows share, and keeps what it found beside the loaded tables."""
    file = runs_folder(project.root) / "cache" / "keys.json"
    return KeyChecks(project.catalog.model, connectors, project.default_database, file)


def open_saver(
    folder: Path, agent: str | None, attributes: Mapping[str, Iterable[str]]
) -> tuple[tuple[SavedQuery, ...], Saver, Callable[[], Awaitable[None]]]:
    """The saved queries of a project, what runs them, and how to end its workers. No run is kept of them."""
    project = load_project(folder, agent)
    connectors = {db.name: connector for db in project.databases if (connector := connect(db, project.root))}

    async def close() -> None:
        for connector in connectors.values():
            await connector.close()

    keys = key_checks(project, connectors)
    asker = {name: tuple(values) for name, values in attributes.items()}
    saver = Saver(project.catalog.model, connectors, project.default_database, keys, asker, Caps())
    return project.catalog.queries, saver, close


def check_drawing() -> None:
    """Raises `Permanent` where charts cannot be drawn on this machine."""
    vega.check_drawing()


def draw_svg(spec: Mapping[str, JsonValue]) -> str:
    """A Vega-Lite spec as SVG."""
    return vega.svg(dict(spec))


def draw_png(spec: Mapping[str, JsonValue]) -> bytes:
    """A Vega-Lite spec as PNG."""
    return vega.png(dict(spec))


def write_parquet(table: Table) -> bytes:
    """Rows as a Parquet file. It blocks: call it in a thread."""
    return parquet(table)


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


def schema_file(root: Path, database: str) -> Path:
    """Where the schema of a database is kept."""
    return runs_folder(root) / "cache" / "schema" / f"{quote(database, safe='')}.json"


async def followed(store: Store, after: str) -> Run:
    """The run that `after` names; "last" is the newest answered question. Raises `CannotFollow`, `UnknownRun`."""
    if after != LAST:
        head = await store.head(after)
        if (workflow := workflow_named(head.workflow)) is None:
            raise CannotFollow(f"run {head.id} is no question but of workflow {head.workflow}; follow a question")
        return fold(workflow, head.id, await store.read(head.id))
    for head in await store.heads(status="ended", workflow=ASK.name, limit=LOOKED_BACK):
        run = fold(ASK, head.id, await store.read(head.id))
        if run.parent is None and status_of(run) == "answered":
            return run
    raise CannotFollow('no question was answered here lately; ask one first: backedge ask "…"')


async def agent_followed(root: Path, after: str) -> str | None:
    """The agent that the run was asked of which `after` names."""
    if is_unasked(root):
        raise UnknownRun(after)
    store = open_store(root)
    try:
        return (await followed(store, after)).labels.get("agent")
    finally:
        await store.close()


async def head_of(root: Path, run_id: str) -> Head:
    """The row of a project's run, by a unique beginning of its id."""
    if is_unasked(root):
        raise UnknownRun(run_id)
    store = open_store(root)
    try:
        return await store.head(run_id)
    finally:
        await store.close()


def is_unasked(root: Path) -> bool:
    """Whether a folder has no runs at all. Who only reads them must not leave a store behind."""
    return root.is_dir() and not (runs_folder(root) / RUNS_FILE).exists() and not store_variable(root)


def today_in(now: datetime, zone: str) -> date:
    """The date of a moment in a time zone."""
    return now.astimezone(UTC if zone == "UTC" else ZoneInfo(zone)).date()
