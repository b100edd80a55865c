"""Which stretches of a question may be a value, and the keys under which an index and a database are asked for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from backedge.ask.grounding.vocabulary import KEYWORDS
from backedge.ask.grounding.words import Phrase, Word, fold, phrase

LONGEST = 12
"""How many words a value has at most that a question can name without quotation marks."""


@dataclass(frozen=True)
class Span:
    """A stretch of a question: the stems of its words, and where in its `key` the question has a gap between words.

    A hyphen is no such gap: "e-mail" may be the value "email". White space is one: "on line" is not "online".
    """

    stems: Phrase
    gaps: frozenset[int]
    spellings: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Its stems run together."""
        return key_of(self.stems)

    def may_be(self, stems: Phrase) -> bool:
        """Whether a value of those stems is the same but for where it has hyphens and gaps."""
        return key_of(stems) == self.key and self.gaps <= frozenset(_ends(stems))


def key_of(stems: Sequence[str]) -> str:
    """Stems run together; digits are kept apart, for 1 and 2 are not 12."""
    key = ""
    for word in stems:
        key += ("|" if key[-1:].isdigit() and word[:1].isdigit() else "") + word
    return key


def _ends(stems: Sequence[str]) -> Iterator[int]:
    return (len(key_of(stems[:at])) for at in range(1, len(stems)))


def spans_of(words: Sequence[Word]) -> tuple[Span, ...]:
    """Every stretch of at most `LONGEST` words, and what is in quotation marks."""
    found: dict[Phrase, Span] = {}
    for at, first in enumerate(words):
        for length in range(1, min(LONGEST, len(words) - at) + 1):
            span = _span(words[at : at + length])
            found.setdefault(span.stems, span)
        if first.kind == "quoted" and (stems := phrase(first.text)):
            quoted = Span(stems, frozenset(_ends(stems)), _spellings(first.text, stems))
            found.setdefault(stems, quoted)
    return tuple(found.values())


def _span(words: Sequence[Word]) -> Span:
    stems = tuple(word.stem for word in words)
    ends = zip(_ends(stems), words, words[1:], strict=False)
    gaps = frozenset(end for end, a, b in ends if b.start - a.end != 1 or not a.joined)
    if all((word.folded,) in KEYWORDS for word in words):
        return Span(stems, gaps)
    return Span(stems, gaps, _spellings(" ".join(word.text for word in words), stems))


def _spellings(text: str, stems: Phrase) -> tuple[str, ...]:
    """How a database may have it, white space and punctuation left out: as written, and in singular and plural.

    With and without diacritics, for not every database can leave them out.
    """
    last, singular = stems[-1], solid(" ".join(stems))
    accented = "".join(c for c in text.lower() if c.isalnum())
    plurals = [singular + "s", singular + "es"]
    if last.endswith("y"):
        plurals.append(f"{singular[:-1]}ies")
    without = solid(" ".join(stem for stem in stems if stem != "and"))
    return tuple(filter(None, dict.fromkeys((solid(text), accented, singular, *plurals, without))))


def solid(text: str) -> str:
    """`text` folded, with letters and digits alone: what a database can make of a column as well."""
    return "".join(c for c in fold(text) if c.isalnum())


def asked_spellings(spans: Collection[Span]) -> tuple[str, ...]:
    """Every spelling of the spans, each once."""
    return tuple(dict.fromkeys(text for span in spans for text in span.spellings))
