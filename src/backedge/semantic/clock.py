"""The clock and the calendar of a question: its time zone, the first day of its weeks, the start of its fiscal year."""

from __future__ import annotations

from collections.abc import Collection
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from backedge.semantic.model import Model
from backedge.semantic.refusal import Refused, did_you_mean, nearest, refused
from backedge.semantic.spec import By, Spec
from backedge.semantic.timed import MONTHS, USUAL, WEEKDAYS, Calendar, Clock, month_of, weekday_of
from backedge.semantic.topics import applicable_topics


def clock_of(model: Model, spec: Spec) -> Clock:
    """The clock that a spec asks by: what it says itself, then its topic, then the project."""
    if spec.timezone:
        _check_zone(spec.timezone)
    calendar = _said(spec).over(_of_topics(model, spec)).over(model.calendar)
    for by in spec.by:
        if by.grain is not None and by.grain.startswith("fiscal") and calendar.fiscal_year_start is None:
            raise _no_fiscal_year(by)
    return Clock(spec.timezone, calendar)


def _said(spec: Spec) -> Calendar:
    week, fiscal = weekday_of(spec.week_start), month_of(spec.fiscal_year_start)
    if spec.week_start and week is None:
        raise _unknown("week_start", spec.week_start, WEEKDAYS)
    if spec.fiscal_year_start and fiscal is None:
        raise _unknown("fiscal_year_start", spec.fiscal_year_start, MONTHS)
    return Calendar(week, fiscal)


def _of_topics(model: Model, spec: Spec) -> Calendar:
    """What the named topic says, or all topics that could serve the question, where it matters."""
    named = model.topic(spec.topic) if spec.topic else None
    if named is not None:
        return named.calendar
    fitting = applicable_topics(model, spec)
    found = {t.calendar.over(model.calendar) for t in fitting}
    grains = {by.grain for by in spec.by if by.grain == "week" or (by.grain or "").startswith("fiscal")}
    if len(found) > 1 and grains and not _decides(_said(spec), grains):
        names = [t.name for t in fitting]
        message = (
            f"the question fits in topics with different calendars, and groups by {', '.join(sorted(map(str, grains)))}"
        )
        raise refused(
            "ambiguous_topic", message, where="topic", hint=f"name the topic: {' or '.join(names)}", near=names
        )
    return found.pop() if len(found) == 1 else USUAL


def _decides(said: Calendar, grains: Collection[str | None]) -> bool:
    week = said.week_start is not None or "week" not in grains
    return week and (said.fiscal_year_start is not None or all(g == "week" for g in grains))


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        near = nearest(name, available_timezones())
        hint = did_you_mean(near) or "write an IANA name such as Europe/Paris"
        raise refused("bad_value", f"there is no time zone {name}", where="timezone", hint=hint, near=near) from None


def _unknown(key: str, value: str, names: tuple[str, ...]) -> Refused:
    near = nearest(str(value), names)
    hint = did_you_mean(near) or f"one of {', '.join(names)}"
    return refused("bad_value", f"{key} is {value!r}", where=key, hint=hint, near=near)


def _no_fiscal_year(by: By) -> Refused:
    message = f"{by.name} needs the first month of the fiscal year, and nothing says it"
    hint = "set calendar: {fiscal_year_start: april} in config.yml or the topic, or fiscal_year_start in the request"
    return refused("unknown_grain", message, where=by.name, hint=hint)
