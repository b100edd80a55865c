"""Groupings: "by", "per", "monthly", "month of signup date", and words that group as well as restrict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.happened import own_dates
from backedge.ask.grounding.restrictions import dimensions
from backedge.ask.grounding.rows import named_views
from backedge.ask.grounding.slots import Choice, Mark, Unread
from backedge.ask.grounding.vocabulary import GRAINS
from backedge.ask.intent import Unknown
from backedge.semantic.spec import Grain

_EACH = ("per", "each", "every", "by each", "for each", "for every", "in each", "in every", "of each", "for each of")


def by(draft: Draft, chunk: Chunk) -> None:
    """Take `by`, `per`, `for each` with the grouping, or the measure to rank by, that follows."""
    draft.no_negation(chunk)
    draft.nothing_dangling()
    ahead = draft.passing("stop", "all", "by", "distinct")
    target = draft.peek(ahead)
    if target is None:
        raise Unread(f"{chunk.text!r} needs a dimension after it", kind="not_groupable")
    draft.no_aggregate(chunk)
    later = draft.peek(ahead + 1)
    dated_so = bool(target.dated) and later is not None and later.grain is not None
    groups = bool(dimensions(target)) or target.grain is not None or dated_so
    measured = (
        any(e.kind == "measure" for e in target.entries)
        or bool(target.heads)
        or target.symbol in ("aggregate", "count", "share")
    )
    if measured and (not groups or draft.rank or draft.limit):
        if not (draft.rank or draft.limit or draft.waiting or draft.with_role("dimension")):
            raise Unread(
                f"{target.text!r} is a measure, so nothing can be grouped by it; name a dimension", kind="not_groupable"
            )
        draft.take(ahead, "order", None, "ranked by")
        draft.ranks_next, draft.context = True, "head"
        draft.rank = draft.rank or "desc"
    elif groups:
        draft.take(ahead, "filler")
        draft.grouped_by = target.text
        draft.more.each_word = chunk.text in _EACH
        group(draft, target, joined=False)
        _or_average(draft, chunk, target)
    elif target.symbol == "change":
        raise Unread(f"rows cannot be ranked or grouped by {target.text!r} yet; ask for it without {chunk.text!r}")
    else:
        known = (Unknown(target.text),) if target.unknown else ()
        raise Unread(f"nothing here can be grouped by {target.text!r}", known, kind="not_groupable")


def _or_average(draft: Draft, word: Chunk, target: Chunk) -> None:
    """ "Revenue per customer" may be a row for each of them, or one number: the average over them."""
    slot = draft.slots[-1]
    ranked = draft.rank or draft.limit is not None
    if word.text != "per" or ranked or not slot.choices or not _is_thing(draft, target, slot.choices):
        return
    average = f"an average over each {target.text} cannot be asked for yet; say 'by {target.text}' for a row for each"
    rank = min(choice.rank for choice in slot.choices)
    one = Choice("one number", f"one number: the average over each {target.text}", rank, "", empty=average)
    rows = [replace(c, label=f"a row for each {target.text} ({c.label})") for c in slot.choices]
    draft.slots[-1] = replace(slot, choices=(*rows, one))


def _is_thing(draft: Draft, target: Chunk, choices: Sequence[Choice]) -> bool:
    """Whether a grouping is one of things with a key of their own, of which each has a number, not of kinds of them."""
    if target.grain:
        return False
    lexicon = draft.chooser.lexicon
    nouns = [lexicon.measure(e.path) for e in target.entries if e.kind == "noun"]
    return any(m.type == "count" for m in nouns) or any(c.at_home and not c.day for c in choices)


def adverb(draft: Draft, chunk: Chunk) -> None:
    """Take `monthly` and its like: the calendar grain of the date."""
    draft.no_negation(chunk)
    if draft.aggregate and draft.aggregate[1] != "total":
        word = draft.aggregate[0].text
        raise Unread(
            f"'{word} {chunk.text}' can mean the {word} of the {chunk.text} totals, which cannot be asked for yet, "
            f"or the {word} of the rows, {chunk.text}: say 'by {_grain(chunk)}' for the second",
            kind="not_yet",
        )
    choices = draft.chooser.grains(_grain(chunk), 0)
    if not choices:
        raise Unread(f"no date dimension is declared here that {chunk.text!r} could group", kind="no_date")
    if chunk.held:
        choices = [*_only(draft.chooser.held([chunk], frozenset(), False)), *choices]
    index = draft.add("by", chunk, "grain", [replace(c, rank=0) for c in choices] if chunk.held else choices)
    draft.more.each.append(index)
    draft.take(1, "grain", index)


def _grain(chunk: Chunk) -> Grain:
    return GRAINS[chunk.keyword.detail if chunk.keyword else ""]


def group(draft: Draft, chunk: Chunk, joined: bool) -> None:
    """Take the grouping at the cursor; one that is `joined` to another may be a value instead, which is asked about."""
    before = draft.marks[-1] if joined and draft.marks else None
    if before is not None and before.slot is not None and before.role in ("dimension", "grain"):
        _qualified(draft, chunk, before)
        return
    found = dated(draft, chunk)
    choices = found[0] if found else list(draft.chooser.groupings(chunk))
    if not found and joined and (chunk.held or draft.chooser.booleans(chunk, False)):
        either(draft, chunk, choices)
    else:
        grain = found or (chunk.grain and not dimensions(chunk))
        index = draft.add("by", chunk, "dimension", choices)
        draft.take(found[1] if found else 1, "grain" if grain else "dimension", index)
    slot = draft.marks[-1].slot
    if draft.more.each_word and slot is not None:
        draft.more.each.append(slot)
    draft.context = "by"


def _qualified(draft: Draft, chunk: Chunk, before: Mark) -> None:
    """ "By customer country" is the country of customers; two groupings need a word between them."""
    assert before.slot is not None
    owners = named_views(draft, before.chunk)
    choices = tuple(c for c in draft.chooser.groupings(chunk) if c.view in owners)
    if not choices:
        raise Unread(
            f"it is not clear how {before.chunk.text!r} and {chunk.text!r} go together; join two groupings with 'and'"
        )
    words = f"{before.chunk.text} {chunk.text}"
    draft.slots[before.slot] = replace(draft.slots[before.slot], words=words, choices=choices)
    draft.take(1, "dimension", before.slot)


def dated(draft: Draft, chunk: Chunk) -> tuple[list[Choice], int] | None:
    """The grain of a date that is named with it ("month of signup date", "signup month"), and how many chunks it takes.

    Raises `Unread` for a part of the calendar, "day of week", that no dimension has.
    """
    ahead = draft.passing("stop", ahead=2)
    link, after, target = draft.peek(1), draft.peek(1), draft.peek(ahead)
    if chunk.grain and link and link.symbol == "filter" and link.text == "of" and target:
        if paths := _dates(draft, target) or frozenset(target.dated):
            return draft.chooser.grains(chunk.grain, 0, within=paths), ahead + 1
        if target.grain and not target.period:
            raise Unread(
                f"no dimension is called '{chunk.text} of {target.text}', and it cannot be made from a date yet",
                kind="not_groupable",
            )
    said = after is not None and after.grain is not None and not chunk.grain
    paths = _dates(draft, chunk) if said else frozenset()
    if said and chunk.dated and not paths:
        paths = own_dates(draft, chunk)
    if paths and after and after.grain:
        return draft.chooser.grains(after.grain, 0, within=paths), 2
    return None


def _dates(draft: Draft, chunk: Chunk) -> frozenset[str]:
    """The dates that a chunk names, if it names nothing else."""
    named = {e.path for e in dimensions(chunk)}
    return frozenset(named) if named and named.issubset(draft.chooser.date_dimensions()) else frozenset()


def either(draft: Draft, chunk: Chunk, choices: list[Choice]) -> None:
    """A word that is a grouping as well as a value: which of the two is for a person to say."""
    filters = [
        *draft.chooser.held([chunk], frozenset(), False),
        *draft.chooser.booleans(chunk, False),
    ]
    choices += _only(filters)
    draft.take(1, "dimension", draft.add("by", chunk, "dimension", [replace(c, rank=0) for c in choices]))


def _only(filters: Sequence[Choice]) -> list[Choice]:
    return [replace(c, value=f"only {c.value}", label=f"only where {c.label}") for c in filters]
