"""`backedge export`: records and sources in formats of others, with where everything came from."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option

STORED = ("jsonl", "csv", "ris", "bibtex")
DESIGNS = ("markdown", "docx", "json")
CRATE = "ro-crate"


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice((*STORED, *DESIGNS, CRATE)),
    default=None,
    show_default="jsonl, or markdown with --investigation",
    help="Records (jsonl, csv), sources (ris, bibtex), a design (markdown, docx, json), or all of it (ro-crate).",
)
@click.option("--investigation", default="", metavar="RUN", help="Write the design of an investigation, or all of it.")
@click.option("--version", type=click.IntRange(1), default=None, help="Which version of the design; else the newest.")
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
def export(
    form: str | None,
    investigation: str,
    version: int | None,
    out: Path | None,
    only: str,
    force: bool,
    folder: Path,
    as_json: bool,
) -> None:
    """Write records with their spans (jsonl, csv), sources (ris, bibtex), or all of it with provenance (ro-crate).

    With --investigation its design (markdown, docx, json: what is stale is said first), or all of it with provenance
    and the hashes of all contents (ro-crate). Without --out it goes to standard output. With --json and
    --out one JSON object tells what was written.
    """
    from backedge.cli.export_page import Asked, export_design
    from backedge.cli.export_page import export as export_

    form = form or ("markdown" if investigation else "jsonl")
    if form in DESIGNS and not investigation:
        raise click.UsageError(f"{form} is of a design: name its investigation with --investigation RUN")
    if form in STORED and investigation:
        raise click.UsageError(f"{form} is of records and sources: leave --investigation out, or take markdown")
    if form in (CRATE, "docx") and out is None:
        raise click.UsageError(f"{form} goes to a {'folder' if form == CRATE else 'file'}: name it with --out")
    if as_json and out is None:
        raise click.UsageError("--json tells what was written to a file: name it with --out")
    asked = Asked(form, out, only == "accepted", force)
    if investigation:
        go(lambda: export_design(folder, asked, investigation, version, as_json))
    else:
        go(lambda: export_(folder, asked, as_json))
