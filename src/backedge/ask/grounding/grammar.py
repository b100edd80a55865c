"""The slot grammar: walks the chunks of a question and gives every one of them its part, or says which has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from backedge.ask.grounding.choices import Chooser
from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.comparisons import comparison, comparison_first
from backedge.ask.grounding.doubts import no_bare_number, no_month, steers_nothing
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.filters import bare_number, bound_filter, period_filter, value_filter
from backedge.ask.grounding.finish import finish
from backedge.ask.grounding.groupings import adverb, by, dated, either, group
from backedge.ask.grounding.happened import by_when, happened
from backedge.ask.grounding.ranking import counts_nothing, direction, rank, rank_ahead, ranking_term, sort
from backedge.ask.grounding.restrictions import dimensions
from backedge.ask.grounding.rows import condition_and_noun, rows_named
from backedge.ask.grounding.shape_words import SHAPE_SYMBOLS
from backedge.ask.grounding.shapes import moves, moving, of_shape, shape
from backedge.ask.grounding.slots import Choice, Parse, Unread
from backedge.ask.intent import Unknown

_FLAGS = ("flag", "status", "indicator", "type")


def parse(chunks: Sequence[Chunk], chooser: Chooser) -> Parse:
    """The slots of a question. Raises `Unread` where a word has no place or the words do not fit together."""
    draft = Draft(chunks, chooser)
    walk(draft)
    return finish(draft)


def walk(draft: Draft) -> None:
    """Give every chunk of a draft its part."""
    while (chunk := draft.peek()) is not None:
        _step(draft, chunk)


def _step(draft: Draft, chunk: Chunk) -> None:
    following = draft.peek(1)
    if moves(draft):
        moving(draft)
    elif chunk.number is not None and following and following.symbol == "rank":
        rank(draft, leading=1)
    elif chunk.number is not None and following and _ranked_later(draft, following):
        rank_ahead(draft)
    elif chunk.symbol and steers_nothing(draft, chunk):
        _value(draft, chunk)
    elif chunk.symbol and not (chunk.entries and not _aggregates(draft)):
        _STEPS[chunk.symbol](draft, chunk)
    elif chunk.dated and not chunk.held and (by_when(draft, chunk) or not chunk.is_term):
        draft.no_aggregate(chunk)
        happened(draft, chunk)
    elif chunk.is_term:
        _term(draft, chunk)
    elif chunk.held and not (chunk.period and draft.chooser.date_dimensions()):
        _value(draft, chunk)
    elif chunk.period:
        draft.no_aggregate(chunk)
        period_filter(draft)
    elif chunk.number is not None:
        raise bare_number(chunk)
    else:
        raise Unread(f"{chunk.text!r} is not understood", (Unknown(chunk.text),), kind="unknown_word")


def _ranked_later(draft: Draft, following: Chunk) -> bool:
    """ "Which 3 countries had the highest …": the number belongs to the superlative that follows."""
    later = any(chunk.symbol == "rank" for chunk in draft.chunks[draft.at + 2 :])
    return later and draft.limit is None and bool(dimensions(following))


def _aggregates(draft: Draft) -> bool:
    """Whether a word such as "count", which also names a member, stands before something it can aggregate."""
    following = draft.peek(draft.passing("filter", "stop", "distinct"))
    return following is not None and following.is_term


def _value(draft: Draft, chunk: Chunk) -> None:
    no_month(draft, chunk)
    no_bare_number(draft, chunk)
    if not value_filter(draft):
        raise Unread(f"{chunk.text!r} cannot be a filter here")


# Terms


def _term(draft: Draft, chunk: Chunk) -> None:
    if chunk.split and _superlative_fits(draft, chunk):
        _recut(draft, chunk.split)
    elif chunk.apart and draft.context == "head" and not draft.with_role("measure"):
        _recut(draft, chunk.apart)
    elif of_shape(draft, chunk):
        _aggregated(draft, chunk, "")
    elif draft.sorting or draft.ranks_next:
        ranking_term(draft, chunk)
    elif draft.counting:
        _counted(draft, chunk)
    elif draft.aggregate:
        _aggregated(draft, chunk, draft.aggregate[1])
    elif parts := condition_and_noun(draft, chunk):
        _recut(draft, parts)
    elif not (bound_filter(draft, chunk) or comparison(draft, chunk)):
        _unbound(draft, chunk)


def _recut(draft: Draft, parts: Sequence[Chunk]) -> None:
    draft.chunks = (*draft.chunks[: draft.at], *parts, *draft.chunks[draft.at + 1 :])


def _superlative_fits(draft: Draft, chunk: Chunk) -> bool:
    """ "Which store has the highest sales": after "which" and a dimension, a superlative picks rows and names none."""
    word, target = chunk.split[:2]
    return draft.picked and bool(draft.waiting or draft.bound) and not counts_nothing(draft, word, target)


def _counted(draft: Draft, chunk: Chunk) -> None:
    if not any(e.kind in ("measure", "noun") for e in chunk.entries) and _as_condition(draft, chunk):
        return  # "how many Holiday Week stores": a filter stands before what is counted
    counting, draft.counting = draft.counting, None
    _joins(draft, chunk, counting)
    index = draft.add("measure", chunk, "measure", draft.chooser.counts(chunk, draft.distinct))
    draft.distinct = False
    draft.take(1, "measure", index)
    draft.measured(index)
    draft.remark(counting, index)


def _as_condition(draft: Draft, chunk: Chunk) -> bool:
    following = draft.peek(1)
    return bool(
        following and following.is_term and (chunk.held or draft.chooser.booleans(chunk, False))
    ) and value_filter(draft)


def _aggregated(draft: Draft, chunk: Chunk, aggregate: str) -> None:
    word = draft.aggregate[0] if draft.aggregate else None
    draft.aggregate = None
    if word and aggregate in ("average", "median") and aggregate in chunk.stems:
        raise Unread(
            f"an {word.text} of {chunk.text!r} cannot be asked for: averages of averages weigh unlike groups alike; "
            f"say {chunk.text!r} alone",
            kind="not_measured",
        )
    if not comparison(draft, chunk, aggregate):
        draft.no_negation(chunk)
        _joins(draft, chunk, word)
        index = draft.add(
            "measure",
            _worded(word, chunk),
            "measure",
            draft.chooser.measures(chunk, aggregate),
        )
        draft.take(1, "measure", index)
        draft.measured(index)
    draft.remark(word, len(draft.slots) - 1)


def _joins(draft: Draft, chunk: Chunk, first: Chunk | None) -> None:
    """A further measure is joined by "and" or a comma: "sales of completed orders" does not ask for two."""
    at = next((i for i, part in enumerate(draft.chunks) if part is first), 0)
    before = next(
        (part.symbol for part in reversed(draft.chunks[:at]) if part.symbol != "stop"),
        "",
    )
    if draft.with_role("measure", own=True) and before not in ("and", "comma"):
        raise Unread(
            f"{chunk.text!r} names another measure; join measures with 'and', or filter by the value of a dimension"
        )


def _worded(word: Chunk | None, chunk: Chunk) -> Chunk:
    return replace(chunk, words=(*word.words, *chunk.words)) if word else chunk


def _unbound(draft: Draft, chunk: Chunk) -> None:
    filtering = draft.context in ("filter", "from") or draft.negated
    if filtering and value_filter(draft):
        return
    if rows_named(draft, chunk):
        return
    draft.no_negation(chunk)
    grouped = bool(dimensions(chunk)) or chunk.grain is not None
    if draft.context == "by" and grouped:
        group(draft, chunk, joined=True)
    elif any(e.kind == "segment" for e in chunk.entries) and value_filter(draft):
        return
    elif grouped and _picks(draft):
        draft.take(1, "filler", draft.wait(chunk))
    elif any(e.kind == "measure" for e in chunk.entries) or not grouped:
        _joins(draft, chunk, chunk)
        index = draft.add("measure", chunk, "measure", draft.chooser.measures(chunk))
        draft.take(1, "measure", index)
        draft.measured(index)
    elif draft.context in ("filter", "from", "tail") and not (draft.follows and _names_rows(chunk)):
        raise Unread(f"it is not clear which {chunk.text} is meant; say a value, or 'by {chunk.text}'")
    elif dated(draft, chunk):
        group(draft, chunk, joined=False)
    elif _adjective(draft, chunk):
        value_filter(draft)
    elif chunk.held or draft.chooser.booleans(chunk, False):
        either(draft, chunk, list(draft.chooser.groupings(chunk)))
    else:
        draft.take(1, "filler", draft.wait(chunk))


def _adjective(draft: Draft, chunk: Chunk) -> bool:
    """ "Escalated tickets": right before what is counted, a yes-or-no word is a condition, as nobody groups so."""
    following = draft.peek(1)
    flags = not chunk.held and bool(draft.chooser.booleans(chunk, False)) and chunk.stems[-1] not in _FLAGS
    return flags and following is not None and any(e.kind == "noun" for e in following.entries)


def _names_rows(chunk: Chunk) -> bool:
    """ "For web orders", of a follow-up: what it stands for is decided when all of it is read."""
    return any(entry.kind == "noun" for entry in chunk.entries)


def _picks(draft: Draft) -> bool:
    """Whether rows are asked for: "which customer has the most orders", "list the customers in Ireland"."""
    before = [c.text for c in draft.chunks[: draft.at] if c.text == "list" or c.symbol not in ("stop", "all", "filter")]
    later = any(c.symbol == "rank" or c.split for c in draft.chunks[draft.at + 1 :])
    return before[-1:] == ["list"] or (before[-1:] in (["which"], ["what"]) and later)


# Words that steer


def _detail(chunk: Chunk) -> str:
    return chunk.keyword.detail if chunk.keyword else ""


def _aggregate(draft: Draft, chunk: Chunk) -> None:
    draft.no_aggregate(chunk)
    if not _target_follows(draft) and _closes(draft, chunk):
        draft.dangling = None
        draft.take(1, "filler")
        return
    draft.aggregate = (chunk, _detail(chunk))
    draft.take(1, "measure", None, _detail(chunk))


def _closes(draft: Draft, chunk: Chunk) -> bool:
    """ "… in total" and "… overall" add nothing to one ungrouped value."""
    before = draft.peek(-1) if draft.at else None
    grouped = draft.with_role("dimension") or draft.with_role("grain") or draft.waiting
    alone = chunk.text in ("overall", "altogether") or (before is not None and before.text == "in")
    return alone and not grouped and bool(draft.with_role("measure"))


def _target_follows(draft: Draft) -> bool:
    ahead = draft.passing("filter", "stop", "adverb")
    following = draft.peek(ahead)
    return following is not None and (following.is_term or bool(following.held))


def _count(draft: Draft, chunk: Chunk) -> None:
    draft.no_aggregate(chunk)
    draft.counting = chunk
    draft.take(1, "measure", None, "count")


def _distinct(draft: Draft, chunk: Chunk) -> None:
    if not draft.counting:
        raise Unread(f"{chunk.text!r} is only understood after 'how many' or 'number of'")
    draft.distinct = True
    draft.take(1, "measure", None, "distinct")


def _not(draft: Draft, chunk: Chunk) -> None:
    draft.no_aggregate(chunk)
    draft.negated = not draft.negated
    draft.take(1, "value", None, "not")
    draft.take(draft.passing("filter", "stop", "is", "and", ahead=0), "filler")
    if draft.peek() is None:
        raise Unread(f"{chunk.text!r} needs a value after it")


def _only(draft: Draft, chunk: Chunk) -> None:
    following = draft.peek(draft.passing("filter", "stop"))
    before = draft.marks[-1].role if draft.marks else "filler"
    ahead = bool(following and (following.held or following.period or draft.chooser.booleans(following, False)))
    if not ahead and before not in ("value", "time"):
        raise Unread(f"it is not clear what {chunk.text!r} restricts; name a value of a dimension")
    draft.take(1, "filler")
    draft.context = "filter" if ahead else draft.context


def _all(draft: Draft, chunk: Chunk) -> None:
    following = draft.peek(draft.passing("stop"))
    if not draft.with_role("measure") and not _detail(chunk):
        draft.take(1, "filler")
        return
    if following is None or not dimensions(following):
        raise Unread(f"it is not clear what {chunk.text!r} takes in; leave it out, or name a dimension after it")
    draft.take(draft.passing("stop"), "filler")
    total = Choice(
        "total",
        f"one value over all {following.text}",
        0,
        "",
        says=f"over all {following.text}",
    )
    choices = [total, *(replace(c, rank=0) for c in draft.chooser.groupings(following))]
    draft.take(1, "dimension", draft.add("by", following, "dimension", choices))


def _preposition(draft: Draft, chunk: Chunk) -> None:
    draft.take(1, "filler")
    draft.dangling = chunk
    draft.context = {"of": draft.context, "from": "from"}.get(_detail(chunk), "filter")


def _filler(draft: Draft, chunk: Chunk) -> None:
    if chunk.held and (draft.dangling or draft.negated) and value_filter(draft):
        return
    draft.picked = draft.picked or chunk.symbol == "pick"
    if chunk.symbol == "is" and draft.more.share and draft.with_role("measure"):
        draft.more.said_is, draft.context = chunk.start, "filter"
    if chunk.symbol in ("and", "comma") and draft.context not in ("by", "head"):
        draft.context = "tail"
    draft.take(1, "filler")


def _misplaced(_draft: Draft, chunk: Chunk) -> None:
    raise Unread(f"{chunk.text!r} has nothing to refer to here")


def _compare(draft: Draft, _chunk: Chunk) -> None:
    comparison_first(draft)


_STEPS: dict[str, Callable[[Draft, Chunk], None]] = {
    "by": by,
    "sort": lambda draft, _chunk: sort(draft),
    "direction": lambda draft, chunk: direction(draft, _detail(chunk)),
    "rank": lambda draft, _chunk: rank(draft, leading=0),
    "aggregate": _aggregate,
    "count": _count,
    "distinct": _distinct,
    "compare": _compare,
    "between": _misplaced,
    "not": _not,
    "only": _only,
    "all": _all,
    "filter": _preposition,
    "is": _filler,
    "true": _misplaced,
    "false": _misplaced,
    "and": _filler,
    "or": _misplaced,
    "comma": _filler,
    "adverb": adverb,
    "pick": _filler,
    "stop": _filler,
    **dict.fromkeys(SHAPE_SYMBOLS, shape),
}
