"""Periods compared: which one with which earlier one, like with like where one is not over or covered in part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from backedge.ask.grounding.chunks import Chunk, cut
from backedge.ask.grounding.coverage import covered
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.periods import Period
from backedge.ask.grounding.restrictions import name_of
from backedge.ask.grounding.slots import Choice, Slot, Unread
from backedge.semantic.calendar import later, start_of, whole_span
from backedge.semantic.operators import midnight
from backedge.semantic.spec import Comparison, Filter, Grain
from backedge.semantic.timed import Calendar, Span, periods

_UNITS: tuple[Grain, ...] = ("year", "quarter", "month", "week", "day")
_LENGTH = {"day": 1, "week": 7, "month": 28, "quarter": 84, "year": 336}  # by which a longer unit is told
_DAY = timedelta(days=1)


def grouped_in_time(draft: Draft) -> list[int]:
    """The slots that group by a grain of the calendar; what else they may mean falls away."""
    found = [
        i
        for i in (*draft.with_role("dimension"), *draft.with_role("grain"))
        if any(map(grain_of, draft.slots[i].choices))
    ]
    for index in found:
        slot = draft.slots[index]
        draft.slots[index] = replace(slot, choices=tuple(c for c in slot.choices if grain_of(c)))
    return found


def grain_of(choice: Choice) -> Grain | None:
    """The grain of the calendar that a choice groups by."""
    return next((by.grain for by in choice.by if by.grain), None)


def compared_periods(draft: Draft) -> None:
    """Decide what a comparison compares. Raises `Unread` where the words do not name two periods."""
    more, word = draft.more, draft.more.compared
    assert word is not None
    _apart(draft)
    named = [(timed, period) for timed in draft.timed for period in timed.periods]
    if any(timed.negated for timed in draft.timed):
        raise Unread(f"{word.text!r} compares periods, and one of them is left out; name both")
    if len(named) == 2 and not (more.back or more.step):
        _two(draft, [period for _, period in named], word)
    elif len(named) > 1:
        raise Unread(f"{word.text!r} compares two periods; name two of them")
    elif more.back or more.step or more.changes:
        _before(draft, named[0][1] if named else None, word)
    elif word.symbol != "pair" or not (draft.with_role("dimension") or len(draft.with_role("measure")) > 1):
        raise Unread(f"{word.text!r} needs two periods, such as 'in 2023 and 2024', or a dimension after 'by'")


def _apart(draft: Draft) -> None:
    """ "Change from 2023 to 2024" and "compare … between May and June 2024" name two periods, not all from one on.

    Along time, "growth by month from January to June", they name one.
    """
    more = draft.more
    if grouped_in_time(draft) or more.back or more.step or len(draft.timed) != 1 or len(draft.timed[0].chunks) != 1:
        return
    parts = _ends(draft, draft.timed[0].chunks[0])
    if not parts:
        return
    said = draft.timed[0].chunks[0]
    if not more.changes and said.words[0].folded != "between":
        raise Unread(f"{said.text!r} may be two periods or all days between them; join two periods with 'and'")
    draft.timed[0] = replace(draft.timed[0], periods=tuple(p.period for p in parts if p.period))


def _ends(draft: Draft, chunk: Chunk) -> list[Chunk]:
    """The two periods of "from A to B" or "between A and B", or nothing."""
    words = chunk.words[1:] if chunk.words[0].folded in ("from", "between") else chunk.words
    for at, word in enumerate(words[1:-1], 1):
        if word.folded in ("to", "and", "until", "till"):
            ends = [cut(part, draft.chooser.sources) for part in (words[:at], words[at + 1 :])]
            if all(len(end) == 1 and end[0].period and end[0].period.whole for end in ends):
                return [end[0] for end in ends]
    return []


def _two(draft: Draft, named: Sequence[Period], word: Chunk) -> None:
    """The later of two periods beside the earlier one, which must lie a whole number of units before it."""
    first, second = sorted(named, key=lambda p: _day(p, word)[0])
    compare = _distance(_day(first, word), _day(second, word))
    if compare is None:
        raise Unread(
            f"{first.text} and {second.text} are not of the same length, so nothing compares like with like; name two "
            f"years, quarters, months, weeks or days"
        )
    chunks = tuple(chunk for timed in draft.timed for chunk in timed.chunks)
    draft.timed = []
    _compare(draft, compare, replace(second, text=second.text), chunks, first.text)


def _day(period: Period, word: Chunk) -> tuple[date, date]:
    start, end = period.start, period.end
    if start is None or end is None or isinstance(start, datetime) or isinstance(end, datetime):
        raise Unread(f"{word.text!r} compares whole days, and {period.text} has no first and last one")
    return start, end


def _distance(first: tuple[date, date], second: tuple[date, date]) -> Comparison | None:
    for unit in _UNITS:
        span = periods(1, unit)
        months = (second[0].year - first[0].year) * 12 + second[0].month - first[0].month
        count = months // span.months if span.months else (second[0] - first[0]).days // span.days
        if count > 0 and _whole(second, unit) and _moved(second, -periods(count, unit)) == first:
            return Comparison("previous_period", count, unit)
    return None


def _whole(days: tuple[date, date], unit: Grain) -> bool:
    """Whether days are a whole number of units, so that those before are as many days or calendar units."""
    span = whole_span(*days)
    return bool(span.months and span.months % (periods(1, unit).months or span.months + 1) == 0) or unit in (
        "week",
        "day",
    )


def _moved(days: tuple[date, date], span: Span) -> tuple[date, date]:
    start, end = (later(midnight(day), span).date() for day in days)
    return start, end


def _before(draft: Draft, period: Period | None, word: Chunk) -> None:
    """A period, or each period of a series, beside the one before it or that of the year before."""
    more, series = draft.more, grouped_in_time(draft)
    unit: Grain | None = more.step or (None if more.back in ("", "period") else _grain(more.back))
    days = _day(period, word) if period and period.start and period.end else None
    if more.step and not series and (days is None or _length(days) > _LENGTH[more.step]):
        series = [_series(draft, more.step)]
    if period is None and not series:
        raise Unread(f"{word.text!r} compares with what? name a period, or add 'by month'")
    compare = Comparison() if unit is None else Comparison("previous_period", 1, unit)
    if series:
        _along(draft, series[0], compare, period)
        return
    if days is None:
        raise Unread(f"{word.text!r} needs a period with a first and a last day")
    if unit is not None and _length(days) > _LENGTH[unit]:
        raise Unread(
            f"{period.text if period else ''} is longer than a {unit}, so it is not compared with the {unit} before"
        )
    assert period is not None
    chunks = draft.timed[0].chunks
    draft.timed = []
    back = whole_span(*days) if unit is None else periods(1, unit)
    earlier = _moved(days, -back)
    _compare(draft, compare, period, chunks, _said(earlier))


def _grain(unit: str) -> Grain:
    return next(known for known in _UNITS if known == unit)


def _length(days: tuple[date, date]) -> int:
    """Days, a month counted as 28 of them, so that a month is no longer than a month."""
    span = whole_span(*days)
    return span.months * 28 if span.months else span.days


def _series(draft: Draft, unit: Grain) -> int:
    choices = draft.chooser.grains(unit, 0)
    if not choices:
        raise Unread(f"no date dimension is declared here that {unit}s could be made of", kind="no_date")
    draft.slots.append(Slot(f"by:{unit} step", unit, "grain", tuple(choices)))
    return len(draft.slots) - 1


# Like with like


def _compare(draft: Draft, compare: Comparison, period: Period, chunks: tuple[Chunk, ...], earlier: str) -> None:
    """Restrict the question to the days of the period that have data, and whose like the earlier period has."""
    draft.more.compare = compare
    paths = draft.chooser.date_dimensions()
    if not paths:
        raise Unread("no date dimension is declared here, so no periods can be compared", kind="no_date")
    choices = [_like(draft, path, compare, period, earlier) for path in paths]
    words = " and ".join(chunk.text for chunk in chunks)
    draft.slots.append(Slot("date", words, "time", tuple(choices)))
    index, taken = len(draft.slots) - 1, set(map(id, chunks))
    draft.marks = [replace(m, role="time", slot=index) if id(m.chunk) in taken else m for m in draft.marks]


def _like(draft: Draft, path: str, compare: Comparison, period: Period, earlier: str) -> Choice:
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
    before = _moved((low, high), -back)
    if low >= high or (known and before[0] > known[1]):
        return replace(plain, empty=f"there is no data for {earlier}: {name_of(path)} runs from {_runs(known)}")
    where = (Filter(path, "in_range", (low, high)),)
    note = f"compared: {_said((low, high))} with {_said(before)}"
    says = f"{name_of(path)} in {period.text} compared with {earlier}"
    if (low, high) != (start, end):
        says = f"{name_of(path)} {_said((low, high))} compared with {_said(before)}"
        note += f", because {now.says(period.text) or f'{earlier} has data from {known[0] if known else low} on'}"
    return replace(plain, where=where, note=note, says=says)


def _span(compare: Comparison, days: tuple[date, date]) -> Span:
    return whole_span(*days) if compare.grain is None else periods(compare.n, compare.grain)


def _runs(known: tuple[date, date] | None) -> str:
    return f"{known[0]} to {known[1]}" if known else "an unknown day on"


def _said(days: tuple[date, date]) -> str:
    start, last = days[0], days[1] - _DAY
    return f"{start}" if start == last else f"{start} to {last}"


# Along time


def _along(draft: Draft, index: int, compare: Comparison, period: Period | None) -> None:
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
    known = draft.chooser.sources.values.ranges.get(path)
    (plain,) = draft.chooser.periods([path], (period,), False, implied=True)
    if grain is None or known is None or plain.empty or period.start is None or period.end is None:
        return replace(choice, where=plain.where, says=plain.says, empty=plain.empty)
    low, high = max(period.start, _floor(known[0], grain).date()), min(period.end, _next(known[1], grain))
    notes = [choice.note, plain.note]
    if (low, high) != (period.start, period.end):
        notes.append(f"{period.text} is shown from {_said((low, high))}: the data runs from {_runs(known)}")
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
    sources = draft.chooser.sources
    known, today = sources.values.ranges.get(path), sources.today
    back = periods(compare.n, compare.grain or grain)
    first = later(_floor(known[0], grain), back).date() if known else None
    open_ended = _floor(today, grain).date()  # the period that today is in is not over
    ends = [day for day in (bounds[1], min(open_ended, _next(known[1], grain)) if known else open_ended) if day]
    low = max((day for day in (bounds[0], first) if day), default=None)
    high = min(ends)
    if low is not None and low >= high:
        return replace(
            choice, empty=f"no {grain} has an earlier one to be compared with: {name_of(path)} runs from {_runs(known)}"
        )
    where = Filter(path, "lt", (high,)) if low is None else Filter(path, "in_range", (low, high))
    notes = [choice.note, *_left_out(known, grain, first, bounds, open_ended, high)]
    span = f"before {high}" if low is None else _said((low, high))
    return replace(choice, where=(where,), says=f"{choice.says} {span}", note="; ".join(filter(None, notes)))


def _left_out(
    known: tuple[date, date] | None,
    grain: Grain,
    first: date | None,
    bounds: tuple[date | None, date | None],
    open_ended: date,
    high: date,
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
    begins = _floor(known[0], grain).date()
    if known[0] != begins and first and first >= (bounds[0] or date.min):
        notes.append(f"the {grain} of {begins} has data from {known[0]} on")
    last = _floor(known[1], grain).date()
    if last < high and known[1] + _DAY != _next(known[1], grain):
        notes.append(f"the {grain} of {last} has data up to {known[1]}")
    return notes


def _floor(day: date, grain: Grain) -> datetime:
    return start_of(midnight(day), grain, Calendar())


def _next(day: date, grain: Grain) -> date:
    return later(_floor(day, grain), periods(1, grain)).date()
