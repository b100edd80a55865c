"""What a question keeps of the one before it: the parts of its spec as slots that have one choice each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from backedge.ask.grounding.restrictions import name_of
from backedge.ask.grounding.slots import KEPT, Choice, Over, Slot, Unread
from backedge.ask.grounding.words import in_words
from backedge.ask.intent import Before, Role
from backedge.ask.wording import name_text, time_text
from backedge.semantic.spec import All, AnyOf, By, Condition, Filter, Grain, Operator, Spec, Value

_SAYS: dict[Operator, str] = {
    "equals": "is", "not_equals": "is not", "in": "in", "not_in": "not in", "gt": "over", "gte": "at least",
    "lt": "under", "lte": "at most", "contains": "contains", "not_contains": "does not contain",
    "starts_with": "starts with", "not_starts_with": "does not start with", "ends_with": "ends with",
    "not_ends_with": "does not end with", "set": "is known", "not_set": "is not known",
}  # fmt: skip
_OF_DAYS: dict[Operator, str] = {"gt": "after", "gte": "since", "lt": "before", "lte": "up to"}
SHARE = "percent_of_total"


def kept_slots(before: Before) -> tuple[Slot, ...]:
    """The slots of the question before. Raises `Unread` where a part of it fits in none."""
    spec = before.spec
    if spec is None:
        raise Unread(
            f"{before.question!r} was not read as measures and groupings (a verified query, SQL, or a question about "
            f"the catalog answered it), so nothing of it can be kept; ask in full",
            kind="not_kept",
        )
    if len(spec.order) > 1 or _rest(spec) != Spec():
        raise Unread(f"{before.question!r} has a part that a follow-up cannot keep yet; ask in full", kind="not_kept")
    held = {path: [c for c in spec.where if path in members_of((c,))] for path in spec.measures}
    others = [c for c in spec.where if not set(members_of((c,))) & set(spec.measures)]
    found = [slot for path in spec.measures for slot in _measured(path, held[path])]
    found += [_slot("dimension", _grouping(by)) for by in spec.by]
    found += [_condition_slot(condition) for condition in others]
    found += [_slot("segment", _segment(path)) for path in spec.segments]
    return tuple(replace(slot, name=f"{slot.name}{number}") for number, slot in enumerate(found))


def _rest(spec: Spec) -> Spec:
    """What of a spec has no slot."""
    plain = replace(spec, measures=(), by=(), where=(), segments=(), order=(), limit=None)
    return replace(plain, motif=None, motif_params=(), compare=None)


def kept_over(before: Before) -> Over:
    """What the question before asked beyond totals."""
    spec = before.spec or Spec()
    return Over(spec.motif or "", spec.motif_params, spec.compare)


def over_text(over: Over) -> str:
    """ "in percent of the total", "compared with an earlier time"."""
    if over.compare:
        return "compared with an earlier time"
    return "in percent of the total over all its rows" if over.motif == SHARE else f"with {in_words(over.motif)}"


def _slot(role: Role, choice: Choice) -> Slot:
    return Slot(KEPT, choice.says, role, (choice,))


def _measure(path: str) -> Choice:
    return Choice(path, in_words(name_of(path)), 0, _view(path), measures=(path,), says=name_of(path))


def _grouping(by: By) -> Choice:
    says = f"{name_of(by.member)}.{by.grain}" if by.grain else name_of(by.member)
    return Choice(by.name, f"by {in_words(says)}", 0, _view(by.member), by=(by,), says=says)


def _segment(path: str) -> Choice:
    return Choice(path, in_words(name_of(path)), 0, _view(path), segments=(path,), says=name_of(path))


def _measured(path: str, conditions: Sequence[Condition]) -> list[Slot]:
    """A measure, or the conditions that groups are held to by it; it is shown with them, as it was."""
    if not conditions:
        return [_slot("measure", _measure(path))]
    return [_slot("measure", replace(_conditioned(c), value=path, measures=(path,))) for c in conditions]


def _condition_slot(condition: Condition) -> Slot:
    return _slot("time" if _is_timed(condition) else "value", _conditioned(condition))


def _conditioned(condition: Condition) -> Choice:
    says, member = condition_text(condition), members_of((condition,))[0]
    return Choice(member, says, 0, _view(member), where=(condition,), says=says)


def _view(path: str) -> str:
    return path.partition(".")[0]


def members_of(conditions: Iterable[Condition]) -> tuple[str, ...]:
    """The members that conditions hold."""
    return tuple(dict.fromkeys(f.member for f in filters_in(conditions)))


def filters_in(conditions: Iterable[Condition]) -> Iterator[Filter]:
    """The filters within conditions."""
    for condition in conditions:
        if isinstance(condition, Filter):
            yield condition
        else:
            yield from filters_in(condition.of)


def _is_timed(condition: Condition) -> bool:
    return all(f.values and all(isinstance(value, date) for value in f.values) for f in filters_in((condition,)))


def condition_text(condition: Condition) -> str:
    """ "country is Germany", "order_date in 2023"."""
    if isinstance(condition, All | AnyOf):
        joined = " and " if isinstance(condition, All) else " or "
        return joined.join(map(condition_text, condition.of))
    name, values = name_of(condition.member), condition.values
    if condition.op in ("in_range", "not_in_range"):
        return f"{name} {'not ' if condition.op == 'not_in_range' else ''}in {_span(values)}"
    dated = bool(values) and isinstance(values[0], date)
    sign = _OF_DAYS.get(condition.op, _SAYS[condition.op]) if dated else _SAYS[condition.op]
    return " ".join(filter(None, (name, sign, ", ".join(map(_value, values)))))


def _span(values: tuple[Value, ...]) -> str:
    start, end = values
    if not isinstance(start, date) or not isinstance(end, date):
        return f"{_value(start)} to below {_value(end)}"
    for grain, months in (("year", 12), ("quarter", 3), ("month", 1)):
        if end == _months_after(start, months) and (text := _named(start, grain)):
            return text
    last = end - timedelta(days=1)
    return f"{start}" if last == start else f"{start} to {last}"


def _named(start: date, grain: str) -> str:
    """A whole period by its name, or empty where `start` does not begin one."""
    grains: dict[str, Grain] = {"year": "year", "quarter": "quarter", "month": "month"}
    text = time_text(start, grains[grain])
    return "" if text == start.isoformat() else text


def _months_after(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    return date(min(index // 12, 9999), index % 12 + 1, 1)


def _value(value: Value) -> str:
    return name_text(value)
