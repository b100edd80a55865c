"""The words of a follow-up that only refer to the question before: "and …", "what about …", "for all countries"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from backedge.ask.grounding.chunks import Chunk, Sources, cut
from backedge.ask.grounding.restrictions import dimensions
from backedge.ask.grounding.slots import Unread
from backedge.ask.grounding.vocabulary import KEYWORDS
from backedge.ask.grounding.words import Word


def _phrases(*texts: str) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted((tuple(t.split()) for line in texts for t in line.split("|")), key=len, reverse=True))


_OPENERS = _phrases(
    "and what about|what about|and how about|how about|and|but|and now|now|then|and then|ok|okay|so|do|use|try|repeat",
    "the same|same|the same thing|same thing|the same question|the same as before|the same for|same for|again",
    "change to",
)
_ADDS = _phrases("also|and also|too|as well|in addition|additionally|and additionally|add")
_CLOSERS = _phrases("instead|again|then|though|now|as before|one|ones")
_BREAK = _phrases(
    "break it down|break this down|break that down|break them down|break those down|split it|split this|split that",
    "split them|group it|group that|group this|group them|break down",
)
_VERBS = frozenset({"show", "list", "give", "see", "sort", "order", "rank", "put", "make", "want", "get", "and"})
_PRONOUNS = frozenset({"it", "them", "those", "these", "that"})
_NO_TIME = _phrases(
    "over all time|for all time|of all time|over all times|for all times|all time|for all dates|at any time"
)
_NO_FILTER = _phrases(
    "without filters|without the filters|without any filter|without any filters|no filters|unfiltered"
)
_NO_LIMIT = _phrases(
    "all rows|all of them|the whole list|the full list|without the limit|without a limit|not only the top"
)
_ONE_VALUE = _phrases("in total|overall|altogether|ungrouped|without grouping|not grouped|as one number|as one value")
_THE_TOTAL = _phrases("the total|total|the grand total|grand total|the overall total")
_WHY = _phrases("why|how come|for what reason|what is the reason|what caused|what causes")


@dataclass(frozen=True)
class Drop:
    """Words by which a part of the question before is given up: its filter on `members`, or all parts of a kind."""

    chunk: Chunk
    what: str
    members: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Held:
    """What the question before holds that can be given up: members with a filter, members that it groups by."""

    filtered: frozenset[str]
    listed: frozenset[str]


@dataclass
class Referring:
    """A follow-up without the words that only refer back. `marked`: it says that it follows; `adds`: "also".

    `extreme` is a "highest" that stands alone: the one row of those before that has most.
    """

    words: list[Word] = field(default_factory=list)
    fillers: list[Chunk] = field(default_factory=list)
    drops: list[Drop] = field(default_factory=list)
    marked: bool = False
    adds: bool = False
    extreme: Chunk | None = None

    def skip(self, words: Sequence[Word]) -> int:
        """Take words as filler; how many."""
        self.fillers.append(Chunk(tuple(words)))
        self.marked = True
        return len(words)

    def drop(self, words: Sequence[Word], what: str, members: frozenset[str] = frozenset()) -> int:
        """Take words that give something up; how many."""
        self.drops.append(Drop(Chunk(tuple(words)), what, members))
        self.marked = True
        return len(words)

    @property
    def blank(self) -> bool:
        """Whether nothing but filler stands before."""
        return all(_symbol(word) in ("stop", "comma") for word in self.words)


def asks_why(words: Sequence[Word]) -> bool:
    """Whether a question asks for a cause."""
    return bool(_match(words, 0, _WHY))


def restricts(words: Sequence[Word]) -> bool:
    """Whether a question opens as a filter does: "for …", "without …"."""
    return bool(words) and (words[0].folded in ("only", "just") or _symbol(words[0]) in ("filter", "not"))


def why() -> Unread:
    """The refusal of a question for a cause."""
    return Unread(
        "why something is so cannot be read from the data; ask how it splits, by a dimension or per month", kind="why"
    )


def refer(words: Sequence[Word], sources: Sources, held: Held) -> Referring:
    """Part a follow-up into what refers to the question before and what is to be read."""
    found, at = Referring(), 0
    while at < len(words):
        taken = _extreme(found, words, at) or _gives_up(found, words, at, sources, held)
        taken = taken or _refers(found, words, at, sources)
        if not taken:
            found.words.append(_as_keyword(words[at]))
        at += taken or 1
    return found


def _extreme(found: Referring, words: Sequence[Word], at: int) -> int:
    """ "And the lowest?", "which was the highest?": nothing else is said."""
    plain = all(_symbol(word) in ("stop", "comma", "pick", "is") for word in found.words)
    if at + 1 < len(words) or _symbol(words[at]) != "rank" or not plain:
        return 0
    found.fillers += [Chunk((word,)) for word in found.words]
    found.words = []
    found.extreme, found.marked = Chunk((words[at],), KEYWORDS[(words[at].folded,)]), True
    return 1


def _gives_up(found: Referring, words: Sequence[Word], at: int, sources: Sources, held: Held) -> int:
    for phrases, what in ((_NO_TIME, "time"), (_NO_FILTER, "filters"), (_NO_LIMIT, "limit"), (_ONE_VALUE, "grouping")):
        if length := _match(words, at, phrases):
            return found.drop(words[at : at + length], what)
    length = _match(words, at, _THE_TOTAL)
    if length and found.blank and at + length == len(words):
        return found.drop(words[at : at + length], "grouping")
    return _all_of(found, words, at, sources, held)


def _all_of(found: Referring, words: Sequence[Word], at: int, sources: Sources, held: Held) -> int:
    """ "For all countries": no filter on the country any more, or no longer only the top of them."""
    start = at + (_folded(words, at) in ("for", "over", "across", "in", "of", "with"))
    if _folded(words, start) not in ("all", "any"):
        return 0
    start += 2 if _folded(words, start + 1) in ("the", "of") else 1
    chunks = cut(words[start:], sources)
    named = frozenset(e.path for e in dimensions(chunks[0])) if chunks else frozenset()
    what, members = ("filters", named & held.filtered) if named & held.filtered else ("limit", named & held.listed)
    if not members:
        return 0
    return found.drop(words[at : start + len(chunks[0].words)], what, members)


def _refers(found: Referring, words: Sequence[Word], at: int, sources: Sources) -> int:
    if length := _match(words, at, _BREAK):
        return found.skip(words[at : at + length])
    if length := _match(words, at, _ADDS) if found.blank or at + 2 >= len(words) else 0:
        found.adds = True
        return found.skip(words[at : at + length])
    if (length := _match(words, at, _CLOSERS)) and at + length == len(words):
        return found.skip(words[at : at + length])
    if found.blank and (length := _match(words, at, _OPENERS)):
        return found.skip(words[at : at + length])
    if _folded(words, at) in ("only", "just") and at + 1 < len(words) and _ranks(words[at + 1 :]):
        return found.skip(words[at : at + 1])
    pronoun = _folded(words, at) in _PRONOUNS and at > 0 and _folded(words, at - 1) in _VERBS
    return found.skip(words[at : at + 1]) if pronoun and not _means_something(words[at], sources) else 0


def _ranks(words: Sequence[Word]) -> bool:
    rest = [word for word in words if word.folded != "the"]
    return bool(rest) and _symbol(rest[0]) == "rank"


def _means_something(word: Word, sources: Sources) -> bool:
    """ "IT" may be a department."""
    return (word.stem,) in sources.lexicon.entries or (word.stem,) in sources.values.phrases


def _as_keyword(word: Word) -> Word:
    """ "Without Germany" leaves it out, in a follow-up as "except" does."""
    plain = word.folded == "without" and ("without",) not in KEYWORDS
    return replace(word, folded="excluding", stem="excluding") if plain else word


def _symbol(word: Word) -> str:
    keyword = KEYWORDS.get((word.folded,))
    return keyword.symbol if keyword and word.kind != "quoted" else ""


def _match(words: Sequence[Word], at: int, phrases: Iterable[tuple[str, ...]]) -> int:
    for phrase in phrases:
        if tuple(_folded(words, at + n) for n in range(len(phrase))) == phrase:
            return len(phrase)
    return 0


def _folded(words: Sequence[Word], at: int) -> str:
    return words[at].folded if at < len(words) and words[at].kind != "quoted" else ""
