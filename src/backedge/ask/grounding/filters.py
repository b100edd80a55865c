"""The filters of a question: values, numbers, comparisons and periods, with or without the dimension they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from backedge.ask.grounding.below import ANY_OF_THEM
from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.doubts import having, in_total, of_others, other_cuts, other_holders, promised
from backedge.ask.grounding.draft import Draft, Timed
from backedge.ask.grounding.lexicon import Entry
from backedge.ask.grounding.restrictions import dimensions
from backedge.ask.grounding.slots import Choice, Unread
from backedge.ask.intent import Unknown
from backedge.semantic.spec import By

_JOINS = ("comma", "and", "or")


def listed(
    draft: Draft, ahead: int, fits: Callable[[Sequence[Chunk]], bool], joins: Sequence[str] = _JOINS
) -> tuple[list[Chunk], int]:
    """The chunks of a list "A, B and C" that starts `ahead`, as far as they fit together, and where it ends."""
    first = draft.peek(ahead)
    items = [first] if first else []
    end = ahead + 1
    while items:
        joined = draft.passing(*joins, ahead=end)
        start = draft.passing("filter", ahead=joined)
        chunk = draft.peek(start)
        if joined == end or chunk is None or not fits([*items, chunk]):
            break
        items, end = [*items, chunk], start + 1
    return items, end


def value_filter(draft: Draft, within: frozenset[str] = frozenset(), ahead: int = 0) -> bool:
    """Take a filter on values (or on a yes-or-no dimension) that starts `ahead`; False where there is none."""
    chooser, chunk = draft.chooser, draft.peek(ahead)
    if chunk is None:
        return False

    def fits(found: Sequence[Chunk]) -> bool:
        return bool(chooser.held(found, within, False))

    items, end = (
        listed(draft, ahead, fits, (*_JOINS, "versus")) if chunk.held and fits([chunk]) else ([chunk], ahead + 1)
    )
    choices = chooser.held(items, within, draft.negated) if chunk.held else []
    if len(items) == 1 and choices:
        choices += other_cuts(draft, chunk, within)
        if not within:
            others = of_others(draft, chunk, choices) if ahead == 0 and end == 1 else []
            choices += [*having(draft, chunk), *in_total(draft, chunk), *promised(draft, chunk), *others]
    elif choices and not within and "or" not in {part.symbol for part in draft.chunks[draft.at : draft.at + end]}:
        choices += other_holders(draft, items)
    if len(items) == 1 and not within:
        choices += chooser.booleans(chunk, draft.negated)
        choices += chooser.segments(chunk) if not draft.negated else []
    if not choices:
        return False
    after = draft.peek(end)
    if after and not within and (own := _own(after, choices)):
        choices, end = own, end + 1
    _no_loose_join(draft, end)
    _no_joined_measure(draft, chunk, end)
    if len(items) > 1 and _compared(draft, end):
        _side_by_side(draft, chunk, choices, end)
        return True
    if not draft.negated and any(part.symbol == "and" for part in draft.chunks[draft.at : draft.at + end]):
        choices = [replace(c, note="; ".join(filter(None, (c.note, f"{c.says}: {ANY_OF_THEM}")))) for c in choices]
    draft.take(end, "value", draft.add("value", chunk, "value", choices))
    draft.negated, draft.context = False, "tail"
    return True


def _compared(draft: Draft, end: int) -> bool:
    pair = draft.more.compared is not None and draft.more.compared.symbol == "pair"
    return pair or any(part.symbol == "versus" for part in draft.chunks[draft.at : draft.at + end])


def _side_by_side(draft: Draft, chunk: Chunk, choices: Sequence[Choice], end: int) -> None:
    """ "DHL vs UPS" and "compare web and app" want a row for each of the values."""
    draft.no_negation(chunk)
    rows = [replace(c, by=(By(c.value),), note="") for c in choices if draft.chooser.is_dimension(c.value)]
    if not rows:
        raise Unread(f"what is compared with {chunk.text!r} must be another value of the same dimension")
    later = [part for part in draft.chunks[draft.at + end :] if part.period]
    if draft.more.compared and len(later) > 1:
        raise Unread(
            f"it is not clear whether values or times are compared; name one of {later[0].text!r} and the rest"
        )
    draft.more.compared, draft.more.pairs, draft.more.sides = None, False, chunk
    draft.take(end, "dimension", draft.add("by", chunk, "dimension", rows))
    draft.context = "tail"


def _own(after: Chunk, choices: Sequence[Choice]) -> list[Choice]:
    """ "completed status": the dimension may follow its value."""
    named = {e.path for e in dimensions(after)} if not any(e.kind != "dimension" for e in after.entries) else set()
    return [choice for choice in choices if choice.value in named]


def _no_loose_join(draft: Draft, ahead: int) -> None:
    """Refuse "or" between different things, and "not A and B" where B is no further value of the same dimension."""
    join = draft.peek(ahead)
    if join and join.symbol == "or":
        raise Unread("'or' is only understood between values of one dimension")
    if draft.negated and join and join.symbol == "and":
        after = draft.peek(draft.passing("filter", "stop", ahead=ahead + 1))
        if after and (after.held or after.period or after.number is not None):
            raise Unread(f"it is not clear whether 'not' reaches as far as {after.text!r}")


def _no_joined_measure(draft: Draft, chunk: Chunk, ahead: int) -> None:
    """ "Returned and completed orders" are not the completed orders that were returned."""
    join, after = draft.peek(ahead), draft.peek(draft.passing("stop", ahead=ahead + 1))
    opening = not draft.with_role("measure") and join is not None and join.symbol == "and"
    if opening and after and any(e.kind == "measure" for e in after.entries):
        raise Unread(f"it is not clear how {chunk.text!r} and {after.text!r} go together; name the measure first")


def bound_filter(draft: Draft, chunk: Chunk) -> bool:
    """Take `DIMENSION [is] [not] VALUE | NUMBER | yes/no | PERIOD`; False where no such thing follows."""
    ahead = draft.passing("is")
    stated, negated = ahead > 1, draft.negated
    following = draft.peek(ahead)
    if following and (following.symbol == "not" or (following.keyword and following.keyword.detail == "not_equals")):
        ahead, negated, stated = ahead + 1, True, True
        following = draft.peek(ahead)
    entries = dimensions(chunk)
    if following is None or not entries:
        return False
    before, draft.negated = draft.negated, negated
    for take in (
        _bound_value,
        _bound_number,
        _bound_truth,
        _bound_period,
        _bound_quoted,
    ):
        if take(draft, entries, ahead, stated):
            draft.negated, draft.context = False, "tail"
            return True
    draft.negated = before
    return False


def _bound_value(draft: Draft, entries: Sequence[Entry], ahead: int, _stated: bool) -> bool:
    return value_filter(draft, frozenset(e.path for e in entries), ahead)


def _bound_number(draft: Draft, entries: Sequence[Entry], ahead: int, stated: bool) -> bool:
    numeric = [e for e in entries if draft.chooser.lexicon.dimension(e.path).type == "number"]
    chunk, first = draft.peek(), draft.peek(ahead)
    after = draft.peek(ahead + 1)
    if not numeric or not chunk or not first or first.number is None or (after and after.symbol == "rank"):
        return False
    plural = chunk.words[-1].folded != chunk.words[-1].stem
    if first.period and plural and not stated:
        return False  # "stores 2011": the year, not a store of that number
    items, end = listed(
        draft,
        ahead,
        lambda found: found[-1].number is not None and found[-1].is_term is False,
    )
    numbers = tuple(_plain(item.number) for item in items if item.number is not None)
    choices = [draft.chooser.equal(e.path, numbers, e.rank, draft.negated) for e in numeric]
    _no_loose_join(draft, end)
    draft.take(end, "value", draft.add("value", chunk, "value", choices))
    return True


def _plain(number: object) -> int | float:
    return number if isinstance(number, int) else float(str(number))


def _bound_truth(draft: Draft, entries: Sequence[Entry], ahead: int, stated: bool) -> bool:
    chunk, said = draft.peek(), draft.peek(ahead)
    flags = [e for e in entries if draft.chooser.lexicon.dimension(e.path).type == "boolean"]
    if not flags or not chunk or not said or not stated or said.symbol not in ("true", "false"):
        return False
    choices = [draft.chooser.equal(e.path, (said.symbol == "true",), e.rank, draft.negated) for e in flags]
    draft.take(ahead + 1, "value", draft.add("value", chunk, "value", choices))
    return True


def _bound_period(draft: Draft, entries: Sequence[Entry], ahead: int, _stated: bool) -> bool:
    dates = [e for e in entries if draft.chooser.lexicon.dimension(e.path).type in ("date", "datetime")]
    ahead = draft.passing("filter", ahead=ahead)
    chunk, first = draft.peek(), draft.peek(ahead)
    if not dates or not chunk or not first or not first.period:
        return False
    paths = [e.path for e in dates]
    choices = draft.chooser.periods(paths, (first.period,), draft.negated, implied=False)
    draft.take(ahead + 1, "time", draft.add("time", chunk, "time", choices))
    return True


def _bound_quoted(draft: Draft, entries: Sequence[Entry], ahead: int, stated: bool) -> bool:
    """A quoted value of a dimension with more values than are indexed is taken as written, and said to be unchecked."""
    chunk, quoted = draft.peek(), draft.peek(ahead)
    open_ended = [e for e in entries if e.path in draft.chooser.sources.values.partial]
    if not open_ended or not chunk or not quoted or not stated or quoted.words[0].kind != "quoted":
        return False
    text = quoted.words[0].text
    note = f"{text!r} was taken as written: not all values of {chunk.text} are indexed"
    choices = [replace(draft.chooser.equal(e.path, (text,), e.rank, draft.negated), note=note) for e in open_ended]
    draft.take(ahead + 1, "value", draft.add("value", chunk, "value", choices))
    return True


# Periods


def period_filter(draft: Draft) -> None:
    """Take one period, or several whole ones joined by "and" or "or"; the date dimension is found at the end.

    Open ones are not alternatives: "since 2022 and before 2023" is what both hold of.
    """
    items, end = listed(
        draft,
        0,
        lambda found: all(i.period and i.period.whole and not i.entries for i in found),
    )
    periods = tuple(item.period for item in items if item.period)
    _no_loose_join(draft, end)
    open_from = draft.context == "from" and len(periods) == 1 and all(p.whole for p in periods[0].others or periods)
    spanned = " to " in periods[0].text
    draft.timed.append(Timed(tuple(items), periods, draft.negated, open_from and not spanned))
    draft.negated, draft.context = False, "tail"
    draft.take(end, "time", None, " or ".join(p.text for p in periods))


def time_choices(draft: Draft, timed: Timed) -> list[Choice]:
    """The choices of a period: every date dimension whose data it meets, and "since" where "from" may mean it."""
    paths = draft.chooser.date_dimensions()
    if not paths:
        raise Unread("no date dimension is declared here, so nothing can be restricted to a time", kind="no_date")
    choices = draft.chooser.periods(paths, timed.periods, timed.negated, implied=True)
    if len(timed.chunks) == 1 and (values := draft.chooser.held(timed.chunks, frozenset(), timed.negated)):
        return [*(replace(choice, label=choice.says) for choice in choices), *values]
    if timed.open_from:
        later = draft.chooser.periods(paths, (timed.periods[0].since(),), timed.negated, implied=True)
        choices = [replace(c, value=f"{c.value} in", label=c.says) for c in _newest(choices)]
        choices += [replace(c, value=f"{c.value} since", label=c.says) for c in _newest(later)]
    return choices


def _newest(choices: Sequence[Choice]) -> list[Choice]:
    """Of each date the first two meanings: "in" and "since" of more would be more than a person is offered."""
    found: dict[str, list[Choice]] = {}
    for choice in choices:
        found.setdefault(choice.day, []).append(choice)
    return [choice for same in found.values() for choice in same[:2]]


def bare_number(chunk: Chunk) -> Unread:
    """Why a number that belongs to nothing is refused."""
    return Unread(f"it is not clear what {chunk.text!r} stands for", (Unknown(chunk.text),))
