"""Nouns that add no measure and only say whose rows are meant: "weight of lost shipments", "units that were sold"."""

from __future__ import annotations

from dataclasses import replace

from backedge.ask.grounding.below import is_below
from backedge.ask.grounding.chunks import Chunk, cut
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.recuts import promises_more
from backedge.ask.grounding.restrictions import dimensions, name_of
from backedge.ask.grounding.vocabulary import COUNTS
from backedge.semantic.model import View


def rows_named(draft: Draft, chunk: Chunk) -> bool:
    """Take a noun beside a measure that is there already; False where it names something of its own."""
    if not draft.with_role("measure", own=True):
        return False
    return _rest_of_name(draft, chunk) or _behind_value(draft, chunk) or _before_value(draft, chunk)


def condition_and_noun(draft: Draft, chunk: Chunk) -> tuple[Chunk, ...]:
    """The parts of "completed orders" where it restricts another measure, and counts just the orders so called."""
    restricts = draft.with_role("measure", own=True) and draft.dangling is not None
    if not restricts or not any(e.kind == "measure" for e in chunk.entries):
        return ()
    for at in range(1, len(chunk.words)):
        first, rest = (cut(words, draft.chooser.sources) for words in (chunk.words[:at], chunk.words[at:]))
        if len(first) == len(rest) == 1 and first[0].held and named_views(draft, rest[0]):
            return () if promises_more(chunk, draft.chooser.sources) else (*first, *rest)
    return ()


def named_views(draft: Draft, chunk: Chunk) -> frozenset[str]:
    """The views whose rows a chunk names: by what counts all of them, or by their key."""
    lexicon = draft.chooser.lexicon
    counts = [e for e in chunk.entries if e.kind in ("noun", "measure")]
    nouns = {e.view for e in counts if (m := lexicon.measure(e.path)).type in COUNTS and not m.filters}
    keys = {e.view for e in dimensions(chunk) if _is_key(lexicon.model.view(e.view), name_of(e.path))}
    return frozenset(nouns | keys)


def _is_key(view: View | None, name: str) -> bool:
    return view is not None and view.primary is not None and view.primary.keys == (name,)


def _rest_of_name(draft: Draft, chunk: Chunk) -> bool:
    """ "How many units of Tent were sold": the end of a measure's name may stand apart from its beginning."""
    if chunk.entries or not chunk.heads:
        return False
    for index in draft.with_role("measure", own=True):
        slot = draft.slots[index]
        whole = {head.path for head in chunk.heads if _stems(draft, index)[-len(head.dropped) :] == head.dropped}
        choices = tuple(choice for choice in slot.choices if choice.value in whole)
        if choices:
            draft.slots[index] = replace(slot, choices=choices)
            draft.take(1, "measure", index)
            return True
    return False


def _stems(draft: Draft, index: int) -> tuple[str, ...]:
    return tuple(stem for mark in draft.marks if mark.slot == index for stem in mark.chunk.stems)


def _behind_value(draft: Draft, chunk: Chunk) -> bool:
    """ "Lost shipments", "small business customers": the value is one of the things that are named behind it."""
    before, views = draft.marks[-1], named_views(draft, chunk)
    if before.role != "value" or before.slot is None or draft.dangling:
        return False
    slot = draft.slots[before.slot]
    choices = tuple(choice for choice in slot.choices if choice.where and choice.view in views)
    if not choices:
        return False
    draft.slots[before.slot] = replace(slot, choices=choices)
    draft.take(1, "value", before.slot)
    return True


def _before_value(draft: Draft, chunk: Chunk) -> bool:
    """ "Fees for orders in Germany". "Units of orders with Garden products" may be all the units of such orders."""
    views, link = named_views(draft, chunk), draft.peek(1)
    value = draft.peek(draft.passing("filter", "stop", "is"))
    if draft.dangling is None or not views or not link:
        return False
    if value is not None and {path.partition(".")[0] for path in value.dated} & views:
        draft.take(1, "filler")
        return True
    if link.symbol not in ("filter", "is"):
        return False
    if value is None or not value.held or value.is_term:
        return False
    model = draft.chooser.lexicon.model
    measured = {choice.view for index in draft.with_role("measure") for choice in draft.slots[index].choices}
    held = {choice.view for choice in draft.chooser.held([value], frozenset(), False)}
    if measured != views and any(is_below(model, view, one) for view in views for one in held):
        return False
    draft.take(1, "filler")
    return True
