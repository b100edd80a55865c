"""What several calls of one attempt cost together, and what the journal keeps of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from pydantic import JsonValue

from backedge.kernel.budget import Usage


def summed(parts: Iterable[Usage | None]) -> Usage | None:
    """All of it; None where nothing is known. A cost that is unknown makes all of it unknown."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    costs = [part.cost for part in known if part.cost is not None]
    return Usage(
        sum(part.input_tokens for part in known),
        sum(part.output_tokens for part in known),
        sum(costs, Decimal(0)) if len(costs) == len(known) else None,
        sum(part.cached_tokens for part in known),
        sum(part.calls for part in known),
    )


def charged(details: Sequence[dict[str, JsonValue]]) -> dict[str, JsonValue]:
    """The details of the first call, and those of the further ones beside them."""
    first, *further = details or [{}]
    return {**first, "further": [*further]} if further else first
