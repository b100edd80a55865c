"""The date grammar: words to half-open ranges of days, relative to an injected today; weeks start on Monday."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from backedge.ask.grounding.numbers import read_number
from backedge.ask.grounding.words import Word

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
_NAMES = [name for name in MONTHS if len(name) > 4 or name in ("may", "june", "july")]
_ORDINALS = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
}
_UNITS = ("day", "week", "month", "quarter", "year")
_TO_DATE = {"ytd": "year", "qtd": "quarter", "mtd": "month", "wtd": "week"}


@dataclass(frozen=True)
class Period:
    """Days from `start` (included) to `end` (excluded); None is open. `relative` if today decided it."""

    start: date | None
    end: date | None
    text: str
    relative: bool = False

    def meets(self, first: date, last: date) -> bool:
        """Whether any day of the period lies within `first`..`last`, both included."""
        return (self.start is None or self.start <= last) and (self.end is None or self.end > first)

    @property
    def whole(self) -> bool:
        """Whether both ends are known."""
        return self.start is not None and self.end is not None

    @property
    def days(self) -> str:
        """The period as its first and last day, in words."""
        last = self.end - timedelta(days=1) if self.end else None
        if self.start and last:
            return f"{self.start}" if self.start == last else f"{self.start} to {last}"
        return f"{self.start} or later" if self.start else f"up to {last}"


Found = tuple[Period, int]
_Reader = Callable[[Sequence[Word], int, date], Found | None]


def read_period(words: Sequence[Word], at: int, today: date) -> Found | None:
    """The longest period that starts at word `at` and how many words it takes, or None."""
    found = [
        f
        for f in (
            _bounded(words, at, today),
            _spanned(words, at, today),
            _point(words, at, today),
        )
        if f
    ]
    return max(found, key=lambda f: f[1], default=None)


def _spanned(words: Sequence[Word], at: int, today: date) -> Found | None:
    """`between A and B`, `from A to B`, `A to B`: both ends included."""
    opener = _folded(words, at)
    skip = 1 if opener in ("between", "from") else 0
    joins = ("and",) if opener == "between" else ("to", "until", "till", "through", "thru")
    first = _point(words, at + skip, today)
    if not first or _folded(words, at + skip + first[1]) not in joins:
        return None
    second = _point(words, at + skip + first[1] + 1, today)
    if not second or not first[0].start or not second[0].end or second[0].end <= first[0].start:
        return None
    relative = first[0].relative or second[0].relative
    span = Period(first[0].start, second[0].end, f"{first[0].text} to {second[0].text}", relative)
    return span, skip + first[1] + 1 + second[1]


def _bounded(words: Sequence[Word], at: int, today: date) -> Found | None:
    """`since`, `after`, `before`, `until`: one end is open."""
    opener, skip = _folded(words, at), 1
    if opener == "up" and _folded(words, at + 1) == "to":
        opener, skip = "until", 2
    point = _point(words, at + skip, today) if opener in _BOUNDS else None
    if not point:
        return None
    period, taken = point
    start, end = _BOUNDS[opener](period)
    return Period(start, end, f"{opener} {period.text}", period.relative), skip + taken


_BOUNDS: dict[str, Callable[[Period], tuple[date | None, date | None]]] = {
    "since": lambda p: (p.start, None),
    "after": lambda p: (p.end, None),
    "before": lambda p: (None, p.start),
    "until": lambda p: (None, p.end),
    "till": lambda p: (None, p.end),
    "through": lambda p: (None, p.end),
}


def _point(words: Sequence[Word], at: int, today: date) -> Found | None:
    """The longest single period at `at`; "the", "year" and "month of" may stand before what they announce."""
    skip = 1 if _folded(words, at) == "the" else 0
    readers: tuple[_Reader, ...] = _POINTS
    if _folded(words, at + skip) == "year" and _folded(words, at + skip + 1) != "to":
        skip, readers = skip + 1, (_year,)
    elif [_folded(words, at + skip + n) for n in (0, 1)] == ["month", "of"]:
        skip, readers = skip + 2, (_month_year,)
    found = [f for read in readers if at + skip < len(words) and (f := read(words, at + skip, today))]
    period, taken = max(found, key=lambda f: f[1], default=(None, 0))
    return (period, taken + skip) if period else None


def _iso(words: Sequence[Word], at: int, _today: date) -> Found | None:
    if words[at].kind != "date":
        return None
    parts = [int(p) for p in words[at].folded.split("-")]
    if len(parts) == 2:
        return (_month(parts[0], parts[1]), 1) if _is_year(parts[0]) and 1 <= parts[1] <= 12 else None
    day = _day(parts[0], parts[1], parts[2])
    return (day, 1) if day else None


def _year(words: Sequence[Word], at: int, _today: date) -> Found | None:
    year = _year_at(words, at)
    return (Period(date(year, 1, 1), date(year + 1, 1, 1), str(year)), 1) if year else None


def _month_year(words: Sequence[Word], at: int, _today: date) -> Found | None:
    month = MONTHS.get(_folded(words, at))
    skip = 2 if _folded(words, at + 1) in ("of", ",") else 1
    year = _year_at(words, at + skip)
    return (_month(year, month), skip + 1) if month and year else None


def _month_day_year(words: Sequence[Word], at: int, _today: date) -> Found | None:
    month, number = MONTHS.get(_folded(words, at)), _day_number(words, at + 1)
    skip = 3 if _folded(words, at + 2) == "," else 2
    year = _year_at(words, at + skip)
    day = _day(year, month, number) if month and number and year else None
    return (day, skip + 1) if day else None


def _day_month_year(words: Sequence[Word], at: int, _today: date) -> Found | None:
    number = _day_number(words, at)
    skip = 2 if _folded(words, at + 1) == "of" else 1
    month, year = MONTHS.get(_folded(words, at + skip)), _year_at(words, at + skip + 1)
    day = _day(year, month, number) if month and number and year else None
    return (day, skip + 2) if day else None


def _part_of_year(words: Sequence[Word], at: int, _today: date) -> Found | None:
    """`Q2 2011`, `2011 Q2`, `quarter 2 of 2011`, `second quarter of 2011`, `H1 2011`."""
    year = _year_at(words, at)
    part = _part(words, at + 1 if year else at)
    if not part:
        return None
    months, number, taken = part
    if year:
        return _slice(year, months, number), taken + 1
    skip = taken + (1 if _folded(words, at + taken) in ("of", ",") else 0)
    year = _year_at(words, at + skip)
    return (_slice(year, months, number), skip + 1) if year else None


def _part(words: Sequence[Word], at: int) -> tuple[int, int, int] | None:
    """(months in the part, its number, words taken)"""
    first, second = _folded(words, at), _folded(words, at + 1)
    if len(first) == 2 and first[0] in "qh" and first[1] in ("1234" if first[0] == "q" else "12"):
        return (3 if first[0] == "q" else 6), int(first[1]), 1
    if first == "quarter" and second in ("1", "2", "3", "4"):
        return 3, int(second), 2
    if first in _ORDINALS and second in ("quarter", "half") and (second == "quarter" or _ORDINALS[first] <= 2):
        return (3 if second == "quarter" else 6), _ORDINALS[first], 2
    return None


def _slice(year: int, months: int, number: int) -> Period:
    start = date(year, months * (number - 1) + 1, 1)
    return Period(
        start,
        _add_months(start, months),
        f"{'Q' if months == 3 else 'H'}{number} {year}",
    )


def _named_day(words: Sequence[Word], at: int, today: date) -> Found | None:
    back = {"today": 0, "yesterday": 1}.get(_folded(words, at))
    if back is None:
        return None
    start = today - timedelta(days=back)
    return Period(start, start + timedelta(days=1), words[at].folded, relative=True), 1


def _this(words: Sequence[Word], at: int, today: date) -> Found | None:
    unit = words[at + 1].stem if at + 1 < len(words) else ""
    if _folded(words, at) not in ("this", "current") or unit not in _UNITS:
        return None
    start = _floor(today, unit)
    return Period(start, _step(start, unit, 1), f"this {unit}", relative=True), 2


def _last(words: Sequence[Word], at: int, today: date) -> Found | None:
    """`last N units`: the N whole units before the one that today is in."""
    if _folded(words, at) not in ("last", "previous", "past", "prior") or at + 1 >= len(words):
        return None
    number = read_number(words, at + 1)
    count, taken = number or (1, 0)
    unit = words[at + 1 + taken].stem if at + 1 + taken < len(words) else ""
    if unit not in _UNITS or not isinstance(count, int) or not 1 <= count <= 1_000:
        return None
    if words[at].folded == "past" and not number:
        return None  # "the past year" is as often the last twelve months as the last calendar year
    end = _floor(today, unit)
    text = f"last {count} {unit}s" if number else f"last {unit}"
    return Period(_step(end, unit, -count), end, text, relative=True), 2 + taken


def _to_date(words: Sequence[Word], at: int, today: date) -> Found | None:
    unit, taken = _TO_DATE.get(_folded(words, at)), 1
    if [_folded(words, at + n) for n in (1, 2)] == ["to", "date"] and _folded(words, at) in _UNITS:
        unit, taken = _folded(words, at), 3
    if unit is None:
        return None
    return Period(_floor(today, unit), today + timedelta(days=1), f"{unit} to date", relative=True), taken


_POINTS: tuple[_Reader, ...] = (
    _iso, _year, _month_year, _month_day_year, _day_month_year, _part_of_year, _named_day, _this, _last, _to_date,
)  # fmt: skip


def _folded(words: Sequence[Word], at: int) -> str:
    return words[at].folded if at < len(words) and words[at].kind != "quoted" else ""


def _is_year(number: int) -> bool:
    return 1900 <= number <= 2100


def _year_at(words: Sequence[Word], at: int) -> int | None:
    text = _folded(words, at)
    return int(text) if len(text) == 4 and text.isascii() and text.isdigit() and _is_year(int(text)) else None


def _day_number(words: Sequence[Word], at: int) -> int | None:
    text = _folded(words, at)
    digits = text[:-2] if text.endswith(("st", "nd", "rd", "th")) else text
    return (
        int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 2 and 1 <= int(digits) <= 31 else None
    )


def _day(year: int, month: int, day: int) -> Period | None:
    try:
        start = date(year, month, day)
    except ValueError:
        return None
    return Period(start, start + timedelta(days=1), start.isoformat()) if _is_year(year) else None


def _month(year: int, month: int) -> Period:
    start = date(year, month, 1)
    return Period(start, _add_months(start, 1), f"{_NAMES[month - 1].capitalize()} {year}")


def _add_months(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def _floor(day: date, unit: str) -> date:
    if unit == "day":
        return day
    if unit == "week":
        return day - timedelta(days=day.weekday())
    month = {"month": day.month, "quarter": (day.month - 1) // 3 * 3 + 1, "year": 1}[unit]
    return date(day.year, month, 1)


def _step(day: date, unit: str, count: int) -> date:
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    return _add_months(day, count * {"month": 1, "quarter": 3, "year": 12}[unit])
