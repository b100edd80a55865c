"""Misspelled names: read as the name they can only mean, or answered with the nearest names there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from backedge.ask.grounding.chunks import Sources
from backedge.ask.grounding.dates import read_period
from backedge.ask.grounding.lexicon import Lexicon, lexicon_of
from backedge.ask.grounding.once import once
from backedge.ask.grounding.vocabulary import (
    AGGREGATE_STEMS,
    GRAINS,
    KEYWORDS,
    SCALES,
    SMALL,
    TENS,
)
from backedge.ask.grounding.words import Phrase, Word, fold
from backedge.semantic.model import Model

ACCEPT, LEAD, OFFER = 92, 8, 60
_STEERING = frozenset(word for words in KEYWORDS for word in words) | {
    *GRAINS,
    *SCALES,
    *SMALL,
    *TENS,
}


@dataclass(frozen=True)
class Fix:
    """Words `at`..`at + taken` that can only be a misspelling of `phrase`."""

    at: int
    taken: int
    phrase: tuple[str, ...]
    score: float


def correct(words: tuple[Word, ...], sources: Sources) -> tuple[tuple[Word, ...], tuple[str, ...]]:
    """The words with misspelled names of members put right, and one sentence for each that was.

    Values are never corrected: two people may differ by one letter.
    """
    said: list[str] = []
    for _ in range(4):
        found = [fix for at in _strange(words, sources) for fix in _fixes(words, at, sources)]
        if not found:
            break
        fix = max(found, key=lambda f: f.score)
        wrong = words[fix.at : fix.at + fix.taken]
        named = dict.fromkeys(e.path.partition(".")[2] for e in sources.lexicon.entries[fix.phrase])
        said.append(f"read {' '.join(w.text for w in wrong)!r} as {' or '.join(named)}")
        words = (
            *words[: fix.at],
            *_respelled(wrong, fix.phrase),
            *words[fix.at + fix.taken :],
        )
    return words, tuple(said)


def _strange(words: Sequence[Word], sources: Sources) -> Iterator[int]:
    vocabularies = (sources.lexicon.vocabulary, sources.values.words, _STEERING)
    for at, word in enumerate(words):
        strange = word.kind == "word" and len(word.stem) > 3 and word.stem.isalpha()
        unknown = strange and not any(said in known for known in vocabularies for said in (word.stem, word.folded))
        if unknown and not read_period(words, at, sources.reckoning):
            yield at


def _fixes(words: Sequence[Word], strange: int, sources: Sources) -> Iterator[Fix]:
    """Every stretch of up to four words around the strange one that is close to one name and to no other."""
    for taken in (1, 2, 3, 4):
        for at in range(max(0, strange - taken + 1), strange + 1):
            span = words[at : at + taken]
            if len(span) == taken and all(_may_name(word) for word in span):
                fix = _fix(span, at, sources.lexicon)
                if fix:
                    yield fix


def _may_name(word: Word) -> bool:
    return word.kind == "word" and ((word.folded,) not in KEYWORDS or word.stem in AGGREGATE_STEMS)


def _fix(span: Sequence[Word], at: int, lexicon: Lexicon) -> Fix | None:
    found = _slips(lexicon.model)(" ".join(word.stem for word in span))
    return Fix(at, len(span), *found) if found else None


@once
def _slips(model: Model) -> Callable[[str], tuple[Phrase, float] | None]:
    """What finds the one name that words are a slip of, and how near it is; what it found last is kept."""
    names = {text: " ".join(text) for text in lexicon_of(model).entries}
    return lru_cache(maxsize=1_024)(lambda written: _slip(written, names, lexicon_of(model)))


def _slip(written: str, names: Mapping[Phrase, str], lexicon: Lexicon) -> tuple[Phrase, float] | None:
    from rapidfuzz import fuzz, process  # most questions are spelled right, and go without the import

    best = process.extract(written, names, scorer=fuzz.ratio, limit=8, score_cutoff=ACCEPT - LEAD)
    if not best or best[0][1] < ACCEPT or not _slipped(written, best[0][0]):
        return None
    chosen = lexicon.entries[best[0][2]]
    rivals = [score for _, score, key in best[1:] if lexicon.entries[key] != chosen]
    return None if rivals and best[0][1] - max(rivals) < LEAD else (best[0][2], best[0][1])


def _slipped(written: str, name: str) -> bool:
    """Whether each word is one slip of a finger away, and not in its first letter: "uncompleted" is not "completed"."""
    from rapidfuzz.distance import OSA

    words, meant = written.split(), name.split()
    if len(words) != len(meant):
        words, meant = ["".join(words)], ["".join(meant)]
    return all(a[0] == b[0] and OSA.distance(a, b) <= 1 for a, b in zip(words, meant, strict=True))


def _respelled(wrong: Sequence[Word], phrase: tuple[str, ...]) -> tuple[Word, ...]:
    start, end = wrong[0].start, wrong[-1].end
    text = " ".join(word.text for word in wrong)
    return tuple(replace(wrong[0], text=text, folded=word, stem=word, start=start, end=end) for word in phrase)


def nearest(text: str, sources: Sources) -> tuple[str, ...]:
    """Up to three names, synonyms or values that look like `text`, in whole or in one word, nearest first."""
    from rapidfuzz import fuzz, process

    names, whole, parts, owners = _offers(sources.lexicon.names, sources.values.names)
    asked = fold(text)
    alike = process.extract(asked, whole, scorer=fuzz.ratio, limit=3, score_cutoff=OFFER)
    partly = process.extract(asked, parts, scorer=fuzz.ratio, limit=3, score_cutoff=OFFER + 10)
    found = [(score, at) for _, score, at in alike] + [(score - 5, owners[at]) for _, score, at in partly]
    best = sorted(found, key=lambda f: -f[0])
    return tuple(dict.fromkeys(names[at] for _, at in best))[:3]


@lru_cache(maxsize=4)
def _offers(
    named: tuple[str, ...], held: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """What may be offered (of spellings that fold alike, one), folded, and its longer words with whose they are."""
    offered = {fold(name): name for name in reversed((*named, *held))}
    names, whole = tuple(reversed(offered.values())), tuple(reversed(offered))
    parts = [(part, at) for at, name in enumerate(whole) for part in name.split() if len(part) > 3]
    return names, whole, tuple(part for part, _ in parts), tuple(at for _, at in parts)
