"""An answer for a person: the sentence first, then the picture or the table, then what it rests on."""

from __future__ import annotations

import shlex
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from backedge.ask.answer import Found, query_of, rows_of
from backedge.cli.asking import how_to_answer, show_questions
from backedge.cli.draw import bars, grid
from backedge.cli.session import project_flag
from backedge.kernel.run import Run

ROWS_SHOWN = 20


def show(run: Run, found: Found, console: Console, *, sql: bool = True, parts: tuple[Run, ...] = ()) -> None:
    """Print the answer of a run, whatever its status; without its `sql` where the reader has enough to read.

    A question in several parts is answered by those of its `parts`, each with what it rests on.
    """
    for part, form in zip(parts, found["parts"] if parts else (), strict=True):
        if form["status"] not in ("answered", "cannot_answer"):
            continue
        console.print(f"[dim]{escape(form['asked'])}[/]", highlight=False, soft_wrap=True)
        show(part, form, console, sql=sql)
        console.print()
    match found["status"]:
        case "answered" if parts:
            _basis(found, console, sql)
        case "answered":
            console.print(escape(found["answer"]), style="bold", highlight=False)
            _picture(run, console)
            _basis(found, console, sql)
        case "needs_input":
            for held in found["waits_for"]:
                console.print(f"[dim]{escape(_asks(held))}[/]", highlight=False, soft_wrap=True)
            show_questions(found, console)
        case "cannot_answer":
            _cannot(found, console)
        case _:
            _stopped(found, console)


def _picture(run: Run, console: Console) -> None:
    ran, query = rows_of(run.state), query_of(run.state)
    if ran is None or (len(ran.table.rows) == 1 and len(ran.table.columns) == 1):
        return
    columns = query.columns if query else ()
    drawn = bars(ran.table, columns, console.width)
    console.print()
    if drawn and drawn.count("\n") < ROWS_SHOWN:
        console.print(escape(drawn), highlight=False)
    else:
        console.print(grid(ran.table, columns, ROWS_SHOWN))


def _basis(found: Found, console: Console, sql: bool) -> None:
    console.print()
    rows = [("reading", found["reading"]), ("path", found["path"])]
    rows += [("filter", text) for text in found["filters"]]
    rows += [("assumed", text) for text in found["assumptions"]]
    rows += [("note", text) for text in found["notes"]]
    for name, text in rows:
        if text:
            console.print(f"[dim]{name:>8}[/]  {escape(text)}", highlight=False, soft_wrap=True)
    if sql and found["sql"]:
        console.print(f"[dim]{'sql':>8}[/]  {escape(found['sql'])}", highlight=False, soft_wrap=True)
    if sql and found["params"]:
        values = ", ".join(f"${n} = {value}" for n, value in enumerate(found["params"], 1))
        console.print(f"[dim]{'values':>8}[/]  {escape(values)}", highlight=False, soft_wrap=True)
    receipt = found["receipt"]
    model, journal = (str(receipt[name])[:12] for name in ("model", "journal"))
    said = f"run {receipt['run_id']} · model {model} · journal {journal}"
    console.print(f"[dim]{'receipt':>8}  {said}[/]", highlight=False, soft_wrap=True)


def _cannot(found: Found, console: Console) -> None:
    console.print(f"Cannot answer: {escape(found['answer'])}", style="bold", highlight=False)
    for unknown in found["unknown"]:
        near = f" (nearest: {', '.join(unknown['near'])})" if unknown["near"] else ""
        console.print(f"  unknown: {escape(unknown['word'])}{escape(near)}", highlight=False, soft_wrap=True)
    for hint in found["hints"]:
        console.print(f"  {escape(hint)}", highlight=False, soft_wrap=True)
    if found["instead"]:
        console.print("Can be asked:", highlight=False)
        for text in found["instead"]:
            console.print(f"  {escape(text)}", highlight=False, soft_wrap=True)


def _stopped(found: Found, console: Console) -> None:
    said = found["answer"] or f"in {found['states'][-1]}"
    console.print(f"{found['status'].capitalize()}: {escape(said)}", style="bold", highlight=False)
    for held in found["waits_for"]:
        console.print(f"  {escape(_waits_for(held))}", highlight=False, soft_wrap=True)
    if found.get("mend"):
        console.print(f"  {escape(found['mend'])}", highlight=False, soft_wrap=True)


def _asks(held: Found) -> str:
    does = "asks" if held["status"] == "waiting" else f"is {held['status']}"
    return f"run {held['run_id']} {does} ({held['asked']})"


def _waits_for(held: Found) -> str:
    what = "automation" if held["workflow"] == "automation" else "question"
    why = f": {held['reason']}" if held["reason"] else ""
    mend = f" ({held['mend']})" if held["mend"] else ""
    return f"it waits for run {held['run_id']} (its {what}), which is {held['status']}{why}{mend}"


def next_step(found: Found, folder: Path) -> str:
    """What to type to go on with a run that waits, stopped, or was a follow-up that is refused; else ""."""
    if found["status"] == "needs_input":
        return f"answer with: {how_to_answer(found, folder)}"
    asks = [held["run_id"] for held in found["waits_for"] if held["status"] == "waiting"]
    if asks:
        return f"see what is asked with: backedge runs show {asks[0]}{project_flag(folder)}"
    if found["resumable"]:
        return f"go on with: backedge runs retry {found['run_id']}{project_flag(folder)}"
    if found["status"] == "cannot_answer" and found["after"] and found["instead"]:
        asked = shlex.quote(found["instead"][0])
        return f"ask on with: backedge ask --after {found['after']}{project_flag(folder)} {asked}"
    return ""


def follow_up(found: Found, folder: Path) -> str:
    """What to type to ask on from an answer; "" where nothing of it can be kept."""
    if found["status"] != "answered" or not found["keeps"]:
        return ""
    return f'follow up with: backedge ask --after {found["run_id"]}{project_flag(folder)} "and …"'
