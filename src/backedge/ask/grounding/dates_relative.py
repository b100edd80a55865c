"""Phrases that go by today: "last 3 months", "this year so far", "trailing 30 days", "2 weeks ago", "last Monday"."""

from __future__ import annotations

from datetime import date, timedelta

from backedge.ask.grounding.date_patterns import Pattern, Said
from backedge.ask.grounding.dates_absolute import Read, week_of
from backedge.ask.grounding.periods import (
    WEEKDAYS,
    Period,
    Reckoning,
    floor,
    month_name,
    months_later,
    one_day,
    one_month,
    part_of_year,
    several,
    spelled,
    step,
    whole_year,
)
from backedge.ask.wording import plural

_DAY = timedelta(days=1)
_TO_DATE = {"ytd": "year", "qtd": "quarter", "mtd": "month", "wtd": "week"}
_UP_TO_TODAY = "up to and including today"


def _counted(n: int, unit: str) -> str:
    return f"{n} {plural(unit, n) if unit != 'half' or n == 1 else 'halves'}"


def _day(back: int) -> Pattern:
    words = {0: "today|now", 1: "yesterday", -1: "tomorrow", 2: "day before yesterday", -2: "day after tomorrow"}[back]

    def rule(said: Said, by: Reckoning) -> Read:
        start = by.today - back * _DAY
        return Period(start, start + _DAY, words.partition("|")[0], relative=True)

    return Pattern(words, rule)


def _this(said: Said, by: Reckoning) -> Read:
    return by.lacks(said.unit) or _shifted(said.unit, 0, 1, f"this {said.unit}", by)


def _last(said: Said, by: Reckoning) -> Read:
    return by.lacks(said.unit) or _shifted(said.unit, -1, 1, f"last {said.unit}", by)


def _next(said: Said, by: Reckoning) -> Read:
    return by.lacks(said.unit) or _shifted(said.unit, 1, 1, f"next {said.unit}", by)


def _before_last(said: Said, by: Reckoning) -> Read:
    return by.lacks(said.unit) or _shifted(said.unit, -2, 1, f"{said.unit} before last", by)


def _last_n(said: Said, by: Reckoning) -> Read:
    """The whole units before the one that today is in."""
    left_out = "today" if said.unit == "day" else f"this {said.unit}"
    how = f"whole {_counted(2, said.unit)[2:]}, {left_out} left out"
    return by.lacks(said.unit) or _shifted(said.unit, -said.n, said.n, f"last {_counted(said.n, said.unit)}", by, how)


def _next_n(said: Said, by: Reckoning) -> Read:
    return by.lacks(said.unit) or _shifted(said.unit, 1, said.n, f"next {_counted(said.n, said.unit)}", by)


def _shifted(unit: str, by_units: int, count: int, text: str, by: Reckoning, how: str = "") -> Period:
    start = step(floor(by.today, unit, by), unit, by_units)
    return Period(start, step(start, unit, count), text, True, how)


def _trailing(said: Said, by: Reckoning) -> Read:
    return _rolling(said.n, said.unit, by)


def _twelve_months(said: Said, by: Reckoning) -> Read:
    return _rolling(12, "month", by)


def _rolling(n: int, unit: str, by: Reckoning) -> Period:
    """As many days or months as are said, today the last of them: from the day after today's, that long ago."""
    end = by.today + _DAY
    days = {"day": 1, "week": 7}.get(unit)
    months = {"month": 1, "half": 6, "year": 12, "fiscal year": 12}.get(unit, 3)
    start = end - timedelta(days=n * days) if days else months_later(end, -n * months)
    return Period(start, end, f"trailing {_counted(n, unit)}", True, _UP_TO_TODAY)


def _past(said: Said, by: Reckoning) -> Read:
    """ "The past month" is the last calendar month, or the month up to today: that is for a person to say."""
    return by.lacks(said.unit) or several(
        said.text,
        _shifted(said.unit, -1, 1, f"last {said.unit}", by),
        _rolling(1, said.unit, by),
    )


def _to_date(said: Said, by: Reckoning) -> Read:
    unit = said.unit or _TO_DATE[said.first]
    start = floor(by.today, unit, by)
    return by.lacks(unit) or Period(start, by.today + _DAY, f"{unit} to date", True, _UP_TO_TODAY)


def _since_start(said: Said, by: Reckoning) -> Read:
    start = floor(by.today, said.unit, by)
    return by.lacks(said.unit) or Period(start, None, f"since this {said.unit}", relative=True)


def _so_far(said: Said, by: Reckoning) -> Read:
    return Period(None, by.today + _DAY, "until today", relative=True)


def _ago(said: Said, by: Reckoning) -> Read:
    """ "2 months ago" is a day or its month: that is for a person to say."""
    n, unit = said.n or 1, said.unit
    if reason := by.lacks(unit):
        return reason
    days = {"day": 1, "week": 7}.get(unit)
    months = {"month": 1, "half": 6, "year": 12, "fiscal year": 12}.get(unit, 3)
    day = by.today - timedelta(days=n * days) if days else months_later(by.today, -n * months)
    if unit == "day":
        return Period(day, day + _DAY, f"{_counted(n, unit)} ago", relative=True)
    return several(said.text, _named(step(floor(by.today, unit, by), unit, -n), unit, by), one_day(day))


def _named(start: date, unit: str, by: Reckoning) -> Period:
    """The unit that begins on a day, by the name that it has without regard to today."""
    if unit == "week":
        found = week_of(start, by)
        assert isinstance(found, Period)
        return found
    if unit in ("month", "year"):
        return one_month(start.year, start.month) if unit == "month" else whole_year(start.year)
    if unit in ("quarter", "half"):
        return part_of_year(start.year, unit, start.month // (3 if unit == "quarter" else 6) + 1)
    return spelled(Period(start, step(start, unit, 1), unit))


def _same(said: Said, by: Reckoning) -> Read:
    """ "Same month last year"."""
    unit, text = said.unit, f"same {said.unit} last year"
    if unit == "week":
        return f"weeks have no fellow in another year by their days; give the days that {said.text!r} means"
    if unit == "day":
        day = months_later(by.today, -12)
        same = day.day == by.today.day
        return Period(day, day + _DAY, text, True) if same else f"{day.year} has no {by.today.day} February"
    start = months_later(floor(by.today, unit, by), -12)
    return by.lacks(unit) or Period(start, step(start, unit, 1), text, relative=True)


def _weekday(said: Said, by: Reckoning) -> Read:
    """ "Last Monday" is the one before today and, where that is of this week, perhaps the one of last week."""
    name, monday = WEEKDAYS[said.weekday].capitalize(), floor(by.today, "week", Reckoning(by.today))
    this = monday + said.weekday * _DAY
    if said.first == "this":
        return one_day(this)
    if said.first in ("next", "coming"):
        return several(said.text, one_day(this if this > by.today else this + 7 * _DAY), one_day(this + 7 * _DAY))
    before = by.today - ((by.today.weekday() - said.weekday - 1) % 7 + 1) * _DAY
    last_week = this - 7 * _DAY
    if before == last_week:
        return Period(before, before + _DAY, f"last {name}", relative=True)
    return several(said.text, one_day(before), one_day(last_week))


_YEARS_ON = {"last": -1, "previous": -1, "prior": -1, "this": 0, "current": 0, "next": 1}


def _year_said(said: Said, by: Reckoning) -> int:
    return by.today.year + next(_YEARS_ON[word] for word in said.words if word in _YEARS_ON)


def _month_of(said: Said, by: Reckoning) -> Read:
    return one_month(_year_said(said, by), said.month)


def _part_of(said: Said, by: Reckoning) -> Read:
    return part_of_year(_year_said(said, by), *said.part)


def _last_month_named(said: Said, by: Reckoning) -> Read:
    """ "Last March" is the one before this month and, where that is of this year, perhaps the one of last year."""
    newest = by.today.year if said.month < by.today.month else by.today.year - 1
    found = several(said.text, one_month(newest, said.month), one_month(by.today.year - 1, said.month))
    return found if found.others else one_month(newest, said.month)


def _prior_to_date(said: Said, _by: Reckoning) -> Read:
    return f"it is not clear up to which day {said.text!r} goes; give its days"


def _last_fiscal_part(said: Said, by: Reckoning) -> Read:
    """ "Second fiscal quarter of last fiscal year"."""
    start = floor(by.today, "fiscal year", by)
    low = step(step(start, "fiscal year", _year_said(said, by) - by.today.year), "fiscal quarter", said.part[1] - 1)
    if said.part[0] == "half":
        return f"half a fiscal year is not understood in {said.text!r}; name its quarters"
    return by.lacks("fiscal year") or spelled(Period(low, step(low, "quarter", 1), said.text))


_AGO = "last|previous|prior|this|current|next"
RELATIVE = (
    *map(_day, (0, 1, -1, 2, -2)),
    Pattern("this|current {unit}", _this),
    Pattern("last|previous|prior|preceding full|complete|whole? {unit}", _last),
    Pattern("next|coming {unit}", _next),
    Pattern("{unit} before last", _before_last),
    Pattern("last|previous|prior|preceding|past full|complete|whole? {n} full|complete|whole? {units}", _last_n),
    Pattern("next|coming {n} {units}", _next_n),
    Pattern("trailing|rolling {n} {units}", _trailing),
    Pattern("ttm|ltm", _twelve_months),
    Pattern("past {unit}", _past),
    Pattern("{unit} to date", _to_date),
    Pattern("ytd|qtd|mtd|wtd", _to_date),
    Pattern("this|current {unit} so far", _to_date),
    Pattern("so far this|current {unit}", _to_date),
    Pattern("this|current {unit} to date", _to_date),
    Pattern("last|previous|prior {unit} to date", _prior_to_date),
    Pattern("since|from the? start|beginning of the|this {unit}", _since_start),
    Pattern("to date", _so_far),
    Pattern("so far", _so_far),
    Pattern("{n} {units} ago", _ago),
    Pattern("a|an {unit} ago", _ago),
    Pattern("same {unit} last|previous|prior year", _same),
    Pattern("same {unit} of|in the? last|previous|prior year", _same),
    Pattern("last|previous|this|next|coming {weekday}", _weekday),
    Pattern(f"{{month}} of? {_AGO} year", _month_of),
    Pattern(f"{{part}} of? {_AGO} year", _part_of),
    Pattern(f"{{part}} of? {_AGO} fiscal|financial year", _last_fiscal_part),
    Pattern("last {month}", _last_month_named),
)


def yearless(said: Said, by: Reckoning) -> Period:
    """A month, a part of a year or a day of a month without its year: of any of the last ten years, newest first."""
    found: list[Period] = []
    for year in range(by.today.year, by.today.year - 10, -1):
        period = in_year(said, year)
        if period is not None and period.start is not None and period.start <= by.today:
            found.append(period)
    if len(found) == 1:
        return found[0]
    return Period(None, None, yearless_text(said), others=tuple(found), yearless=True)


def in_year(said: Said, year: int) -> Period | None:
    """What was said without a year, in a year; None for a day that the year does not have."""
    if said.part[0]:
        return part_of_year(year, *said.part)
    if not said.days:
        return one_month(year, said.month)
    try:
        return one_day(date(year, said.month, said.day))
    except ValueError:
        return None


def yearless_text(said: Said) -> str:
    """What was said without a year, in words."""
    if said.part[0]:
        return f"{'Q' if said.part[0] == 'quarter' else 'H'}{said.part[1]}"
    return f"{said.day} {month_name(said.month)}" if said.days else month_name(said.month)
