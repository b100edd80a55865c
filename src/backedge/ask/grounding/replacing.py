"""The filters of a follow-up: which of them go in place of one that the question before had, and which beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from backedge.ask.grounding.choices import Chooser
from backedge.ask.grounding.kept import filters_in, members_of
from backedge.ask.grounding.slots import KEPT, Choice, Slot, Unread
from backedge.semantic.operators import NEGATIVE
from backedge.semantic.spec import Filter

GONE = Slot("", "", "filler", (Choice("", "", 0, ""),))
GROUPS = ("dimension", "grain")


def with_new_filters(all_slots: Sequence[Slot], chooser: Chooser) -> tuple[tuple[Slot, ...], list[str]]:
    """The slots, and what is to be said: a filter goes in place of one before on the same dimension.

    A negated one holds beside it. Raises `Unread` where it is open which one is meant.
    """
    slots, notes = list(all_slots), list[str]()
    dates = {m for s in slots if s.name.startswith(KEPT) for m in _dates_of(s, chooser)}
    for index, slot in enumerate(slots):
        if slot.name.startswith(KEPT) or slot is GONE:
            continue
        if slot.role in ("time", *GROUPS):
            slots[index] = slot = _narrowed(slot, dates)
        if any(choice.where for choice in slot.choices):
            slots[index] = _beside(slot, slots, notes)
    return tuple(slots), notes


def _beside(slot: Slot, slots: list[Slot], notes: list[str]) -> Slot:
    held = {m for s in slots if s.name.startswith(KEPT) for m in conditioned(s)}
    same = tuple(c for c in slot.choices if held.intersection(members_of(c.where)))
    if not same:
        return slot
    members = {m for c in same for m in members_of(c.where) if m in held}
    if len(members) > 1:
        raise Unread(f"{slot.words!r} may go in place of more than one filter before; name the dimension with it")
    places = [i for i, s in enumerate(slots) if s.name.startswith(KEPT) and members & set(conditioned(s))]
    before, denied = [slots[i].choices[0] for i in places], _denied(same)
    same = _of_its_year(same, before)
    if denied and not _leaves_nothing(before, same[0]):
        return replace(slot, choices=same)
    for index in places:
        slots[index] = GONE
    if denied:
        return replace(slot, choices=(lifted(before[0]), *same))
    held_before = " and ".join(choice.says for choice in before)
    if held_before != same[0].says:
        notes.append(f"in place of {held_before}: {same[0].says}")
    return replace(slot, choices=same)


def _of_its_year(choices: tuple[Choice, ...], before: Sequence[Choice]) -> tuple[Choice, ...]:
    """ "And April?", after a question about March 2025: April of that year."""
    years = {year for choice in before for year in _years(choice)}
    same = tuple(choice for choice in choices if _years(choice) == years)
    return same if len(years) == 1 and len(same) == 1 else choices


def _years(choice: Choice) -> set[int]:
    """The years that a choice's ranges of days lie in."""
    ranges = [f.values for f in filters_in(choice.where) if f.op == "in_range"]
    days = [
        (first, end - timedelta(days=1)) for first, end in ranges if isinstance(first, date) and isinstance(end, date)
    ]
    return {day.year for pair in days for day in pair}


def _dates_of(slot: Slot, chooser: Chooser) -> set[str]:
    """The date dimensions that a kept slot restricts or groups by."""
    choice = slot.choices[0]
    named = {*members_of(choice.where), *(by.member for by in choice.by)}
    return named.intersection(chooser.date_dimensions())


def _narrowed(slot: Slot, dates: set[str]) -> Slot:
    """A time that names no date goes by the date that the question before goes by."""
    if not any(choice.day in dates for choice in slot.choices):
        return slot
    return replace(slot, choices=tuple(choice for choice in slot.choices if not choice.day or choice.day in dates))


def conditioned(slot: Slot) -> tuple[str, ...]:
    """The members that a slot with one choice restricts."""
    return members_of(slot.choices[0].where)


def _denied(choices: Sequence[Choice]) -> bool:
    return all(f.op in NEGATIVE for choice in choices for f in filters_in(choice.where))


def _leaves_nothing(before: Sequence[Choice], denied: Choice) -> bool:
    """Whether what is left out is all that there was: "in Germany", and then "without Germany"."""
    had, out = tuple(f for c in before for f in filters_in(c.where)), tuple(filters_in(denied.where))
    if len(had) != 1 or any(f.op in NEGATIVE for f in had):
        return False
    return set(had[0].values) <= {value for f in out for value in f.values} and _same_way(had[0], out)


def _same_way(had: Filter, out: Sequence[Filter]) -> bool:
    ranged = had.op == "in_range"
    return had.op in ("equals", "in", "in_range") and all((f.op == "not_in_range") == ranged for f in out)


def lifted(before: Choice) -> Choice:
    """The choice that a filter before holds no longer."""
    says = f"no longer only where {before.says}"
    return Choice("lifted", says, 0, "", says=says)


def still(before: Choice) -> Choice:
    """The choice that a filter before still holds."""
    return replace(before, label=f"yes, still only where {before.says}")
