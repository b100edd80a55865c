"""How often each kind of failure may happen: per stage, and for the run as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal


@dataclass(frozen=True)
class Budget:
    """The retries of one stage, counted over the whole run; an operator's `retry` refills them.

    `max_retries` are for refused proposals, `transient` for lost calls, `rate_limited` for calls that were put off.
    """

    max_retries: int = 2
    transient: int = 2
    rate_limited: int = 5


@dataclass(frozen=True)
class Limits:
    """What one run may spend: `steps` (proposals and failed calls), `tokens`, `cost` (USD), `wall_clock` (s of work).

    Waiting for a person is no work. None means no limit. A cost that is not known cannot be held to a limit: it stops.
    """

    steps: int = 200
    tokens: int | None = None
    cost: Decimal | None = None
    wall_clock: float | None = None


@dataclass(frozen=True)
class Usage:
    """What one attempt used of the outside, in `calls` requests.

    `cost` is in USD, None where nobody knows the price. `cached_tokens` are those of `input_tokens` read from a cache.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = Decimal(0)
    cached_tokens: int = 0
    calls: int = 1


@dataclass(frozen=True)
class Spent:
    """What one state has used of its budget, counted since the run was started or retried."""

    refused: int = 0
    transient: int = 0
    rate_limited: int = 0


@dataclass(frozen=True)
class Total:
    """What a run has used of its limits since it was started or retried. `ms` is time spent on calls and back-off.

    `unpriced` counts the attempts whose cost nobody knows; `cost` is that of the others.
    """

    steps: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)
    ms: int = 0
    unpriced: int = 0


FIRST_BACK_OFF = timedelta(seconds=1)
LONGEST_BACK_OFF = timedelta(seconds=300)


def back_off(failures: int, retry_after: float | None = None) -> timedelta:
    """How long to wait after the `failures`th failure: what the server said, else 1, 2, 4 s …; at most 5 minutes."""
    wait = timedelta(seconds=max(0.0, retry_after)) if retry_after is not None else FIRST_BACK_OFF * 2 ** (failures - 1)
    return min(wait, LONGEST_BACK_OFF)


def over(limits: Limits, total: Total) -> str:
    """The limit that a run has reached, in words with both figures, or "" while there is room."""
    reached = (
        ("steps", total.steps, limits.steps),
        ("tokens", total.tokens, limits.tokens),
        ("cost in USD", total.cost, limits.cost),
        ("seconds of work", total.ms / 1000, limits.wall_clock),
    )
    for name, used, limit in reached:
        if limit is not None and used >= limit:
            return f"{name}: {float(used):g} used of {float(limit):g}"
    if limits.cost is not None and total.unpriced:
        return f"cost in USD: unknown for {total.unpriced} of its calls, so a limit of {limits.cost:g} cannot be kept"
    return ""
