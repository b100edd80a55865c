"""The grains of time, coarse to fine."""

from __future__ import annotations

from typing import get_args

from backedge.semantic.refusal import did_you_mean, nearest, refused
from backedge.semantic.spec import Grain

GRAINS: tuple[Grain, ...] = get_args(Grain)
CLOCK_GRAINS: frozenset[str] = frozenset({"hour", "minute", "second"})


def grain_named(name: object, where: str) -> Grain:
    """The grain of that name; refuses what is none."""
    found = next((g for g in GRAINS if g == name), None)
    if found is None:
        near = nearest(str(name), GRAINS)
        hint = did_you_mean(near) or f"grains: {', '.join(GRAINS)}"
        raise refused("unknown_grain", f"there is no grain {name}", where=where, hint=hint, near=near)
    return found
