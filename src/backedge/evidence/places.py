"""Every place where words stand in a stretch of a text: letter by letter, else by the key of the text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from backedge.evidence.agreement import agree
from backedge.evidence.reading import Reading
from backedge.evidence.text_key import HYPHEN, Key, fold_one, folded, key_of, without_hyphens
from backedge.evidence.tokens import cut, with_stray_letters

MOST_PLACES = 200
SHORTEST = 8  # characters of the key of a quotation
Stretch = tuple[int, int]


@dataclass(frozen=True)
class LocatedText:
    """A reading with its keys, made once and used for all quotations of it.

    `shortest` is how many characters the key of a quotation has at least; a request may be cited by a single word.
    """

    reading: Reading
    shortest: int = SHORTEST

    @cached_property
    def key(self) -> Key:
        """The key of the text."""
        return key_of(self.reading.text)

    @cached_property
    def bare(self) -> Key:
        """The key without hyphens."""
        return without_hyphens(self.key)


@dataclass(frozen=True)
class Places:
    """Where words stand, as half-open stretches; what the first place that is none cuts; whether there are more."""

    found: tuple[Stretch, ...]
    cut: str = ""
    more: bool = False


def places_of(text: LocatedText, words: str, start: int, end: int) -> Places:
    """The places of words in `text[start:end]`: of the first rung that has any.

    The rungs: the words as they are; the key; the key without hyphens, for lines that end inside a word.
    """
    words = words.strip()
    refused = Places(())
    for stretches in (
        _exactly(text.reading.text, words, start, end),
        _by_key(text, words, start, end),
        _without_hyphens(text, words, start, end),
    ):
        places = _judged(text.reading.text, stretches)
        if places.found:
            return places
        refused = refused if refused.cut else places
    return refused


def _judged(text: str, stretches: Iterator[Stretch | None]) -> Places:
    """Of the stretches those that cut nothing; None is one that turned out to say something else."""
    found: dict[Stretch, None] = {}
    refused = ""
    for number, stretch in enumerate(stretches):
        if number >= MOST_PLACES:
            return Places(tuple(found), refused, more=True)
        if stretch is None:
            continue
        whole = with_stray_letters(text, *stretch)
        if what := cut(text, *whole):
            refused = refused or what
        else:
            found[whole] = None
    return Places(tuple(found), refused)


def _exactly(text: str, words: str, start: int, end: int) -> Iterator[Stretch]:
    at = text.find(words, start, end) if words else -1
    while at >= 0:
        yield at, at + len(words)
        at = text.find(words, at + 1, end)


def _by_key(text: LocatedText, words: str, start: int, end: int) -> Iterator[Stretch | None]:
    raw = text.reading.text
    for first, last in _of_key(text.key, folded(words), start, end):
        yield (first, last) if agree(raw[first:last], words) else None


def _without_hyphens(text: LocatedText, words: str, start: int, end: int) -> Iterator[Stretch | None]:
    wanted = folded(words)
    bare = wanted.replace(HYPHEN, "")
    raw = text.reading.text
    leading, trailing = (len(wanted) - len(stripped) for stripped in (wanted.lstrip(HYPHEN), wanted.rstrip(HYPHEN)))
    for first, last in _of_key(text.bare, bare, start, end):
        before, behind = leading, trailing
        while before and first > start and fold_one(raw[first - 1]) == HYPHEN:
            first, before = first - 1, before - 1
        while behind and last < end and fold_one(raw[last]) == HYPHEN:
            last, behind = last + 1, behind - 1
        yield (first, last) if agree(raw[first:last], words) else None


def _of_key(key: Key, wanted: str, start: int, end: int) -> Iterator[Stretch]:
    """The stretches that a key's places cover, in whole characters: all of a `≠` for its `=`."""
    if not wanted:
        return
    low, high = bisect_left(key.places, start), bisect_left(key.places, end)
    at = key.text.find(wanted, low, high)
    while at >= 0:
        last = at + len(wanted)
        yield key.places[at], key.places[last - 1] + 1
        at = key.text.find(wanted, at + 1, high)
