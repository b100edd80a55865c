"""`backedge review`: the records and judgements that wait for a person, and what a person decides on them."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option, who

reviewer_option = click.option("--as", "by", default=who, show_default="your user name", help="Who decides.")


@click.group()
def review() -> None:
    """List, show and decide the records that wait for a person."""


@review.command("list")
@click.option("--limit", type=click.IntRange(1), default=200, show_default=True, help="At most so many.")
@project_option
@json_option
def list_(limit: int, folder: Path, as_json: bool) -> None:
    """List what waits: judgements that one record alone affirms, then records, the oldest first; and why."""
    from backedge.cli.review_page import list_queue

    go(lambda: list_queue(folder, limit, as_json))


@review.command()
@click.argument("key")
@reviewer_option
@project_option
@json_option
def show(key: str, by: str, folder: Path, as_json: bool) -> None:
    """Show a record by its KEY beside the passages that it cites, with its checks, flags and attempts.

    Where two must agree, what others decided is hidden until two have decided.
    """
    from backedge.cli.review_page import show_record

    go(lambda: show_record(folder, key, by, as_json))


@review.command()
@click.argument("key")
@click.argument("kind", type=click.Choice(("accept", "fix", "reject", "skip")))
@click.option("--because", default="", help="Why; a rejection needs it.")
@click.option("--seen", type=click.IntRange(1), default=None, help="The standing that you looked at.")
@click.option("--set", "changes", multiple=True, metavar="FIELD=VALUE", help="What a fix changes; repeatable.")
@reviewer_option
@project_option
@json_option
def decide(
    key: str,
    kind: str,
    because: str,
    seen: int | None,
    changes: tuple[str, ...],
    by: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Decide on a record by its KEY: accept it, accept it mended (fix), reject it, or skip it.

    A judgement (RUN/QUESTION) is accepted or rejected for a reason; its investigation goes on then.

    Exit code 3 where the decision is refused; the refusal is kept, and the record still waits.
    """
    from backedge.cli.review_page import Said, decide_record

    go(lambda: decide_record(folder, Said(key, kind, because, seen, changes, by), as_json))


@review.command()
@project_option
@json_option
def agreement(folder: Path, as_json: bool) -> None:
    """Say how often two reviewers who did not see each other decided alike (Cohen's kappa)."""
    from backedge.cli.review_page import print_agreement

    go(lambda: print_agreement(folder, as_json))
