"""The end of a reading that asks beyond totals: what is a share of what, which motif, which periods have rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backedge.ask.grounding.alike import grain_of, within_data
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.earlier import compared_periods, grouped_in_time
from backedge.ask.grounding.slots import Choice, Over, Slot, Unread
from backedge.ask.grounding.vocabulary import COUNTS
from backedge.semantic.spec import Grain


def beyond_totals(draft: Draft) -> None:
    """Decide what the words beyond totals add to the question. Raises `Unread` for what they leave open."""
    more = draft.more
    asked = [chunk for chunk in (more.share, more.compared, more.running, more.window and more.window[0]) if chunk]
    asked = [chunk for chunk in asked if chunk.symbol != "pair" or (more.pairs and _two_periods(draft))]
    if len(asked) > 1:
        raise Unread(
            f"{asked[0].text!r} and {asked[1].text!r} cannot be asked together; ask for one of them", kind="not_yet"
        )
    if more.share:
        _share(draft)
    if more.compared:
        compared_periods(draft)
    if more.running:
        _running(draft)
    if more.window:
        _moving(draft)
    if more.gaps:
        _gaps(draft)


def over(draft: Draft) -> Over:
    """What goes over the totals of a finished draft."""
    more = draft.more
    return Over(more.motif, more.params, more.compare, more.part, more.per)


def _two_periods(draft: Draft) -> bool:
    return sum(len(timed.periods) for timed in draft.timed) > 1 or bool(draft.more.back)


# Shares


def _share(draft: Draft) -> None:
    share = draft.more.share
    assert share is not None
    if draft.more.sides:
        raise Unread(
            f"{share.text!r} may be of everything or of the values that are compared; ask 'by' their dimension instead"
        )
    values = _values(draft)
    groups = [*draft.with_role("dimension"), *draft.with_role("grain")]
    after = [index for index, start in values if draft.more.said_is is not None and start > draft.more.said_is]
    parts = after or [index for index, start in values if not groups or start < _first_group(draft, groups)]
    if groups and parts and not after:
        named = draft.slots[parts[0]].words
        raise Unread(
            f"{share.text!r} may be the share of {named!r} in each group, or the shares of the groups within it; say "
            f"'are {named}' for the first, or put it behind the grouping for the second"
        )
    if len(parts) > 1:
        first, second = (repr(draft.slots[index].words) for index in parts[:2])
        raise Unread(f"it is not clear whether {first} or {second} is the part; say 'what share of … in A are B'")
    if parts:
        _part(draft, parts[0])
    elif groups:
        _of_total(draft, groups)
    else:
        raise Unread(f"{share.text!r} needs a part: a value, or a dimension after 'by'")


def _values(draft: Draft) -> list[tuple[int, int]]:
    """The slots that restrict by something else than time, each with where its words start."""
    starts = {mark.slot: mark.chunk.start for mark in reversed(draft.marks) if mark.slot is not None}
    return [(index, starts[index]) for index in draft.with_role("value") if index in starts]


def _first_group(draft: Draft, groups: Sequence[int]) -> int:
    waiting = {one.slot: one.chunk.start for one in draft.waiting}
    starts = [m.chunk.start for m in draft.marks if m.slot in groups]
    return min([*starts, *(waiting[index] for index in groups if index in waiting)])


def _part(draft: Draft, index: int) -> None:
    slot = draft.slots[index]
    choices = tuple(c for c in slot.choices if c.where or c.segments)
    if not choices:
        raise Unread(f"{slot.words!r} cannot be a part of something; name a value")
    draft.slots[index] = replace(slot, choices=tuple(replace(c, says=f"share that {c.says}") for c in choices))
    draft.more.part = index


def _of_total(draft: Draft, groups: Sequence[int]) -> None:
    if len(groups) > 1 and not draft.more.of_total:
        first, second = (draft.slots[index].words for index in sorted(groups)[:2])
        raise Unread(
            f"the shares may be of everything, or within each {first!r} or {second!r}; say 'as a percent of the "
            f"total' for shares of everything; shares within groups cannot be asked for yet",
            kind="not_yet",
        )
    draft.more.motif = "percent_of_total"
    draft.notes.append("shares are in percent of the total over all rows of the question, shown or not")
    if any(
        _type(draft, c).startswith("count_distinct") for i in draft.with_role("measure") for c in draft.slots[i].choices
    ):
        draft.notes.append("one thing may be in several groups, so that the shares add up to more than the total")


# Along time


def _running(draft: Draft) -> None:
    if draft.more.running and not grouped_in_time(draft):
        raise Unread(f"{draft.more.running.text!r} runs along time; add 'by month', for example")
    draft.more.motif = "cumulative"


def _moving(draft: Draft) -> None:
    assert draft.more.window is not None
    chunk, count, unit = draft.more.window
    _additive(draft, chunk.text.removesuffix(" of"))
    slots = grouped_in_time(draft)
    if not slots:
        choices = draft.chooser.grains(unit, 0)
        if not choices:
            raise Unread(f"no date dimension is declared here that {unit}s could be made of", kind="no_date")
        draft.slots.append(Slot(f"by:{unit} window", f"{count} {unit}", "grain", tuple(choices)))
    elif {grain_of(c) for index in slots for c in draft.slots[index].choices} != {unit}:
        raise Unread(f"an average over {count} {unit}s moves by {unit}; group by {unit}")
    draft.more.motif, draft.more.params = "moving_average", (("window", count - 1),)
    draft.notes.append(f"each average is over {count} {unit}s; the first {count - 1} have fewer {unit}s behind them")
    if _counts_only(draft):
        _fill(draft, unit, "a moving average")


def _additive(draft: Draft, what: str) -> None:
    """An average of averages weighs a day with one row like a day with many."""
    for index in draft.with_role("measure"):
        slot = draft.slots[index]
        kept = tuple(c for c in slot.choices if _type(draft, c) in (*COUNTS, "sum"))
        if not kept:
            raise Unread(f"a {what} of {slot.words!r} would average what is no count and no sum; ask for one of those")
        draft.slots[index] = replace(slot, choices=kept)


def _counts_only(draft: Draft) -> bool:
    slots = [draft.slots[index] for index in draft.with_role("measure")]
    return all(_type(draft, choice) in COUNTS for slot in slots for choice in slot.choices)


def _type(draft: Draft, choice: Choice) -> str:
    return draft.chooser.lexicon.measure(choice.measures[0]).type


def _gaps(draft: Draft) -> None:
    assert draft.more.gaps is not None
    chunk, unit = draft.more.gaps
    _fill(draft, unit, repr(chunk.text))


def _fill(draft: Draft, unit: Grain, what: str) -> None:
    slots = grouped_in_time(draft)
    if len(slots) != 1:
        raise Unread(f"{what} needs one grouping by {unit}; add 'by {unit}'")
    slot = draft.slots[slots[0]]
    choices = tuple(c for c in slot.choices if grain_of(c) == unit)
    if not choices:
        raise Unread(f"{what} fills {unit}s, and the question groups by {slot.words!r}; group by {unit}")
    filled = tuple(replace(c, by=tuple(replace(by, fill=True) for by in c.by)) for c in choices)
    draft.slots[slots[0]] = replace(slot, choices=filled)
    within_data(draft, slots[0])
