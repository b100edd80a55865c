"""Comparisons with numbers and days: "total sales over 1000", "more than 5 orders", "age between 20 and 30"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.lexicon import NAME, Entry
from backedge.ask.grounding.restrictions import dimensions, name_of
from backedge.ask.grounding.slots import Choice, Slot, Unread
from backedge.ask.grounding.vocabulary import COUNTS
from backedge.ask.intent import Role, Unknown
from backedge.semantic.spec import Condition, Filter, Operator, Value

_SIGNS = {"gt": "over", "gte": "at least", "lt": "under", "lte": "at most"}
_OPPOSITE: dict[str, str] = {"gt": "lte", "gte": "lt", "lt": "gte", "lte": "gt"}
Limits = tuple[tuple[str, Value], ...]


def comparison(draft: Draft, chunk: Chunk, aggregate: str = "") -> bool:
    """Take `MEASURE | DIMENSION over | under | between … N`; False where no comparison follows."""
    ahead = draft.passing("is")
    following = draft.peek(ahead)
    if not following or following.symbol not in ("compare", "between") or following.keyword is None:
        return False
    operator = following.keyword.detail
    if operator == "not_equals":
        return False
    draft.no_negation(chunk)
    if following.symbol == "between":
        limits, end = _between(draft, ahead + 1)
    else:
        limit = draft.peek(ahead + 1)
        _no_year(draft, following, limit)
        limits, end = ((operator, _limit(limit, operator, following)),), ahead + 2
    if not aggregate:
        _not_counted(draft, chunk, following, limits, stated=ahead > 1)
    choices = compared(draft, chunk, aggregate, limits)
    measured = bool(choices[0].measures)
    if measured:
        _not_of_each(draft, chunk)
    kind: Role = "measure" if measured else "value"
    index = draft.add("compared", chunk, kind, choices)
    draft.take(end, kind, index)
    draft.measured(index) if measured else None
    draft.context = "tail"
    return True


def _between(draft: Draft, ahead: int) -> tuple[Limits, int]:
    low, join, high = draft.peek(ahead), draft.peek(ahead + 1), draft.peek(ahead + 2)
    if not low or not join or not high or low.number is None or high.number is None or join.symbol != "and":
        raise Unread("'between' needs two numbers, such as between 10 and 20")
    return (("gte", low.number), ("lte", high.number)), ahead + 3


def _no_year(draft: Draft, comparator: Chunk, number: Chunk | None) -> None:
    """ "Total sales over 2023" is as likely said of the year as of a limit."""
    if comparator.text == "over" and number and number.period and draft.context != "filter":
        raise Unread(
            f"'over {number.text}' may be a year or a limit; say 'in {number.text}' or 'more than {number.text}'"
        )


def _limit(chunk: Chunk | None, operator: str, comparator: Chunk) -> Value:
    if chunk and chunk.number is not None and not (chunk.period and chunk.period.text != chunk.text):
        return chunk.number
    if chunk and chunk.period and chunk.period.start and chunk.period.end:
        return chunk.period.end if operator in ("gt", "lte") else chunk.period.start
    raise Unread(
        f"{comparator.text!r} needs a number after it",
        (Unknown(chunk.text),) if chunk else (),
    )


def compared(draft: Draft, chunk: Chunk, aggregate: str, limits: Limits) -> list[Choice]:
    """A measure or a dimension held against limits; a measure is also shown, so that one sees what was compared."""
    chooser = draft.chooser
    entries = [] if aggregate else [e for e in dimensions(chunk) if _comparable(draft, e, limits)]
    has_measure = aggregate or not entries or any(e.kind == "measure" for e in chunk.entries)
    says = " and ".join(f"{_SIGNS[op]} {value}" for op, value in limits)
    found = _held_to(chooser.measures(chunk, aggregate), limits) if has_measure else []
    for entry in entries:
        plain = chooser.equal(entry.path, (), entry.rank, False)
        text = f"{name_of(entry.path)} {says}"
        found.append(
            replace(
                plain,
                where=_days(entry.path, limits),
                says=text,
                label=f"{text}, in {entry.view}",
            )
        )
    if len({bool(choice.measures) for choice in found}) > 1:
        found = [choice for choice in found if choice.rank == min(c.rank for c in found)]
    return sorted(found, key=lambda c: not c.measures)


def _not_counted(draft: Draft, chunk: Chunk, comparator: Chunk, limits: Limits, stated: bool) -> None:
    """ "Orders over 1000" may mean their number, their amount or their id; "order count over 1000" is their number."""
    if chunk.heads and not chunk.entries:
        return
    if any(_comparable(draft, e, limits) for e in dimensions(chunk)):
        return
    if _plain_measure(draft, chunk) or (stated and "number" in chunk.stems):
        return
    raise _of_what(chunk.text, comparator)


def _plain_measure(draft: Draft, chunk: Chunk) -> bool:
    """Whether a chunk names an amount, or a count that is called one."""
    measures = [e for e in chunk.entries if e.kind == "measure"]
    amounts = [e for e in measures if draft.chooser.lexicon.measure(e.path).type not in COUNTS]
    return bool(amounts) or (bool(measures) and chunk.stems[-1] == "count")


def _of_what(words: str, comparator: Chunk) -> Unread:
    counted = words.removeprefix("number of ")
    return Unread(
        f"it is not clear what of {words!r} is {comparator.text} a number: name the amount that is compared, "
        f"or say 'DIMENSION with more than 5 {counted}' for groups of so many"
    )


def _bare_count(draft: Draft, slot: Slot) -> bool:
    """Whether a slot counts things by their own name, so that a condition may be meant of each: "orders"."""
    counts = all(draft.chooser.lexicon.measure(choice.value).type in COUNTS for choice in slot.choices)
    return counts and not slot.words.endswith(" count")


def _not_of_each(draft: Draft, chunk: Chunk) -> None:
    """ "Customers with over 10 orders by country" are customers, not countries: their condition cannot be asked for."""
    before = next((m for m in reversed(draft.marks) if m.role != "filler"), None)
    for index in draft.with_role("measure"):
        slot = draft.slots[index]
        each = _bare_count(draft, slot) or (before is not None and before.slot == index)
        if draft.context == "filter" and each and slot.words != chunk.text:
            raise Unread(
                f"a condition on {chunk.text!r} for each of {slot.words!r} cannot be asked for yet; "
                f"only the groups of a dimension can be held to it: name one before 'with'",
                kind="not_yet",
            )


def _comparable(draft: Draft, entry: Entry, limits: Limits) -> bool:
    """Whether a dimension can be held against limits; a key only by its own name, for it is no amount."""
    if entry.rank != NAME and draft.chooser.equal(entry.path, (), entry.rank, False).at_home:
        return False
    kind = draft.chooser.lexicon.dimension(entry.path).type
    return kind in ("date", "datetime") if isinstance(limits[0][1], date) else kind == "number"


def _conditions(path: str, limits: Limits) -> tuple[Condition, ...]:
    operators: dict[str, Operator] = {
        "gt": "gt",
        "gte": "gte",
        "lt": "lt",
        "lte": "lte",
    }
    return tuple(Filter(path, operators[op], (value,)) for op, value in limits)


def _days(path: str, limits: Limits) -> tuple[Condition, ...]:
    """`after DAY` starts when the day is over: the limits of dates are half-open."""
    moved: dict[str, str] = {"gt": "gte", "lte": "lt"}
    return _conditions(
        path,
        tuple((moved.get(op, op) if isinstance(v, date) else op, v) for op, v in limits),
    )


def comparison_first(draft: Draft) -> None:
    """Take `more than 5 orders`, or `over 2k` behind the one measure of the question."""
    comparator, number, term = draft.peek(), draft.peek(1), draft.peek(2)
    if not comparator or not comparator.keyword or comparator.keyword.detail not in _OPPOSITE:
        raise Unread(f"it is not clear what {comparator.text if comparator else ''!r} compares")
    operator = _OPPOSITE[comparator.keyword.detail] if draft.negated else comparator.keyword.detail
    if not number or number.number is None:
        raise Unread(f"{comparator.text!r} needs a number after it")
    _no_year(draft, comparator, number)
    measured = draft.with_role("measure")
    limits: Limits = ((operator, number.number),)
    if term and term.is_term:
        _not_of_each(draft, term)
        draft.take(
            3,
            "measure",
            draft.add(
                "compared",
                term,
                "measure",
                _held_to(draft.chooser.measures(term), limits),
            ),
        )
    elif len(measured) == 1 and not draft.slots[measured[0]].choices[0].where:
        slot = draft.slots[measured[0]]
        _not_trailing(draft, slot, comparator)
        draft.slots[measured[0]] = replace(slot, choices=tuple(_held_to(slot.choices, limits)))
        draft.take(2, "value", measured[0])
    else:
        raise Unread(f"it is not clear what is {comparator.text} {number.text}; name a measure before it")
    draft.negated, draft.context = False, "tail"


def _not_trailing(draft: Draft, slot: Slot, comparator: Chunk) -> None:
    """ "Number of orders over 500 by country" ends in a number that may be held against each order."""
    if _bare_count(draft, slot):
        raise _of_what(slot.words, comparator)


def _held_to(choices: Sequence[Choice], limits: Limits) -> list[Choice]:
    says = " and ".join(f"{_SIGNS[op]} {value}" for op, value in limits)
    return [replace(c, where=_conditions(c.value, limits), says=f"{c.says} {says}") for c in choices]
