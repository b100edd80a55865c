"""How much of a period the data covers: periods that are not over, or that the data reaches only in part."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from backedge.ask.wording import MONTHS, time_text
from backedge.semantic.spec import Grain

Days = tuple[date, date]  # the first and the last day with data, both included
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Coverage:
    """What there is of the days from `start` to before `end`: data from `first` to `last`, both included.

    `over` says whether the period lies wholly before today; `step` is how many days lie between two days of data.
    """

    start: date
    end: date
    first: date
    last: date
    over: bool
    step: int = 1

    @property
    def whole(self) -> bool:
        """Whether the period is over, and the data reaches from its first day to its last."""
        return self.over and not self._late and not self._short

    @property
    def _late(self) -> bool:
        return self.first - self.step * _DAY >= self.start

    @property
    def _short(self) -> bool:
        return self.last + self.step * _DAY < self.end

    @property
    def days(self) -> str:
        """The days that there are, as far as they are not all: "data to 17 November 2026"."""
        since = f" from {day_words(self.first)}" if self._late else ""
        to = f" to {day_words(self.last)}" if self._short or not self.over else ""
        return f"data{since}{to}"

    def says(self, name: str) -> str:
        """What a reader must know of the period called `name`: nothing where it is whole."""
        if self.whole:
            return ""
        return f"{name} {'in part' if self.over else 'so far'}: {self.days}"


def covered(start: date, end: date, known: Days | None, today: date, step: int = 1) -> Coverage | None:
    """What the data covers of the days from `start` to before `end`; None where it has none of them.

    `known` are the first and the last day with data of the date that the question goes by, or None where nobody
    looked: then there may be data up to today. Of weekly data no day is missing behind its last one.
    """
    first, last = known or (start, max(today, start))
    if last < start or first >= end:
        return None
    return Coverage(start, end, max(first, start), min(last, end - _DAY), end <= today, step)


def same_span(now: Coverage, before: date) -> Days:
    """Of the period that began on `before`, the days [start, end) that are like those which `now` has data of.

    The first to the 17th of November are like the first to the 17th of October, whatever the months' lengths.
    """
    return _moved(now.first, now.start, before), _moved(now.last + _DAY, now.start, before)


def _moved(day: date, start: date, before: date) -> date:
    if start.day != 1 or before.day != 1:
        return before + (day - start)
    months = (before.year - start.year) * 12 + before.month - start.month
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def period_words(start: date, end: date) -> str:
    """The days from `start` to before `end`: by the name of a year, quarter or month, else by their first and last."""
    grains: tuple[tuple[Grain, int], ...] = (("year", 12), ("quarter", 3), ("month", 1))
    for grain, months in grains:
        length = (end.year - start.year) * 12 + end.month - start.month
        if (start.day, end.day, (start.month - 1) % months, length) == (1, 1, 0, months):
            return time_text(start, grain)
    last = end - _DAY
    return day_words(start) if last == start else f"{day_words(start)} to {day_words(last)}"


def day_words(day: date) -> str:
    """A day as a sentence says it: "17 November 2026"."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
