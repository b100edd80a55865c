"""Dates by what happened on them: "accounts created in 2025", "customers who signed up by month", "by signup year"."""

from __future__ import annotations

from dataclasses import replace

from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.slots import Unread
from backedge.ask.grounding.vocabulary import GRAINS
from backedge.ask.intent import Unknown
from backedge.semantic.spec import Grain


def happened(draft: Draft, chunk: Chunk) -> None:
    """Take `created in 2025` or `created by month`. Raises `Unread` where no time follows."""
    paths, ahead = own_dates(draft, chunk), draft.passing("filter", "stop")
    when = draft.peek(ahead)
    if when is not None and when.period is not None:
        _no_further(draft, ahead + 1, chunk)
        named = draft.chooser.periods(sorted(paths), (when.period,), draft.negated, implied=False)
        choices = [replace(choice, at_home=True) for choice in named]
        draft.take(ahead + 1, "time", draft.add("time", chunk, "time", choices))
        draft.negated, draft.context = False, "tail"
        return
    found = _grain(draft, draft.peek(1), draft.peek(2))
    if found is None:
        raise Unread(
            f"it is not clear what {chunk.text!r} restricts; say a time after it, or 'by month'",
            (Unknown(chunk.text),),
            kind="unknown_word",
        )
    draft.no_negation(chunk)
    grain, taken = found
    draft.take(1 + taken, "grain", draft.add("by", chunk, "grain", draft.chooser.grains(grain, 0, within=paths)))
    draft.context = "by"


def own_dates(draft: Draft, chunk: Chunk) -> frozenset[str]:
    """The dates of the thing that the words are said of: "tickets created" is not said of their accounts.

    "Customers who ordered" did so themselves, and the orders have the date. Raises `Unread` where nothing has one.
    """
    before = [c for c in draft.chunks[: draft.at] if c.symbol not in ("filter", "is", "stop", "not", "by")][-1:]
    views = {entry.view for c in before for entry in c.entries if entry.kind in ("measure", "noun")}
    views = views or {c.view for index in draft.with_role("measure") for c in draft.slots[index].choices}
    own = frozenset(path for path in chunk.dated if path.partition(".")[0] in views)
    doing = draft.dangling is not None and draft.dangling.text == "who"
    if not own and not doing and chunk.words[0].folded.endswith("ed"):
        dates = " and ".join(path.replace("_", " ").replace(".", " ") for path in chunk.dated)
        raise Unread(f"nothing says when what is measured was {chunk.text}; only {dates} is known")
    return own or frozenset(chunk.dated)


def by_when(draft: Draft, chunk: Chunk) -> bool:
    """Whether a chunk says when and a grain by which to group follows: "shipped by month", "created monthly"."""
    return bool(chunk.dated) and _grain(draft, draft.peek(1), draft.peek(2)) is not None


def _grain(draft: Draft, first: Chunk | None, second: Chunk | None) -> tuple[Grain, int] | None:
    if first is not None and first.keyword and first.symbol == "adverb" and not first.held:
        return GRAINS[first.keyword.detail], 1
    if first is not None and first.symbol == "by" and second is not None and second.grain and not second.entries:
        return second.grain, 2
    return None


def _no_further(draft: Draft, ahead: int, chunk: Chunk) -> None:
    """One time belongs to the verb: of a second one it is not clear which date it goes by."""
    join, after = draft.peek(ahead), draft.peek(draft.passing("and", "or", "comma", "versus", "stop", ahead=ahead))
    joined = join is not None and join.symbol in ("and", "or", "comma", "versus")
    if joined and after is not None and (after.period is not None or after.symbol == "earlier"):
        raise Unread(f"{chunk.text!r} takes one time; name the date, as in 'by month of the date', or ask for one time")
