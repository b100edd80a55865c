"""What `backedge export` does and prints."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.assembling.exporting import CRATE, FORMATS, exported, write_crate, write_whole
from backedge.assembling.opening_evidence import open_evidence


async def export(folder: Path, form: str, out: Path | None, accepted_only: bool, force: bool) -> None:
    """Write what is stored to a file, a folder or standard output."""
    app = open_evidence(folder)
    try:
        told = await exported(app, accepted_only=accepted_only)
        if form == CRATE:
            assert out is not None
            await write_crate(app, told, out)
        elif out is None:
            click.echo(FORMATS[form](told), nl=False)
        else:
            write_whole(out, FORMATS[form](told), force=force)
    finally:
        await app.close()
    if out is not None:
        click.echo(f"{len(told.records)} records and {len(told.versions)} versions written to {out}", err=True)
