"""`backedge ingest`: from sources to verified records, many at a time, with what came of each."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_flag, project_option, who


@click.command()
@click.argument("what", nargs=-1, required=True)
@click.option("--restricted", default="", metavar="REASON", help="Mark the sources as ones that may not be used.")
@click.option("--as", "by", default=who, show_default="your user name", help="Who wants them.")
@project_option
@json_option
def ingest(what: tuple[str, ...], restricted: str, by: str, folder: Path, as_json: bool) -> None:
    """Bring in sources and verify what they say: WHAT is a file, a folder, a list.csv, or an identifier.

    Identifiers are DOIs, PubMed and PubMed Central ids, arXiv ids and public URLs. What was begun before goes on; what
    is there already is said to be. Exit code 1 where nothing could be checked, or a source or record paused or failed.
    """
    from backedge.cli.ingest_page import ingest as ingest_

    marked = ["--restricted", restricted] if restricted else []
    again = f"{shlex.join(['ingest', *what, *marked])}{project_flag(folder)}"
    resume = f"; nothing is lost, go on with: backedge {again}"
    raise SystemExit(go(lambda: ingest_(folder, what, restricted, by, as_json), how_to_resume=lambda: resume))
