"""Which periods a question compares: two that it names, or one, or each of a series, with the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from backedge.ask.grounding.alike import along, compare_like, days_text, grain_of, moved
from backedge.ask.grounding.chunks import Chunk, cut
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.periods import Period
from backedge.ask.grounding.slots import Slot, Unread
from backedge.semantic.calendar import whole_span
from backedge.semantic.spec import Comparison, Grain
from backedge.semantic.timed import periods

_UNITS: tuple[Grain, ...] = ("year", "quarter", "month", "week", "day")
_LENGTH = {"day": 1, "week": 7, "month": 28, "quarter": 84, "year": 336}  # by which a longer unit is told


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


def compared_periods(draft: Draft) -> None:
    """Decide what a comparison compares. Raises `Unread` where the words do not name two periods."""
    more, word = draft.more, draft.more.compared
    assert word is not None
    _apart(draft)
    named = [(timed, period) for timed in draft.timed for period in timed.periods]
    if any(timed.negated for timed in draft.timed):
        raise Unread(f"{word.text!r} compares periods, and one of them is left out; name both")
    if len(named) == 2 and not (more.back or more.step):
        _two(draft, _of_one_year([period for _, period in named]), word)
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
    compare_like(draft, compare, second, chunks, first.text)


def _of_one_year(named: Sequence[Period]) -> Sequence[Period]:
    """ "Q2 vs Q3 2025" are of one year; "December vs January 2025" may be of two."""
    dated = [p for p in named if p.start and p.end]
    others = [o for p in named if p.yearless for o in p.others if o.start and dated and _before_in_year(o, dated[0])]
    return [dated[0], *others] if len(dated) == len(others) == 1 else named


def _before_in_year(period: Period, named: Period) -> bool:
    first, second = period.start, named.start
    return first is not None and second is not None and first.year == second.year and first < second


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
        if count > 0 and _whole(second, unit) and moved(second, -periods(count, unit)) == first:
            return Comparison("previous_period", count, unit)
    return None


def _whole(days: tuple[date, date], unit: Grain) -> bool:
    """Whether days are a whole number of units, so that those before are as many days or calendar units."""
    span = whole_span(*days)
    return bool(span.months and span.months % (periods(1, unit).months or span.months + 1) == 0) or unit in (
        "week",
        "day",
    )


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
        along(draft, series[0], compare, period)
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
    earlier = moved(days, -back)
    compare_like(draft, compare, period, chunks, days_text(earlier))


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
