"""`backedge investigate`: from a request to an approved design, with people deciding on the way."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_flag, project_option, who

by_option = click.option("--as", "by", default=who, show_default="your user name", help="Who does it.")


@click.group()
def investigate() -> None:
    """Start, list, show and retry investigations: requests that become approved designs."""


@investigate.command()
@click.argument("request", default="")
@click.option("--file", "path", type=click.Path(path_type=Path), default=None, help="Read the request from a file.")
@by_option
@project_option
@json_option
def start(request: str, path: Path | None, by: str, folder: Path, as_json: bool) -> None:
    """Begin with a REQUEST: what is to be found out, and which decision it serves.

    Its facets are read, and wait for your review. Exit code 1 where the investigation paused or failed.
    """
    from backedge.cli.investigate_page import start_investigation

    resume = f"; nothing is lost, go on with: backedge investigate retry{project_flag(folder)}"
    raise SystemExit(go(lambda: start_investigation(folder, request, path, by, as_json), how_to_resume=lambda: resume))


@investigate.command("list")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="At most so many.")
@click.option("--before", metavar="RUN", help="Those begun before this run: the next page.")
@project_option
@json_option
def list_(limit: int, before: str | None, folder: Path, as_json: bool) -> None:
    """List the investigations, newest first, with what each waits for."""
    from backedge.cli.investigate_page import list_investigations

    go(lambda: list_investigations(folder, limit, before, as_json))


@investigate.command()
@click.argument("run")
@project_option
@json_option
def show(run: str, folder: Path, as_json: bool) -> None:
    """Show how an investigation stands: RUN is its id or the beginning of it."""
    from backedge.cli.investigate_page import show_investigation

    go(lambda: show_investigation(folder, run, as_json))


@investigate.command()
@click.argument("run", default="")
@by_option
@project_option
@json_option
def retry(run: str, by: str, folder: Path, as_json: bool) -> None:
    """Go on with an investigation that paused or was cut short: RUN, or all of them.

    Exit code 1 where one pauses again or failed.
    """
    from backedge.cli.investigate_page import retry_investigations

    raise SystemExit(go(lambda: retry_investigations(folder, run, by, as_json)))
