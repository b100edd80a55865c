"""`backedge export`: records and sources in formats of others, with where everything came from."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(("jsonl", "csv", "ris", "bibtex", "ro-crate")),
    default="jsonl",
    show_default=True,
    help="Records (jsonl, csv), sources (ris, bibtex), or all of it.",
)
@click.option("--out", type=click.Path(path_type=Path), default=None, help="A file, or a folder for ro-crate.")
@click.option(
    "--only",
    type=click.Choice(("accepted", "all")),
    default="accepted",
    show_default=True,
    help="Sources that may be used and accepted records of them, or everything.",
)
@click.option("--force", is_flag=True, help="Overwrite the file, or the crate.")
@project_option
@json_option
def export(form: str, out: Path | None, only: str, force: bool, folder: Path, as_json: bool) -> None:
    """Write records with their spans (jsonl, csv), sources (ris, bibtex), or all of it with provenance (ro-crate).

    Without --out it goes to standard output. With --json and --out one JSON object tells what was written.
    """
    from backedge.cli.export_page import Asked
    from backedge.cli.export_page import export as export_

    if form == "ro-crate" and out is None:
        raise click.UsageError("an RO-Crate is a folder: name it with --out")
    if as_json and out is None:
        raise click.UsageError("--json tells what was written to a file: name it with --out")
    go(lambda: export_(folder, Asked(form, out, only == "accepted", force), as_json))
