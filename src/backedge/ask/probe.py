"""Why a result is empty: which small queries find out, and what their results say. It decides and asks nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

from backedge.query.table import Cell, Table
from backedge.semantic.model import Dimension, Model
from backedge.semantic.spec import All, AnyOf, By, Condition, Filter, Order, Spec

MOST_FILTERS = 8
MOST_VALUES = 1_000
NEAR = 60.0
Purpose = Literal["alone", "without", "values", "first", "last", "tie"]


@dataclass(frozen=True)
class Probe:
    """One small query: `about` is the place of the condition in the spec's `where`, `member` the path it looks at."""

    purpose: Purpose
    about: int
    member: str
    spec: Spec


@dataclass(frozen=True)
class Finding:
    """What was found of one condition, in words; `near` are values that the data holds, nearest first."""

    kind: Literal["no_such_value", "outside_range", "no_rows", "empties", "together"]
    message: str
    member: str = ""
    near: tuple[str, ...] = ()


Results = Mapping[Probe, Table]


def alone(model: Model, spec: Spec) -> tuple[Probe, ...]:
    """Does each condition find rows by itself?"""
    found = []
    for place, condition in enumerate(spec.where[:MOST_FILTERS]):
        members = [_dimension(model, given.member) for given in filters_of(condition)]
        if members and all(members):
            path = filters_of(condition)[0].member
            found.append(Probe("alone", place, path, _one(spec, By(path), (condition,))))
    return tuple(found)


def deeper(model: Model, spec: Spec, first: Results) -> tuple[Probe, ...]:
    """What the data does hold where a condition finds nothing; if each finds rows, the question without each."""
    lonely = [probe for probe, table in first.items() if not table.rows]
    if lonely:
        return tuple(p for probe in lonely for p in _holdings(model, spec, probe))
    whole = range(len(spec.where[:MOST_FILTERS])) if len(spec.where) > 1 else ()
    return tuple(Probe("without", place, "", _without(spec, place)) for place in whole)


def findings(spec: Spec, words: tuple[str, ...], results: Results) -> tuple[Finding, ...]:
    """What the results say. `words` are the spec's conditions as a reader says them, in their order."""
    lonely = [probe for probe, table in results.items() if probe.purpose == "alone" and not table.rows]
    if lonely:
        return tuple(_lonely(spec, words, probe, results) for probe in lonely)
    freed = [p for p, table in results.items() if p.purpose == "without" and _has_value(table)]
    if freed:
        left_out = " or ".join(f"without {words[p.about]}" for p in freed)
        return (Finding("empties", f"no row fulfils all of the filters; {left_out} there are rows"),)
    if len(spec.where) > 1:
        return (Finding("together", "no row fulfils all of the filters, though each finds rows by itself"),)
    return ()


def filters_of(condition: Condition) -> tuple[Filter, ...]:
    """The single filters in a tree of conditions."""
    if isinstance(condition, Filter):
        return (condition,)
    return tuple(given for part in condition.of for given in filters_of(part))


def respelt(spec: Spec, near: Mapping[str, str]) -> Spec:
    """The spec with filter values replaced by what the data holds: `near` maps a value to its true spelling."""

    def change(condition: Condition) -> Condition:
        if isinstance(condition, Filter):
            return replace(
                condition, values=tuple(near.get(v, v) if isinstance(v, str) else v for v in condition.values)
            )
        kind = All if isinstance(condition, All) else AnyOf
        return kind(tuple(change(part) for part in condition.of))

    return replace(spec, where=tuple(change(condition) for condition in spec.where))


def _holdings(model: Model, spec: Spec, probe: Probe) -> Iterable[Probe]:
    for path in dict.fromkeys(given.member for given in filters_of(spec.where[probe.about])):
        dimension, by = _dimension(model, path), By(path)
        known = (Filter(path, "set"),)
        if dimension is None:
            continue
        if dimension.type in ("date", "datetime"):
            for purpose, desc in (("first", False), ("last", True)):
                ordered = replace(_one(spec, by, known), order=(Order(path, desc),))
                yield Probe(purpose, probe.about, path, ordered)  # type: ignore[arg-type]
        elif dimension.type == "string":
            yield Probe("values", probe.about, path, replace(_one(spec, by, known), limit=MOST_VALUES))


def _lonely(spec: Spec, words: tuple[str, ...], probe: Probe, results: Results) -> Finding:
    said = words[probe.about]
    ranges = {p.purpose: t.rows[0][0] for p, t in results.items() if p.about == probe.about and t.rows}
    if "first" in ranges and "last" in ranges:
        first, last = _day(ranges["first"]), _day(ranges["last"])
        message = f"no row has {said}: {probe.member} runs from {first} to {last}"
        return Finding("outside_range", message, probe.member)
    held = [
        str(row[0]) for p, t in results.items() if p.purpose == "values" and p.about == probe.about for row in t.rows
    ]
    asked = [v for given in filters_of(spec.where[probe.about]) for v in given.values if isinstance(v, str)]
    near = _nearest(asked, held)
    if asked and held:
        hint = f" (nearest: {', '.join(near)})" if near else ""
        return Finding("no_such_value", f"no row has {said}{hint}", probe.member, near)
    return Finding("no_rows", f"no row has {said}", probe.member)


def _nearest(asked: list[str], held: list[str]) -> tuple[str, ...]:
    from rapidfuzz import fuzz, process  # only an empty result pays for the import

    found = [
        name
        for value in asked
        for name, _, _ in process.extract(
            value, held, scorer=fuzz.WRatio, processor=str.casefold, limit=3, score_cutoff=NEAR
        )
    ]
    return tuple(dict.fromkeys(found))


def _has_value(table: Table) -> bool:
    return any(cell not in (None, 0) for row in table.rows for cell in row)


def _one(spec: Spec, by: By, where: tuple[Condition, ...]) -> Spec:
    return Spec(by=(by,), where=where, topic=spec.topic, limit=1, timezone=spec.timezone)


def _without(spec: Spec, place: int) -> Spec:
    kept = tuple(condition for i, condition in enumerate(spec.where) if i != place)
    return replace(spec, where=kept, limit=1, offset=None)


def _dimension(model: Model, path: str) -> Dimension | None:
    view_name, _, name = path.partition(".")
    view = model.view(view_name)
    return view.dimension(name) if view else None


def _day(cell: Cell) -> date | Cell:
    return cell.date() if isinstance(cell, datetime) else cell
