"""Values that may be something else: "A and B", "not open", "student 5", "2024", "April"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from backedge.ask.grounding.below import is_below
from backedge.ask.grounding.chunks import Chunk, cut
from backedge.ask.grounding.draft import Draft, Waiting
from backedge.ask.grounding.lexicon import DERIVED, NAME
from backedge.ask.grounding.numbers import read_number
from backedge.ask.grounding.periods import MONTHS
from backedge.ask.grounding.recuts import promises_more
from backedge.ask.grounding.restrictions import dimensions, name_of
from backedge.ask.grounding.shape_words import SHAPE_SYMBOLS
from backedge.ask.grounding.slots import Choice, Unread
from backedge.ask.grounding.vocabulary import KEYWORDS
from backedge.ask.grounding.words import Word

_TEMPORAL = ("in", "during", "within", "on")
_ENDS = ("filter", "by", "and", "or", "comma", "sort", "not", "is", "versus")
_OTHER_WORDS = {"gt": "more than", "gte": "of at least", "lt": "less than", "lte": "of at most"}


def other_cuts(draft: Draft, chunk: Chunk, within: frozenset[str]) -> list[Choice]:
    """What the words of one value say where they are cut into several: a person must say which is meant."""
    if len(chunk.words) < 2:
        return []
    found = (*_denied(draft, chunk), *_listed(draft, chunk), *_numbered(draft, chunk), *_limit(chunk))
    return [c for c in found if not within or (c.where and c.value.partition(" ")[0] in within)]


def _denied(draft: Draft, chunk: Chunk) -> Iterator[Choice]:
    """ "Not open" is a value, and all that is not "open"."""
    if _symbol(chunk.words[0]) == "not" and not draft.negated:
        rest = cut(chunk.words[1:], draft.chooser.sources)
        if len(rest) == 1:
            for choice in draft.chooser.held(rest, frozenset(), negated=True):
                yield replace(choice, value=f"{choice.value} not")


def _listed(draft: Draft, chunk: Chunk) -> Iterator[Choice]:
    """ "A and B" is a value, and two of them."""
    for at, word in enumerate(chunk.words[1:-1], 1):
        if _symbol(word) in ("and", "or", "comma"):
            parts = [_whole(draft, chunk.words[:at]), _whole(draft, chunk.words[at + 1 :])]
            for choice in draft.chooser.held(parts, frozenset(), draft.negated):
                yield replace(choice, value=f"{choice.value} list")


def _numbered(draft: Draft, chunk: Chunk) -> Iterator[Choice]:
    """ "Student 5" is a name, and the number of a student."""
    parts = cut(chunk.words[:-1], draft.chooser.sources)
    number = cut(chunk.words[-1:], draft.chooser.sources)[0].number
    if len(parts) != 1 or number is None:
        return
    for entry in dimensions(parts[0]):
        if draft.chooser.lexicon.dimension(entry.path).type == "number":
            plain = number if isinstance(number, int) else float(number)
            yield replace(draft.chooser.equal(entry.path, (plain,), 0, draft.negated), value=f"{entry.path} number")


def _limit(chunk: Chunk) -> Iterator[Choice]:
    """ "Cost under 20" may be that of a band of this name, or a limit."""
    for length in range(1, len(chunk.words)):
        keyword = KEYWORDS.get(tuple(word.folded for word in chunk.words[:length]))
        if keyword and keyword.symbol == "compare" and read_number(chunk.words, length):
            said = f"what is {chunk.text}? say 'with TOTAL {_OTHER_WORDS[keyword.detail]} N', for example"
            yield Choice("limit", f"a number that is {chunk.text}", NAME, "", says=chunk.text, empty=said)


def other_holders(draft: Draft, items: Sequence[Chunk]) -> Iterator[Choice]:
    """ "Surgery and Paris" are two wards, or the ward and the city where Paris is a value of both."""
    ways = [draft.chooser.held([item], frozenset(), draft.negated) for item in items]
    for way in product(*ways):
        if len({choice.value for choice in way}) == len(way):
            says = " and ".join(choice.says for choice in way)
            where = tuple(condition for choice in way for condition in choice.where)
            yield replace(way[0], value=f"{says} apart", label=says, where=where, says=says, at_home=False)


def having(draft: Draft, chunk: Chunk) -> list[Choice]:
    """ "Users with clicks" are those whose role is so called, or those who clicked."""
    counted = any(entry.kind in ("measure", "noun") for entry in chunk.entries)
    if not counted or draft.dangling is None or draft.dangling.text not in ("with", "having"):
        return []
    some = f"things that have any {chunk.text} cannot be asked for yet; name the dimension of the value {chunk.text!r}"
    return [Choice("having", f"that have any {chunk.text}", NAME, "", says=f"with {chunk.text}", empty=some)]


def _whole(draft: Draft, words: Sequence[Word]) -> Chunk:
    held = draft.chooser.sources.values.phrases.get(tuple(word.stem for word in words), ())
    return Chunk(tuple(words), held=held)


def _symbol(word: Word) -> str:
    keyword = KEYWORDS.get((word.folded,))
    return keyword.symbol if keyword and word.kind != "quoted" else ""


def no_month(draft: Draft, chunk: Chunk) -> None:
    """Refuse "in April" where April is no month to the data: the month lacks its year, and the value its dimension."""
    inside = draft.dangling is not None and draft.dangling.text in _TEMPORAL
    if chunk.text not in MONTHS or not inside or not draft.chooser.date_dimensions():
        return
    others = [h.member for h in chunk.held if not _of_months(draft, h.member)]
    if others:
        name = name_of(others[0])
        raise Unread(
            f"{chunk.text!r} may be the month or a value of {name}: add the year to the month, "
            f"or say '{name} is {chunk.words[0].text}'"
        )


def _of_months(draft: Draft, member: str) -> bool:
    return member in draft.chooser.sources.values.months


def no_number_before_time(draft: Draft, waiting: Waiting) -> None:
    """ "Carriers founded in 2005": the number may be the year that is meant, and no row is asked for each of them."""
    named = [entry for entry in dimensions(waiting.chunk) if entry.rank < DERIVED]
    kinds = {draft.chooser.lexicon.dimension(entry.path).type for entry in named}
    at = next(at for at, chunk in enumerate(draft.chunks) if chunk is waiting.chunk)
    after = [chunk for chunk in draft.chunks[at + 1 : at + 3] if chunk.symbol not in ("filter", "stop")]
    if draft.with_role("measure") and not draft.picked and kinds == {"number"} and after and after[0].period:
        name = waiting.chunk.text
        raise Unread(f"{name!r} is a number and {after[0].text!r} a time; say '{name} is …', or 'by {name}'")


def no_shared_adjective(draft: Draft) -> None:
    """ "Lost shipments and parcels" may be the parcels of lost shipments, or all of them."""
    marks = sorted((mark for mark in draft.marks if mark.chunk.symbol != "stop"), key=lambda mark: mark.chunk.start)
    for before, value, measure, join in zip([None, *marks], marks, marks[1:], marks[2:], strict=False):
        stated = before is not None and (before.chunk.symbol in ("filter", "not") or before.slot == value.slot)
        joined = join.chunk.symbol in ("and", "comma") and draft.with_role("measure")[1:]
        if value.role == "value" and measure.role == "measure" and measure.slot is not None and joined and not stated:
            raise Unread(
                f"it is not clear whether {value.chunk.text!r} restricts what comes after {measure.chunk.text!r} too; "
                f"say it behind all of them, or ask for one alone"
            )


def steers_nothing(draft: Draft, chunk: Chunk) -> bool:
    """ "Accounts in Total", "sales for Annual": behind a preposition, and before nothing, such a word is the value."""
    if not chunk.held or chunk.symbol in ("stop", *SHAPE_SYMBOLS) or not (draft.dangling or draft.negated):
        return False
    following = draft.peek(1)
    return following is None or following.symbol in _ENDS or following.period is not None


def in_total(draft: Draft, chunk: Chunk) -> list[Choice]:
    """ "Accounts in total" may be all of them, where Total is a value."""
    idiom = chunk.text == "total" and chunk.words[0].text.islower()
    if not idiom or draft.dangling is None or draft.dangling.text != "in":
        return []
    return [Choice("in total", "in total, whatever their value", NAME, "", says="in total")]


def no_bare_number(draft: Draft, chunk: Chunk) -> None:
    """ "7 shipments" may be the first seven; "of 7" and "carrier 7" name the value."""
    following = draft.peek(1)
    if chunk.number is not None and not (draft.dangling or draft.negated) and following and following.is_term:
        name = name_of(chunk.held[0].member)
        raise Unread(f"it is not clear what {chunk.text!r} stands for; say '{name} is {chunk.text}', if that is meant")


def promised(draft: Draft, chunk: Chunk) -> list[Choice]:
    """ "Invoices that are not paid", where a measure "paid invoices" counts others than those whose state is paid."""
    counted = [m.chunk for m in draft.marks if m.role in ("measure", "filler") and m.slot is not None]
    for noun in counted:
        if not noun.is_term:
            continue
        whole = cut((*chunk.words, *noun.words), draft.chooser.sources)
        if len(whole) == 1 and promises_more(whole[0], draft.chooser.sources):
            said = f"ask for {whole[0].text!r} alone: a condition cannot be that of a measure"
            return [Choice("promised", f"what {whole[0].text!r} counts", NAME, "", says=whole[0].text, empty=said)]
    return []


def of_others(draft: Draft, chunk: Chunk, choices: Sequence[Choice]) -> list[Choice]:
    """ "New accounts", where only their tickets have the value new: what is said of accounts is not known."""
    following = draft.peek(1)
    counted = {e.view for e in following.entries if e.kind in ("measure", "noun")} if following else set()
    model = draft.chooser.lexicon.model
    before = draft.dangling or draft.negated or draft.with_role("measure")
    if before or not counted or following is None or not choices:
        return []
    if not all(is_below(model, one, choice.view) for one in counted for choice in choices):
        return []
    said = f"nothing here says of {following.text} themselves that they are {chunk.text}"
    other = Choice("of others", f"{following.text} that are {chunk.text} themselves", NAME, "", empty=said)
    return [other]
