"""What `backedge investigate` does and prints: how an investigation stands, and the command that takes it further."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import click

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.investigating import Investigations
from backedge.assembling.opening_evidence import open_evidence
from backedge.cli.exits import ANSWERED, FAILED
from backedge.cli.lines import one_line, plain
from backedge.cli.session import project_flag
from backedge.evidence.views import InquiryView, InvestigationView
from backedge.kernel.defect import Permanent
from backedge.kernel.run import Run
from backedge.query.exact_json import dumps

LINE = 90
NEXT = {
    "facet review": "backedge facets show {run}",
    "sufficiency review": "backedge review list",
    "decision": "backedge candidates show {run}",
    "approval": "backedge design show {run}",
}


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[EvidenceApp, Investigations]]:
    """A project's evidence with its investigations; closed at the end."""
    app = open_evidence(folder)
    try:
        yield app, Investigations(app)
    finally:
        await app.close()


async def start_investigation(folder: Path, request: str, path: Path | None, by: str, as_json: bool) -> int:
    """Begin an investigation and print how it stands; the exit code."""
    text = _request(request, path)
    async with opened(folder) as (_, investigations):
        run_id = await investigations.start(text, by=by)
        if not as_json:
            click.echo(f"investigation {run_id}", err=True)
        return await print_standing(investigations, await investigations.drive(run_id), folder, as_json)


def _request(request: str, path: Path | None) -> str:
    if path is None:
        return request
    if request.strip():
        raise Permanent("the request is given twice: in words and as a file", mend="give one of them")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Permanent(f"{path} cannot be read: {error}", mend="name a text file in UTF-8") from error


async def list_investigations(folder: Path, limit: int, before: str | None, as_json: bool) -> None:
    """Print a line for each investigation."""
    found: list[InvestigationView] = []
    async with opened(folder) as (_, investigations):
        more = False
        async for head in investigations.heads(before):
            if more := len(found) == limit:
                break
            found.append(await investigations.view(await investigations.named(head.id)))
    if as_json:
        click.echo(dumps({"investigations": found, "more": more}, 2))
        return
    for view in found:
        click.echo(f"{view.run}  {standing_words(view):<30}  {one_line(view.request, LINE)}")
    if not found:
        click.echo('no investigation: backedge investigate start "…"')
    if more:
        click.echo(f"… more: --before {found[-1].run}")


async def show_investigation(folder: Path, run: str, as_json: bool) -> None:
    """Print how an investigation stands."""
    async with opened(folder) as (_, investigations):
        await print_standing(investigations, await investigations.named(run), folder, as_json)


async def retry_investigations(folder: Path, run: str, by: str, as_json: bool) -> int:
    """Go on with one, or all that can; the exit code."""
    async with opened(folder) as (_, investigations):
        if run:
            one = await investigations.named(run)
            await investigations.retry(one, by=by)
            return await print_standing(investigations, await investigations.drive(one.id), folder, as_json)
        codes = []
        for paused in await investigations.unfinished():
            await investigations.retry(paused, by=by)
            done = await investigations.drive(paused.id)
            codes.append(await print_standing(investigations, done, folder, as_json))
    if not codes:
        click.echo("no investigation paused", err=True)
    return max(codes, default=ANSWERED)


async def print_standing(investigations: Investigations, run: Run, folder: Path, as_json: bool) -> int:
    """Print how an investigation stands, and what to do next; the exit code: failed where it paused or failed."""
    view = await investigations.view(run)
    if as_json:
        click.echo(dumps(view, 2))
    else:
        click.echo(f"investigation {view.run}: {standing_words(view)}")
        click.echo(f"  {one_line(view.request, LINE)}")
        for inquiry in view.inquiries:
            click.echo(_inquiry_line(inquiry))
        for why in (view.why, *(f"STALE: {plain(each)}" for each in view.stale)):
            if why:
                click.echo(f"  {plain(why)}")
        _print_next(view, folder)
    return FAILED if any(status in ("paused", "failed") for status in _statuses(view)) else ANSWERED


def _statuses(view: InvestigationView) -> list[str]:
    """Its own status, and those of inquiries while it waits for them: later, one that failed is a stated gap."""
    asked = [inquiry.status for inquiry in view.inquiries if inquiry.status == "paused"]
    return [view.status, *asked]


def standing_words(view: InvestigationView) -> str:
    """How it stands in words."""
    if view.waits_for:
        return f"waits for {view.waits_for}"
    paused = sum(inquiry.status == "paused" for inquiry in view.inquiries)
    if view.status == "waiting" and paused:
        return f"{paused} of {len(view.inquiries)} inquiries paused"
    return f"{view.status} at {view.stage}" if view.status in ("paused", "failed", "running") else view.status


def _inquiry_line(inquiry: InquiryView) -> str:
    judged = f" ({inquiry.sufficiency.status})" if inquiry.sufficiency else ""
    why = f": {plain(inquiry.why)}" if inquiry.why else ""
    return f"  {inquiry.question}  {inquiry.status}{judged}  {one_line(inquiry.text, LINE)}{why}"


def _print_next(view: InvestigationView, folder: Path) -> None:
    flag = project_flag(folder)
    if view.waits_for:
        click.echo(f"next: {NEXT[view.waits_for].format(run=view.run)}{flag}")
    elif view.status == "approved":
        click.echo(f"next: backedge design show {view.run}{flag}")
    elif view.status != "failed":
        click.echo(f"next: backedge investigate retry {view.run}{flag}")
