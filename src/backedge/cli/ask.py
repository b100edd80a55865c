"""`backedge ask` and `backedge answer`: a question to its answer, or to the question that it waits with."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from backedge.cli.session import agent_option, go, json_option, project_option


@dataclass
class Manner:
    """How a run is shown: as one JSON object, as its entries, or for a person; and whether a person may be asked."""

    as_json: bool = False
    events: bool = False
    no_input: bool = False
    quiet: bool = False

    @property
    def may_ask(self) -> bool:
        """Whether somebody sits there to choose."""
        return not (self.no_input or self.as_json or self.events) and sys.stdin.isatty() and sys.stderr.isatty()


@click.command()
@click.argument("question", nargs=-1, required=True)
@project_option
@agent_option
@json_option
@click.option("--events", is_flag=True, help="Print each entry of the journal as a JSON line, the answer last.")
@click.option("--no-input", is_flag=True, help="Never prompt: end with exit code 3 where a choice is needed.")
@click.option("--quiet", "-q", is_flag=True, help="No trace on stderr.")
def ask(
    question: tuple[str, ...], folder: Path, agent: str | None, as_json: bool, events: bool, no_input: bool, quiet: bool
) -> None:
    """Ask a question about the data of a project.

    \b
    backedge ask "total sales by store, top 5"
    backedge ask --project shop "how many orders in 2025" --json
    """
    manner = Manner(as_json, events, no_input, quiet)
    text = " ".join(question)
    raise SystemExit(_run(folder, agent, manner, text=text))


@click.command()
@click.argument("run")
@click.argument("value", nargs=-1, required=True)
@click.option(
    "--question", "asked", type=int, help="The seq of the question that this answers (default: the open one)."
)
@project_option
@json_option
@click.option("--events", is_flag=True, help="Print each new entry of the journal as a JSON line, the answer last.")
@click.option("--quiet", "-q", is_flag=True, help="No trace on stderr.")
def answer(
    run: str, value: tuple[str, ...], asked: int | None, folder: Path, as_json: bool, events: bool, quiet: bool
) -> None:
    """Answer the question that a run waits with: by an option's number, label or value.

    \b
    backedge answer 3f2a91c07b11 2
    """
    manner = Manner(as_json, events, True, quiet)
    raise SystemExit(_run(folder, None, manner, run_id=run, values=value, asked=asked))


def _run(
    folder: Path,
    agent: str | None,
    manner: Manner,
    *,
    text: str = "",
    run_id: str = "",
    values: tuple[str, ...] = (),
    asked: int | None = None,
) -> int:
    """Start or answer a run, drive it to its rest, show it, and give its exit code."""
    from backedge.cli.driving import Driving

    driving = Driving(folder, agent, manner)

    async def work() -> int:
        return await driving.ask(text) if text or not run_id else await driving.answer(run_id, values, asked)

    return go(work, how_to_resume=driving.how_to_resume)
