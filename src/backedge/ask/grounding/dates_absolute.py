"""Phrases that name their own days, by the calendar or the fiscal year: "March 2024", "2024-W07", "FY2024"."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from backedge.ask.grounding.date_patterns import Pattern, Said, real_day, slashed
from backedge.ask.grounding.periods import (
    WEEKDAYS,
    Period,
    Reckoning,
    floor,
    is_year,
    month_name,
    one_day,
    one_month,
    part_of_year,
    several,
    spelled,
    step,
    whole_year,
)

_DAY = timedelta(days=1)
Read = Period | str | None


def _year(said: Said, _by: Reckoning) -> Read:
    return whole_year(said.year)


def _month(said: Said, _by: Reckoning) -> Read:
    return one_month(said.year, said.month)


def _part(said: Said, _by: Reckoning) -> Read:
    return part_of_year(said.year, *said.part)


def _day(said: Said, _by: Reckoning) -> Read:
    day = real_day(said.year, said.month, said.day)
    return one_day(day) if day else no_such_day(said.year, said.month, said.day)


def no_such_day(year: int, month: int, day: int) -> str:
    """Why a date is none."""
    if not 1 <= month <= 12:
        return f"there is no month {month}, so {year}-{month:02d}-{day:02d} is no date"
    length = (step(date(year, month, 1), "month", 1) - _DAY).day
    return f"{month_name(month)} {year} has {length} days, so there is no {day} {month_name(month)} {year}"


def _days(said: Said, _by: Reckoning) -> Read:
    """ "3 to 5 March 2024": both days are included."""
    found = [real_day(said.year, said.month, day) for day in said.days]
    if not found[0] or not found[1]:
        return no_such_day(said.year, said.month, max(said.days))
    if found[1] < found[0]:
        return f"{said.text!r} ends before it starts; name the earlier day first"
    return Period(found[0], found[1] + _DAY, f"{found[0]} to {found[1]}", how="both days included")


def _iso(said: Said, _by: Reckoning) -> Read:
    year, month, *day = map(int, said.token.split("-"))
    if not is_year(year):
        return None
    if not 1 <= month <= 12:
        return f"there is no month {month}, so {said.token} is no date"
    if not day:
        return one_month(year, month)
    found = real_day(year, month, day[0])
    return one_day(found) if found else no_such_day(year, month, day[0])


def _moment(said: Said, _by: Reckoning) -> Read:
    """A time of day is the minute, or the second, that it names."""
    try:
        start = datetime.fromisoformat(said.token.upper())
    except ValueError:
        return f"{said.token} is no time that a calendar and a clock have"
    if start.tzinfo is not None:
        return f"{said.token} has a time zone of its own; leave it out, times are those of the question's zone"
    length = timedelta(minutes=1) if said.token.count(":") == 1 else timedelta(seconds=1)
    return Period(start, start + length, said.token.upper(), relative=True)


def _isoweek(said: Said, _by: Reckoning) -> Read:
    year, week = int(said.token[:4]), int(said.token[6:])
    return _week_number(year, week) if is_year(year) else None


def _week_number(year: int, week: int) -> Read:
    try:
        start = date.fromisocalendar(year, week, 1)
    except ValueError:
        return f"{year} has no week {week}"
    return Period(start, start + 7 * _DAY, f"{year}-W{week:02d}", relative=True, how="the ISO week, Monday to Sunday")


def _numbered_week(said: Said, by: Reckoning) -> Read:
    week = said.n or int(said.token[1:])
    if by.lacks("week") or by.week_start:
        begins = f"weeks here begin on {WEEKDAYS[by.week_start].capitalize()}s" if by.week_start else by.lacks("week")
        return f"{begins}: write {said.year}-W{week:02d} for the ISO week, or give its days"
    return _week_number(said.year, week)


def week_of(day: date, by: Reckoning) -> Read:
    """The week that holds a day."""
    start = floor(day, "week", by)
    return by.lacks("week") or Period(start, start + 7 * _DAY, f"week of {start}", relative=True)


def _week_of(said: Said, by: Reckoning) -> Read:
    day = _iso(said, by) if said.token else _day(said, by)
    if not isinstance(day, Period) or not day.start:
        return day
    return week_of(day.start, by) if len(said.token) != 7 else None


def _slashed(said: Said, _by: Reckoning) -> Read:
    """A slashed date: the year leads or ends it, in four digits; which of the others is the day may be open."""
    numbers = slashed(said.token)
    if numbers is None:
        return None
    one, two, three = numbers
    if is_year(one) and three <= 31:
        found = real_day(one, two, three)
        return one_day(found) if found else no_such_day(one, two, three)
    if not is_year(three):
        return f"the year of {said.token} is not clear; write the date as 2024-03-31" if three <= 99 else None
    meant = [day for day in (real_day(three, two, one), real_day(three, one, two)) if day]
    return several(said.token, *map(one_day, meant)) if meant else f"{said.token} is no date"


def _decade(said: Said, _by: Reckoning) -> Read:
    year = int(said.token[:4])
    if year % 100 == 0:
        return f"{said.token!r} may be ten years or a hundred; say '{year} to {year + 9}'"
    return Period(date(year, 1, 1), date(year + 10, 1, 1), said.token, relative=True)


def _last_part(said: Said, _by: Reckoning) -> Read:
    unit = said.words[1]
    start = step(step(date(said.year, 1, 1), "year", 1), unit, -1)
    return one_month(said.year, 12) if unit == "month" else part_of_year(said.year, unit, 4 if start.month == 10 else 2)


def _some_of(said: Said, _by: Reckoning) -> Read:
    """ "First 3 months of 2024", "last 10 days of March 2024"."""
    whole = one_month(said.year, said.month) if said.month else whole_year(said.year)
    if said.unit not in ("day", "month", "quarter") or not whole.start or not whole.end:
        return f"it is not clear which days {said.text!r} are; give the days"
    low, high = whole.start, whole.end
    if said.first == "first":
        high = step(low, said.unit, said.n)
    else:
        low = step(high, said.unit, -said.n)
    if low < whole.start or high > whole.end:
        return f"{whole.text} has fewer than {said.n} {said.unit}s"
    return Period(low, high, f"{low} to {high - _DAY}")


def _edge_day(said: Said, by: Reckoning) -> Read:
    whole = one_month(said.year, said.month) if said.month else whole_year(said.year)
    return one_day(whole.start if said.first == "first" else whole.end - _DAY) if whole.start and whole.end else None


def _fiscal_year(said: Said, by: Reckoning) -> Read:
    """A fiscal year goes by the calendar year that it begins in or, elsewhere, by the one that it ends in."""
    digits = said.token.removeprefix("fy")
    year = (int(digits) + 2000 if len(digits) == 2 else int(digits)) if digits else said.year
    if not is_year(year):
        return None
    unit, number = (f"fiscal {said.part[0]}", said.part[1]) if said.part[0] else ("fiscal year", 1)
    if reason := by.lacks("fiscal year"):
        return reason
    if unit == "fiscal half":
        return f"half a fiscal year is not understood in {said.text!r}; name its quarters"
    starts = [date(y, by.first_month(unit), 1) for y in ((year,) if by.fiscal == 1 else (year, year - 1))]
    lows = [step(start, unit, number - 1) for start in starts]
    return several(said.text, *(spelled(Period(low, step(low, unit, 1), said.text)) for low in lows))


ABSOLUTE = (
    Pattern("{year}", _year),
    Pattern("calendar? year {year}", _year),
    Pattern("{month} of|,? {year}", _month),
    Pattern("month of {month} of|,? {year}", _month),
    Pattern("{day} of? {month} of|,? {year}", _day),
    Pattern("{month} the? {day} of|,? {year}", _day),
    Pattern("{part} of|,|/? {year}", _part),
    Pattern("{year} ,|/? {part}", _part),
    Pattern("last month|quarter|half of {year}", _last_part),
    Pattern("first|last {n} {units} of {year}", _some_of),
    Pattern("first|last {n} {units} of {month} of|,? {year}", _some_of),
    Pattern("first|last day of {year}", _edge_day),
    Pattern("first|last day of {month} of|,? {year}", _edge_day),
    Pattern("{day} to|until|till|through|thru the? {day} of? {month} of|,? {year}", _days),
    Pattern("from|between the? {day} to|until|till|through|and the? {day} of? {month} of|,? {year}", _days),
    Pattern("{month} {day} to|until|till|through|thru {day} of|,? {year}", _days),
    Pattern("from|between {month} {day} to|until|till|through|and {day} of|,? {year}", _days),
    Pattern("{iso}", _iso),
    Pattern("{moment}", _moment),
    Pattern("{slashed}", _slashed),
    Pattern("{isoweek}", _isoweek),
    Pattern("calendar? week {n} of|,? {year}", _numbered_week),
    Pattern("{w} of|,? {year}", _numbered_week),
    Pattern("week of|beginning|starting|commencing {iso}", _week_of),
    Pattern("week of|beginning|starting|commencing the? {day} of? {month} of|,? {year}", _week_of),
    Pattern("week of|beginning|starting|commencing {month} {day} of|,? {year}", _week_of),
    Pattern("{decade}", _decade),
    Pattern("{fy}", _fiscal_year),
    Pattern("fy {year}", _fiscal_year),
    Pattern("fiscal|financial year? {year}", _fiscal_year),
    Pattern("{part} of? {fy}", _fiscal_year),
    Pattern("{fy} {part}", _fiscal_year),
    Pattern("fiscal|financial {part} of? {year}", _fiscal_year),
    Pattern("{part} of? fiscal|financial year? {year}", _fiscal_year),
)
