"""`backedge questions` and `backedge gaps`: what an investigation asks, and what it could not cover."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option


@click.command()
@click.argument("run")
@project_option
@json_option
def questions(run: str, folder: Path, as_json: bool) -> None:
    """Show the questions of an investigation (RUN) with their facets, searches, exclusions and judgements."""
    from backedge.cli.questions_page import show_questions

    go(lambda: show_questions(folder, run, as_json))


@click.command()
@click.argument("run")
@project_option
@json_option
def gaps(run: str, folder: Path, as_json: bool) -> None:
    """Show what an investigation (RUN) could not cover: gaps, facets that nothing investigates, what is missing."""
    from backedge.cli.questions_page import show_gaps

    go(lambda: show_gaps(folder, run, as_json))
