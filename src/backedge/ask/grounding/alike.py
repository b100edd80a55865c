"""Like with like: the days of two periods that the data has of both, and which periods of a series can be compared."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.coverage import Days, covered
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.periods import Period
from backedge.ask.grounding.restrictions import name_of
from backedge.ask.grounding.slots import Choice, Slot, Unread
from backedge.semantic.calendar import later, start_of, whole_span
from backedge.semantic.operators import midnight
from backedge.semantic.spec import Comparison, Filter, Grain
from backedge.semantic.timed import Calendar, Span, periods

_DAY = timedelta(days=1)
_LENGTH = {"day": 1, "week": 7, "month": 28, "quarter": 90, "year": 365}


def grain_of(choice: Choice) -> Grain | None:
    """The grain of the calendar that a choice groups by."""
    return next((by.grain for by in choice.by if by.grain), None)


def moved(days: tuple[date, date], span: Span) -> tuple[date, date]:
    start, end = (later(midnight(day), span).date() for day in days)
    return start, end


def compare_like(draft: Draft, compare: Comparison, period: Period, chunks: tuple[Chunk, ...], earlier: str) -> None:
    """Restrict the question to the days of the period that have data, and whose like the earlier period has."""
    draft.more.compare = compare
    paths = draft.chooser.date_dimensions()
    if not paths:
        raise Unread("no date dimension is declared here, so no periods can be compared", kind="no_date")
    series = {grain for slot in draft.slots for choice in slot.choices if (grain := grain_of(choice))}
    unit = next(iter(series)) if len(series) == 1 else None
    choices = [_like(draft, path, compare, period, earlier, unit) for path in paths]
    words = " and ".join(chunk.text for chunk in chunks)
    draft.slots.append(Slot("date", words, "time", tuple(choices)))
    index, taken = len(draft.slots) - 1, set(map(id, chunks))
    draft.marks = [replace(m, role="time", slot=index) if id(m.chunk) in taken else m for m in draft.marks]


def _like(draft: Draft, path: str, compare: Comparison, period: Period, earlier: str, unit: Grain | None) -> Choice:
    sources = draft.chooser.sources
    known, today = sources.values.ranges.get(path), sources.today
    start, end = period.start, period.end
    assert start is not None
    assert end is not None
    back = _span(compare, (start, end))
    (plain,) = draft.chooser.periods([path], (period,), False, implied=True)
    now = covered(start, end, known, today)
    if now is None:
        return plain
    low, high = now.first, (now.last if now.over else min(now.last, max(today, now.first))) + _DAY
    if known:  # days whose like lies before the first one with data are compared with nothing
        low = max(low, later(midnight(known[0]), back).date())
    if unit is not None:  # a row for a part of a month beside one for all of it would not be alike
        low, high = _whole_units(low, high, unit, _calendar(draft))
    before = moved((low, high), -back)
    if low >= high or (known and before[0] > known[1]):
        return replace(plain, empty=f"there is no data for {earlier}: {name_of(path)} runs from {_runs(known)}")
    where = (Filter(path, "in_range", (low, high)),)
    note = f"compared: {days_text((low, high))} with {days_text(before)}"
    says = f"{name_of(path)} in {period.text} compared with {earlier}"
    if (low, high) != (start, end):
        says = f"{name_of(path)} {days_text((low, high))} compared with {days_text(before)}"
        note += f", in whole {unit}s" if unit else ""
        note += f", because {now.says(period.text) or f'{earlier} has data from {known[0] if known else low} on'}"
    return replace(plain, where=where, note=note, says=says)


def _whole_units(low: date, high: date, unit: Grain, calendar: Calendar) -> tuple[date, date]:
    first = _floor(low, unit, calendar).date()
    return first if first == low else _next(low, unit, calendar), _floor(high, unit, calendar).date()


def _span(compare: Comparison, days: tuple[date, date]) -> Span:
    return whole_span(*days) if compare.grain is None else periods(compare.n, compare.grain)


def _runs(known: tuple[date, date] | None) -> str:
    return f"{known[0]} to {known[1]}" if known else "an unknown day on"


def days_text(days: tuple[date, date]) -> str:
    start, last = days[0], days[1] - _DAY
    return f"{start}" if start == last else f"{start} to {last}"


def along(draft: Draft, index: int, compare: Comparison, period: Period | None) -> None:
    """Each period of a series with an earlier one: those that are over, and that have an earlier one in the data."""
    draft.more.compare = compare
    slot = draft.slots[index]
    bounds = (None, None) if period is None else (period.start, period.end)
    draft.slots[index] = replace(slot, choices=tuple(_bounded(draft, c, compare, bounds) for c in slot.choices))
    if period is not None:
        _into(draft, index)


def within_data(draft: Draft, index: int) -> None:
    """Let gaps be filled in periods that the data reaches alone: that nothing is recorded yet is no 0."""
    whole = [timed for timed in draft.timed if any(period.whole for period in timed.periods)]
    if len(draft.timed) > 1 or any(timed.negated or len(timed.periods) > 1 for timed in whole):
        raise Unread("gaps are filled in one period; name one, or leave the empty periods out")
    if not whole:
        return
    period, slot = whole[0].periods[0], draft.slots[index]
    draft.slots[index] = replace(slot, choices=tuple(_reached(draft, choice, period) for choice in slot.choices))
    _into(draft, index)


def _reached(draft: Draft, choice: Choice, period: Period) -> Choice:
    grain, path = grain_of(choice), choice.by[0].member
    known, calendar = draft.chooser.sources.values.ranges.get(path), _calendar(draft)
    (plain,) = draft.chooser.periods([path], (period,), False, implied=True)
    if grain is None or known is None or plain.empty or period.start is None or period.end is None:
        return replace(choice, where=plain.where, says=plain.says, empty=plain.empty)
    low, high = (
        max(period.start, _floor(known[0], grain, calendar).date()),
        min(period.end, _next(known[1], grain, calendar)),
    )
    notes = [choice.note, plain.note]
    if (low, high) != (period.start, period.end):
        notes.append(f"{period.text} is shown from {days_text((low, high))}: the data runs from {_runs(known)}")
    where = (Filter(path, "in_range", (low, high)),)
    return replace(choice, where=where, says=plain.says, note="; ".join(filter(None, notes)))


def _into(draft: Draft, index: int) -> None:
    """Make the one period of a question part of the grouping that it bounds."""
    chunks = {id(chunk) for timed in draft.timed for chunk in timed.chunks}
    draft.timed = []
    draft.marks = [replace(m, slot=index) if id(m.chunk) in chunks else m for m in draft.marks]


def _bounded(draft: Draft, choice: Choice, compare: Comparison, bounds: tuple[date | None, date | None]) -> Choice:
    grain, path = grain_of(choice), choice.by[0].member
    assert grain is not None
    sources, calendar = draft.chooser.sources, _calendar(draft)
    known, today = sources.values.ranges.get(path), sources.today
    back = periods(compare.n, compare.grain or grain)
    first = later(_begins(known, grain, calendar), back).date() if known else None
    open_ended = _floor(today, grain, calendar).date()  # the period that today is in is not over
    ends = [day for day in (bounds[1], min(open_ended, _ends(known, grain, calendar)) if known else open_ended) if day]
    low = max((day for day in (bounds[0], first) if day), default=None)
    high = min(ends)
    if low is not None and low >= high:
        return replace(
            choice, empty=f"no {grain} has an earlier one to be compared with: {name_of(path)} runs from {_runs(known)}"
        )
    where = Filter(path, "lt", (high,)) if low is None else Filter(path, "in_range", (low, high))
    notes = [choice.note, *_left_out(known, grain, first, bounds, open_ended, high, calendar)]
    span = f"before {high}" if low is None else days_text((low, high))
    return replace(choice, where=(where,), says=f"{choice.says} {span}", note="; ".join(filter(None, notes)))


def _left_out(
    known: Days | None,
    grain: Grain,
    first: date | None,
    bounds: tuple[date | None, date | None],
    open_ended: date,
    high: date,
    calendar: Calendar,
) -> list[str]:
    """What a reader must know of the ends of a series: what is not over, has no earlier one, or is covered in part."""
    notes = []
    asked = bounds[1] or date.max
    if high == open_ended and asked > open_ended and (known is None or known[1] >= open_ended):
        notes.append(f"the {grain} of {open_ended} is not over, and left out")
    if known is None:
        return notes
    if first and (bounds[0] or date.min) < first:
        notes.append(f"compared from {first} on: there is no data before {known[0]}")
        if known[0] != (begins := _begins(known, grain, calendar).date()) and begins <= known[0]:
            notes.append(f"the {grain} of {begins} has data from {known[0]} on")
    last = _floor(known[1], grain, calendar).date()
    if known[1] + _DAY != _next(known[1], grain, calendar) and last < asked and last < open_ended:
        alone = "" if last < high else " alone, and is left out"
        notes.append(f"the {grain} of {last} has data up to {known[1]}{alone}")
    return notes


def _calendar(draft: Draft) -> Calendar:
    reckoning = draft.chooser.sources.reckoning
    return Calendar(reckoning.week_start, reckoning.fiscal)


def _floor(day: date, grain: Grain, calendar: Calendar) -> datetime:
    return start_of(midnight(day), grain, calendar)


def _next(day: date, grain: Grain, calendar: Calendar) -> date:
    return later(_floor(day, grain, calendar), periods(1, grain)).date()


def _begins(known: Days, grain: Grain, calendar: Calendar) -> datetime:
    """Where the first period begins that the data covers but for a little."""
    start = _floor(known[0], grain, calendar)
    missing = known[0] - start.date()
    return start if _hardly(missing, known, grain, calendar) else later(start, periods(1, grain))


def _ends(known: Days, grain: Grain, calendar: Calendar) -> date:
    """Where the last period ends that the data covers but for a little."""
    end = _next(known[1], grain, calendar)
    return end if _hardly(end - _DAY - known[1], known, grain, calendar) else _floor(known[1], grain, calendar).date()


def _hardly(missing: timedelta, known: Days, grain: Grain, calendar: Calendar) -> bool:
    """Whether a period lacks no more than a tenth of its days, or the data has one day of each, such as the 1st."""
    shortest = _LENGTH.get(grain, 1)
    first, last = (day - _floor(day, grain, calendar).date() for day in known)
    return missing.days * 10 <= shortest or (first == last and known[1] - known[0] >= timedelta(days=shortest))
