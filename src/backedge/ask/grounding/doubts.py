"""Values that may be something else: "A and B", "not open", "student 5", "2024", "April"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from backedge.ask.grounding.chunks import Chunk, cut
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.periods import MONTHS
from backedge.ask.grounding.restrictions import dimensions, name_of
from backedge.ask.grounding.slots import Choice, Unread
from backedge.ask.grounding.vocabulary import KEYWORDS
from backedge.ask.grounding.words import Word

_TEMPORAL = ("in", "during", "within", "on")


def other_cuts(draft: Draft, chunk: Chunk, within: frozenset[str]) -> list[Choice]:
    """What the words of one value say where they are cut into several: a person must say which is meant."""
    if len(chunk.words) < 2 or draft.negated:
        return []
    return [choice for choice in (*_denied(draft, chunk), *_listed(draft, chunk), *_numbered(draft, chunk))
            if not within or (choice.where and choice.value.partition(" ")[0] in within)]  # fmt: skip


def _denied(draft: Draft, chunk: Chunk) -> Iterator[Choice]:
    """ "Not open" is a value, and all that is not "open"."""
    if _symbol(chunk.words[0]) == "not":
        rest = cut(chunk.words[1:], draft.chooser.sources)
        if len(rest) == 1:
            for choice in draft.chooser.held(rest, frozenset(), negated=True):
                yield replace(choice, value=f"{choice.value} not")


def _listed(draft: Draft, chunk: Chunk) -> Iterator[Choice]:
    """ "A and B" is a value, and two of them."""
    for at, word in enumerate(chunk.words[1:-1], 1):
        if _symbol(word) in ("and", "or", "comma"):
            parts = [_whole(draft, chunk.words[:at]), _whole(draft, chunk.words[at + 1 :])]
            for choice in draft.chooser.held(parts, frozenset(), negated=False):
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
            yield replace(draft.chooser.equal(entry.path, (plain,), 0, False), value=f"{entry.path} number")


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
