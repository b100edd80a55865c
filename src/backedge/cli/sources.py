"""`backedge sources`: the sources of a project, how each stands, and what can be done about it."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.ingest import ingest
from backedge.cli.session import go, json_option, project_flag, project_option, who

STATUSES = ("eligible", "ineligible", "quarantined", "unjudged")
reviewer_option = click.option("--as", "by", default=who, show_default="your user name", help="Who does it.")


@click.group()
def sources() -> None:
    """Add, list, show, retry, refresh and restrict the sources of a project."""


sources.add_command(ingest, "add")


@sources.command("list")
@click.option("--status", type=click.Choice(STATUSES), default=None, help="Only those that stand so.")
@click.option("--limit", type=click.IntRange(1), default=200, show_default=True, help="At most so many.")
@project_option
@json_option
def list_(status: str | None, limit: int, folder: Path, as_json: bool) -> None:
    """List the sources: what each is called, how it stands, and its records."""
    from backedge.cli.sources_page import list_sources

    go(lambda: list_sources(folder, status, limit, as_json))


@sources.command()
@click.argument("source")
@project_option
@json_option
def show(source: str, folder: Path, as_json: bool) -> None:
    """Show a SOURCE: versions, sections, judgements, relations. It is named by its id, an identifier or its file."""
    from backedge.cli.sources_page import show_source

    go(lambda: show_source(folder, source, as_json))


@sources.command()
@click.argument("wanted", nargs=-1)
@reviewer_option
@project_option
@json_option
def retry(wanted: tuple[str, ...], by: str, folder: Path, as_json: bool) -> None:
    """Go on with what paused or was interrupted: all, or what is WANTED: as it was typed, a source's id, or a run."""
    from backedge.cli.sources_page import retry_sources

    resume = f"; nothing is lost, go on with: backedge sources retry{project_flag(folder)}"
    raise SystemExit(go(lambda: retry_sources(folder, wanted, by, as_json), how_to_resume=lambda: resume))


@sources.command()
@click.argument("source", nargs=-1)
@click.option("--older-than", type=click.IntRange(0), default=0, metavar="DAYS", help="Only those not checked since.")
@reviewer_option
@project_option
@json_option
def refresh(source: tuple[str, ...], older_than: int, by: str, folder: Path, as_json: bool) -> None:
    """Ask the registries how sources stand now (all, or SOURCE), and say what has changed."""
    from backedge.cli.refresh_page import refresh_sources

    resume = f"; nothing is lost, go on with: backedge sources retry{project_flag(folder)}"
    raise SystemExit(go(lambda: refresh_sources(folder, source, older_than, by, as_json), how_to_resume=lambda: resume))


@sources.command()
@click.argument("source")
@click.option("--because", required=True, help="Why; it is kept with who says so.")
@click.option("--lift", is_flag=True, help="Allow the source again.")
@reviewer_option
@project_option
@json_option
def restrict(source: str, because: str, lift: bool, by: str, folder: Path, as_json: bool) -> None:
    """Mark a SOURCE as one that may not be used, or may again, and judge it anew."""
    from backedge.cli.refresh_page import restrict_source

    go(lambda: restrict_source(folder, source, because, lift, by, as_json))
