"""Order and limit: top and bottom N, superlatives, "sorted by"."""

from __future__ import annotations

from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.filters import listed
from backedge.ask.grounding.restrictions import dimensions
from backedge.ask.grounding.shape_words import SHAPE_SYMBOLS
from backedge.ask.grounding.slots import Unread
from backedge.ask.grounding.vocabulary import COUNTS

RANKED_SYMBOLS = ("aggregate", "count", "share")  # a measure follows: of shares the order is that of the measure
_GRADED = ("top", "bottom", "best", "worst", "biggest", "largest", "greatest", "smallest")


def rank(draft: Draft, leading: int) -> None:
    """Take `top 5 stores`, `5 biggest stores`, `the highest total sales`; `leading` numbers stand before the word."""
    chunk = draft.peek(leading)
    if chunk is None or chunk.keyword is None:
        return
    draft.no_negation(chunk)
    if draft.rank and draft.limit is not None:
        raise Unread("only one 'top' or 'bottom' can be asked for at a time")
    number = draft.peek(0 if leading else 1)
    counted = number is not None and number.number is not None and not number.is_term
    draft.rank = draft.direction = chunk.keyword.detail
    if counted and number is not None:
        draft.limit = _count(number)
    draft.superlative = draft.superlative or not counted
    draft.take(2 if counted else 1, "limit" if counted else "order", None, chunk.keyword.detail)
    target = draft.peek(draft.passing("stop", "filter", ahead=0))
    if target is None:
        _trailing(draft, chunk)
    elif _picks_rows(draft, chunk, target, counted):
        _ranked_rows(draft, counted)
    elif target.symbol in SHAPE_SYMBOLS and target.symbol != "share" and not target.entries:
        raise Unread(f"rows cannot be ranked by {target.text!r} yet; ask for it without {chunk.text!r}")
    elif target.is_term or target.symbol in RANKED_SYMBOLS or target.split:
        _ranked_measure(draft, chunk, target, counted)
    else:
        _trailing(draft, chunk)


def rank_ahead(draft: Draft) -> None:
    """Take `3 countries`, whose superlative comes later."""
    number = draft.peek()
    if number is not None:
        draft.limit = _count(number)
        draft.take(1, "limit", None, "rows")
        _ranked_rows(draft, counted=True)


def _count(number: Chunk) -> int:
    if not isinstance(number.number, int) or not 1 <= number.number <= 10_000:
        raise Unread(f"{number.text!r} is not a number of rows; say a whole number such as 'top 5'")
    return number.number


def _trailing(draft: Draft, chunk: Chunk) -> None:
    """ "… by store, top 5" ranks by what was already named; a superlative without a number needs a word after it."""
    if draft.limit is None:
        raise Unread(f"{chunk.text!r} needs a number, a dimension or a measure after it")


def _picks_rows(draft: Draft, chunk: Chunk, target: Chunk, counted: bool) -> bool:
    """ "The top stores" are rows; "the most orders" is a count, and so is "which store has the highest sales"."""
    counts = chunk.text in ("most", "fewest", "least") or bool(draft.waiting or draft.bound)
    kinds = ("measure", "noun") if counts else ("measure",)
    measured = any(e.kind in kinds for e in target.entries) or bool(target.heads)
    alone = not (draft.waiting or draft.bound or any(later.symbol == "by" for later in draft.chunks[draft.at :]))
    unsaid = alone and not target.split and counts_nothing(draft, chunk, target)
    return bool(dimensions(target) or target.grain) and (counted or not measured or unsaid)


def _ranked_rows(draft: Draft, counted: bool) -> None:
    """The dimensions that are ranked; one of them, named in the singular and without a number, is one row."""
    draft.take(draft.passing("stop", "filter", ahead=0), "filler")
    items, end = listed(draft, 0, lambda found: bool(dimensions(found[-1]) or found[-1].grain) and not found[-1].heads)
    if not counted and _numeric_only(draft, items):
        draft.take(1, "filler", draft.wait(items[0], draft.rank))
        return
    while end > 0:
        chunk = draft.peek()
        if chunk is not None and (dimensions(chunk) or chunk.grain):
            index = draft.add("by", chunk, "dimension", draft.chooser.groupings(chunk))
            draft.bound.append(index)
            draft.take(1, "dimension", index)
        else:
            draft.take(1, "filler")
        end -= 1
    draft.context = "head"


def _numeric_only(draft: Draft, items: list[Chunk]) -> bool:
    """ "The highest temperature" is a maximum of the number, not a row of it."""
    kinds = {draft.chooser.lexicon.dimension(e.path).type for item in items for e in dimensions(item) if e.rank == 0}
    return len(items) == 1 and kinds == {"number"} and not items[0].grain


def counts_nothing(draft: Draft, word: Chunk, target: Chunk) -> bool:
    """ "The best week" and "the largest order" are no numbers of weeks or orders, as "the most orders" is."""
    named = [e for e in target.entries if e.kind in ("measure", "noun")]
    counts = all(draft.chooser.lexicon.measure(e.path).type in COUNTS for e in named)
    return word.text in _GRADED and bool(named) and counts and target.stems[-1] != "count"


def _ranked_measure(draft: Draft, word: Chunk, target: Chunk, counted: bool) -> None:
    if counts_nothing(draft, word, target):
        raise Unread(
            f"'{word.text} {target.text}' does not say by what; say 'most {target.text}' for their number, or name a "
            f"measure to rank by"
        )
    if counted or target.symbol in RANKED_SYMBOLS:
        draft.ranks_next = True
        return
    draft.take(draft.passing("stop", "filter", ahead=0), "filler")
    draft.take(1, "filler", draft.wait(target, draft.rank))


def sort(draft: Draft) -> None:
    """Take `sorted by`; what follows orders the rows."""
    chunk = draft.peek()
    if chunk is not None:
        draft.no_aggregate(chunk)
        draft.no_negation(chunk)
    draft.take(1, "order", None, "sorted by")
    draft.sorting, draft.context = True, "head"


def direction(draft: Draft, detail: str) -> None:
    """Take `ascending` or `descending`, which belongs to the order named before it."""
    if draft.ranked_by is None and not draft.with_role("measure"):
        raise Unread("an order needs a measure or a dimension before it")
    draft.rank, draft.direction = draft.rank or detail, detail
    draft.take(1, "order", None, detail)


def ranking_term(draft: Draft, chunk: Chunk) -> None:
    """The member that rows are ordered by: a measure, or a grouping that the question already has."""
    sorting, draft.sorting = draft.sorting, False
    draft.ranks_next = False
    aggregate = draft.aggregate[1] if draft.aggregate else ""
    counted, draft.aggregate, draft.counting = draft.counting, None, None
    named = any(e.kind == "measure" for e in chunk.entries)
    grouping = _grouping(draft, chunk) if sorting and not aggregate and not counted and not named else None
    if grouping is not None:
        draft.ranked_by, draft.direction = grouping, draft.direction or "asc"
        draft.take(1, "order", grouping)
        return
    if sorting and dimensions(chunk) and not (aggregate or counted or named):
        raise Unread(f"rows that are not grouped by {chunk.text!r} cannot be ordered by it; say 'by {chunk.text}' too")
    choices = draft.chooser.counts(chunk, draft.distinct) if counted else draft.chooser.measures(chunk, aggregate)
    index = draft.add("measure", chunk, "measure", choices)
    draft.ranked_by, draft.direction = index, draft.direction or "desc"
    draft.take(1, "measure", index)


def _grouping(draft: Draft, chunk: Chunk) -> int | None:
    values = {c.value for c in draft.chooser.groupings(chunk)} if dimensions(chunk) or chunk.grain else set()
    return next(
        (i for i in draft.with_role("dimension") if values.issuperset(c.value for c in draft.slots[i].choices)),
        None,
    )
