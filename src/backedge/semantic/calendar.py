"""The calendar in plain dates: where a period begins, what lies a span later, which grain is made of which."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, timedelta

from backedge.semantic.grains import CLOCK_GRAINS
from backedge.semantic.operators import midnight
from backedge.semantic.refusal import refused
from backedge.semantic.spec import Grain
from backedge.semantic.timed import Calendar, Span

_QUARTERS = {"quarter": 3, "fiscal_quarter": 3, "year": 12, "fiscal_year": 12, "month": 1}


def start_of(at: datetime, grain: Grain, calendar: Calendar) -> datetime:
    """The moment at which the period of `grain` that holds `at` begins."""
    if grain in CLOCK_GRAINS:
        hour = at.replace(minute=0, second=0, microsecond=0)
        return hour + timedelta(minutes=at.minute * (grain != "hour"), seconds=at.second * (grain == "second"))
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if grain == "day":
        return day
    if grain == "week":
        return day - timedelta(days=(day.weekday() - (calendar.week_start or 0)) % 7)
    first = (calendar.fiscal_year_start or 1) - 1 if grain.startswith("fiscal") else 0
    month = day.year * 12 + day.month - 1 - first
    return _month(month - month % _QUARTERS[grain] + first, 1, day)


def later(at: datetime, span: Span) -> datetime:
    """The moment a span later; a day that the month does not have is its last day."""
    if span.months:
        month = at.year * 12 + at.month - 1 + span.months
        return _month(month, at.day, at)
    return at + timedelta(days=span.days, seconds=span.seconds)


def last_start(end: datetime, grain: Grain, calendar: Calendar) -> datetime:
    """Where the last period begins that begins before `end`."""
    return start_of(end - timedelta(microseconds=1), grain, calendar)


def whole_span(start: date | datetime, end: date | datetime) -> Span:
    """The length of [start, end): in months where both are the first moment of one, else in days or seconds."""
    low, high = midnight(start), midnight(end)
    if low == start_of(low, "month", Calendar()) and high == start_of(high, "month", Calendar()):
        return Span(months=(high.year - low.year) * 12 + high.month - low.month)
    length = high - low
    return Span(days=length.days) if not length.seconds else Span(seconds=int(length.total_seconds()))


def nests(fine: Grain, coarse: Grain) -> bool:
    """Whether every period of `fine` lies in one period of `coarse`."""
    if fine == coarse or fine in CLOCK_GRAINS or fine == "day":
        return fine == coarse or coarse not in CLOCK_GRAINS
    years = {"quarter": "year", "fiscal_quarter": "fiscal_year"}
    return (fine == "month" and coarse != "week") or years.get(fine) == coarse


def fits(span: Span, grain: Grain) -> bool:
    """Whether a span is a whole number of periods of `grain` (for days: of days, whatever the month)."""
    if grain in _QUARTERS:
        return span.months % _QUARTERS[grain] == 0 and not (span.days or span.seconds)
    if grain == "week":
        return span.days % 7 == 0 and not (span.months or span.seconds)
    return not span.seconds if grain == "day" else True


def _month(number: int, day: int, at: datetime) -> datetime:
    year, month = divmod(number, 12)
    if not 1 <= year <= 9999:
        raise refused("bad_value", f"a month from {at:%Y-%m} on lies outside the calendar", hint="ask a shorter span")
    return at.replace(year=year, month=month + 1, day=min(day, monthrange(year, month + 1)[1]))
