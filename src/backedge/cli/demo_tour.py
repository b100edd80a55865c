"""The questions that `backedge demo` asks, each driven to its end in front of the reader."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape

from backedge.assemble import App, open_app
from backedge.cli.session import project_flag, who
from backedge.cli.show import show
from backedge.cli.trace import tracer
from backedge.demo.questions import QUESTIONS

WANTED = {"answered", "cannot_answer"}


async def tour(folder: Path, quiet: bool) -> bool:
    """Ask every question; whether each came to the kind of end that it was written for."""
    console = Console(highlight=False)
    app = open_app(folder, watch=None if quiet else tracer())
    try:
        ends = [await _ask(app, text, answer, console) for text, answer in QUESTIONS]
    finally:
        await app.close()
    _next(folder, console)
    return all(end in WANTED for end in ends) and "answered" in ends


async def _ask(app: App, text: str, answer: str, console: Console) -> str:
    console.rule(style="dim")
    console.print(f"[bold cyan]?[/] {escape(text)}")
    run_id = await app.ask(text, by=who(), labels={"demo": "tour"})
    run = await app.driver.drive(run_id)
    found = await app.answer(run)
    if found["status"] == "needs_input":
        show(run, found, console)
        console.print(f"[bold cyan]›[/] {escape(answer)}")
        await app.say(run_id, (answer,), by=who(), asked=run.asked)
        run = await app.driver.drive(run_id)
        found = await app.answer(run)
    show(run, found, console, sql=False)
    return str(found["status"])


def _next(folder: Path, console: Console) -> None:
    console.rule(style="dim")
    where = project_flag(folder)
    console.print("Every answer above was computed from the data by checked SQL. Try:")
    console.print(f'  backedge ask{where} "average order value by segment"', highlight=False, soft_wrap=True)
    console.print(f'  backedge ask{where} "revenue by country"      (it asks which revenue you mean)', soft_wrap=True)
    console.print(f"  backedge runs list{where}, then backedge runs show RUN{where} for its SQL", soft_wrap=True)
    console.print("  backedge workflow show ask", soft_wrap=True)
    console.print("In your own project: backedge validate, then backedge ask.", soft_wrap=True)
