"""Names of measures that are questions of their own: "suppliers by country", "late shipments"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backedge.ask.grounding.choices import Chooser
from backedge.ask.grounding.chunks import Chunk, Sources, cut
from backedge.ask.grounding.restrictions import dimensions
from backedge.ask.grounding.vocabulary import KEYWORDS
from backedge.ask.intent import Ambiguous, Option
from backedge.semantic.model import Measure, View

APART = "apart"
_CASE = re.compile(r"CASE WHEN ((?:(?!\bWHEN\b|\bTHEN\b).)*) THEN 1 END", re.IGNORECASE)
_STEERS = ("by", "per", "each")


@dataclass(frozen=True)
class Recut:
    """The question with the name `chunk` taken apart; `says` is what the parts then mean.

    `doubtful` says that the name alone means two things, whether or not the rest is read with the parts.
    """

    chunk: Chunk
    chunks: tuple[Chunk, ...]
    says: str
    label: str
    doubtful: bool

    @property
    def asked(self) -> Ambiguous:
        """The question which of the two is meant."""
        options = (Option("name", self.label), Option(APART, self.says))
        words = self.chunk.text
        return Ambiguous(f"name:{words}", words, f"What does {words!r} mean?", options, "name")


def recuts(chunks: Sequence[Chunk], sources: Sources) -> Iterator[Recut]:
    """Each way to take the name of one measure apart into words that mean something by themselves."""
    for at, chunk in enumerate(chunks):
        if any(entry.kind == "measure" for entry in chunk.entries) and not chunk.keyword:
            label = Chooser(sources).measures(chunk)[0].label
            for doubtful, cuts in ((False, _grouped(chunk, sources)), (True, _restricted(chunk, sources))):
                for parts, says in cuts:
                    yield Recut(chunk, (*chunks[:at], *parts, *chunks[at + 1 :]), says, label, doubtful)


def _grouped(chunk: Chunk, sources: Sources) -> Iterator[tuple[tuple[Chunk, ...], str]]:
    """ "Suppliers by country", which is a measure, and suppliers for each country."""
    for at, word in enumerate(chunk.words[1:-1], 1):
        if word.folded in _STEERS:
            first, steer, rest = (cut(words, sources) for words in (chunk.words[:at], (word,), chunk.words[at + 1 :]))
            if len(first) == len(rest) == 1 and _measures(first[0]) and (dimensions(rest[0]) or rest[0].grain):
                yield (*first, *steer, *rest), f"{first[0].text}, for each {rest[0].text}"


def _restricted(chunk: Chunk, sources: Sources) -> Iterator[tuple[tuple[Chunk, ...], str]]:
    """ "Late shipments", which is a measure, and the shipments whose state is late, where that is not the same."""
    for at in range(1, len(chunk.words)):
        if (chunk.words[0].folded,) in KEYWORDS:
            return
        first, rest = cut(chunk.words[:at], sources), cut(chunk.words[at:], sources)
        if len(first) != 1 or len(rest) != 1 or not _measures(rest[0]):
            continue
        for view in sources.lexicon.model.views:
            named = [
                m for e in chunk.entries if e.view == view.name and e.kind == "measure" if (m := _measure(view, e.path))
            ]
            counted = [
                m
                for e in rest[0].entries
                if e.view == view.name and e.kind != "dimension"
                if (m := _measure(view, e.path))
            ]
            unlike = [said for said in _conditions(view, first[0]) if not any(_same(m, counted, said) for m in named)]
            if named and counted and unlike:
                yield (*first, *rest), f"{rest[0].text} that are {first[0].text}"


def promises_more(chunk: Chunk, sources: Sources) -> bool:
    """Whether the name of a measure, cut apart, says something else than the measure counts."""
    return any(True for _ in _restricted(chunk, sources))


def _measures(chunk: Chunk) -> bool:
    return any(entry.kind in ("measure", "noun") for entry in chunk.entries)


def _measure(view: View, path: str) -> Measure | None:
    return view.measure(path.partition(".")[2])


def _conditions(view: View, chunk: Chunk) -> Iterator[set[str]]:
    """What a chunk may say of the rows of a view: for each dimension the ways in which its file could write it."""
    for held in chunk.held:
        dimension = view.dimension(held.member.partition(".")[2]) if held.member.startswith(f"{view.name}.") else None
        if dimension:
            yield {_plain(f"{dimension.expr} = '{value}'") for value in held.values}
    for entry in dimensions(chunk):
        flag = view.dimension(entry.path.partition(".")[2]) if entry.view == view.name else None
        if flag and flag.type == "boolean":
            yield {_plain(flag.expr + truth) for truth in ("", " = true", " is true")}


def _same(measure: Measure, counted: Sequence[Measure], conditions: set[str]) -> bool:
    """Whether a measure is one of those counted under just one of the conditions."""
    expr, filters = _counted_where(measure)
    plain = [(other, {_plain(f) for f in other.filters}) for other in counted]
    return any(
        (measure.type, expr) == (other.type, other.expr)
        and len(filters) == len(own) + 1
        and filters - own <= conditions
        for other, own in plain
    )


def _counted_where(measure: Measure) -> tuple[str, set[str]]:
    """The expression and the conditions of a measure; a count of `CASE WHEN … THEN 1 END` is one under a condition."""
    filters = {_plain(text) for text in measure.filters}
    case = _CASE.fullmatch(measure.expr.strip()) if measure.type == "count" else None
    return ("", filters | {_plain(case[1])}) if case else (measure.expr, filters)


def _plain(expr: str) -> str:
    return "".join(expr.split()).replace("(", "").replace(")", "").replace("{{", "").replace("}}", "")
