"""`backedge demo`: a small shop, asked a few questions live, and what to try next; or all of it in a browser."""

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
@click.option("--serve", is_flag=True, help="Show the shop and the papers in a browser instead.")
@click.option("--port", type=click.IntRange(0, 65535), default=None, help="Of --serve; 0: any that is free.")
@click.option("--no-browser", is_flag=True, help="With --serve: open no browser.")
def demo(what: str, folder: Path | None, quiet: bool, serve: bool, port: int | None, no_browser: bool) -> None:
    """Make a small project and show what is done with it: no key, no server, nothing leaves this machine.

    `backedge demo [FOLDER]` asks a shop's data a few questions; `backedge demo evidence [FOLDER]` takes verified
    records from two short papers; `backedge demo --serve [FOLDER]` opens both in a browser.
    """
    if serve:
        _refuse(folder is not None or what == EVIDENCE, "--serve shows both demos: `backedge demo --serve FOLDER`")
        _served(Path(what or "backedge-demo-served"), port, not no_browser)
        return
    _refuse(port is not None or no_browser, "--port and --no-browser are for `backedge demo --serve`")
    if what == EVIDENCE:
        _evidence(folder or Path("backedge-evidence-demo"))
    elif folder is not None:
        raise click.UsageError(
            f"there is no demo {what!r}: write `backedge demo FOLDER` or `backedge demo evidence FOLDER`"
        )
    else:
        _shop(Path(what or "backedge-demo"), quiet)


def _refuse(wrong: bool, why: str) -> None:
    if wrong:
        raise click.UsageError(why)


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


def _served(folder: Path, port: int | None, opens: bool) -> None:
    from backedge.cli.demo_served import seed
    from backedge.cli.exits import told
    from backedge.cli.serve import HOST, PORT
    from backedge.cli.serve_page import serve_pages
    from backedge.demo.served import make_served
    from backedge.demo.shop import DemoError

    click.echo(f"Making a shop and a folder of papers in {folder}; the model's replies are RECORDED …", err=True)
    try:
        make_served(folder)
    except DemoError as error:
        fail(str(error), USAGE)
    go(lambda: seed(folder))
    with told():
        serve_pages(folder, HOST, PORT if port is None else port, opens)
