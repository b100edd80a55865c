"""Stretches of time that the conditions of a request leave, beside the periods that a question names."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta
from itertools import pairwise

from backedge.ask.grounding.periods import Period, months_later
from backedge.semantic.operators import midnight
from backedge.semantic.spec import Filter, Value

Range = tuple[date | None, date | None]
"""From a start (included) to an end (excluded); None is open."""


def bounds(given: Filter) -> Range | None:
    """The stretch that a condition on a date leaves, or None where it sets no bounds."""
    found = [_moment(value) for value in given.values]
    first = found[0] if found else None
    match given.op:
        case "in_range" if len(found) == 2:
            return found[0], found[1]
        case "equals" if first is not None:
            return first, _after(first)
        case "gte":
            return first, None
        case "gt":
            return (_after(first) if first else None), None
        case "lt":
            return None, first
        case "lte":
            return None, (_after(first) if first else None)
        case _:
            return None


def _moment(value: Value) -> date | None:
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value) if len(value) == 10 else datetime.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, date) else None


def _after(day: date) -> date:
    return day + (timedelta(microseconds=1) if isinstance(day, datetime) else timedelta(days=1))


def met(stretches: Collection[Range]) -> Range:
    """What all of the stretches have in common."""
    starts = [start for start, _ in stretches if start is not None]
    ends = [end for _, end in stretches if end is not None]
    return max(starts, key=midnight, default=None), min(ends, key=midnight, default=None)


def is_period(period: Period, found: Range) -> bool:
    """Whether a stretch is a period, or one of its meanings."""
    return any(_same(p.start, found[0]) and _same(p.end, found[1]) for p in period.others or (period,))


def covers(found: Range, periods: Collection[Period]) -> bool:
    """Whether a stretch is all of the periods together, which follow each other without a gap."""
    if any(period.others or not period.whole for period in periods):
        return False
    ordered = sorted(periods, key=lambda p: midnight(p.start or date.min))
    joined = all(_same(a.end, b.start) for a, b in pairwise(ordered))
    return joined and _same(ordered[0].start, found[0]) and _same(ordered[-1].end, found[1])


def a_year_before(found: Range) -> Range:
    """The same days of the year before."""
    start, end = (months_later(day, -12) if day else None for day in found)
    return start, end


def just_before(found: Range) -> Range:
    """The stretch of the same length that ends where this one starts; of whole months, as many months."""
    start, end = found
    if start is None or end is None:
        return None, None
    months = (end.year - start.year) * 12 + end.month - start.month
    if start.day == end.day == 1 and months:
        return months_later(start, -months), start
    return start - (end - start), start


def range_text(found: Range) -> str:
    """A stretch in words."""
    return " to ".join(str(day) if day else "…" for day in found) + " (excluded)"


def _same(one: date | None, other: date | None) -> bool:
    return one is other if one is None or other is None else midnight(one) == midnight(other)
