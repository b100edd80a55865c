"""The runs of a question's parts, and what the answer form of the whole says of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backedge.ask.answer import Found, gathering_of
from backedge.kernel.drive import Driver
from backedge.kernel.journal import Moved, Stored
from backedge.kernel.run import Run

_SUMMED = ("calls", "input_tokens", "output_tokens", "cached_tokens")


async def part_runs(driver: Driver, run: Run, entries: Iterable[Stored]) -> tuple[Run, ...]:
    """The run of each part, in the order of the parts; none where the question has no parts."""
    if gathering_of(run.state) is None:
        return ()
    started = [stored.entry.children for stored in entries if isinstance(stored.entry, Moved) and stored.entry.children]
    return tuple([await driver.load(child) for child in started[-1]])


def with_parts(found: Found, forms: list[Found]) -> Found:
    """The form with that of each part, and with what all of them used."""
    return {**found, "parts": forms, "usage": _together([found["usage"], *(form["usage"] for form in forms)])}


def _together(used: list[dict[str, Any]]) -> dict[str, Any]:
    costs = [usage["cost"] for usage in used if usage["cost"] is not None]
    summed = {name: sum(usage[name] for usage in used) for name in _SUMMED}
    return {**summed, "cost": sum(costs) if len(costs) == len(used) else None}
