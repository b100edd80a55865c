"""Steps of the grammar for what goes beyond totals: shares, compared periods, running totals, moving averages, gaps."""

from __future__ import annotations

from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.filters import period_filter, value_filter
from backedge.ask.grounding.slots import Unread
from backedge.ask.grounding.vocabulary import GRAINS

LONGEST_WINDOW = 1_000


def shape(draft: Draft, chunk: Chunk) -> None:
    """Take a word that asks for more than totals."""
    if chunk.held and (draft.dangling or draft.negated) and value_filter(draft):
        return
    draft.no_negation(chunk)
    if chunk.symbol != "share":
        draft.no_aggregate(chunk)
    _STEPS[chunk.symbol](draft, chunk)


def _detail(chunk: Chunk) -> str:
    return chunk.keyword.detail if chunk.keyword else ""


def _share(draft: Draft, chunk: Chunk) -> None:
    draft.no_aggregate(chunk)
    if draft.more.share:
        raise Unread(f"{draft.more.share.text!r} and {chunk.text!r} ask for two shares; ask for one at a time")
    _of_something(draft, chunk)
    following = draft.peek(draft.passing("stop"))
    draft.more.share = chunk
    draft.more.of_total = following is not None and _says_total(following)
    draft.take(1, "measure", None, "share of the total")
    if _detail(chunk) == "tail":
        _whole(draft, chunk)


def _of_something(draft: Draft, chunk: Chunk) -> None:
    """ "Revenue share" is a share of revenue; "margin percentage" may be one of something else, "share price" none."""
    if _detail(chunk) or chunk.words[-1].folded == "of" or chunk.words[0].folded == "as":
        return
    before = next((mark for mark in reversed(draft.marks) if mark.chunk.symbol != "stop"), None)
    behind = before is not None and before.slot is not None and before.role in ("measure", "filler")
    if not behind or chunk.words[-1].folded != "share":
        raise Unread(
            f"it is not clear what {chunk.text!r} is of; say 'share of MEASURE' or 'as a percent of the total'"
        )


def _says_total(chunk: Chunk) -> bool:
    return chunk.symbol == "aggregate" and _detail(chunk) == "total"


def _whole(draft: Draft, share: Chunk) -> None:
    """ "… as a percent of the total", "… of all orders": what the whole is, which must be what is measured."""
    draft.take(draft.passing("stop", "all", ahead=0), "filler")
    total = draft.peek()
    said = total is not None and _says_total(total)
    draft.take(1 if said else 0, "measure", None, "total")
    named = draft.peek()
    if named is not None and named.is_term and names_measure(named) & _measured(draft):
        draft.take(1, "measure", None, "total")
    elif not said:
        raise Unread(f"it is not clear what {share.text!r} is of; say 'as a percent of the total'")
    draft.more.of_total = True


def _measured(draft: Draft) -> set[str]:
    slots = [draft.slots[index] for index in draft.with_role("measure")]
    waiting = {path for one in draft.waiting for path in names_measure(one.chunk)}
    return waiting | {path for slot in slots for choice in slot.choices for path in choice.measures}


def names_measure(chunk: Chunk) -> set[str]:
    """The measures that a chunk names, or that count what it names."""
    return {e.path for e in chunk.entries if e.kind in ("measure", "noun")} | {head.path for head in chunk.heads}


def of_shape(draft: Draft, chunk: Chunk) -> bool:
    """Whether a chunk stands right behind "growth of" and its like, and so is what is measured: "customers"."""
    before = next((mark.chunk for mark in reversed(draft.marks) if mark.chunk.symbol != "stop"), None)
    asked = before is not None and before.symbol in ("share", "change", "running", "moving")
    return asked and any(e.kind in ("measure", "noun") for e in chunk.entries)


def _versus(draft: Draft, chunk: Chunk) -> None:
    """Take `vs`, `compared with`: a period must follow, for nothing else is compared."""
    following = draft.peek(draft.passing("stop", "filter"))
    if following is None or not (following.period or following.symbol == "earlier"):
        raise Unread(
            f"{chunk.text!r} is understood between periods, such as 'in 2024 {chunk.text} 2023'; to see values side by "
            f"side ask 'by' their dimension"
        )
    draft.more.compared, draft.more.pairs = chunk, True
    draft.take(draft.passing("stop", "filter"), "time", None, "compared with")
    if following.symbol == "earlier":
        _back(draft, following)


def _back(draft: Draft, chunk: Chunk) -> None:
    draft.more.back, draft.dangling = _detail(chunk), None
    draft.take(1, "time", None, f"compared with {chunk.text}")
    draft.context = "tail"


def _earlier(draft: Draft, chunk: Chunk) -> None:
    """ "From the previous month" belongs to a change; "previous month" alone is a period as good as any."""
    if draft.more.compared and draft.context == "from":
        _back(draft, chunk)
    elif chunk.period:
        period_filter(draft)
    else:
        raise Unread(f"{chunk.text!r} is earlier than what? say 'in March 2024 compared with {chunk.text}'")


def _change(draft: Draft, chunk: Chunk) -> None:
    draft.more.compared, draft.more.changes = chunk, True
    draft.take(1, "measure", None, "change")


def _opens(draft: Draft, chunk: Chunk) -> None:
    """ "How did revenue change": the verb must follow somewhere, or nothing is asked."""
    later = draft.chunks[draft.at + 1 :]
    if _detail(chunk) == "opens" and not any(c.symbol == "change" and _detail(c) != "opens" for c in later):
        raise Unread(f"it is not clear what {chunk.text!r} asks; say 'change of MEASURE by month', for example")
    _change(draft, chunk)


def _step(draft: Draft, chunk: Chunk) -> None:
    draft.more.compared, draft.more.step = chunk, GRAINS[_detail(chunk)]
    draft.take(1, "time", None, f"compared with the {_detail(chunk)} before")


def _pair(draft: Draft, chunk: Chunk) -> None:
    draft.more.compared, draft.more.pairs = draft.more.compared or chunk, True
    draft.take(1, "filler")


def _running(draft: Draft, chunk: Chunk) -> None:
    draft.more.running = chunk
    draft.take(1, "measure", None, "running total")


def _moving(_draft: Draft, chunk: Chunk) -> None:
    raise Unread(f"{chunk.text!r} over how many periods? say '7-day {chunk.text}', for example")


def moves(draft: Draft) -> bool:
    """Whether the cursor stands before `7 day moving average of`."""
    number, unit, mean = draft.peek(), draft.peek(1), draft.peek(2)
    return bool(number and number.number is not None and unit and unit.grain and mean and mean.symbol == "moving")


def moving(draft: Draft) -> None:
    """Take `7 day moving average of`."""
    number, unit, mean = draft.peek(), draft.peek(1), draft.peek(2)
    assert number is not None
    assert unit is not None
    assert unit.grain is not None
    assert mean is not None
    draft.no_aggregate(mean)
    count = number.number
    if not isinstance(count, int) or not 2 <= count <= LONGEST_WINDOW:
        raise Unread(f"{number.text!r} is no number of periods to average over; say a whole number from 2 up")
    draft.more.window = (mean, count, unit.grain)
    draft.take(3, "measure", None, f"average over {count} {unit.grain}s")


def _gaps(draft: Draft, chunk: Chunk) -> None:
    """Take `including months without sales`: periods without what is measured have a row as well."""
    unit, _, without = _detail(chunk).partition(" ")
    draft.more.gaps = (chunk, GRAINS[unit])
    draft.take(1, "grain", None, "every period has a row")
    if without:
        draft.take(draft.passing("stop", ahead=0), "filler")
        named = draft.peek()
        if named is None or not named.is_term or not names_measure(named) & _measured(draft):
            what = named.text if named else "nothing"
            raise Unread(f"{chunk.text!r} {what!r}: it is not clear which periods that takes in; say what is measured")
        draft.take(1, "grain", None, "every period has a row")


_STEPS = {
    "share": _share,
    "versus": _versus,
    "earlier": _earlier,
    "change": _opens,
    "step": _step,
    "pair": _pair,
    "running": _running,
    "moving": _moving,
    "gaps": _gaps,
}
