"""Several replies of one model that must agree: the reading of more than half is taken, else a person is asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

from pydantic import JsonValue

from backedge.ask.answers import MOST_OPTIONS
from backedge.ask.intent import Ambiguous, Given, Option, Questions
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Defect, Failure, Permanent, RateLimited
from backedge.kernel.stage import Reply, Unreadable

P = TypeVar("P")
Said = Reply[P] | Unreadable
SLOT = "which reading"


@dataclass(frozen=True)
class Sampling(Generic[P]):
    """How a stage samples: `count` replies; which are the `same`, and what is told of one ("": it cannot be chosen).

    `back` makes the question to a person what the stage proposes; without it nobody is asked.
    """

    count: int
    same: Callable[[P], Hashable]
    told: Callable[[P], str]
    back: Callable[[Questions], P] | None = None

    async def of(self, ask: Callable[[], Awaitable[Said[P]]], given: Iterable[Given] = ()) -> Said[P]:
        """The reply that more than half share; else the readings as a question, or, once asked, a refusal.

        What rules say alone is taken as it is: they say the same each time.
        """
        first = await ask()
        if first.usage is None:
            return first
        replies = (first, *await _others(ask, self.count - 1, first.usage))
        usage = _sum(reply.usage for reply in replies)
        details: dict[str, JsonValue] = {**first.details, "samples": [reply.details.get("reply") for reply in replies]}
        keys = [self.same(r.proposal) if isinstance(r, Reply) else ("unreadable",) for r in replies]
        key, votes = Counter(keys).most_common(1)[0]
        if 2 * votes > len(replies):
            shared = replies[keys.index(key)]
            return _charged(shared, usage, {**shared.details, "samples": details["samples"]})
        return self._undecided(replies, keys, usage, details, any(g.slot == SLOT for g in given))

    def _undecided(
        self,
        replies: Sequence[Said[P]],
        keys: Sequence[Hashable],
        usage: Usage,
        details: dict[str, JsonValue],
        asked: bool,
    ) -> Said[P]:
        different = [reply for place, reply in enumerate(replies) if keys.index(keys[place]) == place]
        readings = [self.told(reply.proposal) if isinstance(reply, Reply) else "" for reply in different]
        told = list(dict.fromkeys(text for text in readings if text))
        if self.back and not asked and 2 <= len(told) <= MOST_OPTIONS:
            prompt = f"{len(replies)} readings of this did not agree. Which one is meant?"
            options = tuple(Option(text, text) for text in told)
            return Reply(self.back(Questions((Ambiguous(SLOT, SLOT, prompt, options),))), usage, details)
        said = "; ".join(told) or "none of them could be used"
        message = f"{len(replies)} replies gave {len(different)} readings, and no one has more than half: {said}"
        return Unreadable(said, Defect("samples_disagree", message, hint="say what is certain, or ask"), usage, details)


async def _others(ask: Callable[[], Awaitable[Said[P]]], count: int, paid: Usage) -> list[Said[P]]:
    """The further replies, asked for at once. One lost call fails the attempt, which is charged for all that came."""
    found = await asyncio.gather(*(ask() for _ in range(count)), return_exceptions=True)
    for bug in (one for one in found if isinstance(one, BaseException) and not isinstance(one, Failure)):
        raise bug
    failures = [one for one in found if isinstance(one, Failure)]
    replies = [one for one in found if not isinstance(one, BaseException)]
    if failures:
        gravest = max(failures, key=lambda failure: (isinstance(failure, Permanent), isinstance(failure, RateLimited)))
        gravest.usage = _sum((paid, *(reply.usage for reply in replies), *(failure.usage for failure in failures)))
        raise gravest
    return replies


def _sum(parts: Iterable[Usage | None]) -> Usage:
    known = [part for part in parts if part is not None]
    costs = [part.cost for part in known if part.cost is not None]
    return Usage(
        sum(part.input_tokens for part in known),
        sum(part.output_tokens for part in known),
        sum(costs, Decimal(0)) if len(costs) == len(known) else None,
        sum(part.cached_tokens for part in known),
        sum(part.calls for part in known),
    )


def _charged(reply: Said[P], usage: Usage, details: dict[str, JsonValue]) -> Said[P]:
    if isinstance(reply, Unreadable):
        return Unreadable(reply.text, reply.defect, usage, details)
    return Reply(reply.proposal, usage, details)
