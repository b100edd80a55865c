"""The slot grammar: walks the chunks of a question and gives every one of them its part, or says which has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from backedge.ask.grounding.choices import Chooser, dimensions
from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.filters import (
    bare_number,
    bound_filter,
    comparison,
    comparison_first,
    period_filter,
    value_filter,
)
from backedge.ask.grounding.finish import finish
from backedge.ask.grounding.ranking import (
    direction,
    rank,
    rank_ahead,
    ranking_term,
    sort,
)
from backedge.ask.grounding.slots import Choice, Parse, Unread
from backedge.ask.grounding.vocabulary import GRAINS
from backedge.ask.intent import Unknown


def parse(chunks: Sequence[Chunk], chooser: Chooser) -> Parse:
    """The slots of a question. Raises `Unread` where a word has no place or the words do not fit together."""
    draft = Draft(chunks, chooser)
    while (chunk := draft.peek()) is not None:
        _step(draft, chunk)
    return finish(draft)


def _step(draft: Draft, chunk: Chunk) -> None:
    following = draft.peek(1)
    if chunk.number is not None and following and following.symbol == "rank":
        rank(draft, leading=1)
    elif chunk.number is not None and following and _ranked_later(draft, following):
        rank_ahead(draft)
    elif chunk.symbol and not (chunk.entries and not _aggregates(draft)):
        _STEPS[chunk.symbol](draft, chunk)
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
        raise Unread(f"{chunk.text!r} is not understood", (Unknown(chunk.text),))


def _ranked_later(draft: Draft, following: Chunk) -> bool:
    """ "Which 3 countries had the highest …": the number belongs to the superlative that follows."""
    later = any(chunk.symbol == "rank" for chunk in draft.chunks[draft.at + 2 :])
    return later and draft.limit is None and bool(dimensions(following))


def _aggregates(draft: Draft) -> bool:
    """Whether a word such as "count", which also names a member, stands before something it can aggregate."""
    following = draft.peek(draft.passing("filter", "stop", "distinct"))
    return following is not None and following.is_term


def _value(draft: Draft, chunk: Chunk) -> None:
    if not value_filter(draft):
        raise Unread(f"{chunk.text!r} cannot be a filter here")


# Terms


def _term(draft: Draft, chunk: Chunk) -> None:
    if chunk.split and _superlative_fits(draft):
        draft.chunks = (
            *draft.chunks[: draft.at],
            *chunk.split,
            *draft.chunks[draft.at + 1 :],
        )
    elif draft.sorting or draft.ranks_next:
        ranking_term(draft, chunk)
    elif draft.counting:
        _counted(draft, chunk)
    elif draft.aggregate:
        _aggregated(draft, chunk, draft.aggregate[1])
    elif not (bound_filter(draft, chunk) or comparison(draft, chunk)):
        _unbound(draft, chunk)


def _superlative_fits(draft: Draft) -> bool:
    """ "Which store has the best week": after "which" and a dimension, a superlative picks rows and names no member."""
    return draft.picked and bool(draft.waiting or draft.bound)


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
    if draft.with_role("measure") and before not in ("and", "comma"):
        raise Unread(
            f"{chunk.text!r} names another measure; join measures with 'and', or filter by the value of a dimension"
        )


def _worded(word: Chunk | None, chunk: Chunk) -> Chunk:
    return replace(chunk, words=(*word.words, *chunk.words)) if word else chunk


def _unbound(draft: Draft, chunk: Chunk) -> None:
    filtering = draft.context in ("filter", "from") or draft.negated
    if filtering and value_filter(draft):
        return
    draft.no_negation(chunk)
    grouped = bool(dimensions(chunk)) or chunk.grain is not None
    if draft.context == "by" and grouped:
        _group(draft, chunk, joined=True)
    elif any(e.kind == "segment" for e in chunk.entries) and value_filter(draft):
        return
    elif any(e.kind == "measure" for e in chunk.entries) or not grouped:
        _joins(draft, chunk, chunk)
        index = draft.add("measure", chunk, "measure", draft.chooser.measures(chunk))
        draft.take(1, "measure", index)
        draft.measured(index)
    elif draft.context in ("filter", "from", "tail"):
        raise Unread(f"it is not clear which {chunk.text} is meant; say a value, or 'by {chunk.text}'")
    elif chunk.held or draft.chooser.booleans(chunk, False):
        _either(draft, chunk, list(draft.chooser.groupings(chunk)))
    else:
        draft.take(1, "filler", draft.wait(chunk))


def _group(draft: Draft, chunk: Chunk, joined: bool) -> None:
    choices = list(draft.chooser.groupings(chunk))
    if joined and (chunk.held or draft.chooser.booleans(chunk, False)):
        _either(draft, chunk, choices)
    else:
        draft.take(
            1,
            "grain" if chunk.grain and not dimensions(chunk) else "dimension",
            _dimension(draft, chunk, choices),
        )
    draft.context = "by"


def _dimension(draft: Draft, chunk: Chunk, choices: Sequence[Choice]) -> int:
    return draft.add("by", chunk, "dimension", choices)


def _either(draft: Draft, chunk: Chunk, choices: list[Choice]) -> None:
    """A word that is a grouping as well as a value: which of the two is for a person to say."""
    filters = [
        *draft.chooser.held([chunk], frozenset(), False),
        *draft.chooser.booleans(chunk, False),
    ]
    choices += [replace(c, value=f"only {c.value}", label=f"only where {c.label}") for c in filters]
    draft.take(1, "dimension", _dimension(draft, chunk, [replace(c, rank=0) for c in choices]))


# Words that steer


def _by(draft: Draft, chunk: Chunk) -> None:
    draft.no_negation(chunk)
    draft.nothing_dangling()
    ahead = draft.passing("stop", "all", "by", "distinct")
    target = draft.peek(ahead)
    if target is None:
        raise Unread(f"{chunk.text!r} needs a dimension after it")
    draft.no_aggregate(chunk)
    groups = bool(dimensions(target)) or target.grain is not None
    measured = (
        any(e.kind == "measure" for e in target.entries)
        or bool(target.heads)
        or target.symbol in ("aggregate", "count")
    )
    if measured and (not groups or draft.rank or draft.limit):
        if not (draft.rank or draft.limit or draft.waiting or draft.with_role("dimension")):
            raise Unread(f"{target.text!r} is a measure, so nothing can be grouped by it; name a dimension")
        draft.take(ahead, "order", None, "ranked by")
        draft.ranks_next, draft.context = True, "head"
        draft.rank = draft.rank or "desc"
    elif groups:
        draft.take(ahead, "filler")
        draft.grouped_by = target.text
        _group(draft, target, joined=False)
    else:
        known = (Unknown(target.text),) if target.unknown else ()
        raise Unread(f"nothing here can be grouped by {target.text!r}", known)


def _adverb(draft: Draft, chunk: Chunk) -> None:
    draft.no_negation(chunk)
    if draft.aggregate and draft.aggregate[1] != "total":
        word = draft.aggregate[0].text
        raise Unread(
            f"'{word} {chunk.text}' can mean the {word} of the {chunk.text} totals, which cannot be asked for yet, "
            f"or the {word} of the rows, {chunk.text}: say 'by {GRAINS[_detail(chunk)]}' for the second"
        )
    choices = draft.chooser.grains(GRAINS[_detail(chunk)], 0)
    if not choices:
        raise Unread(f"no date dimension is declared here that {chunk.text!r} could group")
    draft.take(1, "grain", draft.add("by", chunk, "grain", choices))


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
    draft.take(1, "dimension", _dimension(draft, following, choices))


def _preposition(draft: Draft, chunk: Chunk) -> None:
    draft.take(1, "filler")
    draft.dangling = chunk
    draft.context = {"of": draft.context, "from": "from"}.get(_detail(chunk), "filter")


def _filler(draft: Draft, chunk: Chunk) -> None:
    if chunk.held and (draft.dangling or draft.negated) and value_filter(draft):
        return
    draft.picked = draft.picked or chunk.symbol == "pick"
    if chunk.symbol in ("and", "comma") and draft.context not in ("by", "head"):
        draft.context = "tail"
    draft.take(1, "filler")


def _misplaced(_draft: Draft, chunk: Chunk) -> None:
    raise Unread(f"{chunk.text!r} has nothing to refer to here")


def _compare(draft: Draft, _chunk: Chunk) -> None:
    comparison_first(draft)


_STEPS: dict[str, Callable[[Draft, Chunk], None]] = {
    "by": _by,
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
    "adverb": _adverb,
    "pick": _filler,
    "stop": _filler,
}
