"""`backedge init`: a project drafted from data of one's own, measured and checked, and questions to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.exits import USAGE, fail
from backedge.cli.session import go


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="A folder of CSV, TSV or Parquet files, one such file, or a DuckDB file. Default: the project's own.",
)
@click.option("--force", is_flag=True, help="Write drafts again that are still marked as drafts.")
def init(folder: Path, data: Path | None, force: bool) -> None:
    """Draft a project in FOLDER from data: keys, joins, dimensions, measures, each checked on the data.

    \b
    backedge init --data sales.csv            in the present folder
    backedge init shop --data ~/exports/      in a new folder
    """
    from backedge.cli.init_page import print_found
    from backedge.cli.init_project import CannotDraft, draft_project

    try:
        found = go(lambda: draft_project(folder, data, force=force))
    except CannotDraft as error:
        fail(str(error), USAGE)
    print_found(found, folder)
