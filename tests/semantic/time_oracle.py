"""What a question along time must give, worked out day by day in plain Python. It shares no code with the compiler."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache

from backedge.semantic.spec import By, Spec
from tests.semantic.time_shop import MODEL, SHIFTS, SIMPLE, STOCK, WINDOWS, Data, Row

DAY = timedelta(days=1)
Values = list[object]
Key = tuple[object, ...]
Seen = Callable[[date, date, date], bool]  # day of a row, first day of the period, day after the period


@dataclass(frozen=True)
class Calendar:
    """Weeks that start on a weekday (Monday is 0), fiscal years that start in a month."""

    week: int = 0
    fiscal: int = 1
    low: date | None = None
    high: date | None = None


@dataclass
class Asked:
    """A question with its data, taken apart."""

    data: Data
    spec: Spec
    calendar: Calendar
    at: int | None = None
    grain: str = ""
    periods: list[date] = field(default_factory=list)


def back_to(day: date, fits: Callable[[date], bool]) -> date:
    while not fits(day):
        day -= DAY
    return day


@cache
def start(day: date, grain: str, calendar: Calendar) -> date:
    """The first day of the period that holds `day`, by walking back to it."""
    first = calendar.fiscal if grain.startswith("fiscal") else 1
    length = {"month": 1, "quarter": 3, "year": 12}.get(grain.removeprefix("fiscal_"), 0)
    if grain == "day":
        return day
    if grain == "week":
        return back_to(day, lambda d: d.weekday() == calendar.week)
    return back_to(day, lambda d: d.day == 1 and (d.month - first) % length == 0)


@cache
def after(day: date, grain: str, calendar: Calendar) -> date:
    """The first day of the next period, by walking on to it."""
    here = start(day, grain, calendar)
    while start(day, grain, calendar) == here:
        day += DAY
    return day


def months_later(day: date, number: int) -> date:
    """The same day of another month, or that month's last."""
    month = day.replace(day=1)
    for _ in range(abs(number)):
        month = (month + timedelta(days=31)).replace(day=1) if number > 0 else (month - DAY).replace(day=1)
    for number_of_day in range(day.day, 0, -1):
        try:
            return month.replace(day=number_of_day)
        except ValueError:
            continue
    raise AssertionError(day)


def steps(day: date, grain: str, number: int, calendar: Calendar) -> date:
    """`number` periods later, from the start of one."""
    for _ in range(abs(number)):
        day = after(day, grain, calendar) if number > 0 else start(day - DAY, grain, calendar)
    return day


def sees(asked: Asked, name: str) -> Seen:
    """Whether a row is in the window that a measure's name ends with."""
    grain, calendar = asked.grain, asked.calendar
    tests: dict[str, Seen] = {
        "week_long": lambda d, _, end: end - timedelta(days=7) <= d < end,
        "three": lambda d, _, end: steps(end, grain, -3, calendar) <= d < end,
        "two_months": lambda d, _, end: months_later(end, -2) <= d < end,
        "ever": lambda d, _, end: d < end,
        "ahead": lambda d, _, end: steps(end, grain, -1, calendar) <= d < end + timedelta(days=10),
        "before": lambda d, first, _: first - timedelta(days=30) <= d < first,
        "rest": lambda d, first, _: d >= first,
        "month_so_far": lambda d, first, end: start(first, "month", calendar) <= d < end,
        "year_so_far": lambda d, first, end: start(first, "year", calendar) <= d < end,
        "": lambda d, first, end: first <= d < end,
    }
    return tests[name]


def shifted(asked: Asked, period: date, name: str) -> date | None:
    """The period that a shift looks at; a day that its month does not have is none."""
    if name == "week_ago":
        return period - timedelta(days=7)
    months = {"month_ago": -1, "year_ago": -12, "ahead_month": 1}[name]
    there = months_later(period, months)
    return there if asked.grain != "day" or there.day == period.day else None


def answer(data: Data, spec: Spec, calendar: Calendar) -> list[Key]:
    """The rows that the spec must give, in no order."""
    asked = Asked(data, spec, calendar)
    for i, by in enumerate(spec.by):
        if by.member == "orders.day":
            asked.at, asked.grain = i, by.grain or "day"
    if asked.at is not None:
        asked.periods = list(_spine(asked))
    found = [_value(asked, name) for name in spec.measures]
    keys = set().union(*(f.keys() for f, _ in found)) if spec.by else {()}
    if any(by.fill for by in spec.by):
        at = asked.at or 0
        keys |= {(*k[:at], p, *k[at + 1 :]) for k in keys for p in asked.periods}
    return [(*key, *(values.get(key, none) for values, none in found)) for key in keys]


def _spine(asked: Asked) -> Iterator[date]:
    low, high = asked.calendar.low, asked.calendar.high
    views = {_view(m) for name in asked.spec.measures for m in _parts(name)}
    days = [d for v in views for row, _ in _rows(asked, v) if isinstance(d := _day(asked.data, v, row), date)]
    if not days and (low is None or high is None):
        return
    period = start(low or min(days), asked.grain, asked.calendar)
    last = start(high - DAY if high else max(days), asked.grain, asked.calendar)
    while period <= last:
        yield period
        period = after(period, asked.grain, asked.calendar)


def _parts(name: str) -> tuple[str, ...]:
    if "per_item" in name or name == "orders.filled_more":
        return ("orders.total", "items.count")
    return (name,)


def _view(name: str) -> str:
    return name.split(".")[0]


def _value(asked: Asked, name: str) -> tuple[dict[Key, object], object]:
    """A measure's values by group, and what it is where it has no row."""
    short = name.removeprefix("orders.")
    ago = next((s for s in SHIFTS if short.endswith(f"_{s}")), "")
    base = short.removesuffix(f"_{ago}") if ago else short
    if base == "per_item":
        (top, _), (bottom, _) = (_cells(asked, m, ago) for m in ("orders.total", "items.count"))
        return {k: _divided(top.get(k), bottom.get(k, 0)) for k in top | bottom}, None
    if base == "rolling_mean":
        (top, _), (bottom, _) = (_cells(asked, m, ago) for m in ("orders.total_three", "orders.count_three"))
        return {k: _divided(top.get(k), bottom.get(k, 0)) for k in top | bottom}, None
    if base == "filled":
        values, _ = _cells(asked, "orders.total", ago)
        return {k: 0 if v is None else v for k, v in values.items()}, 0
    if base == "filled_more":
        (left, _), (right, _) = _cells(asked, "orders.total", ago), _cells(asked, "items.count", ago)
        return {k: (left.get(k) or 0) + right.get(k, 0) for k in left | right}, 0  # type: ignore[operator]
    return _cells(asked, name if "." in base else f"orders.{base}", ago)


def _divided(top: object, bottom: object) -> object:
    return top / bottom if isinstance(top, int) and isinstance(bottom, int) and bottom else None


def _cells(asked: Asked, name: str, ago: str) -> tuple[dict[Key, object], object]:
    view, _, short = name.partition(".")
    stock = next((s for s in ("closing_a", *STOCK) if s == short), "")
    window = next((w for w in WINDOWS if short.endswith(f"_{w}")), "")
    base = "total" if stock else short.removesuffix(f"_{window}") if window else short
    type_, column = ("sum", "qty") if base == "qty" else SIMPLE[base] if view == "orders" else ("count", "")
    groups: dict[Key, list[tuple[object, object, object]]] = {} if asked.spec.by else {(): []}
    for row, others in _rows(asked, view):
        day = _day(asked.data, view, row)
        if stock and (day is None or (stock == "closing_a" and row["status"] != "a")):
            continue
        for period in _shown(asked, day, window, ago):
            for key in others:
                at = asked.at
                whole = key if at is None else (*key[:at], period, *key[at:])
                groups.setdefault(whole, []).append((day, row.get("customer_id"), row[column] if column else 1))
    none = 0 if type_ in ("count", "count_distinct") else None
    return {k: _made(type_, _edged(stock, rows)) for k, rows in groups.items()}, none


def _shown(asked: Asked, day: object, window: str, ago: str) -> Iterator[object]:
    """The periods in which a row of that day is seen."""
    calendar = asked.calendar
    inside = isinstance(day, date) and (calendar.low is None or day >= calendar.low)
    inside = inside and (calendar.high is None or (isinstance(day, date) and day < calendar.high))
    bounded = calendar.low is not None or calendar.high is not None
    if not window and not (ago and asked.at is not None):
        if ago:
            assert calendar.low is not None
            assert calendar.high is not None
            low, high = (shifted_bound(b, ago) for b in (calendar.low, calendar.high))
            inside = isinstance(day, date) and low <= day < high
        if inside or not bounded:
            yield start(day, asked.grain, calendar) if isinstance(day, date) and asked.grain else day
        return
    if not isinstance(day, date):
        return
    for period in asked.periods:
        first = shifted(asked, period, ago) if ago else period
        if first is not None and sees(asked, window)(day, first, after(first, asked.grain, calendar)):
            yield period


def shifted_bound(day: date, ago: str) -> date:
    """A bound of a range, moved."""
    if ago == "week_ago":
        return day - timedelta(days=7)
    return months_later(day, {"month_ago": -1, "year_ago": -12, "ahead_month": 1}[ago])


def _edged(stock: str, rows: list[tuple[object, object, object]]) -> Values:
    """Of a stock only the rows of the last (or first) day count."""
    if not stock:
        return [value for _, _, value in rows]
    kept: Values = []
    for each in {who for _, who, _ in rows} if stock == "closing_each" else {None}:
        mine = [r for r in rows if stock != "closing_each" or r[1] == each]
        days = [d for d, _, _ in mine if isinstance(d, date)]
        edge = (min if stock == "opening" else max)(days, default=None)
        kept += [value for day, _, value in mine if edge is not None and day == edge]
    return kept


def _made(type_: str, values: Values) -> object:
    known = [v for v in values if v is not None]
    numbers = [v for v in known if isinstance(v, int)]
    if type_ == "count":
        return len(values)
    if type_ == "count_distinct":
        return len(set(known))
    makes: dict[str, Callable[[list[int]], object]] = {
        "sum": sum,
        "average": statistics.mean,
        "min": min,
        "max": max,
        "median": statistics.median,
    }
    return makes[type_](numbers) if numbers else None


def _rows(asked: Asked, view: str) -> Iterator[tuple[Row, set[Key]]]:
    """Each row of a view with the groups that it is in, those of time left out."""
    members = [by.member for by in asked.spec.by if by.member != "orders.day"]
    for row in asked.data[view]:
        yield row, {tuple(cell[m] for m in members) for cell in _reached(asked.data, view, row, members)}


def _day(data: Data, view: str, row: Row) -> object:
    order = row if view == "orders" else _parent(data["orders"], row["order_id"])
    return order["day"] if order else None


def _reached(data: Data, view: str, row: Row, members: list[str]) -> list[dict[str, object]]:
    order = row if view == "orders" else _parent(data["orders"], row["order_id"])
    customer = _parent(data["customers"], order["customer_id"]) if order else None
    below: list[Row | None] = [row] if view == "items" else [i for i in data["items"] if i["order_id"] == row["id"]]
    if not any(m.startswith("items.") for m in members):
        below = [None]
    return [
        {
            "customers.region": customer["region"] if customer else None,
            "orders.status": order["status"] if order else None,
            "items.sku": item["sku"] if item else None,
        }
        for item in below or [None]
    ]


def _parent(rows: list[Row], key: object) -> Row | None:
    return next((r for r in rows if key is not None and r["id"] == key), None)


NAMES = [f"{v.name}.{m.name}" for v in MODEL.views for m in v.measures if v.name != "customers"]
PLAIN = [name for name in NAMES if not any(name.endswith(f"_{w}") for w in WINDOWS)]
GRAINS: tuple[By, ...] = tuple(
    By("orders.day", grain)
    for grain in ("day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year", None)
)
