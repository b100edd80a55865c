"""Gives the server the questions about a project's data: samples, catalog, runs, files of answers, what is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from backedge.ask.catalog import Catalog, Verified
from backedge.ask.keeping.workflow import KEEP, Note, NoteKind
from backedge.assemble import App, check_drawing, draw_png, draw_svg, today_in, write_parquet
from backedge.assembling.evidence_workflows import BY_NAME
from backedge.config.new_sql_file import write_verified
from backedge.demo.questions import QUESTIONS
from backedge.demo.shop import is_demo
from backedge.kernel.defect import Permanent
from backedge.kernel.journal import Context
from backedge.kernel.ports import UnknownRun
from backedge.kernel.stage import Record
from backedge.query.table import Table
from backedge.serving_runs import Opened, ServedRuns
from backedge.web.services import Asked, Sample

MOST_SAMPLES = 8


class ServedAsking:
    """Questions about the data of a project (`web.services.Asking`)."""

    def __init__(self, opened: Opened, runs: ServedRuns, agents: tuple[str, ...]) -> None:
        self._opened = opened
        self._runs = runs
        self.agents = agents
        project = opened.app("").project
        own = tuple(Sample(text) for text, _ in QUESTIONS) if is_demo(opened.root) else ()
        self.samples = distinct((*samples_of(project.catalog), *own))[:MOST_SAMPLES]

    def catalog(self) -> dict[str, Any]:
        """See `web.services.Asking`."""
        return catalog_of(self._opened.app("").project.catalog)

    async def ask(self, asked: Asked) -> str:
        """See `web.services.Asking`."""
        labels = {"agent": asked.agent} if asked.agent else {}
        run_id = await self._opened.app(asked.agent).ask(
            asked.text,
            by=asked.by,
            labels=labels,
            attributes=asked.attributes,
            after=asked.after,
            sql=asked.sql,
            database=asked.database,
        )
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

    async def parquet(self, table: Table) -> bytes:
        """See `web.services.Asking`."""
        return await asyncio.to_thread(write_parquet, table)

    async def picture(self, spec: Mapping[str, Any], kind: Literal["svg", "png"]) -> bytes:
        """See `web.services.Asking`."""
        check_drawing()
        if kind == "png":
            return await asyncio.to_thread(draw_png, spec)
        return (await asyncio.to_thread(draw_svg, spec)).encode()

    def dialect(self, database: str) -> str:
        """See `web.services.Asking`."""
        app = self._opened.app("")
        connector = app.connectors.get(database or app.project.default_database)
        return connector.dialect if connector else "duckdb"

    async def keep(self, note: Note, *, by: str) -> None:
        """See `web.services.Asking`."""
        app = self._opened.app("")
        zone = app.project.timezone or "UTC"
        context = Context(today_in(datetime.now(UTC), zone), zone, by)
        run_id = await app.driver.start(KEEP.name, note, context, labels={"asked": f"{note.kind} {note.key}"})
        run = await app.driver.drive(run_id)
        if run.status != "ended":
            said = run.stopped.reason if run.stopped else "it is not recorded yet"
            raise Permanent(f"{note.kind} {note.key} is not kept: {said}", mend="look at it again")

    async def kept(self, kind: NoteKind, under: str = "") -> tuple[Record, ...]:
        """See `web.services.Asking`."""
        return await self._opened.app("").store.records(kind, under=under)

    def write_example(self, query: Verified) -> str:
        """See `web.services.Asking`."""
        return write_verified(self._opened.root, query)

    async def _app_of(self, run_id: str) -> App:
        head = await self._opened.store.head(run_id)
        if head.workflow in BY_NAME:
            raise UnknownRun(run_id)
        return self._opened.app(head.labels.get("agent", ""))


def samples_of(catalog: Catalog) -> tuple[Sample, ...]:
    """Questions that a catalog itself names: those of its verified queries, and the samples of its measures."""
    verified = tuple(
        Sample(text, f"answered by the verified query {query.name}")
        for query in catalog.verified
        for text in (query.embed or (query.description,))[:1]
        if text
    )
    measures = tuple(
        Sample(text, measure.description)
        for view in catalog.model.views
        for measure in view.measures
        for text in measure.samples[:1]
    )
    return distinct((*verified, *measures))


def distinct(samples: tuple[Sample, ...]) -> tuple[Sample, ...]:
    """The first of each question; case and the question mark make no other one."""
    found: dict[str, Sample] = {}
    for sample in samples:
        found.setdefault(sample.text.casefold().rstrip("? "), sample)
    return tuple(found.values())


def catalog_of(catalog: Catalog) -> dict[str, Any]:
    """Topics, and what each view has to measure and to group by."""
    return {
        "topics": [
            {"name": topic.name, "description": topic.description, "views": list(topic.views)}
            for topic in catalog.model.topics
        ],
        "views": [
            {
                "name": view.name,
                "description": view.description,
                "measures": [{"name": m.name, "description": m.description} for m in view.measures],
                "dimensions": [{"name": d.name, "description": d.description} for d in view.dimensions],
            }
            for view in catalog.model.views
            if not view.role_of
        ],
        "verified": [{"name": query.name, "description": query.description} for query in catalog.verified],
    }
