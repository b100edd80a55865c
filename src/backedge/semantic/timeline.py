"""The time grouping of a question as a line of periods: its bounds, and which rows each period's window sees."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from sqlglot import exp

from backedge.semantic.calendar import fits, last_start, later, nests, start_of, whole_span
from backedge.semantic.conditions import typed
from backedge.semantic.dialects import Dialect, plus, truncated
from backedge.semantic.dialects import typed as as_type
from backedge.semantic.frames import Frame
from backedge.semantic.grains import CLOCK_GRAINS
from backedge.semantic.model import Dimension
from backedge.semantic.operators import midnight, next_day
from backedge.semantic.refusal import Refused, refused
from backedge.semantic.resolve import Check, Clause, Group, Question, checks
from backedge.semantic.spec import Filter, Grain
from backedge.semantic.timed import Calendar, Reach, Span, Window, periods

_DAY = timedelta(days=1)
_MOST_PERIODS = 100_000


@dataclass(frozen=True)
class Timeline:
    """The periods of `group`, the question's grouping number `index`: those in [low, high), where that is said."""

    index: int
    group: Group
    grain: Grain
    calendar: Calendar
    low: datetime | None
    high: datetime | None
    clauses: tuple[Clause, ...]

    @property
    def first(self) -> datetime | None:
        """Where the first period begins, if the question says it."""
        return self.low and start_of(self.low, self.grain, self.calendar)

    def moment(self, at: datetime) -> date | datetime:
        """A moment as the grouping's own type has it."""
        return at.date() if self.group.dimension.type == "date" else at

    @property
    def last(self) -> datetime | None:
        """Where the last period begins, if the question says it."""
        return self.high and last_start(self.high, self.grain, self.calendar)


def timeline(question: Question, calendar: Calendar, why: str) -> Timeline:
    """The line of a question that needs one; refuses one that is not grouped by exactly one grain of time."""
    found = time_groups(question)
    if len(found) != 1:
        several = " and ".join(g.by.name for _, g, _ in found)
        said = f"the question groups by {several}" if found else "the question is not grouped by time"
        hint = "group by one date with one grain, such as month"
        raise refused("needs_time_grouping", f"{why}, and {said}", where=several, hint=hint)
    index, group, grain = found[0]
    bounds = bounds_of(question, group.view.name, group.dimension)
    line = Timeline(index, group, grain, calendar, *bounds)
    _refuse_too_many(line)
    return line


def time_groups(question: Question) -> list[tuple[int, Group, Grain]]:
    """The groupings by a grain of time, each with its place and its grain."""
    return [(i, g, grain) for i, g in enumerate(question.groups) if (grain := _grain(g)) is not None]


def bounds_of(
    question: Question, view: str, dimension: Dimension
) -> tuple[datetime | None, datetime | None, tuple[Clause, ...]]:
    """The half-open bounds that the question's own conditions set a date, and those conditions."""
    low, high, used = None, None, []
    for clause in question.clauses:
        if not isinstance(clause, Check) or clause in question.fixed:
            continue
        if (clause.view.name, clause.member.name) != (view, dimension.name):
            continue
        found = _bounds(clause.filter, dimension.type)
        if found is None:
            continue
        low = max((b for b in (low, found[0]) if b is not None), default=None)
        high = min((b for b in (high, found[1]) if b is not None), default=None)
        used.append(clause)
    return low, high, tuple(used)


def _bounds(given: Filter, type_: str) -> tuple[datetime | None, datetime | None] | None:
    """[low, high) of a condition on a date that is one stretch of time, or None."""
    if given.op not in ("equals", "gt", "gte", "lt", "lte", "in_range") or None in given.values:
        return None
    values = [typed(v, type_, given) for v in given.values]
    dates = [v for v in values if isinstance(v, date)]
    if len(dates) != (2 if given.op == "in_range" else 1):
        return None  # which compiling the condition refuses
    start = midnight(dates[0])
    if given.op == "in_range":
        return start, midnight(dates[1])
    if isinstance(dates[0], datetime) and given.op in ("equals", "gt", "lte"):
        return None  # one instant is no stretch of time
    after = midnight(next_day(dates[0], given.member)) if given.op in ("equals", "gt", "lte") else start
    return {"equals": (start, after), "gt": (after, None), "gte": (start, None), "lt": (None, start)}.get(
        given.op, (None, after)
    )


def cut_periods(question: Question) -> tuple[str, ...]:
    """What a reader must know of a first or last period that the question's bounds cut in two."""
    notes: list[str] = []
    for _, group, grain in time_groups(question):
        with suppress(Refused):  # 9999-12-31, often written for "never", has no day after it and bounds no period
            low, high, _ = bounds_of(question, group.view.name, group.dimension)
            notes += _cuts(low, "from", grain, question.clock.calendar)
            notes += _cuts(high, "until before", grain, question.clock.calendar)
    return tuple(notes)


def _cuts(bound: datetime | None, side: str, grain: Grain, calendar: Calendar) -> list[str]:
    if bound is None or bound.year == 1:  # its period may begin before there are dates
        return []
    start = start_of(bound, grain, calendar)
    period = f"the {grain.replace('_', ' ')} of {_said(start)}"
    return [] if bound == start else [f"{period} is cut: only {side} {_said(bound)}"]


def _said(at: datetime) -> str:
    return at.date().isoformat() if at == midnight(at.date()) else f"{at:%Y-%m-%d %H:%M:%S}"


def refuse_unclear(line: Timeline, question: Question, what: str) -> None:
    """Refuse where some condition on the line's date does not say which periods, or cuts one in two."""
    path = line.group.by.member
    for clause in question.clauses:
        if clause in question.fixed or clause in line.clauses:
            continue
        if any(
            (c.view.name, c.member.name) == (line.group.view.name, line.group.dimension.name) for c in checks(clause)
        ):
            message = f"{what} looks beyond the rows of its period, and a condition on {path} is no range of time"
            raise refused("unaligned_range", message, where=path, hint="filter by one range of dates")
    for bound in (line.low, line.high):
        if bound is not None and bound != start_of(bound, line.grain, line.calendar):
            near = start_of(bound, line.grain, line.calendar)
            message = f"{what} is over whole periods, and {bound:%Y-%m-%d %H:%M} is not the start of a {line.grain}"
            hint = f"filter by whole {line.grain}s, such as from {near:%Y-%m-%d}, or group by a finer grain"
            raise refused("unaligned_range", message, where=path, hint=hint)


def refuse_unfit(line: Timeline, frame: Frame, what: str) -> None:
    """Refuse a frame whose spans do not fit the grain of the line."""
    if not fits(frame.back, line.grain):
        message = f"{what} is {frame.back.words} apart, which is no whole number of {line.grain}s"
        hint = (
            "group by month, or shift by weeks" if line.grain == "week" else f"group by a finer grain than {line.grain}"
        )
        raise refused("unfit_grain", message, where=line.group.by.name, hint=hint)
    window = frame.window
    if window is None:
        return
    if window.to_date and not nests(line.grain, window.to_date):
        message = f"{what} is {window.to_date} to date, and a {line.grain} is not within one {window.to_date}"
        raise refused("unfit_grain", message, where=line.group.by.name, hint="group by day or month")
    seconds = any(isinstance(r, Span) and r.seconds for r in (window.trailing, window.leading))
    if line.group.dimension.type == "date" and seconds:
        message = f"{what} has a window of hours, and {line.group.by.member} is a date"
        raise refused("unfit_grain", message, where=line.group.by.name, hint="use a window of days")


def seen(line: Timeline, frame: Frame, moment: exp.Expr, period: exp.Expr, dialect: Dialect) -> tuple[exp.Expr, ...]:
    """The conditions under which a row at `moment` is in the frame of the period that begins at `period`."""
    type_ = line.group.dimension.type
    one = periods(1, line.grain)
    start = plus(dialect, period, -frame.back)
    end = plus(dialect, start, one)
    low, high = _window(line, frame.window, start, end, dialect) if frame.window else (start, end)
    tests: list[exp.Expr] = []
    if low is not None:
        tests.append(exp.GTE(this=moment.copy(), expression=as_type(dialect, low, type_)))
    if high is not None:
        tests.append(exp.LT(this=moment.copy(), expression=as_type(dialect, high, type_)))
    if frame.back.months and (line.grain in CLOCK_GRAINS or line.grain == "day"):
        # March 31 has no day a month before it: that is nothing, not the last of February once more
        again = as_type(dialect, plus(dialect, start, frame.back), type_)
        tests.append(exp.EQ(this=again, expression=period.copy()))
    return tuple(tests) or (exp.Not(this=exp.Is(this=moment.copy(), expression=exp.Null())),)


def _window(
    line: Timeline, window: Window, start: exp.Expr, end: exp.Expr, dialect: Dialect
) -> tuple[exp.Expr | None, exp.Expr | None]:
    if window.to_date:
        return truncated(dialect, start, window.to_date, line.group.dimension.type, line.calendar), end
    anchor = end if window.offset == "end" else start

    def reach(far: Reach, sign: int) -> exp.Expr | None:
        if far == "unbounded":
            return None
        span = far if isinstance(far, Span) else periods(int(far), line.grain)
        return plus(dialect, anchor, span if sign > 0 else -span)

    return reach(window.trailing, -1), reach(window.leading, 1)


def moved(question: Question, back: Span, what: str) -> tuple[tuple[Clause, ...], Check]:
    """The conditions that bound the one date of a question without time groupings, and what they are `back` a span."""
    dates = {
        (c.view.name, c.member.name): c
        for c in question.clauses
        if isinstance(c, Check) and isinstance(c.member, Dimension) and c.member.type in ("date", "datetime")
    }
    dated = [g.by.name for g in question.groups if g.dimension.type in ("date", "datetime")]
    if dated:
        raise no_range(what, [], f"{' and '.join(dated)} has no grain")
    ranges = []
    for (view, _), check in dates.items():
        assert isinstance(check.member, Dimension)
        low, high, used = bounds_of(question, view, check.member)
        if low is not None and high is not None:
            ranges.append((check, low, high, used))
    if len(ranges) != 1:
        raise no_range(what, [c.filter.member for c, *_ in ranges])
    check, low, high, used = ranges[0]
    bounds = tuple(_moment(later(m, -back), check) for m in (low, high))
    return used, replace(check, filter=Filter(check.filter.member, "in_range", bounds))


def range_length(question: Question, what: str) -> Span:
    """How long the one range of dates of a question is."""
    _, check = moved(question, Span(), what)
    start, end = check.filter.values
    assert isinstance(start, date)
    assert isinstance(end, date)
    return whole_span(start, end)


def no_range(what: str, ranges: Iterable[str], because: str = "") -> Refused:
    """The refusal of a comparison that has nothing to compare with."""
    found = " and ".join(ranges)
    said = f"the question has ranges of {found}" if found else "the question has no range of dates with both ends"
    said = because or said
    hint = "filter by one range of dates, or group by a date with a grain"
    return refused("needs_time_grouping", f"{what} compares periods, and {said}", where=found, hint=hint)


def _moment(at: datetime, check: Check) -> date | datetime:
    assert isinstance(check.member, Dimension)
    return at.date() if check.member.type == "date" else at


def _grain(group: Group) -> Grain | None:
    if group.by.grain is None and group.dimension.type == "date":
        return "day"
    return group.by.grain


def _refuse_too_many(line: Timeline) -> None:
    if line.first is None or line.last is None:
        return
    shortest = periods(1, line.grain)
    seconds = shortest.seconds or 86_400 * (shortest.days or shortest.months * 28)
    number = int((line.last - line.first).total_seconds()) // seconds
    if number > _MOST_PERIODS:
        message = f"{number:,} {line.grain}s lie between the bounds of {line.group.by.member}"
        hint = f"at most {_MOST_PERIODS:,} are filled: ask for a shorter range or a coarser grain"
        raise refused("bad_value", message, where=line.group.by.name, hint=hint)
