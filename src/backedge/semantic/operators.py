"""The names of filter operators, in every spelling that is read, and the condition that each makes of its values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta

from backedge.semantic.refusal import did_you_mean, nearest, refused
from backedge.semantic.spec import Filter, Operator, Value

NEGATIVE: frozenset[Operator] = frozenset(
    {"not_equals", "not_in", "not_contains", "not_starts_with", "not_ends_with", "not_in_range"}
)
OPERATORS: dict[str, Operator] = {
    "equals": "equals",
    "eq": "equals",
    "on_the_date": "equals",
    "not_equals": "not_equals",
    "neq": "not_equals",
    "in": "in",
    "not_in": "not_in",
    "gt": "gt",
    "after_date": "gt",
    "gte": "gte",
    "after_or_on_date": "gte",
    "lt": "lt",
    "before_date": "lt",
    "lte": "lte",
    "before_or_on_date": "lte",
    "contains": "contains",
    "not_contains": "not_contains",
    "starts_with": "starts_with",
    "not_starts_with": "not_starts_with",
    "ends_with": "ends_with",
    "not_ends_with": "not_ends_with",
    "set": "set",
    "not_set": "not_set",
    "in_range": "in_range",
    "not_in_range": "not_in_range",
    "in_date_range": "in_range",
    "not_in_date_range": "not_in_range",
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?")


def condition_of(member: str, operator: str, values: Sequence[Value], where: str) -> Filter:
    """The filter that an operator's name and values say, in camel or snake spelling. An unknown operator is refused.

    `in_date_range` includes its last day; what comes back is half-open. `in_range` is half-open as written.
    """
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operator).lower()
    op = OPERATORS.get(snake)
    if op is None:
        near = nearest(snake, OPERATORS)
        hint = did_you_mean(near) or f"operators: {', '.join(OPERATORS)}"
        raise refused("unknown_operator", f"there is no operator {operator}", where=where, hint=hint, near=near)
    if snake.endswith("_date_range"):
        return Filter(member, op, date_range(values, where))
    if op in ("equals", "not_equals") and len(values) > 1:
        op = "in" if op == "equals" else "not_in"
    return Filter(member, op, tuple(values))


def date_range(values: Sequence[Value], where: str) -> tuple[Value, Value]:
    """[start, end] as half-open bounds: an end that is a day is included, an end with a time is not."""
    if len(values) == 1 and isinstance(values[0], str) and not _DATE.fullmatch(values[0]):
        raise refused(
            "not_supported",
            f"{where}: the relative date range {values[0]!r} cannot be read",
            where=where,
            hint='write ["2024-01-01", "2024-01-31"]',
        )
    if len(values) not in (1, 2):
        raise refused(
            "bad_value", f"{where}: a date range has a start and an end, not {len(values)} values", where=where
        )
    start, end = moment(values[0], where), moment(values[-1], where)
    if not isinstance(end, datetime):
        end = next_day(end, where)
    if midnight(start) >= midnight(end):
        raise refused("bad_value", f"{where}: the range ends before it starts", where=where, hint="swap its two dates")
    return start, end


def moment(value: Value, where: str) -> date | datetime:
    """A day or a moment from ISO text or a date object; refuses everything else, and moments with a time zone."""
    if isinstance(value, str) and (_DATE.fullmatch(value) or _TIME.fullmatch(value)):
        with suppress(ValueError):  # the shape of a date that no calendar has
            value = date.fromisoformat(value) if _DATE.fullmatch(value) else datetime.fromisoformat(value)
    if isinstance(value, datetime) and value.tzinfo is not None:
        raise refused("not_supported", f"{where}: {value} has a time zone", where=where, hint="leave the zone out")
    if not isinstance(value, date):
        hint = "write it as 2024-01-31 or 2024-01-31T12:00:00"
        raise refused("bad_value", f"{where}: {value!r} is no date", where=where, hint=hint)
    return value


def next_day(day: date, where: str) -> date:
    """The day after; refuses the last day of the calendar."""
    if day == date.max:
        raise refused("bad_value", f"{where}: {day} is the last day there is", where=where, hint="leave the end out")
    return day + timedelta(days=1)


def midnight(value: date | datetime) -> datetime:
    """A moment as it is, a day as its first moment."""
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
