"""`backedge demo`: a small shop, asked a few questions live, and what to try next."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.exits import FAILED, USAGE, fail
from backedge.cli.session import go


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("backedge-demo"))
@click.option("--quiet", "-q", is_flag=True, help="No trace on stderr.")
def demo(folder: Path, quiet: bool) -> None:
    """Make a small project in FOLDER and ask it a few questions: no key, no server, nothing leaves this machine."""
    from backedge.cli.demo_tour import tour
    from backedge.demo.shop import DemoError, make_shop

    click.echo(f"Making a shop in {folder} …", err=True)
    try:
        make_shop(folder)
    except DemoError as error:
        fail(str(error), USAGE)
    if not go(lambda: tour(folder, quiet)):
        raise SystemExit(FAILED)
