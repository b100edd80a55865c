"""The end of a reading: what waited finds its part, dates find their dimension, loose ends are refused."""

from __future__ import annotations

from itertools import pairwise

from backedge.ask.grounding.doubts import no_number_before_time, no_shared_adjective
from backedge.ask.grounding.draft import Draft, Waiting
from backedge.ask.grounding.filters import time_choices
from backedge.ask.grounding.over import beyond_totals, over
from backedge.ask.grounding.restrictions import dimensions, name_of
from backedge.ask.grounding.slots import (
    RANKED_BY,
    Choice,
    Mark,
    Parse,
    Ranking,
    Slot,
    Unread,
)
from backedge.ask.grounding.words import in_words, stem
from backedge.ask.intent import Unknown
from backedge.semantic.model import View
from backedge.semantic.operators import midnight

_EXTREME = {"desc": "maximum", "asc": "minimum"}


def finish(draft: Draft) -> Parse:
    """The parse of a draft whose chunks are all taken. Raises `Unread` for what the words leave open."""
    _nothing_pending(draft)
    for waiting in draft.waiting:
        if waiting.superlative:
            _superlative(draft, waiting)
    _nouns(draft, [w for w in draft.waiting if not w.superlative])
    no_shared_adjective(draft)
    beyond_totals(draft)
    _times(draft)
    _something_asked(draft)
    _rank(draft)
    ranking = Ranking(draft.ranked_by, draft.direction != "asc") if draft.ranked_by is not None else None
    return Parse(tuple(draft.slots), tuple(draft.marks), ranking, draft.limit, tuple(draft.notes), over(draft))


def _nothing_pending(draft: Draft) -> None:
    pending = draft.aggregate[0] if draft.aggregate else draft.counting
    if pending:
        raise Unread(f"it is not clear what {pending.text!r} is of; name what is to be measured after it")
    draft.nothing_dangling()
    if draft.negated:
        raise Unread("'not' needs a value after it")
    if draft.sorting or draft.ranks_next:
        raise Unread("the order needs a measure after it")


def _grouped(draft: Draft) -> bool:
    bare = [w for w in draft.waiting if not w.superlative and (dimensions(w.chunk) or w.chunk.grain)]
    return bool(draft.with_role("dimension") or draft.with_role("grain") or bare)


def _superlative(draft: Draft, waiting: Waiting) -> None:
    """ "The highest M": the rows are ranked by M where there are rows; otherwise it is the maximum of M."""
    chunk, extreme = waiting.chunk, _EXTREME[waiting.superlative]
    if not _grouped(draft):
        draft.rank = ""
        draft.settle(waiting, "measure", "measure", draft.chooser.measures(chunk, extreme))
        return
    plain = any(e.kind in ("measure", "noun") for e in chunk.entries) or chunk.heads
    choices = draft.chooser.measures(chunk, "" if plain else extreme)
    draft.settle(waiting, "measure", "measure", choices)
    draft.ranked_by, draft.direction = waiting.slot, waiting.superlative


def _nouns(draft: Draft, waiting: list[Waiting]) -> None:
    """A bare noun groups beside a measure; alone it is what is counted or measured, or else a list."""
    measured, grouped = (
        bool(draft.with_role("measure")),
        bool(draft.with_role("dimension") or draft.with_role("grain")),
    )
    for one in waiting:
        countable = bool(one.chunk.heads) or (
            (grouped or draft.more.asks) and any(e.kind == "noun" for e in one.chunk.entries)
        )
        if not measured and countable:
            draft.settle(one, "measure", "measure", draft.chooser.measures(one.chunk))
            measured = True
        elif not measured and grouped:
            raise Unread(f"it is not clear what to measure of {one.chunk.text!r}; name a measure")
        else:
            _no_bare_date(draft, one)
            no_number_before_time(draft, one)
            draft.settle(one, "by", "dimension", draft.chooser.groupings(one.chunk))


def _no_bare_date(draft: Draft, waiting: Waiting) -> None:
    """ "Orders shipped in Germany" names a date and no time: it does not ask for a row for each day."""
    named = {e.path for e in dimensions(waiting.chunk)}
    if draft.with_role("measure") and not draft.picked and named and named.issubset(draft.chooser.date_dimensions()):
        raise Unread(
            f"it is not clear what {waiting.chunk.text!r} restricts; say a time after it, or 'by {waiting.chunk.text}'"
        )


def _times(draft: Draft) -> None:
    _not_apart(draft)
    for number, timed in enumerate(draft.timed):
        name = "date" if number == 0 else f"date#{number + 1}"
        words = " and ".join(chunk.text for chunk in timed.chunks)
        draft.slots.append(Slot(name, words, "time", tuple(time_choices(draft, timed))))
        index, taken = len(draft.slots) - 1, set(map(id, timed.chunks))
        draft.marks = [Mark(m.chunk, "time", index) if id(m.chunk) in taken else m for m in draft.marks]


def _not_apart(draft: Draft) -> None:
    """Two periods that share no day ("in 2022 by country in 2023") can only give an empty answer."""
    spans = [timed.periods[0] for timed in draft.timed if not timed.negated and len(timed.periods) == 1]
    for first, second in pairwise(spans):
        starts = [p.start for p in (first, second) if p.start]
        ends = [p.end for p in (first, second) if p.end]
        if starts and ends and max(map(midnight, starts)) >= min(map(midnight, ends)):
            raise Unread(
                f"no day is both {first.text} and {second.text}; join periods with 'and' or 'or'", kind="no_data"
            )


def _something_asked(draft: Draft) -> None:
    measured, grouped = draft.with_role("measure"), draft.with_role("dimension")
    ranked = (draft.limit is not None or draft.rank) and not measured
    if ranked:
        _ask_measure(draft)
    elif not measured and draft.grouped_by:
        raise Unread(
            f"no measure is named to be grouped by {draft.grouped_by!r}",
            _filters_only(draft),
            kind="no_measure",
        )
    elif not measured and not grouped:
        raise Unread("no measure is named, so there is nothing to compute", _filters_only(draft), kind="no_measure")
    compared = [i for i in measured if draft.slots[i].choices[0].where]
    if compared and not grouped and not draft.with_role("grain"):
        raise Unread(f"{draft.slots[compared[0]].words!r} is compared with a number, but by what? name a dimension")


def _filters_only(draft: Draft) -> tuple[Unknown, ...]:
    return tuple(Unknown(draft.slots[i].words) for i in draft.with_role("value"))


def _ask_measure(draft: Draft) -> None:
    """ "Top 5 stores" does not say by what: offer what can be added up; where that is one measure, it is said."""
    note = "ranked by {}: the question does not say by what"
    choices = [
        Choice(
            path,
            f"{in_words(m.name)}, in {v.name}",
            0,
            v.name,
            (path,),
            says=m.name,
            note=note.format(m.name),
        )
        for v in sorted(draft.chooser.lexicon.model.views, key=lambda view: not _owns(view, draft))
        for m in sorted(v.measures, key=lambda measure: _owns(v, draft) and measure.type == "count")
        if m.type in ("sum", "count") and not m.unsupported and (path := f"{v.name}.{m.name}")
    ]
    if not choices:
        raise Unread("it is not clear by what to rank; name a measure")
    draft.slots.append(
        Slot(
            RANKED_BY,
            "top" if draft.rank == "desc" else "bottom",
            "measure",
            tuple(choices),
        )
    )


def _owns(view: View, draft: Draft) -> bool:
    """Whether what is ranked are a view's own rows: "top 5 orders" goes by an amount of orders, not by their number."""
    ranked = {by.member for index in draft.bound for choice in draft.slots[index].choices for by in choice.by}
    keys = view.primary.keys if view.primary else ()
    return any(f"{view.name}.{key}" in ranked for key in keys)


def _rank(draft: Draft) -> None:
    measured = draft.with_role("measure")
    groups = {*draft.with_role("dimension"), *draft.with_role("grain")}
    ordered = draft.limit is not None or draft.ranked_by is not None or (draft.rank and draft.bound)
    if ordered and not groups:
        raise Unread("a ranking needs a dimension: add 'by' and what is to be ranked")
    _within(draft, groups)
    if draft.superlative and draft.limit is None and draft.rank and groups and _one_row(draft):
        draft.limit = 1
    if draft.ranked_by is None and measured and (draft.rank or draft.limit is not None):
        draft.ranked_by = measured[0]
        if len(measured) > 1:
            draft.notes.append(f"ranked by {name_of(draft.slots[measured[0]].choices[0].value)}")
    if draft.slots and draft.ranked_by is not None and not draft.direction:
        draft.direction = draft.rank or "desc"


def _within(draft: Draft, groups: set[int]) -> None:
    """ "Top 3 products per country" are three of each country; "top 3 products by country" might be three in all."""
    picked = {w.slot for w in draft.waiting if not w.superlative and draft.picked} & groups
    ranked, each = set(draft.bound) or picked, groups.intersection(draft.more.each)
    others = groups - ranked
    one = draft.superlative and bool(draft.rank) and draft.limit is None and _one_row(draft)
    if not others or not (ranked or each) or not (draft.bound or one or draft.limit is not None):
        return
    if not ranked:
        raise Unread(f"it is not clear what is ranked within each {draft.slots[min(each)].words!r}; name a dimension")
    if others - each:
        other = draft.slots[min(others - each)].words
        raise Unread(
            f"{other!r} may split the ranked rows, or be what they are ranked within; say 'per {other}' for the "
            f"first rows of each {other}"
        )
    if draft.limit is None and not one:
        raise Unread(f"how many rows are meant of each {draft.slots[min(each)].words!r}? say 'top 3', for example")
    draft.more.per = tuple(sorted(others))


def _one_row(draft: Draft) -> bool:
    """ "Which store has the highest …" and "the highest … by store" pick one row, "which stores …" only an order."""
    rows = [draft.slots[index].words for index in draft.bound]
    rows += [w.chunk.text for w in draft.waiting if not w.superlative and draft.slots[w.slot].role == "dimension"]
    return all(_singular(words) for words in rows)


def _singular(words: str) -> bool:
    last = words.split()[-1]
    return stem(last) == last
