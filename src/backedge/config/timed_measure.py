"""The keys of a measure that look along time: windows, shifts, values at the last moment; and those of ratios."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal

from backedge.config.problem import Problem, nearest
from backedge.config.shape import Shape, Text
from backedge.semantic.model import MeasureType
from backedge.semantic.timed import (
    MONTHS,
    WEEKDAYS,
    Calendar,
    NonAdditive,
    Span,
    Window,
    month_of,
    reach_of,
    span_of,
    weekday_of,
)
from backedge.semantic.timed import Shift as ShiftOf

_REACHES = "`unbounded`, a number of periods, or a span such as `7 days` or `3 months`"
_COMPARABLE = ("comparable_by", "maturity")


class RollingWindow(Shape):
    """The window of a measure. `to_date` is ours."""

    what: ClassVar[str] = "a rolling window"
    trailing: str | None = None
    leading: str | None = None
    offset: Literal["start", "end"] = "end"
    to_date: Literal["year", "fiscal_year", "quarter", "fiscal_quarter", "month", "week", "day"] | None = None

    def window(self) -> Window:
        """The window as the compiler takes it."""
        return Window(
            reach_of(self.trailing or "0") or 0, reach_of(self.leading or "0") or 0, self.offset, self.to_date
        )


class Shift(Shape):
    """Another measure at another time."""

    what: ClassVar[str] = "a shift"
    measure: Text
    by: Text
    direction: Literal["prior", "next"] = "prior"
    comparable_by: object = None
    maturity: object = None

    def shift(self) -> ShiftOf:
        """The shift as the compiler takes it."""
        span = span_of(self.by) or Span()
        return ShiftOf(self.measure, span if self.direction == "prior" else -span)

    def blocking(self) -> tuple[str, ...]:
        """The keys of it that are not served yet."""
        return tuple(f"shift.{key}" for key in _COMPARABLE if getattr(self, key) is not None)


class NonAdditiveOver(Shape):
    """Over which date a measure cannot be added up, and which of its moments counts. Ours."""

    what: ClassVar[str] = "`non_additive`"
    dimension: Text
    take: Literal["last", "first"] = "last"
    per: tuple[Text, ...] = ()

    def rule(self) -> NonAdditive:
        """The rule as the compiler takes it."""
        return NonAdditive(self.dimension, self.take, self.per)


class TimedMeasure(Shape):
    """What a measure says beside its expression."""

    what: ClassVar[str] = "a measure"
    type: MeasureType | None = None
    expr: Text | None = None
    numerator: Text | None = None
    denominator: Text | None = None
    fill_nulls_with: int | float | None = None
    rolling_window: RollingWindow | None = None
    shift: Shift | None = None
    non_additive: NonAdditiveOver | None = None


class CalendarKeys(Shape):
    """The calendar of a project or a topic. Ours."""

    what: ClassVar[str] = "`calendar`"
    week_start: str | None = None
    fiscal_year_start: str | None = None

    def calendar(self) -> Calendar:
        """The calendar as the compiler takes it."""
        return Calendar(weekday_of(self.week_start), month_of(self.fiscal_year_start))


def calendar_problems(file: str, keys: CalendarKeys | None) -> Iterator[Problem]:
    """What is wrong with a calendar."""
    if keys is not None and keys.week_start is not None and keys.calendar().week_start is None:
        message = f"`week_start` is `{keys.week_start}`: write a weekday such as `monday`"
        yield Problem(file, keys.line, message, near=nearest(keys.week_start, WEEKDAYS))
    if keys is not None and keys.fiscal_year_start is not None and keys.calendar().fiscal_year_start is None:
        message = f"`fiscal_year_start` is `{keys.fiscal_year_start}`: write a month such as `april`"
        yield Problem(file, keys.line, message, near=nearest(keys.fiscal_year_start, MONTHS))


def timed_problems(file: str, name: str, raw: TimedMeasure, dimensions: Iterable[str]) -> Iterator[Problem]:
    """What is wrong with these keys of the measure `name` in a view with those dimensions."""
    yield from (Problem(file, raw.line, f"measure `{name}` {message}") for message in _ratio_problems(raw))
    if raw.rolling_window is not None:
        window = raw.rolling_window
        yield from (Problem(file, window.line, f"measure `{name}`: {message}") for message in _window_problems(window))
    if raw.shift is not None and not span_of(raw.shift.by):
        message = f"measure `{name}`: `by` of its shift is `{raw.shift.by}`: write a span such as `1 month` or `1 year`"
        yield Problem(file, raw.shift.line, message)
    if raw.non_additive is not None:
        known = tuple(dimensions)
        for key in (raw.non_additive.dimension, *raw.non_additive.per):
            if key not in known:
                message = f"measure `{name}`: `non_additive` names `{key}`, which is no dimension of its view"
                yield Problem(file, raw.non_additive.line, message, near=nearest(key, known))


def _ratio_problems(raw: TimedMeasure) -> Iterator[str]:
    parts = [key for key in ("numerator", "denominator") if getattr(raw, key)]
    if raw.type == "ratio" and (len(parts) < 2 or raw.expr):
        yield "is a ratio: give it `numerator` and `denominator` (names of measures), and no `expr`"
    elif raw.type != "ratio" and parts:
        yield f"has `{parts[0]}`, which only `type: ratio` has"


def _window_problems(window: RollingWindow) -> Iterator[str]:
    for key, text in (("trailing", window.trailing), ("leading", window.leading)):
        if text is not None and reach_of(text) is None:
            yield f"`{key}` is `{text}`: write {_REACHES}"
    said = window.trailing is not None or window.leading is not None
    if said == (window.to_date is not None):
        yield "a rolling window needs either `to_date` or `trailing` and `leading`"
