"""What `backedge export` does and prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from backedge.assembling.crate import write_crate
from backedge.assembling.exporting import CRATE, FORMATS, exported, write_whole
from backedge.assembling.opening_evidence import open_evidence
from backedge.query.exact_json import dumps


@dataclass(frozen=True)
class Asked:
    """What is to be written, and where; `out` None is standard output."""

    form: str
    out: Path | None
    accepted_only: bool
    force: bool


async def export(folder: Path, asked: Asked, as_json: bool) -> None:
    """Write what is stored to a file, a folder or standard output; what was written is told on standard error."""
    app = open_evidence(folder)
    try:
        told = await exported(app, accepted_only=asked.accepted_only)
        if asked.out is None:
            click.echo(FORMATS[asked.form](told), nl=False)
        elif asked.form == CRATE:
            await write_crate(app, told, asked.out, force=asked.force)
        else:
            write_whole(asked.out, FORMATS[asked.form](told), force=asked.force)
    finally:
        await app.close()
    counts = {"records": len(told.records), "versions": len(told.versions)}
    if as_json and asked.out is not None:
        click.echo(dumps({"format": asked.form, "out": str(asked.out), **counts}, 2))
    elif asked.out is not None:
        click.echo(f"{counts['records']} records and {counts['versions']} versions written to {asked.out}", err=True)
    if not told.records:
        also = ": none is accepted with a source that may be used; --only all" if asked.accepted_only else ""
        click.echo(f"no record was exported{also}", err=True)
