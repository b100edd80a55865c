"""What the model calls things: every phrase that names a member, with how exactly it names it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from backedge.ask.grounding.once import once
from backedge.ask.grounding.vocabulary import AGGREGATE_STEMS, COUNTS, KEYWORDS
from backedge.ask.grounding.words import Word, in_words, phrase
from backedge.semantic.model import Dimension, Measure, Model, Segment, View

NAME, SYNONYM, DERIVED, HEAD = 0, 1, 2, 3
EntryKind = Literal["measure", "dimension", "segment", "noun"]
Phrase = tuple[str, ...]
_DATE_ENDINGS = frozenset({"date", "at", "on", "day", "time", "datetime", "timestamp"})
_ID_ENDINGS = frozenset({"id", "key", "code", "number", "name"})


@dataclass(frozen=True)
class Entry:
    """A member that a phrase names. `rank` orders exactness (0 is its name); a `noun` is what it counts."""

    kind: EntryKind
    path: str
    rank: int

    @property
    def view(self) -> str:
        """The view that declares the member."""
        return self.path.partition(".")[0]


@dataclass(frozen=True)
class Head:
    """A measure whose name ends in a phrase. `dropped` are the words of the name that the phrase leaves out."""

    path: str
    dropped: Phrase


@dataclass(frozen=True)
class Lexicon:
    """Phrases of a model: `entries` name members, `heads` are last words of measures; `names` as written."""

    model: Model
    entries: Mapping[Phrase, tuple[Entry, ...]] = field(default_factory=dict)
    heads: Mapping[Phrase, tuple[Head, ...]] = field(default_factory=dict)
    vocabulary: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    longest: int = 0
    dates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def happened(self, words: Sequence[Word]) -> tuple[str, ...]:
        """The dates of what the words say has happened: "signed up" is of `signup_date`, "created" of `created_at`."""
        if len(words) > 2 or words[0].kind != "word":
            return ()
        first, rest = words[0].folded, "".join(word.folded for word in words[1:])
        found = (self.dates.get(verb + rest) for verb in (first, *_verbs(first)))
        return next((paths for paths in found if paths), ())

    def measure(self, path: str) -> Measure:
        """The measure at a path of this lexicon."""
        view, _, name = path.partition(".")
        found = owner.measure(name) if (owner := self.model.view(view)) else None
        if found is None:
            raise KeyError(path)
        return found

    def dimension(self, path: str) -> Dimension:
        """The dimension at a path of this lexicon."""
        view, _, name = path.partition(".")
        found = owner.dimension(name) if (owner := self.model.view(view)) else None
        if found is None:
            raise KeyError(path)
        return found


@once
def lexicon_of(model: Model) -> Lexicon:
    """The lexicon of a model."""
    entries: dict[Phrase, dict[tuple[str, str], Entry]] = {}
    for text, entry in _named(model):
        if text:
            known = entries.setdefault(text, {})
            best = known.get((entry.kind, entry.path))
            if best is None or entry.rank < best.rank:
                known[entry.kind, entry.path] = entry
    heads = _heads(model)
    words = frozenset(word for text in (*entries, *heads) for word in text)
    longest = max((len(text) for text in (*entries, *heads)), default=0)
    by_phrase = {text: tuple(found.values()) for text, found in entries.items()}
    return Lexicon(model, by_phrase, heads, words, tuple(_written(model)), longest, _dates(model))


def _dates(model: Model) -> dict[str, tuple[str, ...]]:
    """Every date by what its name says has happened, without "date", "at" and their like."""
    found: dict[str, list[str]] = {}
    for view in model.views:
        for dimension in view.dimensions:
            if dimension.type not in ("date", "datetime") or dimension.unsupported:
                continue
            for text in (dimension.name, *dimension.synonyms):
                *name, last = phrase(text) or ("",)
                if key := "".join(name if last in _DATE_ENDINGS else (*name, last)):
                    found.setdefault(key, []).append(f"{view.name}.{dimension.name}")
    return {key: tuple(dict.fromkeys(paths)) for key, paths in found.items()}


def _verbs(word: str) -> tuple[str, ...]:
    """What a past participle may be one of: "planned" of plan, "created" of create, "tried" of try."""
    if len(word) < 5 or not word.endswith("ed"):
        return ()
    doubled = (word[:-3],) if word[-3] == word[-4] else ()
    return (word[:-2], word[:-1], *doubled, *((word[:-3] + "y",) if word.endswith("ied") else ()))


def _written(model: Model) -> Iterator[str]:
    """What a person may be offered: the names in words, and the synonyms."""
    for _, member in model.members():
        yield in_words(member.name)
        yield from () if isinstance(member, Segment) else member.synonyms


def _named(model: Model) -> Iterator[tuple[Phrase, Entry]]:
    for view in model.views:
        for dimension in view.dimensions:
            yield from _names("dimension", view, dimension)
            yield from (
                (text, Entry("dimension", f"{view.name}.{dimension.name}", DERIVED)) for text in _short(dimension)
            )
        for measure in view.measures:
            yield from _names("measure", view, measure)
            yield from _nouns(view, measure)
        for segment in view.segments:
            path = f"{view.name}.{segment.name}"
            yield phrase(segment.name), Entry("segment", path, NAME)
            yield phrase(f"{view.name} {segment.name}"), Entry("segment", path, NAME)


def _names(kind: EntryKind, view: View, member: Dimension | Measure) -> Iterator[tuple[Phrase, Entry]]:
    path = f"{view.name}.{member.name}"
    yield phrase(member.name), Entry(kind, path, NAME)
    yield (*phrase(view.name), *phrase(member.name)), Entry(kind, path, NAME)
    for synonym in member.synonyms:
        yield phrase(synonym), Entry(kind, path, SYNONYM)
    described = phrase(member.description)
    if 1 < len(described) <= 8:
        yield described, Entry(kind, path, DERIVED)


def is_id(view: View, dimension: Dimension) -> bool:
    """Whether a dimension is a key or is called like one: it tells rows apart and says nothing to a person."""
    keys = {key for entity in view.entities for key in entity.keys}
    return dimension.name in keys or phrase(dimension.name)[-1:] in (("id",), ("key",), ("code",))


def _short(dimension: Dimension) -> Iterator[Phrase]:
    """`store_id` is also called store, `is_holiday` holiday."""
    name = phrase(dimension.name)
    if len(name) > 1 and name[-1] in _ID_ENDINGS:
        yield name[:-1]
    if len(name) > 1 and dimension.type == "boolean" and name[0] in ("is", "has", "was"):
        yield name[1:]


def _nouns(view: View, measure: Measure) -> Iterator[tuple[Phrase, Entry]]:
    """What a count counts, by its name, its description, or the rows of its view."""
    if measure.type not in COUNTS:
        return
    path = f"{view.name}.{measure.name}"
    for rank, texts in ((NAME, (measure.name,)), (SYNONYM, measure.synonyms)):
        yield from ((noun, Entry("noun", path, rank)) for text in texts if (noun := _counted(phrase(text))))
    if noun := _described(phrase(measure.description)):
        yield noun, Entry("noun", path, DERIVED)
    if measure.type == "count" and not measure.expr and not measure.filters:
        named = [view.name, view.label, view.primary.name if view.primary else ""]
        yield from ((phrase(text), Entry("noun", path, DERIVED)) for text in named if text)


def _counted(name: Phrase) -> Phrase:
    if name[-1:] == ("count",):
        return name[:-1]
    if name[:2] in (("number", "of"), ("count", "of")):
        return name[2:]
    return name[1:] if name[:1] in (("count",), ("num",), ("total",)) else name


def _described(text: Phrase) -> Phrase:
    """ "Number of unique stores in the dataset" says that stores are counted; "… per store" says nothing of stores."""
    start = next(
        (at + 2 for at in range(min(2, len(text))) if text[at : at + 2] in (("number", "of"), ("count", "of"))),
        0,
    )
    noun = text[start:] if start else ()
    while noun and noun[0] in ("unique", "distinct", "different", "all"):
        noun = noun[1:]
    end = next(
        (at for at, word in enumerate(noun) if word in ("in", "of", "for", "with", "that", "per", "by")),
        len(noun),
    )
    return () if noun[end : end + 1] in (("per",), ("by",)) or end > 4 else noun[:end]


def _heads(model: Model) -> dict[Phrase, tuple[Head, ...]]:
    found: dict[Phrase, dict[str, Head]] = {}
    for view in model.views:
        for measure in view.measures:
            for text in (measure.name, *measure.synonyms):
                name = phrase(text)
                for at in range(1, len(name)):
                    tail = name[at:]
                    if _may_head(tail):
                        head = Head(f"{view.name}.{measure.name}", name[:at])
                        known = found.setdefault(tail, {})
                        if head.path not in known or len(known[head.path].dropped) > at:
                            known[head.path] = head
    return {tail: tuple(heads.values()) for tail, heads in found.items()}


def _may_head(tail: Phrase) -> bool:
    """A tail that opens with a steering word, or only says how something is aggregated, names nothing."""
    return (tail[0],) not in KEYWORDS and not AGGREGATE_STEMS.issuperset(tail) and len("".join(tail)) > 2
