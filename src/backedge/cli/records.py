"""`backedge records`: findings and claims with their quotations, how they stand, and why."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option

STANDINGS = ("proposed", "accepted", "rejected", "in_review", "quarantined", "replaced")


@click.group()
def records() -> None:
    """List and show the records of a project."""


@records.command("list")
@click.option("--source", default="", help="Only those of a source: its id, or an identifier.")
@click.option("--kind", type=click.Choice(("finding", "claim")), default=None, help="Only findings, or only claims.")
@click.option("--standing", type=click.Choice(STANDINGS), default=None, help="Only those that stand so.")
@click.option("--usable", is_flag=True, help="Only accepted ones whose source may be used.")
@click.option("--limit", type=click.IntRange(1), default=200, show_default=True, help="At most so many.")
@project_option
@json_option
def list_(
    source: str, kind: str | None, standing: str | None, usable: bool, limit: int, folder: Path, as_json: bool
) -> None:
    """List records: key, standing, kind and statement."""
    from backedge.assembling.record_list import Wanted
    from backedge.cli.records_page import list_records

    go(lambda: list_records(folder, Wanted(source, kind, standing, usable, limit), as_json))


@records.command()
@click.argument("key")
@project_option
@json_option
def show(key: str, folder: Path, as_json: bool) -> None:
    """Show a record by its KEY: its quotations in their context, its checks, and its history."""
    from backedge.cli.records_page import show_record

    go(lambda: show_record(folder, key, as_json))
