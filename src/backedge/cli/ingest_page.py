"""What `backedge ingest` does and prints: progress while it goes on, then what came of every source."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from backedge.assembling.opening_evidence import open_evidence
from backedge.cli.exact_json import dumps
from backedge.cli.exits import ANSWERED, FAILED
from backedge.evidence.summary import Summary, Told, summed

NOT_RECORDS = ("duplicate", "quarantined", "ineligible", "failed", "paused", "unfinished")


async def ingest(folder: Path, what: tuple[str, ...], restricted: str, by: str, as_json: bool) -> int:
    """Ingest all that is named; the exit code."""
    app = open_evidence(folder)
    try:
        named = await app.named(what)
        for skipped in named.skipped:
            click.echo(f"skipped {skipped.where}: {skipped.why}", err=True)
        runs = await app.begin(named.asked, by=by, restricted=restricted)
        with progress(len(runs), quiet=as_json) as tick:
            told = await app.drive_all(runs, tick)
    finally:
        await app.close()
    summary = summed(told)
    if as_json:
        skips = [{"where": skipped.where, "why": skipped.why} for skipped in named.skipped]
        click.echo(dumps({**summary.as_data(), "skipped": skips, "runs": [told_data(each) for each in told]}, 2))
    else:
        print_summary(told, summary)
    return FAILED if summary.nothing_checked or not told else ANSWERED


def told_data(told: Told) -> dict[str, object]:
    """One source of an ingest as JSON."""
    state = told.run.state
    return {
        "run": told.run.id,
        "wanted": told.run.labels.get("wanted", ""),
        "status": told.status,
        "source": getattr(state, "source", ""),
        "version": getattr(state, "version", "") or getattr(state, "content", ""),
        "why": told.why,
        "records": len(told.records),
    }


def print_summary(told: tuple[Told, ...], summary: Summary) -> None:
    """What is not among the records with why, then the counts. Nothing checked is said as what it is."""
    for each in told:
        if each.status in NOT_RECORDS:
            click.echo(f"{each.status}: {each.run.labels.get('wanted', each.run.id)}: {each.why or 'see its run'}")
    click.echo(f"sources: {counted(summary.sources)}")
    click.echo(f"records: {counted(summary.records)}")
    click.echo(
        f"quotations: {summary.checked} checked, {summary.passed} found, {summary.failed} not found, "
        f"{summary.not_checkable} not checkable"
    )
    if summary.nothing_checked:
        click.echo("NOTHING WAS CHECKED: no quotation of these sources was held against its text", err=True)
    if summary.records["in review"]:
        click.echo("some records wait for a person: backedge review list")


def counted(counts: Counter[str]) -> str:
    """Counts in words, the most first."""
    return ", ".join(f"{count} {name}" for name, count in counts.most_common()) or "none"


@contextmanager
def progress(of: int, *, quiet: bool) -> Iterator[Callable[[Told], None]]:
    """A bar on a terminal, a line for every source elsewhere, nothing where it is `quiet`."""
    ends: Counter[str] = Counter()
    show, stop = (_nothing, _stopped) if quiet else _bar(of) if sys.stderr.isatty() else (_lines(ends, of), _stopped)

    def tick(told: Told) -> None:
        ends[told.status] += 1
        show(counted(ends))

    try:
        yield tick
    finally:
        stop()


def _nothing(_: str) -> None:
    pass


def _stopped() -> None:
    pass


def _lines(ends: Counter[str], of: int) -> Callable[[str], None]:
    return lambda text: click.echo(f"{ends.total()}/{of}: {text}", err=True)


def _bar(of: int) -> tuple[Callable[[str], None], Callable[[], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("ingesting"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=of)
    bar.start()
    return lambda text: bar.update(task, advance=1, description=text), bar.stop
