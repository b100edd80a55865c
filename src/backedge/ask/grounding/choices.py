"""What a chunk may stand for in a slot: measures that agree with the words, groupings, filters, periods."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.counting import miscounted
from backedge.ask.grounding.lexicon import DERIVED, HEAD, NAME, SYNONYM, Entry
from backedge.ask.grounding.restrictions import Restrictions, dimensions, name_of
from backedge.ask.grounding.slots import Choice, Unread
from backedge.ask.grounding.spelling import nearest
from backedge.ask.grounding.vocabulary import ADVERBS, AGREES, COUNTS, NEUTRAL
from backedge.ask.grounding.words import in_words
from backedge.ask.intent import Unknown
from backedge.semantic.model import Dimension, Measure
from backedge.semantic.spec import By, Grain

_SAYS_TOTAL = frozenset({"total", "sum", "average", "median", "maximum", "minimum"})
_STEERING = ("per", "by", "each")


class Chooser(Restrictions):
    """Makes the choices of slots from one model, its values and today."""

    # Measures

    def measures(self, chunk: Chunk, aggregate: str = "") -> tuple[Choice, ...]:
        """The measures that a chunk names; with an aggregate word, only those whose type agrees with it."""
        named = [(e.path, e.rank) for e in chunk.entries if e.kind == "measure"]
        if aggregate:
            found = self._agreeing(chunk, aggregate, named)
        elif named:
            found = [self._measure(chunk, path, rank, self._passed_over(chunk, path, rank)) for path, rank in named]
            found += self._called_so(chunk, {path for path, _ in named})
        else:
            found = self._counted(chunk) or self._headed(chunk)
        if not found:
            raise Unread(self._disagreement(chunk, aggregate), self._near(chunk), kind="not_measured")
        best: dict[str, Choice] = {}
        for choice in sorted(_evenly(found), key=lambda c: c.rank):
            best.setdefault(choice.value, choice)
        return tuple(best.values())

    def _called_so(self, chunk: Chunk, known: Collection[str]) -> list[Choice]:
        """Counts in other views whose very name says the same: `user_count` is one of "users", whatever else is."""
        named = [e for e in chunk.entries if e.kind == "noun" and e.rank == NAME and e.path not in known]
        return [self._measure(chunk, e.path, SYNONYM) for e in named]

    def _passed_over(self, chunk: Chunk, path: str, rank: int) -> str:
        """What must be said where a measure's synonym is the very name of a dimension."""
        own = [name_of(entry.path) for entry in dimensions(chunk) if entry.rank == NAME]
        return f"read {chunk.text!r} as {name_of(path)}, not as the dimension {own[0]}" if own and rank > NAME else ""

    def counts(self, chunk: Chunk, distinct: bool) -> tuple[Choice, ...]:
        """The measures that count what a chunk names."""
        found = {
            entry.path: self._measure(chunk, entry.path, entry.rank)
            for entry in sorted(chunk.entries, key=lambda e: -e.rank)
            if entry.kind in ("measure", "noun") and self.lexicon.measure(entry.path).type in COUNTS
            if not distinct or self._counts_distinct(entry.path)
        }
        if not found and not distinct:
            things = chunk.words[-1].folded != chunk.words[-1].stem  # "how many units", but not "number of revenue"
            sums = [e for e in chunk.entries if things and e.kind == "measure" and self._type(e.path) == "sum"]
            note = f"read 'how many {chunk.text}' as {{}}"
            found = {e.path: self._measure(chunk, e.path, e.rank, note.format(name_of(e.path))) for e in sums}
        if not found:
            kind = "different " if distinct else ""
            raise Unread(f"nothing here counts {kind}{chunk.text!r}", self._near(chunk), kind="not_measured")
        return tuple(_evenly(found.values()))

    def _counts_distinct(self, path: str) -> bool:
        """Whether a count counts nothing twice: by its type, or because its rows have one key."""
        view, measure = self.lexicon.model.view(path.partition(".")[0]), self.lexicon.measure(path)
        keys = view.primary.keys if view and view.primary else ()
        return measure.type != "count" or (len(keys) == 1 and not measure.expr)

    def _measure(self, chunk: Chunk, path: str, rank: int, note: str = "") -> Choice:
        measure = self.lexicon.measure(path)
        view = path.partition(".")[0]
        about = measure.description or f"{measure.type} in {view}"
        steering = [word for word in _STEERING if word in chunk.stems[1:-1]]
        if rank >= DERIVED:
            note = note or f"read {chunk.text!r} as {name_of(path)} ({about})"
        elif steering:
            note = f"read {chunk.text!r} as the one measure {name_of(path)}, not as a grouping"
        note = "; ".join(part for part in (note, self._rows(path)) if part)
        told = miscounted(self.lexicon.model, path, chunk.text)
        about = told or measure.description
        label = f"{in_words(name_of(path))}, in {view}" + (f" ({about})" if about else "")
        rank += DERIVED if told else 0  # what counts something else goes behind what counts what is said
        return Choice(path, label, rank, view, measures=(path,), says=name_of(path), note=note)

    def _rows(self, path: str) -> str:
        """A plain count counts rows; where several keys make a row, that is not what its name alone would say."""
        measure, view = (
            self.lexicon.measure(path),
            self.lexicon.model.view(path.partition(".")[0]),
        )
        keys = view.primary.keys if view and view.primary else ()
        if measure.type != "count" or measure.expr or len(keys) < 2:
            return ""
        return f"{measure.name} counts rows, one for each {' and '.join(keys)}"

    def _counted(self, chunk: Chunk) -> list[Choice]:
        """A bare noun such as "orders" stands for the measure that counts them."""
        return [self._measure(chunk, e.path, max(e.rank, DERIVED)) for e in chunk.entries if e.kind == "noun"]

    def _headed(self, chunk: Chunk) -> list[Choice]:
        """Measures whose name ends in the chunk. One alone must not have lost a word that changes what it says."""
        names = {name_of(head.path) for head in chunk.heads}
        if len(names) == 1 and not any(NEUTRAL.issuperset(head.dropped) for head in chunk.heads):
            return []
        order = sorted(
            chunk.heads,
            key=lambda h: (not NEUTRAL.issuperset(h.dropped), len(h.dropped)),
        )
        return [self._measure(chunk, head.path, HEAD) for head in order]

    def _agreeing(self, chunk: Chunk, aggregate: str, named: Sequence[tuple[str, int]]) -> list[Choice]:
        types = AGREES[aggregate]
        found = [self._measure(chunk, path, rank) for path, rank in named if self._type(path) in types]
        for path, rank in named:
            if self._type(path) not in types and not _SAYS_TOTAL.intersection(chunk.stems):
                found += self._siblings(chunk, path, self.lexicon.measure(path), aggregate, rank + 1)
        for entry in dimensions(chunk):
            found += self._siblings(
                chunk,
                entry.path,
                self.lexicon.dimension(entry.path),
                aggregate,
                entry.rank + 1,
            )
        if aggregate == "total":
            found += self._counted(chunk)
        return found or [
            self._measure(chunk, head.path, HEAD)
            for head in chunk.heads
            if self._type(head.path) in types and (NEUTRAL | {aggregate}).issuperset(head.dropped)
        ]

    def _type(self, path: str) -> str:
        return self.lexicon.measure(path).type

    def _siblings(
        self,
        chunk: Chunk,
        path: str,
        member: Measure | Dimension,
        aggregate: str,
        rank: int,
    ) -> list[Choice]:
        """Measures of the same view that aggregate the same expression the way the words say."""
        view = self.lexicon.model.view(path.partition(".")[0])
        filters = member.filters if isinstance(member, Measure) else ()
        return [
            self._measure(
                chunk,
                f"{view.name}.{m.name}",
                rank,
                f"read '{aggregate} {chunk.text}' as {m.name}",
            )
            for m in (view.measures if view else ())
            if view and m.type in AGREES[aggregate] and m.expr == member.expr and m.filters == filters and m.expr
        ]

    def _disagreement(self, chunk: Chunk, aggregate: str) -> str:
        named = [e.path for e in chunk.entries if e.kind == "measure"]
        if aggregate and named:
            measure = self.lexicon.measure(named[0])
            return f"there is no {aggregate} of {chunk.text!r} here: {measure.name} is declared as {measure.type}"
        wanted = f"{aggregate} {chunk.text}" if aggregate else chunk.text
        return f"nothing here measures {wanted!r}"

    def _near(self, chunk: Chunk) -> tuple[Unknown, ...]:
        heads = [in_words(name_of(head.path)) for head in chunk.heads[:3]]
        return (
            Unknown(
                chunk.text,
                tuple(dict.fromkeys(heads)) or nearest(chunk.text, self.sources),
            ),
        )

    # Groupings

    def groupings(self, chunk: Chunk) -> tuple[Choice, ...]:
        """Group by what a chunk names: a dimension, or a calendar grain where no dimension has just that name."""
        found = [self._grouping(chunk, entry) for entry in dimensions(chunk)]
        grain = chunk.grain
        if not grain:
            found = _evenly(found)
        else:
            found = [self._calendar(choice) for choice in found]
            apart = grain != "year" and any(c.rank == NAME and c.value not in self.date_dimensions() for c in found)
            # the third month of any year is not March 2024: neither is chosen for a person
            periods = f"{in_words(grain)}s" if grain.startswith("fiscal") else f"calendar {grain}s"
            note = f"read 'by {chunk.text}' as {periods} of {{}}"
            found += self.grains(grain, NAME if apart else SYNONYM, note)
        if not found:
            raise Unread(f"nothing here can be grouped by {chunk.text!r}", self._near(chunk), kind="not_groupable")
        return tuple(found)

    def _calendar(self, choice: Choice) -> Choice:
        """A dimension called "day" or "year": by name it goes before the calendar's, but not away from the measures."""
        dated = choice.value in self.date_dimensions()
        rank = choice.rank if choice.rank == NAME or (choice.rank < DERIVED and not dated) else choice.rank + 1
        return replace(choice, rank=rank, near=True)

    def _grouping(self, chunk: Chunk, entry: Entry) -> Choice:
        name = name_of(entry.path)
        note = f"read {chunk.text!r} as {name}" if entry.rank >= DERIVED else ""
        if chunk.grain:
            adverb = ADVERBS.get(chunk.grain)
            calendar = f"; say {adverb!r} for calendar {chunk.grain}s" if adverb else ""
            note = f"read 'by {chunk.text}' as the dimension {name}{calendar}"
        description = self.lexicon.dimension(entry.path).description
        label = f"by {in_words(name)}, in {entry.view}" + (f" ({description})" if description else "")
        choice = Choice(
            entry.path,
            label,
            entry.rank,
            entry.view,
            by=(By(entry.path),),
            says=name,
            note=note,
            day=entry.path if entry.path in self.date_dimensions() else "",
        )
        return self.keyed(choice)

    def grains(self, grain: Grain, rank: int, note: str = "", within: frozenset[str] = frozenset()) -> list[Choice]:
        """Group by a calendar grain of each date dimension that has it (of those `within`, where it is not empty)."""
        return [
            Choice(
                f"{path}.{grain}", f"by {in_words(grain)} of {in_words(name_of(path))}, in {path.partition('.')[0]}",
                rank, path.partition(".")[0], by=(By(path, grain),), says=f"{name_of(path)}.{grain}",
                note=note.format(name_of(path)), at_home=True, day=path,
            )
            for path in self.date_dimensions()
            if (path in within or not within)
            and (grain != "hour" or self.lexicon.dimension(path).type == "datetime")
        ]  # fmt: skip


def _evenly(choices: Collection[Choice]) -> list[Choice]:
    """A name and a synonym are the model's own words alike: of two members neither is chosen for a person."""
    named = any(choice.rank == NAME for choice in choices)
    return [replace(c, rank=NAME) if named and c.rank == SYNONYM else c for c in choices]


def said(chunk: Chunk) -> str:
    """The stable key of a chunk's words, for the name of its slot."""
    return " ".join(chunk.stems)
