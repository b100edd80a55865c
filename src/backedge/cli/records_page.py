"""What `backedge records` does and prints."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.record_list import Wanted, records_data
from backedge.assembling.reviewing import reviews_of
from backedge.cli.lines import one_line
from backedge.cli.record_page import print_record
from backedge.evidence.record_view import record_data
from backedge.query.exact_json import dumps

STATEMENT = 90


async def list_records(folder: Path, wanted: Wanted, as_json: bool) -> None:
    """Print a line for each record that is wanted, or their JSON."""
    app = open_evidence(folder)
    try:
        found = await records_data(app, wanted)
    finally:
        await app.close()
    if as_json:
        click.echo(dumps(found, 2))
        return
    lines = found["records"]
    for line in lines:
        unusable = "" if line["source_eligible"] else "  (its source may not be used)"
        statement = one_line(line["statement"], STATEMENT)
        click.echo(f"{line['key']}  {line['standing']:<11}  {line['kind']:<7}  {statement}{unusable}")
    if not lines:
        click.echo("no record is so" if wanted.narrow else "no record: backedge ingest FILE, FOLDER or identifier")
    if found["more"]:
        click.echo(f"… more than {wanted.limit}; see --limit")


async def show_record(folder: Path, key: str, as_json: bool) -> None:
    """Print a record."""
    app = open_evidence(folder)
    try:
        data = await record_data(app.library, app.contents, await reviews_of(app).reviewed(key))
    finally:
        await app.close()
    click.echo(dumps(data, 2)) if as_json else print_record(data)
