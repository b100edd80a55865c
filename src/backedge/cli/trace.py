"""The live trace of a run on stderr: one line for each entry of its journal that a person wants to see."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from backedge.cli.costs import spent, who
from backedge.kernel.journal import Moved, Proposed, Refused, Stopped, Stored
from backedge.kernel.ports import Watch


def tracer(write: Callable[[str], None] | None = None) -> Watch:
    """A watcher that prints. It knows the state that each run is in, so that a back-edge shows both its ends."""
    say = write or _stderr
    states: dict[str, str] = {}

    def watch(run_id: str, stored: Stored) -> None:
        entry = stored.entry
        indent = "  " * run_id.count(".")
        match entry:
            case Moved():
                before, after = states.get(run_id), _name(entry.state)
                states[run_id] = after or states.get(run_id, "")
                arrow = "↩" if entry.because else "→"
                said = f": {'; '.join(d.message for d in entry.because)}" if entry.because else ""
                say(f"{indent}{arrow} {states[run_id] or before}{said}")
            case Proposed() if not entry.by and entry.ms:
                say(f"{indent}  {entry.stage} proposed ({', '.join((f'{entry.ms} ms', *_asked(entry)))})")
            case Refused():
                asked = f" ({', '.join(parts)})" if (parts := _asked(entry)) else ""
                say(f"{indent}✗ {entry.stage}, attempt {entry.attempt}{asked}: {_why(entry)}")
            case Stopped():
                say(f"{indent}■ stopped: {entry.reason}")
            case _:
                states.setdefault(run_id, "")

    return watch


def _asked(entry: Proposed | Refused) -> tuple[str, ...]:
    """The model that was asked and what that used, where one was."""
    if "prompt_text" not in entry.details or entry.usage is None:
        return ()
    cost = entry.usage.cost
    used = {**asdict(entry.usage), "cost": None if cost is None else float(cost)}
    return (who(entry.details), spent(used))


def _name(state: Any) -> str:
    return str(state.get("$", "")) if isinstance(state, dict) else ""


def _why(entry: Refused) -> str:
    return "; ".join(d.message for d in entry.defects) or f"{entry.failure}: {entry.message}"


def _stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
