"""Cuts a question into chunks by longest match: each chunk keeps everything that its words may mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cached_property

from backedge.ask.grounding.dates import read_time
from backedge.ask.grounding.lexicon import Entry, Head, Lexicon
from backedge.ask.grounding.numbers import read_number
from backedge.ask.grounding.periods import Period, Reckoning, reckoning
from backedge.ask.grounding.shape_words import SHAPE_SYMBOLS
from backedge.ask.grounding.values import Held, Values
from backedge.ask.grounding.vocabulary import FISCAL_GRAINS, GRAINS, KEYWORDS, LONGEST_KEYWORD, Keyword
from backedge.ask.grounding.words import Word, phrase
from backedge.semantic.spec import Grain

_MAY_NAME = ("aggregate", "count", "all", *SHAPE_SYMBOLS)
_NEAR = 4  # chunks: "created in the month of March 2024"
_MAY_HOLD = ("stop", "aggregate", "count", "rank", "adverb", "all", "only", *SHAPE_SYMBOLS)


@dataclass(frozen=True)
class Chunk:
    """Words that belong together, and all that they may mean; the grammar decides which by where they stand.

    `dated` are the dates of what it says has happened: of "created" that of `created_at`.
    `trouble` is why words that speak of a time are no period, where they mean nothing else.
    `split` is the other cut of a name that opens with a superlative, `apart` that of one that opens with its view.
    """

    words: tuple[Word, ...]
    keyword: Keyword | None = None
    entries: tuple[Entry, ...] = ()
    heads: tuple[Head, ...] = ()
    held: tuple[Held, ...] = ()
    period: Period | None = None
    number: int | Decimal | None = None
    grain: Grain | None = None
    dated: tuple[str, ...] = ()
    trouble: str = ""
    split: tuple[Chunk, ...] = field(default=(), compare=False)
    apart: tuple[Chunk, ...] = field(default=(), compare=False)

    @property
    def symbol(self) -> str:
        """The symbol of its keyword, or empty."""
        return self.keyword.symbol if self.keyword else ""

    @property
    def start(self) -> int:
        """Where it starts in the question."""
        return self.words[0].start

    @property
    def end(self) -> int:
        """Where it ends in the question."""
        return self.words[-1].end

    @property
    def text(self) -> str:
        """Its words in one case, to be quoted back."""
        return " ".join(word.folded for word in self.words)

    @property
    def stems(self) -> tuple[str, ...]:
        """The key of its words."""
        return tuple(word.stem for word in self.words)

    @property
    def is_term(self) -> bool:
        """Whether it may name a member, a grain or a group of measures."""
        return bool(self.entries or self.heads or self.grain)

    @property
    def unknown(self) -> bool:
        """Whether nothing at all is known of its words."""
        return not (self.keyword or self.is_term or self.held or self.period or self.dated or self.number is not None)


@dataclass(frozen=True)
class Sources:
    """What words may mean: the model's lexicon, the data's values, today."""

    lexicon: Lexicon
    values: Values
    today: date

    @cached_property
    def reckoning(self) -> Reckoning:
        """The calendar that words of time go by."""
        return reckoning(self.lexicon.model, self.today)


def cut(words: Sequence[Word], sources: Sources) -> tuple[Chunk, ...]:
    """The chunks of a question, leftmost longest first; together they cover every word."""
    chunks = _cut(words, sources)
    return tuple(_timed(chunk, chunks[at + 1 :]) for at, chunk in enumerate(chunks))


def _cut(words: Sequence[Word], sources: Sources) -> list[Chunk]:
    chunks: list[Chunk] = []
    at = 0
    while at < len(words):
        chunk = _longest(words, at, sources)
        chunks.append(chunk)
        at += len(chunk.words)
    return chunks


def _timed(chunk: Chunk, after: Sequence[Chunk]) -> Chunk:
    """A word for what has happened says a date only where a time follows: "customers who ordered" has none."""
    said = any(later.period or later.grain or later.symbol == "adverb" for later in after[:_NEAR])
    return chunk if said or not chunk.dated else replace(chunk, dated=())


def _longest(words: Sequence[Word], at: int, sources: Sources) -> Chunk:
    time = read_time(words, at, sources.reckoning)
    period, trouble = time.period, time.trouble
    number = read_number(words, at)
    limit = max(
        sources.lexicon.longest,
        sources.values.longest,
        LONGEST_KEYWORD,
        period[1] if period else 0,
        trouble[1] if trouble else 0,
        1,
    )
    for length in range(min(limit, len(words) - at), 0, -1):
        span = tuple(words[at : at + length])
        chunk = _known(span, sources) if not _is_code(words, at, length, sources) else _value(span, sources)
        chunk = Chunk(
            chunk.words, chunk.keyword, chunk.entries, chunk.heads, chunk.held,
            _period_of(chunk, period[0]) if period and period[1] == length else None,
            number[0] if number and number[1] == length else None,
            chunk.grain, chunk.dated,
        )  # fmt: skip
        if trouble and trouble[1] == length and replace(chunk, number=None).unknown:
            return Chunk(span, trouble=trouble[0])
        if not chunk.unknown:
            return _with_apart(_with_split(chunk, sources), sources) if chunk.is_term else chunk
    return Chunk((words[at],))


def _period_of(chunk: Chunk, period: Period) -> Period | None:
    """ "April" without a year is a time only where it is nothing else."""
    return None if period.yearless and (chunk.held or chunk.is_term) else period


def _is_code(words: Sequence[Word], at: int, length: int, sources: Sources) -> bool:
    """ "US" is a value where "us" is filler: written in capitals as the data has it, and not "SHOW US"."""
    text = words[at].text
    if length > 1 or not text.isupper() or (words[at].folded,) not in KEYWORDS:
        return False
    shouted = all(word.text.isupper() for word in words if word.kind == "word")
    asked = at > 0 and words[at - 1].folded in ("show", "give", "tell", "let", "get")
    return not shouted and not asked and any(text in held.values for held in _value((words[at],), sources).held)


def _value(span: tuple[Word, ...], sources: Sources) -> Chunk:
    return Chunk(span, held=sources.values.phrases.get(tuple(word.stem for word in span), ()))


def _known(span: tuple[Word, ...], sources: Sources) -> Chunk:
    """What the model, the data and the closed word lists know of exactly these words."""
    if len(span) == 1 and span[0].kind == "quoted":
        stems = phrase(span[0].text)
        return Chunk(
            span,
            held=sources.values.phrases.get(stems, ()),
            entries=sources.lexicon.entries.get(stems, ()),
        )
    stems = tuple(word.stem for word in span)
    keyword = KEYWORDS.get(tuple(word.folded for word in span))
    held = sources.values.phrases.get(stems, ())
    if keyword:
        named = sources.lexicon.entries.get(stems, ()) if keyword.symbol in _MAY_NAME else ()
        return Chunk(span, keyword, named, held=held if keyword.symbol in _MAY_HOLD else ())
    entries = sources.lexicon.entries.get(stems, ())
    heads = () if any(e.kind != "dimension" for e in entries) else sources.lexicon.heads.get(stems, ())
    return Chunk(
        span,
        entries=entries,
        heads=heads,
        held=held,
        grain=GRAINS.get(stems[0]) if len(span) == 1 else FISCAL_GRAINS.get(stems),
        dated=sources.lexicon.happened(span),
    )


def _with_split(chunk: Chunk, sources: Sources) -> Chunk:
    """Keep the other cut of a name that opens with a superlative: "best week" may be the week that is best."""
    for length in range(1, len(chunk.words)):
        keyword = KEYWORDS.get(tuple(word.folded for word in chunk.words[:length]))
        if keyword and keyword.symbol == "rank":
            rest = cut(chunk.words[length:], sources)
            if all(part.is_term for part in rest):
                first = Chunk(chunk.words[:length], keyword)
                return Chunk(
                    chunk.words,
                    entries=chunk.entries,
                    heads=chunk.heads,
                    held=chunk.held,
                    split=(first, *rest),
                )
    return chunk


def _with_apart(chunk: Chunk, sources: Sources) -> Chunk:
    """Keep the other cut of "stays admitted", a date of the view stays: it may be stays that were admitted."""
    if not chunk.entries or any(e.kind != "dimension" or not _qualified(chunk, e) for e in chunk.entries):
        return chunk
    at = len(phrase(chunk.entries[0].view))
    first, rest = _known(chunk.words[:at], sources), _cut(chunk.words[at:], sources)
    counts = any(e.kind in ("measure", "noun") for e in first.entries)
    return replace(chunk, apart=(first, *rest)) if counts else chunk


def _qualified(chunk: Chunk, entry: Entry) -> bool:
    return chunk.stems == (*phrase(entry.view), *phrase(entry.path.partition(".")[2]))


def unknown_chunks(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """The chunks of which nothing is known, in order."""
    return (chunk for chunk in chunks if chunk.unknown)
