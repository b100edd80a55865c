"""`backedge export`: records and sources in formats of others, with where everything came from."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, project_option


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(("jsonl", "csv", "ris", "bibtex", "ro-crate")),
    default="jsonl",
    show_default=True,
)
@click.option("--out", type=click.Path(path_type=Path), default=None, help="A file, or a folder for ro-crate.")
@click.option("--only", type=click.Choice(("accepted", "all")), default="accepted", show_default=True)
@click.option("--force", is_flag=True, help="Overwrite the file.")
@project_option
def export(form: str, out: Path | None, only: str, force: bool, folder: Path) -> None:
    """Write records with their spans (jsonl, csv), sources (ris, bibtex), or all of it with provenance (ro-crate).

    Accepted are records that stand so, and whose sources may be used now.
    """
    from backedge.cli.export_page import export as export_

    if form == "ro-crate" and out is None:
        raise click.UsageError("an RO-Crate is a folder: name it with --out")
    go(lambda: export_(folder, form, out, only == "accepted", force))
