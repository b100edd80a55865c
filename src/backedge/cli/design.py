"""`backedge design`: the design of an investigation, its versions, and their approval."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option, who

by_option = click.option("--as", "by", default=who, show_default="your user name", help="The approver who decides.")
version_option = click.option("--version", type=click.IntRange(1), default=None, help="Which version; else the newest.")


@click.group()
def design() -> None:
    """Show, compare and approve the design of an investigation, which is named by its RUN."""


@design.command()
@click.argument("run")
@version_option
@project_option
@json_option
def show(run: str, version: int | None, folder: Path, as_json: bool) -> None:
    """Show a version: a proposal until it is approved; what is stale first; citations with their quotations."""
    from backedge.cli.design_page import show_design

    go(lambda: show_design(folder, run, version, as_json))


@design.command()
@click.argument("run")
@click.argument("old", type=click.IntRange(1), required=False)
@click.argument("new", type=click.IntRange(1), required=False)
@project_option
@json_option
def diff(run: str, old: int | None, new: int | None, folder: Path, as_json: bool) -> None:
    """Show what changed from version OLD to NEW; without them, between the last two."""
    from backedge.cli.design_page import show_changes

    go(lambda: show_changes(folder, run, old, new, as_json))


@design.command()
@click.argument("run")
@version_option
@click.option("--because", default="", help="The rationale; it is needed.")
@by_option
@project_option
@json_option
def approve(run: str, version: int | None, because: str, by: str, folder: Path, as_json: bool) -> None:
    """Approve a version. Exit code 3 where that is refused; the refusal is kept, and the design stays a proposal."""
    from backedge.cli.design_page import decide_design

    raise SystemExit(go(lambda: decide_design(folder, run, version, because, (), by, as_json)))


@design.command("request-changes")
@click.argument("run")
@click.argument("changes", nargs=-1, required=True)
@version_option
@click.option("--because", default="", help="The rationale; it is needed.")
@by_option
@project_option
@json_option
def request_changes(
    run: str,
    changes: tuple[str, ...],
    version: int | None,
    because: str,
    by: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Send the design back with CHANGES, one argument each: its next version is written with them as the lesson."""
    from backedge.cli.design_page import decide_design

    raise SystemExit(go(lambda: decide_design(folder, run, version, because, changes, by, as_json)))
