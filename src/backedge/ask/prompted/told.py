"""What rules read of a question, as a prompt tells it: the meaning of each word, and the words that have none."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from backedge.ask.grounding.periods import Period
from backedge.ask.grounding.understood import Understood, Valued


def told(read: Understood, samples: int, hides: Callable[[str], bool]) -> str:
    """One line for each thing that is certain. Values are told as far as they may be shown."""
    return "\n".join(_lines(read, samples, hides))


def _lines(read: Understood, samples: int, hides: Callable[[str], bool]) -> Iterator[str]:
    yield from (f"{named.words!r} is {' or '.join(named.paths)}" for named in read.members)
    for valued in read.values:
        if told_of := _values(valued, samples, hides):
            yield f"{valued.words!r} is a value: {told_of}{' (what is not so)' if valued.negated else ''}"
    yield from (f"{period.text!r} is {_days(period)}" for period in read.periods)
    for number in read.numbers:
        yield f"{number.words!r} is the number {number.number}{f' ({number.op})' if number.op else ''}"
    yield from (f"rows are by {grain}" for grain in read.grains)
    if read.ranked:
        yield f"the {'highest' if read.ranked == 'desc' else 'lowest'} are asked for (order {read.ranked})"
    yield from (f"{word!r} means nothing to the rules" for word in read.unknown)


def _values(valued: Valued, samples: int, hides: Callable[[str], bool]) -> str:
    shown = [held for held in valued.held if samples and not hides(held.member)]
    return "; or ".join(f"{held.member} {', '.join(held.values[:samples])}" for held in shown)


def _days(period: Period) -> str:
    return " or ".join(meant.days for meant in period.others or (period,))
