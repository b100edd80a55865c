"""What `backedge export` does and prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from backedge.assembling.crate import write_crate
from backedge.assembling.exporting import CRATE, FORMATS, exported, write_whole
from backedge.assembling.investigation_crate import investigation_crate
from backedge.assembling.opening_evidence import open_evidence
from backedge.cli.investigate_page import opened
from backedge.cli.lines import plain
from backedge.evidence.exporting.design_markdown import to_markdown
from backedge.evidence.exporting.design_view import DesignView, design_view, to_json
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


async def export_design(folder: Path, asked: Asked, run: str, version: int | None, as_json: bool) -> None:
    """Write a version of a design, or the whole investigation; what is stale or not approved is told too."""
    async with opened(folder) as (app, investigations):
        key = (await investigations.named(run)).id
        if asked.form == CRATE:
            assert asked.out is not None
            await investigation_crate(app, key, asked.out, force=asked.force)
            told = {"format": asked.form, "out": str(asked.out), "investigation": key}
            click.echo(dumps(told, 2) if as_json else f"investigation {key} written to {asked.out}", err=not as_json)
            return
        view = await design_view(key, app.library, app.contents, version, app.project.tables)
    if asked.out is None:
        click.echo(_design(view, asked.form), nl=False)
    else:
        write_whole(asked.out, _design(view, asked.form), force=asked.force)
        written = {
            "format": asked.form,
            "out": str(asked.out),
            "investigation": key,
            "version": view.version,
            "approved": view.approved,
            "stale": list(view.stale),
        }
        said = f"version {view.version} ({view.mark}) written to {asked.out}"
        click.echo(dumps(written, 2) if as_json else said, err=not as_json)
    for why in view.stale:
        click.echo(f"STALE: {plain(why)}", err=True)


def _design(view: DesignView, form: str) -> str | bytes:
    if form == "docx":
        from backedge.assembling.design_docx import design_docx

        return design_docx(view)
    return to_markdown(view) if form == "markdown" else dumps(to_json(view), 2) + "\n"
