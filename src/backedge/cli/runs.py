"""`backedge runs`: what was asked, how it went, and what an operator does: retry, wake and cancel."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.ask import Manner
from backedge.cli.exits import FAILED
from backedge.cli.session import go, json_option, project_option, who


@click.group()
def runs() -> None:
    """List, show, retry, wake and cancel runs."""


@runs.command("list")
@project_option
@json_option
@click.option("--status", type=click.Choice(["running", "waiting", "ended", "stopped"]), help="Only these.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many, newest first.")
@click.option("--before", help="Only runs listed after this run.")
@click.option("--thread", metavar="RUN", help="Only the thread of this run: what it follows and what follows it.")
def list_(folder: Path, as_json: bool, status: str | None, limit: int, before: str | None, thread: str | None) -> None:
    """List runs, newest first."""
    from backedge.cli.run_pages import list_runs

    go(lambda: list_runs(folder, as_json, status, limit, before, thread))


@runs.command()
@click.argument("run")
@project_option
@json_option
@click.option("--prompts", is_flag=True, help="Also what language models were sent, and what they replied.")
def show(run: str, folder: Path, as_json: bool, prompts: bool) -> None:
    """Show a run: its answer, and every attempt with its model, its cost and its outcome."""
    from backedge.cli.run_pages import show_run

    go(lambda: show_run(folder, run, as_json, prompts))


@runs.command()
@click.argument("run")
@project_option
def events(run: str, folder: Path) -> None:
    """Print a run's journal, one JSON line for each entry."""
    from backedge.cli.run_pages import print_events

    go(lambda: print_events(folder, run))


@runs.command()
@click.argument("run")
@project_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="No trace on stderr.")
def retry(run: str, folder: Path, as_json: bool, quiet: bool) -> None:
    """Go on with a run that was stopped or interrupted, with fresh budgets."""
    from backedge.cli.retrying import Retrying

    again = Retrying(folder, run, Manner(as_json, quiet=quiet))
    raise SystemExit(go(again.go_on, how_to_resume=again.how_to_resume))


@runs.command()
@project_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="No trace on stderr.")
def wake(folder: Path, as_json: bool, quiet: bool) -> None:
    """Go on with every waiting run whose time to answer is over: its default is taken."""
    from backedge.cli.waking import wake_runs

    raise SystemExit(go(lambda: wake_runs(folder, as_json, quiet)))


@runs.command()
@click.argument("run")
@project_option
@click.option("--reason", default="cancelled", show_default=True, help="Why; it is kept in the journal.")
def cancel(run: str, folder: Path, reason: str) -> None:
    """Stop a run for good."""
    from backedge.cli.run_pages import cancel_run

    if not go(lambda: cancel_run(folder, run, who(), reason)):
        click.echo("backedge: the run was over already; nothing was changed", err=True)
        raise SystemExit(FAILED)
