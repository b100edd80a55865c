"""Periods of days, the calendar that they are reckoned by, and the arithmetic of its units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from backedge.semantic.model import Model
from backedge.semantic.operators import midnight

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sep sept", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
UNITS = ("day", "week", "month", "quarter", "half", "year", "fiscal quarter", "fiscal year")
_MONTHS_OF = {"month": 1, "quarter": 3, "half": 6, "year": 12, "fiscal quarter": 3, "fiscal year": 12}
_NAMES = [name for name in MONTHS if len(name) > 4 or name in ("may", "june", "july")]
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Period:
    """From `start` (included) to `end` (excluded): days, or moments; None is open. `text` reads as the same period.

    `relative` if its words do not show its days, `how` says how they were chosen. Words with several meanings have the
    `others` and no days of their own; where only the year is left open (`yearless`), the data may settle it.
    """

    start: date | None
    end: date | None
    text: str
    relative: bool = False
    how: str = ""
    others: tuple[Period, ...] = ()
    yearless: bool = False

    def meets(self, first: date, last: date) -> bool:
        """Whether any day of the period lies within `first`..`last`, both included."""
        after = midnight(last) + _DAY
        return (self.start is None or midnight(self.start) < after) and (
            self.end is None or midnight(self.end) > midnight(first)
        )

    @property
    def whole(self) -> bool:
        """Whether both ends are known."""
        return self.start is not None and self.end is not None

    @property
    def last(self) -> date | None:
        """Its last day; of moments the one that it ends before."""
        return self.end if isinstance(self.end, datetime) or self.end is None else self.end - _DAY

    @property
    def days(self) -> str:
        """The period as its first and last day, in words."""
        last = self.last
        to = f"before {last}" if isinstance(last, datetime) else f"{last}"
        if self.start and last:
            return f"{self.start}" if self.start == last else f"{self.start} to {to}"
        return f"{self.start} or later" if self.start else f"up to {to}"

    @property
    def opening(self) -> str:
        """What it is called by its start: of "March to May" the day, for more words would say something else."""
        return f"{self.start}" if self._spans else self.text

    @property
    def closing(self) -> str:
        """What it is called by its end."""
        return f"{self.last}" if self._spans else self.text

    @property
    def _spans(self) -> bool:
        return " to " in self.text and " to date" not in self.text and not isinstance(self.end, datetime)

    def since(self) -> Period:
        """From its start on; of words with several meanings, from each of their starts on."""
        later = Period(self.start, None, f"since {self.opening}", self.relative, self.how)
        return replace(later, others=tuple(p.since() for p in self.others), yearless=self.yearless)


@dataclass(frozen=True)
class Reckoning:
    """Today, the weekday that weeks begin on (0 is Monday), the month that fiscal years begin in (None: nobody says).

    `clash` says which of the two differ between the topics of the model.
    """

    today: date
    week_start: int = 0
    fiscal: int | None = None
    clash: frozenset[str] = frozenset()

    def first_month(self, unit: str) -> int:
        """The month that a year of this unit begins in."""
        return (self.fiscal or 1) if unit.startswith("fiscal") else 1

    def lacks(self, unit: str) -> str:
        """Why periods of a unit cannot be told, or nothing."""
        if unit == "week" and "week" in self.clash:
            return "the topics here begin their weeks on different days, so a week is not clear; give its days"
        if not unit.startswith("fiscal"):
            return ""
        if "fiscal" in self.clash:
            return "the topics here begin their fiscal years in different months; give the months that are meant"
        if self.fiscal is None:
            hint = "set calendar: {fiscal_year_start: april} in config.yml or the topic"
            return f"nothing says in which month the fiscal year begins; {hint}, or give the months that are meant"
        return ""


def reckoning(model: Model, today: date) -> Reckoning:
    """The calendar of a model's topics and project, on one day."""
    found = {topic.calendar.over(model.calendar) for topic in model.topics} or {model.calendar}
    weeks, fiscal = {c.week_start or 0 for c in found}, {c.fiscal_year_start for c in found}
    clash = {name for name, values in (("week", weeks), ("fiscal", fiscal)) if len(values) > 1}
    return Reckoning(today, min(weeks), None if len(fiscal) > 1 else fiscal.pop(), frozenset(clash))


def floor(day: date, unit: str, by: Reckoning) -> date:
    """The first day of the unit that holds a day."""
    if unit == "day":
        return day
    if unit == "week":
        return day - timedelta(days=(day.weekday() - by.week_start) % 7)
    first, length = by.first_month(unit) - 1, _MONTHS_OF[unit]
    index = day.year * 12 + day.month - 1 - first
    return month_at(index - index % length + first)


def step(day: date, unit: str, count: int) -> date:
    """The first day of the unit that lies `count` units after the one that begins on `day`."""
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    return month_at(day.year * 12 + day.month - 1 + count * _MONTHS_OF[unit])


def month_at(index: int) -> date:
    """The first day of the month with that number, counted from the year 0."""
    return date(index // 12, index % 12 + 1, 1)


def months_later(day: date, months: int) -> date:
    """The same day of another month; its last day where it is shorter."""
    start = month_at(day.year * 12 + day.month - 1 + months)
    return min(start + timedelta(days=day.day - 1), step(start, "month", 1) - _DAY)


def is_year(number: int) -> bool:
    """Whether a number is taken for a year."""
    return 1900 <= number <= 2100


def one_day(day: date) -> Period:
    """A day by its ISO name."""
    return Period(day, day + _DAY, day.isoformat())


def whole_year(year: int) -> Period:
    """A calendar year."""
    return Period(date(year, 1, 1), date(year + 1, 1, 1), str(year))


def one_month(year: int, month: int) -> Period:
    """A calendar month by its name."""
    start = date(year, month, 1)
    return Period(start, step(start, "month", 1), f"{month_name(month)} {year}")


def month_name(month: int) -> str:
    """A month's name."""
    return _NAMES[month - 1].capitalize()


def part_of_year(year: int, unit: str, number: int) -> Period:
    """A calendar quarter or half by its number."""
    start = step(date(year, 1, 1), unit, number - 1)
    return Period(start, step(start, unit, 1), f"{'Q' if unit == 'quarter' else 'H'}{number} {year}")


def spelled(period: Period) -> Period:
    """A period by its days alone, where a name would leave in doubt which are meant."""
    return replace(period, text=period.days, relative=False)


def several(text: str, *meanings: Period) -> Period:
    """Words that may mean each of these; one meaning alone is the period itself."""
    distinct = {(p.start, p.end): p for p in meanings}
    if len(distinct) == 1:
        return next(iter(distinct.values()))
    return Period(None, None, text, others=tuple(distinct.values()))
