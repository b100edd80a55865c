"""From which day to which the dates of a question hold data: the small queries that find out, and what they found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from itertools import pairwise

from backedge.ask.probe import Probe, filters_of
from backedge.query.table import Table
from backedge.semantic.model import Model
from backedge.semantic.spec import By, Filter, Order, Spec

Extent = tuple[str, date, date, int]  # the path of a date, its first and last day with data, the days between two
_SEEN = 8  # days from either end on, to see how far apart they lie


def extents(model: Model, spec: Spec) -> tuple[Probe, ...]:
    """What asks for the first and the last day of every date that the question goes by, seen with the asker's eyes."""
    found: list[Probe] = []
    for path in dict.fromkeys(_dates(model, spec)):
        by, known = By(path, "day"), (Filter(path, "set"),)
        for purpose, desc in (("first", False), ("last", True)):
            order = (Order(by.name, desc),)
            one = Spec(by=(by,), where=known, order=order, limit=_SEEN, topic=spec.topic, timezone=spec.timezone)
            found.append(Probe(purpose, 0, path, one))  # type: ignore[arg-type]
    return tuple(found)


def found_extents(results: Mapping[Probe, Table]) -> tuple[Extent, ...]:
    """The extents that those queries found; a date of which one of the two is missing has none."""
    ends: dict[str, list[list[date]]] = {}
    for probe, table in results.items():
        days = [_day(row[0]) for row in table.rows if isinstance(row[0], date)]
        if days:
            ends.setdefault(probe.member, []).append(sorted(days))
    return tuple(
        (path, min(both[0][0], both[1][0]), max(both[0][-1], both[1][-1]), _step(both))
        for path, both in ends.items()
        if len(both) == 2
    )


def _step(ends: list[list[date]]) -> int:
    """The least days between two that hold data: a week of weekly data, a month of monthly."""
    return min(((b - a).days for days in ends for a, b in pairwise(days)), default=1)


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def in_zone(spec: Spec, model: Model, zone: str) -> Spec:
    """The spec with days that begin where the question is asked; days of dates begin nowhere, and stay as they are."""
    moments = any(_type(model, path) == "datetime" for path in _dates(model, spec))
    return replace(spec, timezone=zone) if moments and not spec.timezone and zone not in ("", "UTC") else spec


def _dates(model: Model, spec: Spec) -> Iterator[str]:
    """The dates that a spec groups or restricts by."""
    asked = [by.member for by in spec.by]
    asked += [given.member for condition in spec.where for given in filters_of(condition)]
    yield from (path for path in asked if _type(model, path) in ("date", "datetime"))


def _type(model: Model, path: str) -> str:
    view_name, _, name = path.partition(".")
    view = model.view(view_name)
    dimension = view.dimension(name) if view else None
    return dimension.type if dimension else ""
