"""The report of a question set for a person: the rates, the confusion, the parts, and every wrong answer in full."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

Found = dict[str, Any]
OUTCOMES = ("right", "wrong", "asked", "refused", "failed")


def show_report(found: Found, console: Console) -> None:
    """Print a `backedge.test/1` report."""
    for kind in ("wrong", "failed", "unchecked"):
        for line in found[kind]:
            _case(kind, line, console)
    console.print(_confusion(found))
    for title, groups in (("path", found["paths"]), ("tag", found["tags"])):
        if groups:
            console.print(_groups(title, groups))
    rates = f"precision {_percent(found['precision'])} ({found['right']} of {found['answered']} answered)"
    console.print(f"{rates}, coverage {_percent(found['coverage'])}", style="bold", highlight=False, soft_wrap=True)
    said = f"{found['passed']} of {found['checked']} checked cases ended as they should"
    more = f"; {len(found['unchecked'])} could not be checked" if found["unchecked"] else ""
    agree = f"; runs agree in {_percent(found['consistency'])}" if found["consistency"] not in (None, 1.0) else ""
    console.print(f"{said}{more}{agree}", highlight=False, soft_wrap=True)


def _case(kind: str, line: Found, console: Console) -> None:
    console.print(f"[bold]{kind}[/]  {escape(line['question'])}", highlight=False, soft_wrap=True)
    for name in ("why", "got", "wanted", "run_id", "at"):
        if line[name]:
            console.print(
                f"  [dim]{name.removesuffix('_id'):>6}[/]  {escape(line[name])}", highlight=False, soft_wrap=True
            )


def _confusion(found: Found) -> Table:
    table = Table("expected", *OUTCOMES, box=None)
    for expect, counts in found["confusion"].items():
        table.add_row(expect, *(str(counts[outcome]) for outcome in OUTCOMES))
    return table


def _groups(title: str, groups: Found) -> Table:
    table = Table(title, "cases", "precision", "coverage", *OUTCOMES, box=None)
    for name, group in groups.items():
        counts = (str(group["outcomes"].get(outcome, 0)) for outcome in OUTCOMES)
        rates = (_percent(group["precision"]), _percent(group["coverage"]))
        table.add_row(escape(name), str(group["cases"]), *rates, *counts)
    return table


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"
