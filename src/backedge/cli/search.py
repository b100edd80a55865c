"""`backedge search`: chunks by words and by meaning, in a snapshot that can be searched again."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option, who


@click.command()
@click.argument("query", default="")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, help="At most so many.")
@click.option("--arm", type=click.Choice(("fused", "lexical", "semantic")), default="fused", show_default=True)
@click.option("--snapshot", default="", metavar="INDEX:REVISION", help="Search what an earlier search saw.")
@click.option("--save", "name", default="", metavar="NAME", help="Keep the search under a name, and look once.")
@click.option("--in", "targets", default="library", show_default=True, help="Where a saved search looks: a,b.")
@click.option(
    "--new",
    "new",
    is_flag=False,
    flag_value="all",
    default=None,
    metavar="[NAME]",
    help="What a saved search, or each of them, finds that is new.",
)
@click.option("--rebuild", is_flag=True, help="Make the search view anew from the stored chunks.")
@click.option("--as", "by", default=who, show_default="your user name", help="Who searches.")
@project_option
@json_option
def search(
    query: str,
    limit: int,
    arm: str,
    snapshot: str,
    name: str,
    targets: str,
    new: str | None,
    rebuild: bool,
    by: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Search the sources of a project for a QUERY."""
    from backedge.cli import search_page as page

    if rebuild:
        go(lambda: page.rebuild(folder, as_json))
    elif new is not None:
        go(lambda: page.look_again(folder, new, by, as_json))
    elif not query.strip():
        raise click.UsageError("give a QUERY, or --new NAME for a saved search")
    elif name:
        where = tuple(part.strip() for part in targets.split(",") if part.strip())
        go(lambda: page.save(folder, name, query, where, by, as_json))
    else:
        go(lambda: page.search(folder, query, limit, arm, snapshot, as_json))
