"""`backedge candidates` and `backedge decide`: the approaches of an investigation, and the choice of one."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option, who


@click.group()
def candidates() -> None:
    """Show the candidates of an investigation, which is named by its RUN."""


@candidates.command()
@click.argument("run")
@project_option
@json_option
def show(run: str, folder: Path, as_json: bool) -> None:
    """Show the approaches side by side on the eight criteria, and the decision; or what was refused, and why."""
    from backedge.cli.candidates_page import show_candidates

    go(lambda: show_candidates(folder, run, as_json))


@click.command()
@click.argument("run")
@click.argument("approach")
@click.option(
    "--reject", "rejected", multiple=True, metavar="KEY=REASON", help="Why each other one is rejected; repeatable."
)
@click.option("--because", default="", help="Why this one.")
@click.option("--as", "by", default=who, show_default="your user name", help="The reviewer who decides.")
@project_option
@json_option
def decide(
    run: str, approach: str, rejected: tuple[str, ...], because: str, by: str, folder: Path, as_json: bool
) -> None:
    """Choose an APPROACH by its key; the design is written then.

    Exit code 3 where the decision is refused: nobody but a configured reviewer decides, with a reason for each
    approach that is rejected. The refusal is kept, and the investigation still waits.
    """
    from backedge.cli.candidates_page import decide_approach

    raise SystemExit(go(lambda: decide_approach(folder, run, approach, rejected, because, by, as_json)))
