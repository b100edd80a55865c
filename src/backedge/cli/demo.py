"""`backedge demo`: a small shop, asked a few questions live, and what to try next."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.exits import FAILED, USAGE, fail
from backedge.cli.session import go

EVIDENCE = "evidence"


@click.command()
@click.argument("what", default="")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--quiet", "-q", is_flag=True, help="No trace on stderr.")
def demo(what: str, folder: Path | None, quiet: bool) -> None:
    """Make a small project and show what is done with it: no key, no server, nothing leaves this machine.

    `backedge demo [FOLDER]` asks a shop's data a few questions; `backedge demo evidence [FOLDER]` takes verified
    records from two short papers.
    """
    if what == EVIDENCE:
        _evidence(folder or Path("backedge-evidence-demo"))
    elif folder is not None:
        raise click.UsageError(
            f"there is no demo {what!r}: write `backedge demo FOLDER` or `backedge demo evidence FOLDER`"
        )
    else:
        _shop(Path(what or "backedge-demo"), quiet)


def _shop(folder: Path, quiet: bool) -> None:
    from backedge.cli.demo_tour import tour
    from backedge.demo.shop import DemoError, make_shop

    click.echo(f"Making a shop in {folder} …", err=True)
    try:
        make_shop(folder)
    except DemoError as error:
        fail(str(error), USAGE)
    if not go(lambda: tour(folder, quiet)):
        raise SystemExit(FAILED)


def _evidence(folder: Path) -> None:
    from backedge.cli.demo_evidence import tour
    from backedge.demo.evidence import make_evidence
    from backedge.demo.shop import DemoError

    click.echo(f"Making a folder of papers in {folder} …", err=True)
    try:
        make_evidence(folder)
    except DemoError as error:
        fail(str(error), USAGE)
    if not go(lambda: tour(folder)):
        raise SystemExit(FAILED)
