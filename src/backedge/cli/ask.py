"""`backedge ask` and `backedge answer`: a question to its answer, or to the question that it waits with."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from backedge.cli.session import agent_option, as_option, go, json_option, project_option

Attributes = Mapping[str, tuple[str, ...]]
CHARTS = (".svg", ".png", ".html")


@dataclass
class Manner:
    """How a run is shown: as one JSON object, as its entries, or for a person; and whether a person may be asked."""

    as_json: bool = False
    events: bool = False
    no_input: bool = False
    quiet: bool = False
    chart: Path | None = None
    extended: bool = False

    @property
    def may_ask(self) -> bool:
        """Whether somebody sits there to choose."""
        return not (self.no_input or self.as_json or self.events) and sys.stdin.isatty() and sys.stderr.isatty()


def _chart(_context: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    if value and value.suffix.lower() not in CHARTS:
        raise click.BadParameter(f"{value.name!r} does not end in {', '.join(CHARTS)}")
    return value


_chart_option = click.option(
    "--chart",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=_chart,
    help="Also write the answer as a picture (.svg, .png) or a page (.html). Needs the extra `charts`.",
)


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--after",
    metavar="RUN",
    help="Follow an answered run (or `last`): what this question leaves out is kept of that one.",
)
@click.option(
    "--answer",
    "given",
    multiple=True,
    metavar="SLOT=VALUE",
    help="Answer a question that may be asked back, before it is; repeatable.",
)
@project_option
@agent_option
@as_option
@json_option
@click.option("--events", is_flag=True, help="Print each entry of the journal as a JSON line, the answer last.")
@click.option("--no-input", is_flag=True, help="Never prompt: end with exit code 3 where a choice is needed.")
@click.option("--quiet", "-q", is_flag=True, help="No trace on stderr.")
@click.option("--extended-thinking", "extended", is_flag=True, help="With the agent's `extended_thinking` preset.")
@_chart_option
def ask(
    question: tuple[str, ...],
    after: str | None,
    given: tuple[str, ...],
    folder: Path,
    agent: str | None,
    attributes: Attributes,
    as_json: bool,
    events: bool,
    no_input: bool,
    quiet: bool,
    extended: bool,
    chart: Path | None,
) -> None:
    """Ask a question about the data of a project.

    \b
    backedge ask "total sales by store, top 5"
    backedge ask --project shop "how many orders in 2025" --json
    backedge ask "total sales" --as region=EU --as role=analyst
    backedge ask --after last "and by month?"
    """
    manner = Manner(as_json, events, no_input, quiet, chart, extended)
    text = " ".join(question)
    raise SystemExit(_run(folder, agent, manner, attributes, text=text, after=after or "", given=given))


@click.command()
@click.argument("run")
@click.argument("value", nargs=-1, required=True)
@click.option(
    "--question", "asked", type=int, help="The seq of the question that this answers (default: the open one)."
)
@project_option
@as_option
@json_option
@click.option("--events", is_flag=True, help="Print each new entry of the journal as a JSON line, the answer last.")
@click.option("--quiet", "-q", is_flag=True, help="No trace on stderr.")
@_chart_option
def answer(
    run: str,
    value: tuple[str, ...],
    asked: int | None,
    folder: Path,
    attributes: Attributes,
    as_json: bool,
    events: bool,
    quiet: bool,
    chart: Path | None,
) -> None:
    """Answer what a run waits with: an option by its number, label or value; a number, a date or a text as it is.

    Several questions are answered at once: SLOT=VALUE for each, or the values in their order.

    The run goes on with the attributes that it was asked with; --as may only repeat them.

    \b
    backedge answer 3f2a91c07b11 2
    backedge answer 3f2a91c07b11 store=1 since=2025-03-01
    """
    manner = Manner(as_json, events, True, quiet, chart)
    raise SystemExit(_run(folder, None, manner, attributes, run_id=run, values=value, asked=asked))


def _run(
    folder: Path,
    agent: str | None,
    manner: Manner,
    attributes: Attributes,
    *,
    text: str = "",
    after: str = "",
    given: tuple[str, ...] = (),
    run_id: str = "",
    values: tuple[str, ...] = (),
    asked: int | None = None,
) -> int:
    """Start or answer a run, drive it to its rest, show it, and give its exit code."""
    from backedge.cli.driving import Driving

    driving = Driving(folder, agent, manner, attributes)

    async def work() -> int:
        if text or not run_id:
            return await driving.ask(text, after, given)
        return await driving.answer(run_id, values, asked)

    return go(work, how_to_resume=driving.how_to_resume)
