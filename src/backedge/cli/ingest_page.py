"""What `backedge ingest` does and prints: progress while it goes on, then what came of every source."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.rejudging import up_to_date
from backedge.cli.exits import ANSWERED, FAILED
from backedge.cli.refresh_page import changes_data, print_changes
from backedge.evidence.summary import Summary, Told, counted, summed
from backedge.query.exact_json import dumps

NAMED = 5  # sources that are named of those with one reason


async def ingest(folder: Path, what: tuple[str, ...], restricted: str, by: str, as_json: bool) -> int:
    """Ingest all that is named; the exit code."""
    app = open_evidence(folder)
    report = Report(quiet=as_json)
    try:
        named = await app.named(what)
        anew = await changes_data(app, await up_to_date(app, by))
        for skipped in named.skipped:
            click.echo(f"skipped {skipped.where}: {skipped.why}", err=True)
        runs = await app.begin(named.asked, by=by, restricted=restricted)
        await report.driven(app, runs)
        for run_id in runs if restricted else ():
            if source := await app.mark_restricted(await app.told(run_id), restricted, by=by):
                click.echo(f"restricted now: {source}, which was there before", err=True)
    finally:
        await app.close()
    if as_json:
        skipped_data = [{"where": each.where, "why": each.why} for each in named.skipped]
        report.print_data({"skipped": skipped_data, "changes": anew})
        return FAILED if not runs else report.code
    print_changes(anew)
    if runs:
        report.print()
    else:
        click.echo("nothing was ingested: there is no source in what was named", err=True)
    return FAILED if not runs else report.code


class Report:
    """What came of many sources, summed as they come; of the sources themselves only lines are kept."""

    def __init__(self, *, quiet: bool) -> None:
        self.summary = Summary()
        self._quiet = quiet
        self._lines: list[dict[str, Any]] = []

    @property
    def code(self) -> int:
        """The exit code: failed where nothing could be checked, or a source has not come to its end."""
        return FAILED if self.summary.nothing_checked or self.summary.unfinished else ANSWERED

    async def driven(self, app: EvidenceApp, runs: Sequence[str]) -> None:
        """Drive ingests, with their progress on stderr."""
        with progress(len(runs), quiet=self._quiet) as tick:

            def heard(told: Told) -> None:
                self.add(told)
                tick(told)

            await app.drive_all(runs, heard)

    def add(self, told: Told) -> None:
        """Count a source."""
        self.summary = self.summary.joined(summed([told]))
        self._lines.append(told_data(told))

    def print_data(self, more: Mapping[str, Any]) -> None:
        """Print it as one JSON object."""
        lines = sorted(self._lines, key=lambda line: str(line["wanted"]))
        click.echo(dumps({**self.summary.as_data(), **more, "runs": lines}, 2))

    def print(self) -> None:
        """What is not among the records with why, then the counts. Nothing checked is said as what it is."""
        self._print_reasons()
        summary = self.summary
        click.echo(f"sources: {counted(summary.sources)}")
        click.echo(f"records: {counted(summary.records)}")
        click.echo(
            f"quotations: {summary.checked} checked, {summary.passed} found, {summary.failed} not found, "
            f"{summary.not_checkable} not checkable; {summary.sent_back} more were refused and sent back"
        )
        if summary.nothing_checked:
            click.echo("NOTHING WAS CHECKED: no quotation of these sources was held against its text", err=True)
        if summary.records["in review"]:
            click.echo("some records wait for a person: backedge review list")
        if summary.sources["paused"] or summary.records["paused"]:
            click.echo("what paused goes on with: backedge sources retry")

    def _print_reasons(self) -> None:
        reasons: dict[tuple[str, str], list[str]] = defaultdict(list)
        for line in sorted(self._lines, key=lambda line: str(line["wanted"])):
            if line["status"] != "ingested" or line["why"]:
                reasons[line["status"], line["why"] or f"see run {line['run']}"].append(line["wanted"] or line["run"])
        for (status, why), named in reasons.items():
            more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
            click.echo(f"{status}: {', '.join(named[:NAMED])}{more}: {why}")


def told_data(told: Told) -> dict[str, Any]:
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
