"""What a measure says about time, as data: rolling windows, last and first values, shifts, and the calendar."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from backedge.semantic.spec import Grain

_UNITS = "year|quarter|month|week|day|hour|minute|second"
_SPAN = re.compile(rf"(\d{{1,5}})\s*({_UNITS})s?", re.IGNORECASE)
_MONTHS = {"year": 12, "quarter": 3, "month": 1, "fiscal_year": 12, "fiscal_quarter": 3}
_DAYS = {"week": 7, "day": 1}
_SECONDS = {"hour": 3600, "minute": 60, "second": 1}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


@dataclass(frozen=True)
class Span:
    """A stretch of time: at most one of months, days and seconds is not 0."""

    months: int = 0
    days: int = 0
    seconds: int = 0

    def __bool__(self) -> bool:
        return bool(self.months or self.days or self.seconds)

    def __neg__(self) -> Span:
        return Span(-self.months, -self.days, -self.seconds)

    @property
    def words(self) -> str:
        """The span as a person says it: `3 months`."""
        number, unit = next(((n, u) for n, u in self.parts if n), (0, "day"))
        return f"{abs(number)} {unit}{'' if abs(number) == 1 else 's'}"

    @property
    def parts(self) -> tuple[tuple[int, str], ...]:
        """Each number with its unit."""
        return (self.months, "month"), (self.days, "day"), (self.seconds, "second")


NOW = Span()


def periods(number: int, grain: str) -> Span:
    """That many periods of a grain."""
    return Span(number * _MONTHS.get(grain, 0), number * _DAYS.get(grain, 0), number * _SECONDS.get(grain, 0))


def span_of(text: str) -> Span | None:
    """`3 months` or `1 year` as a span, or None."""
    found = _SPAN.fullmatch(text.strip())
    return periods(int(found[1]), found[2].lower()) if found else None


Reach = Literal["unbounded"] | int | Span
"""How far a window reaches: without end, a number of the question's periods, or a span."""


def reach_of(text: str) -> Reach | None:
    """`unbounded`, `7`, `7 days` or `current row` as a reach, or None."""
    word = text.strip().lower()
    if word in ("unbounded", "current row"):
        return "unbounded" if word == "unbounded" else 0
    return int(word) if re.fullmatch(r"\d{1,5}", word, re.ASCII) else span_of(word)


@dataclass(frozen=True)
class Window:
    """The rows that a value is over: `trailing` before the end (or start) of each period, `leading` after it.

    `to_date` is the grain at whose start the window begins instead.
    """

    trailing: Reach = 0
    leading: Reach = 0
    offset: Literal["start", "end"] = "end"
    to_date: Grain | None = None


@dataclass(frozen=True)
class NonAdditive:
    """A measure of what is there at a moment: over time only its last (or first) moment counts, each time `per`."""

    dimension: str
    take: Literal["last", "first"] = "last"
    per: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shift:
    """Another measure, as it was a span earlier (or later, where the span is negative)."""

    measure: str
    by: Span


@dataclass(frozen=True)
class Calendar:
    """The first day of a week (0 is Monday) and the first month of a fiscal year; None where nothing was said."""

    week_start: int | None = None
    fiscal_year_start: int | None = None

    def over(self, other: Calendar) -> Calendar:
        """This calendar, with what it does not say taken from `other`."""
        week = other.week_start if self.week_start is None else self.week_start
        fiscal = other.fiscal_year_start if self.fiscal_year_start is None else self.fiscal_year_start
        return replace(self, week_start=week, fiscal_year_start=fiscal)


USUAL = Calendar()


@dataclass(frozen=True)
class Clock:
    """Where days begin (a name of the IANA database, or nothing) and by which calendar."""

    zone: str = ""
    calendar: Calendar = USUAL


def weekday_of(value: object) -> int | None:
    """The number of a weekday by its name, or None."""
    word = str(value).strip().lower()
    return WEEKDAYS.index(word) if word in WEEKDAYS else None


def month_of(value: object) -> int | None:
    """The number of a month by its name or number, or None."""
    word = str(value).strip().lower()
    if word in MONTHS:
        return MONTHS.index(word) + 1
    return int(word) if word.isascii() and word.isdigit() and 1 <= int(word) <= 12 else None
