"""`backedge packages`: the evidence of each question of an investigation, as a design may rest on it."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option


@click.group()
def packages() -> None:
    """Show the packages of an investigation, which is named by its RUN."""


@packages.command()
@click.argument("run")
@click.argument("question", default="")
@project_option
@json_option
def show(run: str, question: str, folder: Path, as_json: bool) -> None:
    """Show the packages, or that of one QUESTION: records, contradictions, what was trimmed or is stale."""
    from backedge.cli.packages_page import show_packages

    go(lambda: show_packages(folder, run, question, as_json))
