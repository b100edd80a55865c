"""What happened in a run as lines that people read: attempts, refusals, moves, and back-edges with their reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from backedge.kernel.journal import Stored
from backedge.web.events import Event, events_of

KNOWN_BACK = "Diagnosing"  # a move from here to a state that was there before goes back, whatever is said of it


@dataclass(frozen=True)
class Line:
    """One line. `mark` is what leads it: → a move, ↩ a back-edge, ✓ a proposal, ✗ a refusal, ■ an end."""

    seq: int
    at: str
    kind: str
    mark: str
    text: str
    details: tuple[str, ...] = ()


def trace(entries: Iterable[Stored]) -> tuple[Line, ...]:
    """The lines of all entries of a run, from the first."""
    seen: set[str] = set()
    found = []
    for event in events_of(entries):
        found.append(_line(event, seen))
        seen.add(str(event.data.get("to", "")))
    return tuple(found)


def _line(event: Event, seen: set[str]) -> Line:
    data = event.data
    match event.type:
        case "started":
            said = f"opened again by {data['by']}" if data["again"] else f"asked by {data['by']}"
            return _made(event, "•", said, ())
        case "proposed":
            return _made(event, "✓", f"{event.stage}: attempt {data['attempt']} in {data['ms']} ms", _asked(data))
        case "refused":
            told = [f"{defect['kind']}: {defect['message']}" for defect in data["defects"]]
            told += [text for text in (data["message"],) if text and not told]
            until = (f"tried again at {data['until']}",) if data["until"] else ()
            how = "refused" if data["defects"] else f"failed ({data['failure']})"
            return _made(event, "✗", f"{event.stage}: attempt {data['attempt']} {how}", (*told, *until, *_asked(data)))
        case "moved":
            return _moved(event, str(data["to"]), seen)
        case "stopped":
            return _made(event, "■", f"stopped: {data['reason']}", (data["mend"],) if data["mend"] else ())


def _moved(event: Event, to: str, seen: set[str]) -> Line:
    reasons = [defect["message"] for defect in event.data["because"]]
    below = tuple(f"started run {child}" for child in event.data["children"])
    if event.data["gave_up"]:
        return _made(event, "→", to, (*(f"given up: {reason}" for reason in reasons), *below))
    if to in seen and (reasons or event.stage == KNOWN_BACK):
        return _made(event, "↩", f"back to {to}", (*(f"lesson: {reason}" for reason in reasons), *below))
    return _made(event, "→", to, below)


def _asked(data: dict[str, Any]) -> tuple[str, ...]:
    """The model, and what asking it used."""
    told = ["taken from an earlier run"] if data.get("reused") else []
    if "model" in data:
        told.append(f"model {data['model']}")
    used = data.get("usage")
    if used:
        cost = f", {used['cost']} USD" if used["cost"] is not None else ""
        told.append(f"{used['input_tokens']} tokens in, {used['output_tokens']} out{cost}")
    return tuple(told)


def _made(event: Event, mark: str, text: str, details: tuple[str, ...]) -> Line:
    return Line(event.seq, event.at, event.type, mark, text, details)
