"""`backedge db`: the databases of a project, whether they can be read, and what is in them."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option


@click.group()
def db() -> None:
    """List, test and sync the databases of a project."""


@db.command("list")
@project_option
@json_option
def list_(folder: Path, as_json: bool) -> None:
    """List the databases: what each is, where, and what keeps it from being read. Nothing is opened."""
    from backedge.cli.db_page import list_databases

    go(lambda: list_databases(folder, as_json))


@db.command()
@click.argument("names", nargs=-1)
@project_option
@json_option
def test(names: tuple[str, ...], folder: Path, as_json: bool) -> None:
    """Connect to databases (all, or NAMES), and say what is wrong and what to do. Exit code 5 where anything is."""
    from backedge.cli.db_page import test_databases

    raise SystemExit(go(lambda: test_databases(folder, names, as_json)))


@db.command()
@click.argument("names", nargs=-1)
@project_option
@json_option
def sync(names: tuple[str, ...], folder: Path, as_json: bool) -> None:
    """Read the schemas of databases (all, or NAMES) into the cache, and say what has changed."""
    from backedge.cli.db_page import sync_databases

    raise SystemExit(go(lambda: sync_databases(folder, names, as_json)))
