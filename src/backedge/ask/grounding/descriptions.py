"""Words that only a member's description has: they suggest the member, and are never taken for it unasked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backedge.ask.grounding.chunks import Chunk, Sources, cut
from backedge.ask.grounding.once import once
from backedge.ask.grounding.vocabulary import AGGREGATE_STEMS
from backedge.ask.grounding.words import Phrase, Word, in_words, phrase
from backedge.ask.intent import Ambiguous, Option
from backedge.semantic.model import Model

MOST = 3
NONE_OF_THESE = "none"
_SAYS_HOW = AGGREGATE_STEMS.union(
    phrase("share percent rate ratio difference change growth time date value row per record")
)


@dataclass(frozen=True)
class Suggestion:
    """Words `at`..`at + taken` of a question that descriptions have, and what a person is asked of them."""

    at: int
    taken: int
    asks: Ambiguous


def suggestions(words: Sequence[Word], sources: Sources) -> tuple[Suggestion, ...]:
    """What to ask of words that nothing is called; nothing where one of them is in no description either."""
    found: list[Suggestion] = []
    for at, run in _unknown(cut(words, sources)):
        made = [
            s for start, taken in _parts(run) if (s := _suggestion(words, at + start, taken, sources.lexicon.model))
        ]
        best = max(made, key=lambda s: s.taken, default=None)
        if best is None or best.taken < len(run):
            return ()
        found.append(best)
    return tuple(found)


def taken_as(words: Sequence[Word], suggestion: Suggestion, path: str) -> tuple[Word, ...]:
    """The words with those of a suggestion read as the member's own name."""
    span = words[suggestion.at : suggestion.at + suggestion.taken]
    text = " ".join(word.text for word in span)
    name = phrase(path.replace(".", " "))
    start, end = span[0].start, span[-1].end
    named = (replace(span[0], text=text, folded=stem, stem=stem, start=start, end=end, kind="word") for stem in name)
    return (*words[: suggestion.at], *named, *words[suggestion.at + suggestion.taken :])


def _unknown(chunks: Sequence[Chunk]) -> Iterator[tuple[int, list[Word]]]:
    """The runs of words of which nothing is known, and where each begins."""
    at, run = 0, list[Word]()
    for chunk in chunks:
        if chunk.unknown and chunk.words[0].kind == "word":
            run += chunk.words
        elif run:
            yield at - len(run), run
            run = []
        at += len(chunk.words)
    if run:
        yield at - len(run), run


def _parts(run: Sequence[Word]) -> Iterator[tuple[int, int]]:
    return ((at, taken) for taken in range(len(run), 0, -1) for at in range(len(run) - taken + 1))


def _suggestion(words: Sequence[Word], at: int, taken: int, model: Model) -> Suggestion | None:
    stems = tuple(word.stem for word in words[at : at + taken])
    found = [] if _SAYS_HOW.issuperset(stems) else _described(model, stems)
    if not 0 < len(found) <= MOST:
        return None
    text = " ".join(word.text for word in words[at : at + taken])
    options = (*(Option(path, label) for path, label in found), Option(NONE_OF_THESE, "none of these"))
    prompt = f"Nothing here is called {text!r}. Did you mean {'this' if len(found) == 1 else 'one of these'}?"
    return Suggestion(at, taken, Ambiguous(f"described:{' '.join(stems)}", text, prompt, options, "name"))


def _described(model: Model, stems: Phrase) -> list[tuple[str, str]]:
    """The members in whose description the words stand side by side."""
    index, size = _index(model), len(stems)
    among = index.get(stems[0], ())
    return [
        (path, label)
        for path, label, text in among
        if any(text[at : at + size] == stems for at in range(len(text) - size + 1))
    ]


@once
def _index(model: Model) -> dict[str, list[tuple[str, str, Phrase]]]:
    """For each word, the members whose description has it: path, label, stems of the description."""
    index: dict[str, list[tuple[str, str, Phrase]]] = {}
    for view, member in model.members():
        text = phrase(member.description)
        label = f"{in_words(member.name)}, in {view.name} ({member.description})"
        for word in dict.fromkeys(text):
            index.setdefault(word, []).append((f"{view.name}.{member.name}", label, text))
    return index
