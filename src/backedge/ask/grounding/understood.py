"""What rules read with certainty of a text that they cannot read whole, and the words that mean nothing to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from backedge.ask.grounding.chunks import Chunk, Sources, cut
from backedge.ask.grounding.lexicon import SYNONYM, lexicon_of
from backedge.ask.grounding.periods import Period
from backedge.ask.grounding.values import Held, Values
from backedge.ask.grounding.words import Phrase, fold, tokenise
from backedge.semantic.model import Model

_PASSED = ("stop", "filter", "is", "and", "or", "comma")
_COMPARED = {"gt": "gt", "gte": "gte", "lt": "lt", "lte": "lte"}


@dataclass(frozen=True)
class Naming:
    """Words that name members exactly: one of `paths` is meant."""

    words: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Valued:
    """Words that are values: of one of the dimensions, all of its values (they differ in case or space alone).

    `negated` says that "not" stands before them, `certain` that no word before them may turn them round.
    """

    words: str
    held: tuple[Held, ...]
    paths: tuple[str, ...] = ()
    negated: bool = False
    certain: bool = True


@dataclass(frozen=True)
class Numbered:
    """A number, and the operator that the words before it say, if any."""

    words: str
    number: int | Decimal
    op: str = ""
    percent: bool = False


@dataclass(frozen=True)
class Understood:
    """What is certain of a text. `ranked` is asc or desc where the first or last rows are asked for."""

    members: tuple[Naming, ...] = ()
    values: tuple[Valued, ...] = ()
    periods: tuple[Period, ...] = ()
    numbers: tuple[Numbered, ...] = ()
    grains: tuple[str, ...] = ()
    ranked: str = ""
    unknown: tuple[str, ...] = ()
    stems: Phrase = ()


def understood(text: str, model: Model, values: Values, today: date) -> Understood:
    """What the words of a text mean for certain, each by itself."""
    words = tokenise(text)
    chunks = cut(words, Sources(lexicon_of(model), values, today))
    ranks = {chunk.keyword.detail for chunk in chunks if chunk.keyword and chunk.symbol == "rank"}
    return Understood(
        tuple(_members(chunks)),
        tuple(_values(chunks)),
        tuple(c.period for c in chunks if c.period and not (c.held or c.is_term)),
        tuple(_numbers(chunks)),
        tuple(_grains(chunks)),
        ranks.pop() if len(ranks) == 1 else "",
        tuple(_written(chunk) for chunk in chunks if chunk.unknown),
        tuple(word.stem for word in words),
    )


def _members(chunks: Sequence[Chunk]) -> Iterator[Naming]:
    for chunk in chunks:
        named = tuple(e.path for e in chunk.entries if e.kind != "noun" and e.rank <= SYNONYM)
        other = chunk.keyword or chunk.held or chunk.grain or chunk.period or chunk.split or chunk.apart
        if named and not other and len(named) == len(chunk.entries):
            yield Naming(_written(chunk), tuple(dict.fromkeys(named)))


def _values(chunks: Sequence[Chunk]) -> Iterator[Valued]:
    for at, chunk in enumerate(chunks):
        held = tuple(h for h in chunk.held if h.whole)
        if held and not (chunk.keyword or chunk.period or chunk.number is not None):
            before = _before(chunks, at)
            certain = before is None or not before.unknown
            negated = before is not None and (before.symbol == "not" or _is_unequal(before))
            paths = tuple(dict.fromkeys(entry.path for entry in chunk.entries))
            yield Valued(_written(chunk), tuple(_as_said(chunk, h) for h in held), paths, negated, certain)


def _is_unequal(chunk: Chunk) -> bool:
    return chunk.keyword is not None and chunk.keyword.detail == "not_equals"


def _as_said(chunk: Chunk, held: Held) -> Held:
    """Of values that differ in their diacritics, those that are spelt as the words are."""
    said = fold("".join(_written(chunk).split()))
    spelt = tuple(v for v in held.values if fold("".join(v.split())) == said)
    return Held(held.member, spelt or held.values, held.whole)


def _numbers(chunks: Sequence[Chunk]) -> Iterator[Numbered]:
    for at, chunk in enumerate(chunks):
        if chunk.number is None or chunk.period or chunk.text == "one":
            continue
        before = _before(chunks, at)
        op = before.keyword.detail if before and before.keyword and before.symbol == "compare" else ""
        behind = chunks[at + 1].text if at + 1 < len(chunks) else ""
        yield Numbered(_written(chunk), chunk.number, _COMPARED.get(op, ""), behind in ("%", "percent"))


def _grains(chunks: Sequence[Chunk]) -> Iterator[str]:
    for at, chunk in enumerate(chunks):
        if chunk.keyword and chunk.symbol == "adverb":
            yield chunk.keyword.detail
        elif chunk.grain and not chunk.entries and at and chunks[at - 1].symbol == "by":
            yield chunk.grain


def _before(chunks: Sequence[Chunk], at: int) -> Chunk | None:
    """What stands before a chunk and may change what it does: filler is passed over."""
    return next((c for c in reversed(chunks[:at]) if c.symbol not in _PASSED and not c.held), None)


def _written(chunk: Chunk) -> str:
    return " ".join(word.text for word in chunk.words)
