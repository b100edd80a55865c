"""`backedge trace` and `backedge verify`: from a sentence to the characters it rests on, and every check again."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--run", "investigation", default="", metavar="RUN", help="Look in this investigation alone.")
@project_option
@json_option
def trace(words: tuple[str, ...], investigation: str, folder: Path, as_json: bool) -> None:
    """Walk from WORDS to the characters of the source that they rest on.

    WORDS are a sentence of a design, its place (D1/endpoints/2), the key of a record, or what a record states. Exit
    code 1 where a link does not hold.
    """
    from backedge.cli.tracing_page import trace_words

    raise SystemExit(go(lambda: trace_words(folder, " ".join(words), investigation, as_json)))


@click.command()
@click.argument("run")
@project_option
@json_option
def verify(run: str, folder: Path, as_json: bool) -> None:
    """Check an investigation again: contents by their hashes, every span, every gate, what its design cites.

    Exit code 1 where something does not hold, or nothing was checked.
    """
    from backedge.cli.tracing_page import verify_run

    raise SystemExit(go(lambda: verify_run(folder, run, as_json)))
