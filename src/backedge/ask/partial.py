"""Periods of an answer that are not over, or that the data covers only in part: what must be said of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from backedge.ask.extent import Extent
from backedge.ask.grounding.coverage import Coverage, covered, day_words, period_words
from backedge.ask.wording import time_text
from backedge.query.table import Table
from backedge.semantic.calendar import later
from backedge.semantic.grains import CLOCK_GRAINS
from backedge.semantic.operators import midnight, moment
from backedge.semantic.refusal import Refused
from backedge.semantic.spec import AnyOf, Condition, Filter, Grain, OutputColumn, Spec
from backedge.semantic.timed import periods

_Range = tuple[date | None, date | None]


@dataclass(frozen=True)
class Remarks:
    """What the sentence must say of partial periods, and what is only noted beside the answer."""

    spoken: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()


def partial_periods(
    spec: Spec, columns: tuple[OutputColumn, ...], table: Table, known: tuple[Extent, ...], today: date
) -> Remarks:
    """What to say of a result's periods. `known` are the extents of its dates.

    The sentence speaks of the groups, where there are groups by time, else of the periods asked for, else of the end.
    """
    ranges = {extent[0]: tuple(_ranges(spec, extent[0])) for extent in known}
    asked = [said for extent in known for said in _asked(ranges[extent[0]], extent, today)]
    groups = [said for extent in known for said in _groups(extent, columns, table, ranges[extent[0]], today)]
    ends = [said for extent in known for said in _ends(ranges[extent[0]], extent, today)]
    begins = [said for extent in known for said in _begins(ranges[extent[0]], extent)]
    return Remarks(tuple(groups or asked or ends), tuple(dict.fromkeys((*groups, *asked, *ends, *begins))))


def _ranges(spec: Spec, path: str) -> Iterator[_Range]:
    """The stretches of days that the question's own conditions on a date leave; one side may be open."""
    lows: list[date] = []
    highs: list[date] = []
    for condition in spec.where:
        if isinstance(condition, AnyOf):
            yield from (found for part in condition.of if (found := _stretch(part, path)) is not None)
        elif (found := _stretch(condition, path)) is not None:
            lows += [found[0]] if found[0] else []
            highs += [found[1]] if found[1] else []
    if lows or highs:
        yield max(lows, key=midnight, default=None), min(highs, key=midnight, default=None)


def _stretch(condition: Condition, path: str) -> _Range | None:
    """From when to before when one condition on a date lets rows through; None for any other condition."""
    if not isinstance(condition, Filter) or condition.member != path or None in condition.values:
        return None
    try:
        values = [moment(value, path) for value in condition.values]
    except Refused:
        return None
    if condition.op == "in_range" and len(values) == 2:
        return values[0], values[1]
    if len(values) != 1:
        return None
    start = values[0]
    after = start if isinstance(start, datetime) else start + timedelta(days=1)
    found: dict[str, _Range] = {
        "gte": (start, None),
        "gt": (after, None),
        "lt": (None, start),
        "lte": (None, after),
        "equals": (start, after),
    }
    return found.get(condition.op)


def _asked(ranges: tuple[_Range, ...], extent: Extent, today: date) -> Iterator[str]:
    for start, end in ranges:
        if start and end and not isinstance(start, datetime) and not isinstance(end, datetime):
            found = covered(start, end, extent[1:3], today, extent[3])
            if found and not found.whole:
                yield found.says(period_words(start, end))


def _ends(ranges: tuple[_Range, ...], extent: Extent, today: date) -> Iterator[str]:
    """A question without an end goes as far as the data, which may end before today."""
    path, _, last, step = extent
    if any(end is None for _, end in ranges) and last + timedelta(days=step) < today:
        yield f"the data of {path.partition('.')[2]} goes to {day_words(last)}"


def _begins(ranges: tuple[_Range, ...], extent: Extent) -> Iterator[str]:
    path, first, _, _ = extent
    if any(start is None or (end is None and _day(start) < first) for start, end in ranges):
        yield f"the data of {path.partition('.')[2]} begins on {day_words(first)}"


def _groups(
    extent: Extent, columns: tuple[OutputColumn, ...], table: Table, ranges: tuple[_Range, ...], today: date
) -> Iterator[str]:
    """The groups by time that are not over, or whose days the data has only in part."""
    for index, column in enumerate(columns):
        if column.kind != "dimension" or column.member != extent[0] or not column.grain or column.grain in CLOCK_GRAINS:
            continue
        cells = sorted({midnight(row[index]) for row in table.rows if isinstance(row[index], date)})
        for cell in cells:
            found = _bucket(cell, column, ranges, extent, today)
            if found and not found.whole:
                name = _name(cell.date(), column.grain)
                yield f"{name} is not over" if column.grain == "day" else _said(found, name)


def _name(day: date, grain: Grain) -> str:
    fiscal = grain.startswith("fiscal")
    return f"the {grain.replace('_', ' ')} of {day_words(day)}" if fiscal else time_text(day, grain)


def _said(found: Coverage, name: str) -> str:
    return found.says(name) if found.over else f"{name} is not over: {found.days}"


def _bucket(
    cell: datetime, column: OutputColumn, ranges: tuple[_Range, ...], extent: Extent, today: date
) -> Coverage | None:
    """What the data covers of a group's days, as far as the question asks for them."""
    assert column.grain is not None
    try:
        end = later(cell, periods(1, column.grain)).date()
    except Refused:
        return None  # the last month of the calendar, often written for "never"
    start = cell.date()
    if len(ranges) == 1:
        low, high = ranges[0]
        start = max(start, _day(low)) if low else start
        end = min(end, _day(high)) if high else end
    return covered(start, end, extent[1:3], today, extent[3]) if start < end else None


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
