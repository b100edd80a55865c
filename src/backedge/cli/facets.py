"""`backedge facets`: the eight facets of a request, as a reviewer sees, changes and confirms them."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.session import go, json_option, project_option, who
from backedge.evidence.facets import FACET_NAMES

IMPORTANCE = ("mandatory", "important", "optional")
by_option = click.option("--as", "by", default=who, show_default="your user name", help="The reviewer who does it.")
because_option = click.option("--because", default="", help="Why; it is kept with the change.")
seen_option = click.option(
    "--seen", type=click.IntRange(0), default=None, help="The number of the last change that you saw."
)
value_option = click.option(
    "--value", type=click.IntRange(1), default=1, show_default=True, help="Which of its values, from 1."
)
facet_argument = click.argument("facet", type=click.Choice(FACET_NAMES))


@click.group()
def facets() -> None:
    """Show, change and confirm the facets of an investigation, which is named by its RUN."""


@facets.command()
@click.argument("run")
@project_option
@json_option
def show(run: str, folder: Path, as_json: bool) -> None:
    """Show the facets: values with where each comes from, importance, what is settled, history, and the round trip."""
    from backedge.cli.facets_page import show_facets

    go(lambda: show_facets(folder, run, as_json))


@facets.command()
@click.argument("run")
@facet_argument
@click.argument("text", default="")
@value_option
@click.option("--importance", type=click.Choice(IMPORTANCE), default=None, help="How important the facet is.")
@because_option
@seen_option
@by_option
@project_option
@json_option
def edit(
    run: str,
    facet: str,
    text: str,
    value: int,
    importance: str | None,
    because: str,
    seen: int | None,
    by: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Change a value of a FACET to TEXT, or its importance."""
    from backedge.cli.facets_page import Typed, command

    typed = Typed("edit", run, by, seen, because, facet, value, (text,) if text else (), importance)
    raise SystemExit(go(lambda: command(folder, typed, as_json)))


@facets.command()
@click.argument("run")
@facet_argument
@click.argument("text")
@because_option
@seen_option
@by_option
@project_option
@json_option
def add(run: str, facet: str, text: str, because: str, seen: int | None, by: str, folder: Path, as_json: bool) -> None:
    """Add TEXT to the values of a FACET."""
    from backedge.cli.facets_page import Typed, command

    typed = Typed("add", run, by, seen, because, facet, texts=(text,))
    raise SystemExit(go(lambda: command(folder, typed, as_json)))


@facets.command()
@click.argument("run")
@facet_argument
@click.argument("texts", nargs=-1, required=True)
@value_option
@because_option
@seen_option
@by_option
@project_option
@json_option
def split(
    run: str,
    facet: str,
    texts: tuple[str, ...],
    value: int,
    because: str,
    seen: int | None,
    by: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Split a value of a FACET into TEXTS, two or more."""
    from backedge.cli.facets_page import Typed, command

    typed = Typed("split", run, by, seen, because, facet, value, texts)
    raise SystemExit(go(lambda: command(folder, typed, as_json)))


@facets.command()
@click.argument("run")
@facet_argument
@value_option
@because_option
@seen_option
@by_option
@project_option
@json_option
def remove(
    run: str, facet: str, value: int, because: str, seen: int | None, by: str, folder: Path, as_json: bool
) -> None:
    """Remove a value of a FACET."""
    from backedge.cli.facets_page import Typed, command

    typed = Typed("remove", run, by, seen, because, facet, value)
    raise SystemExit(go(lambda: command(folder, typed, as_json)))


@facets.command()
@click.argument("run")
@facet_argument
@because_option
@seen_option
@by_option
@project_option
@json_option
def assume(run: str, facet: str, because: str, seen: int | None, by: str, folder: Path, as_json: bool) -> None:
    """Take what a FACET says for granted, for a reason."""
    from backedge.cli.facets_page import Typed, command

    typed = Typed("assume", run, by, seen, because, facet)
    raise SystemExit(go(lambda: command(folder, typed, as_json)))


@facets.command()
@click.argument("run")
@facet_argument
@because_option
@seen_option
@by_option
@project_option
@json_option
def flag(run: str, facet: str, because: str, seen: int | None, by: str, folder: Path, as_json: bool) -> None:
    """Leave a FACET unresolved on purpose, for a reason: the design must say so."""
    from backedge.cli.facets_page import Typed, command

    typed = Typed("flag", run, by, seen, because, facet)
    raise SystemExit(go(lambda: command(folder, typed, as_json)))


@facets.command("round-trip")
@click.argument("run")
@seen_option
@by_option
@project_option
@json_option
def round_trip(run: str, seen: int | None, by: str, folder: Path, as_json: bool) -> None:
    """Have the request told again from the facets as they are now."""
    from backedge.cli.facets_page import Typed, command

    typed = Typed("round_trip", run, by, seen, "")
    raise SystemExit(go(lambda: command(folder, typed, as_json)))


@facets.command()
@click.argument("run")
@click.argument("names", nargs=-1, type=click.Choice(FACET_NAMES))
@because_option
@seen_option
@by_option
@project_option
@json_option
def confirm(
    run: str, names: tuple[str, ...], because: str, seen: int | None, by: str, folder: Path, as_json: bool
) -> None:
    """Confirm the facets NAMES, or without any the whole, and go on to the questions.

    The whole is refused (exit code 3) until every mandatory facet is confirmed, assumed, or flagged as left open.
    """
    from backedge.cli.facets_page import Typed, command, confirm_some

    if names:
        raise SystemExit(go(lambda: confirm_some(folder, Typed("", run, by, seen, because), names, as_json)))
    raise SystemExit(go(lambda: command(folder, Typed("confirm", run, by, seen, because), as_json)))
