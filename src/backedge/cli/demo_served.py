"""What `backedge demo --serve` does before it serves: one question answered, one waiting, and a filled review queue."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.assemble import App, open_app
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.investigating import Investigations
from backedge.assembling.opening_evidence import open_evidence
from backedge.cli.demo_investigation import SETTLED
from backedge.cli.session import who
from backedge.demo.evidence import ENDPOINTS, FIRST, NOTICE, REQUEST, REVIEWER
from backedge.demo.served import ANSWERED, WAITING
from backedge.evidence.facets import CommandKind, FacetCommand, FacetName
from backedge.kernel.run import Run

LABEL = {"demo": "served"}


async def seed(folder: Path) -> None:
    """See that the project has all of it. What is there already stays, also what was answered or decided since."""
    app = open_app(folder)
    try:
        await _asked(app)
    finally:
        await app.close()
    evidence = open_evidence(folder)
    try:
        await _ingested(evidence)
        await _investigated(evidence)
    finally:
        await evidence.close()


async def _asked(app: App) -> None:
    asked = {head.labels.get("asked") for head in await app.store.heads(workflow="ask", limit=1000)}
    for text in (ANSWERED, WAITING):
        if text not in asked:
            run = await app.driver.drive(await app.ask(text, by=who(), labels=LABEL))
            click.echo(f"asked: {text} ({(await app.answer(run))['status'].replace('_', ' ')})", err=True)


async def _ingested(app: EvidenceApp) -> None:
    """The papers, then the notice that retracts one."""
    for papers in (FIRST, (NOTICE,)):
        named = await app.named([f"papers/{paper}" for paper in papers])
        known = {head.labels.get("wanted") async for head in app.heads("ingest", "ended")}
        new = [source for source in named.asked if source.name not in known]
        await app.drive_all(await app.begin(new, by=REVIEWER), lambda told: click.echo(_line(told.run), err=True))


def _line(run: Run) -> str:
    return f"ingested: {run.labels.get('wanted', run.id)} ({type(run.state).__name__.lower()})"


async def _investigated(app: EvidenceApp) -> None:
    """An investigation whose request was reviewed; its judgements wait in the queue."""
    investigations = Investigations(app)
    if [head async for head in investigations.heads()]:
        return
    run = await investigations.drive(await investigations.start(REQUEST, by=REVIEWER))
    commands: list[tuple[CommandKind, FacetName | None, tuple[str, ...]]] = [("split", "endpoint", ENDPOINTS)]
    commands += [("confirm_facet", name, ()) for name in SETTLED]
    for kind, facet, texts in (*commands, ("confirm", None, ())):
        seen = (await investigations.named(run.id)).state.changes
        run = await investigations.command(run, FacetCommand(kind, REVIEWER, seen, facet, texts=texts))
    click.echo(f"investigated: run {run.id} waits for people", err=True)
