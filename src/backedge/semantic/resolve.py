"""A spec's names as members of the model: every path found or refused with the nearest one that exists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import get_args

from backedge.semantic import topics
from backedge.semantic.clock import clock_of
from backedge.semantic.grains import CLOCK_GRAINS, grain_named
from backedge.semantic.model import Dimension, Measure, Model, Segment, View
from backedge.semantic.operators import NEGATIVE
from backedge.semantic.refusal import Findings, Refused, did_you_mean, nearest, refused
from backedge.semantic.spec import AnyOf, By, Condition, Filter, Order, Policy, Spec, Value
from backedge.semantic.timed import Clock

COMPARED = ("previous", "change", "change_percent")
PARTED = ("part", "percent")
Member = Dimension | Measure | Segment


@dataclass(frozen=True)
class Group:
    """One grouping with its declaration."""

    by: By
    view: View
    dimension: Dimension


@dataclass(frozen=True)
class Asked:
    """One measure with its declaration."""

    path: str
    view: View
    measure: Measure


@dataclass(frozen=True)
class Check:
    """One condition with the member that it is on. A segment is a check that its own expression holds."""

    filter: Filter
    view: View
    member: Member


@dataclass(frozen=True)
class Every:
    """All of `of` must hold."""

    of: tuple[Clause, ...]


@dataclass(frozen=True)
class Some:
    """At least one of `of` must hold."""

    of: tuple[Clause, ...]


Clause = Check | Every | Some


@dataclass(frozen=True)
class Question:
    """A spec whose names are all known. `order` holds (index into groups then measures, descending).

    `fixed` are those of its clauses that no one asked for: a topic's, which hold for every row that is looked at.
    `part` are the conditions of a share, `per` the places of the groupings within which order and limit hold.
    """

    groups: tuple[Group, ...]
    measures: tuple[Asked, ...]
    clauses: tuple[Clause, ...]
    order: tuple[tuple[int, bool], ...]
    limit: int | None
    offset: int | None
    filters: tuple[str, ...]
    notes: tuple[str, ...]
    spec: Spec
    fixed: tuple[Clause, ...] = ()
    clock: Clock = field(default_factory=Clock)
    part: tuple[Clause, ...] = ()
    per: tuple[int, ...] = ()


def resolve(model: Model, spec: Spec) -> Question:
    """Find everything that the spec names; refuses with all defects at once."""
    findings = Findings()
    find = partial(_clause, model)
    groups = findings.each(partial(_group, model), dict.fromkeys(spec.by))
    measures = findings.each(partial(_asked, model), dict.fromkeys(spec.measures))
    asked = findings.each(find, spec.where)
    segments = findings.each(partial(_segment, model), dict.fromkeys(spec.segments))
    applied = findings.attempt(partial(topics.applied, model, spec)) or topics.Applied()
    defaults = findings.each(find, [condition for _, condition in applied.filters])
    known = len(groups) == len(set(spec.by)) and len(measures) == len(set(spec.measures))
    order = findings.each(partial(_order, groups, measures, _added(spec)), spec.order) if known else ()
    part = findings.each(partial(_part, model), spec.part)
    per = findings.each(partial(_per, groups), spec.per) if known else ()
    findings.attempt(partial(_check_shape, spec))
    clock = findings.attempt(partial(clock_of, model, spec)) or Clock()
    findings.close()
    clauses = (*asked, *segments, *defaults)
    said = [f"topic {name}: {words(c)}" for (name, _), c in zip(applied.filters, defaults, strict=True)]
    return Question(
        groups=groups,
        measures=measures,
        clauses=tuple(part for clause in clauses for part in _conjuncts(clause)),
        order=order,
        limit=spec.limit,
        offset=spec.offset,
        filters=(*(words(c) for c in (*asked, *segments)), *said),
        notes=(*applied.notes, *_missing_notes((*clauses, *part))),
        spec=spec,
        fixed=tuple(part for clause in defaults for part in _conjuncts(clause)),
        clock=clock,
        part=tuple(p for clause in part for p in _conjuncts(clause)),
        per=per,
    )


def compared(question: Question) -> Iterator[tuple[Asked, str]]:
    """The columns that a comparison or a share adds after the measures: each measure with what the column is of it."""
    yield from ((m, added) for m in question.measures for added in _added(question.spec))


def _added(spec: Spec) -> tuple[str, ...]:
    return COMPARED if spec.compare is not None else PARTED if spec.part else ()


def words(clause: Clause) -> str:
    """A condition as a reader says it."""
    if isinstance(clause, Every):
        return " and ".join(words(c) if not isinstance(c, Some) else f"({words(c)})" for c in clause.of)
    if isinstance(clause, Some):
        return " or ".join(words(c) if not isinstance(c, Every) else f"({words(c)})" for c in clause.of)
    if isinstance(clause.member, Segment):
        return f"segment {clause.filter.member}"
    return _filter_words(clause.filter)


def checks(clause: Clause) -> tuple[Check, ...]:
    """Every single condition in a tree of them."""
    return (clause,) if isinstance(clause, Check) else tuple(c for part in clause.of for c in checks(part))


def _filter_words(given: Filter) -> str:
    signs = {"equals": "=", "in": "in", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "not_equals": "is not"}
    sign = signs.get(given.op, given.op.replace("_", " "))
    values = [_value_words(v) for v in given.values]
    if given.op in ("in_range", "not_in_range") and len(values) == 2:
        return f"{given.member} {sign.replace('in range', 'from')} {values[0]} until before {values[1]}"
    return " ".join([given.member, sign, ", ".join(values)]).strip()


def _value_words(value: Value) -> str:
    return "nothing" if value is None else str(value)


def _missing_notes(clauses: tuple[Clause, ...]) -> tuple[str, ...]:
    kept = [c.filter for clause in clauses for c in checks(clause)]
    kept = [f for f in kept if f.op in NEGATIVE and None not in f.values]
    return tuple(dict.fromkeys(f"rows without {f.member} pass the filter {_filter_words(f)}" for f in kept))


def _conjuncts(clause: Clause) -> tuple[Clause, ...]:
    return tuple(c for part in clause.of for c in _conjuncts(part)) if isinstance(clause, Every) else (clause,)


def _group(model: Model, by: By) -> Group:
    view, member = _find(model, by.member, Dimension)
    assert isinstance(member, Dimension)
    if by.grain is None:
        return Group(by, view, member)
    grain_named(by.grain, by.member)
    if member.type not in ("date", "datetime"):
        near = tuple(f"{view.name}.{d.name}" for d in view.dimensions if d.type in ("date", "datetime"))
        message = f"{by.member} is a {member.type} and has no {by.grain}"
        hint = f"use {' or '.join(near)}" if near else "leave the grain out"
        raise refused("type_mismatch", message, where=by.member, hint=hint, near=near)
    if member.type == "date" and by.grain in CLOCK_GRAINS:
        message = f"{by.member} is a date and has no {by.grain}"
        raise refused("type_mismatch", message, where=by.member, hint="the finest grain of a date is day")
    return Group(by, view, member)


def _asked(model: Model, path: str) -> Asked:
    view, member = _find(model, path, Measure)
    assert isinstance(member, Measure)
    return Asked(path, view, member)


def _segment(model: Model, path: str) -> Clause:
    view, member = _find(model, path, Segment)
    return Check(Filter(path, "set"), view, member)


def _clause(model: Model, condition: Condition) -> Clause:
    if isinstance(condition, Filter):
        return Check(condition, *_find(model, condition.member, Dimension, Measure))
    if not condition.of:
        raise refused("bad_value", "a group of conditions is empty", where="where", hint="leave it out")
    findings = Findings()
    of = findings.each(partial(_clause, model), condition.of)
    findings.close()
    return Some(of) if isinstance(condition, AnyOf) else Every(of)


def _part(model: Model, condition: Condition) -> Clause:
    """A condition of a share: on dimensions, or a segment that must be `set`."""
    if isinstance(condition, Filter) and condition.op == "set":
        view, _, name = condition.member.partition(".")
        if (owner := model.view(view)) and any(s.name == name for s in owner.segments):
            return _segment(model, condition.member)
    clause = _clause(model, condition)
    for check in checks(clause):
        if isinstance(check.member, Measure):
            message = f"{check.filter.member} is a measure, and a share is of rows"
            raise refused("bad_value", message, where=check.filter.member, hint="name a dimension")
    return clause


def _per(groups: tuple[Group, ...], name: str) -> int:
    found = next((i for i, g in enumerate(groups) if g.by.name == name), None)
    if found is None:
        near = tuple(g.by.name for g in groups)
        message = f"{name} is no grouping of the question, so nothing is ranked within it"
        raise refused("unknown_order", message, where="per", hint=f"one of {', '.join(near) or 'none'}", near=near)
    return found


def _find(model: Model, path: str, *kinds: type[Member]) -> tuple[View, Member]:
    owner, _, name = path.partition(".")
    view = model.view(owner)
    if view is not None:
        members: tuple[Member, ...] = (*view.dimensions, *view.measures, *view.segments)
        found = [m for m in members if m.name == name]
        right = next((m for m in found if isinstance(m, kinds)), None)
        if right is not None:
            return view, right
        if found:
            raise _wrong_kind(path, found[0], kinds)
    wanted = " or ".join(kind.__name__.lower() for kind in kinds)
    paths = [f"{v.name}.{m.name}" for v, m in model.members() if isinstance(m, kinds)]
    near = nearest(path, paths)
    hint = did_you_mean(near) or f"write view.{wanted.split(' ')[0]}"
    raise refused("unknown_member", f"there is no {wanted} {path}", where=path, hint=hint, near=near)


def _wrong_kind(path: str, member: Member, kinds: tuple[type[Member], ...]) -> Refused:
    is_, wanted = type(member).__name__.lower(), " or ".join(k.__name__.lower() for k in kinds)
    places = {"dimension": "dimensions", "measure": "measures", "segment": "segments"}
    return refused(
        "unknown_member",
        f"{path} is a {is_}, not a {wanted}",
        where=path,
        hint=f"ask for it under {places[is_]}",
        near=(path,),
    )


def _order(
    groups: tuple[Group, ...], measures: tuple[Asked, ...], added: tuple[str, ...], order: Order
) -> tuple[int, bool]:
    names = [(g.by.name, g.by.member) for g in groups] + [(m.path, m.path) for m in measures]
    names += [(f"{m.path}.{part}", f"{m.path}.{part}") for m in measures for part in added]
    by_name = [i for i, (name, _) in enumerate(names) if order.by == name]
    by_path = [i for i, (_, path) in enumerate(names) if order.by == path]
    short = [i for i, pair in enumerate(names) if order.by in _short_names(*pair)]
    found = by_name or by_path or short
    if len(found) == 1:
        return found[0], order.desc
    if found:
        near = tuple(names[i][0] for i in found)
        message = f"order by {order.by} may mean {' or '.join(near)}"
        raise refused("ambiguous_order", message, where="order", hint="write the whole path", near=near)
    near = nearest(order.by, (name for name, _ in names)) or tuple(name for name, _ in names)
    message = f"{order.by} is not asked for, so nothing can be ordered by it"
    raise refused("unknown_order", message, where="order", hint=f"order by {' or '.join(near) or 'nothing'}", near=near)


def _short_names(name: str, path: str) -> set[str]:
    view, _, member = path.partition(".")
    grain = name[len(path) + 1 :]
    column = f"{member}_{grain}" if grain else member
    return {member, column, f"{view}__{column}", f"{member}.{grain}"}


def _check_shape(spec: Spec) -> None:
    for name, number in (("limit", spec.limit), ("offset", spec.offset)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 0):
            raise refused("bad_value", f"{name} is {number!r}", where=name, hint="give a whole number from 0 up")
    if spec.listing and spec.measures:
        message = f"a listing has rows, not totals such as {spec.measures[0]}"
        raise refused("bad_value", message, where=spec.measures[0], hint="leave the measures out, or ungrouped")
    if spec.listing and any(by.fill for by in spec.by):
        raise refused("bad_value", "a listing has rows, not periods to fill", where="fill", hint="leave fill out")
    if spec.part and (spec.compare is not None or spec.motif is not None or not spec.measures):
        message = "a share is of one question's measures, without a comparison or a motif"
        raise refused("bad_value", message, where="part", hint="ask for one of them")
    if spec.per and (spec.limit is None or not spec.order or spec.motif is not None or spec.listing):
        message = "what is taken of each group needs an order and a limit, and no motif or listing"
        raise refused("bad_value", message, where="per", hint="add order and limit")
    if spec.compare is not None and not spec.measures:
        raise refused(
            "bad_value", "nothing is compared: no measure is asked for", where="compare", hint="add a measure"
        )
    if spec.grain not in get_args(Policy):
        message = f"grain is {spec.grain!r}"
        raise refused("bad_value", message, where="grain", hint=f"one of {', '.join(get_args(Policy))}")
    if not (spec.measures or spec.by):
        hint = "name a measure or a dimension"
        raise refused("empty_spec", "nothing is asked: no measure and no dimension", hint=hint)
