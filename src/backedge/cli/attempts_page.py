"""The attempts of a run for a person: a row for each, what models cost, what they were told, sent and replied."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from backedge.ask.answer import Found
from backedge.cli.costs import spent, who


def print_attempts(found: Found, console: Console) -> None:
    """The table of attempts; where models were asked, what they were told by then, and what all of it cost."""
    attempts: list[dict[str, Any]] = found["attempts"]
    asked = any("model" in attempt for attempt in attempts)
    table = Table("stage", "attempt", "outcome", "ms", *(("model", "spent") if asked else ()), "by", "why")
    for attempt in attempts:
        table.add_row(*_row(attempt, asked))
    console.print(table)
    for attempt in attempts:
        _line("lesson", attempt, attempt.get("lesson", ""), console)
    if asked:
        console.print(f"[dim]usage[/]  {escape(spent(found['usage']))}", highlight=False, soft_wrap=True)
    for sent in found.get("prompts", ()):
        reply = sent["reply"]
        said = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False, indent=2)
        _line("prompt", sent, f"(system prompt {sent['system']})\n{sent['prompt']}", console)
        _line("reply", sent, said if reply else "(none came)", console)


def _row(attempt: dict[str, Any], asked: bool) -> list[str]:
    why = "; ".join(d["message"] for d in attempt.get("defects", ())) or attempt.get("message", "")
    used = (who(attempt.get("model")), spent(attempt["usage"]) if "usage" in attempt else "") if asked else ()
    outcome = f"{attempt['outcome']} (reused)" if "reused" in attempt else attempt["outcome"]
    told = (attempt["stage"], str(attempt["attempt"]), outcome, str(attempt["ms"]), *used, attempt.get("by", ""), why)
    return [escape(cell) for cell in told]


def _line(what: str, attempt: dict[str, Any], text: str, console: Console) -> None:
    if text:
        name = f"{attempt['stage']}, attempt {attempt['attempt']}, {what}"
        console.print(f"\n[dim]{escape(name)}[/]", highlight=False, soft_wrap=True)
        console.print(text, highlight=False, soft_wrap=True, markup=False)
