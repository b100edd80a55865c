"""What a chunk may stand for in a slot: measures that agree with the words, groupings, filters, periods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from backedge.ask.grounding.chunks import Chunk, Sources
from backedge.ask.grounding.dates import Period
from backedge.ask.grounding.lexicon import DERIVED, HEAD, NAME, Entry
from backedge.ask.grounding.slots import Choice, Unread
from backedge.ask.grounding.spelling import nearest
from backedge.ask.grounding.vocabulary import ADVERBS, AGREES, COUNTS, NEUTRAL
from backedge.ask.grounding.words import in_words
from backedge.ask.intent import Unknown
from backedge.semantic.model import Dimension, Measure
from backedge.semantic.spec import AnyOf, By, Condition, Filter, Grain, Operator

_SAYS_TOTAL = frozenset({"total", "sum", "average", "median", "maximum", "minimum"})
_STEERING = ("per", "by", "each")


def name_of(path: str) -> str:
    """The member's own name of a path."""
    return path.partition(".")[2]


def dimensions(chunk: Chunk) -> tuple[Entry, ...]:
    """The dimensions that a chunk names."""
    return tuple(e for e in chunk.entries if e.kind == "dimension")


class Chooser:
    """Makes the choices of slots from one model, its values and today."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.lexicon = sources.lexicon

    # Measures

    def measures(self, chunk: Chunk, aggregate: str = "") -> tuple[Choice, ...]:
        """The measures that a chunk names; with an aggregate word, only those whose type agrees with it."""
        named = [(e.path, e.rank) for e in chunk.entries if e.kind == "measure"]
        if aggregate:
            found = self._agreeing(chunk, aggregate, named)
        elif named:
            found = [self._measure(chunk, path, rank) for path, rank in named]
        else:
            found = self._counted(chunk) or self._headed(chunk)
        if not found:
            raise Unread(self._disagreement(chunk, aggregate), self._near(chunk))
        best: dict[str, Choice] = {}
        for choice in sorted(found, key=lambda c: c.rank):
            best.setdefault(choice.value, choice)
        return tuple(best.values())

    def counts(self, chunk: Chunk, distinct: bool) -> tuple[Choice, ...]:
        """The measures that count what a chunk names."""
        found = {
            entry.path: self._measure(chunk, entry.path, entry.rank)
            for entry in sorted(chunk.entries, key=lambda e: -e.rank)
            if entry.kind in ("measure", "noun") and self.lexicon.measure(entry.path).type in COUNTS
            if not distinct or self._counts_distinct(entry.path)
        }
        if not found:
            kind = "different " if distinct else ""
            raise Unread(f"nothing here counts {kind}{chunk.text!r}", self._near(chunk))
        return tuple(found.values())

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
        label = f"{in_words(name_of(path))}, in {view}" + (f" ({measure.description})" if measure.description else "")
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
        if grain:
            found = [c if c.rank == NAME else replace(c, rank=c.rank + 1) for c in found]
            found += self.grains(grain, 1, f"read 'by {chunk.text}' as calendar {grain}s of {{}}")
        if not found:
            raise Unread(f"nothing here can be grouped by {chunk.text!r}", self._near(chunk))
        return tuple(found)

    def _grouping(self, chunk: Chunk, entry: Entry) -> Choice:
        name = name_of(entry.path)
        note = f"read {chunk.text!r} as {name}" if entry.rank >= DERIVED else ""
        if chunk.grain:
            calendar = f"say {ADVERBS[chunk.grain]!r} for calendar {chunk.grain}s"
            note = f"read 'by {chunk.text}' as the dimension {name}; {calendar}"
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
        )
        return self._keyed(choice)

    def _keyed(self, choice: Choice) -> Choice:
        """A key stands for the same thing in every view that has it: the measures' own is taken, or its owner's."""
        view, name = self.lexicon.model.view(choice.view), name_of(choice.value)
        types = {e.type for e in (view.entities if view else ()) if name in e.keys}
        return replace(choice, at_home=bool(types), foreign=types == {"foreign"})

    def grains(self, grain: Grain, rank: int, note: str = "") -> list[Choice]:
        """Group by a calendar grain of each date dimension that has it."""
        return [
            Choice(
                f"{path}.{grain}", f"by {grain} of {in_words(name_of(path))}, in {path.partition('.')[0]}", rank,
                path.partition(".")[0], by=(By(path, grain),), says=f"{name_of(path)}.{grain}",
                note=note.format(name_of(path)), at_home=True, day=path,
            )
            for path in self.date_dimensions()
            if grain != "hour" or self.lexicon.dimension(path).type == "datetime"
        ]  # fmt: skip

    def date_dimensions(self) -> list[str]:
        """The paths of all date and datetime dimensions that can be asked for."""
        return [
            f"{view.name}.{dimension.name}"
            for view in self.lexicon.model.views
            for dimension in view.dimensions
            if dimension.type in ("date", "datetime") and not dimension.unsupported
        ]

    # Filters

    def held(self, chunks: Sequence[Chunk], within: frozenset[str], negated: bool) -> list[Choice]:
        """Filters on the dimensions that hold the values of all `chunks` (of those `within`, where it is not empty)."""
        found: list[Choice] = []
        for member in dict.fromkeys(h.member for h in chunks[0].held):
            holders = [next((h for h in chunk.held if h.member == member), None) for chunk in chunks]
            if (within and member not in within) or None in holders:
                continue
            values = tuple(dict.fromkeys(v for h in holders if h for v in h.values))
            rank = NAME if all(h.whole for h in holders if h) else DERIVED
            choice = self.equal(member, values, rank, negated)
            short = " and ".join(chunk.text for chunk in chunks)
            found.append(choice if rank == NAME else replace(choice, note=f"read {short!r} as {choice.says}"))
        return found

    def equal(
        self,
        path: str,
        values: tuple[str | int | float | bool, ...],
        rank: int,
        negated: bool,
    ) -> Choice:
        """The filter that a dimension is, or is not, one of `values`."""
        one = len(values) == 1
        operator: Operator = ("not_equals" if negated else "equals") if one else ("not_in" if negated else "in")
        listed = ", ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in values)
        sign = ("is not" if negated else "is") if one else ("not in" if negated else "in")
        view, _, name = path.partition(".")
        says, where = f"{name} {sign} {listed}", (Filter(path, operator, values),)
        label = f"{in_words(name)} {sign} {listed}, in {view}"
        return self._keyed(Choice(path, label, rank, view, where=where, says=says))

    def booleans(self, chunk: Chunk, negated: bool) -> list[Choice]:
        """A yes-or-no dimension that a chunk names, as the filter that it holds."""
        return [
            self.equal(entry.path, (True,), entry.rank, negated)
            for entry in dimensions(chunk)
            if self.lexicon.dimension(entry.path).type == "boolean"
        ]

    def segments(self, chunk: Chunk) -> list[Choice]:
        """The segments that a chunk names."""
        found = [(e, name_of(e.path)) for e in chunk.entries if e.kind == "segment"]
        return [
            Choice(
                e.path,
                f"{in_words(name)}, in {e.view}",
                e.rank,
                e.view,
                segments=(e.path,),
                says=name,
            )
            for e, name in found
        ]

    def periods(
        self,
        paths: Iterable[str],
        periods: Sequence[Period],
        negated: bool,
        implied: bool,
    ) -> list[Choice]:
        """Each date dimension restricted to the periods (any of them)."""
        named = " or ".join(p.text for p in periods)
        sign = "not in" if negated else "in" if periods[0].start and periods[0].end else ""
        found: list[Choice] = []
        for path in paths:
            conditions = tuple(c for p in periods for c in _within(path, p, negated))
            where = conditions if negated or len(periods) == 1 else (AnyOf(conditions),)
            name, view = name_of(path), path.partition(".")[0]
            says = " ".join(part for part in (name, sign, named) if part)
            choice = Choice(path, f"{in_words(name)}, in {view}", NAME, view, where=where, says=says)
            empty = "" if negated else self._out_of_range(path, periods, named)
            note = _resolved(periods, named)
            found.append(
                replace(
                    choice,
                    note=note,
                    at_home=implied,
                    day=path if implied else "",
                    empty=empty,
                )
            )
        return found

    def _out_of_range(self, path: str, periods: Sequence[Period], named: str) -> str:
        known = self.sources.values.ranges.get(path)
        if known is None or any(p.meets(*known) for p in periods):
            return ""
        return f"there is no data for {named}: {name_of(path)} runs from {known[0]} to {known[1]}"


def _within(path: str, period: Period, negated: bool) -> tuple[Condition, ...]:
    if period.start and period.end:
        return (
            Filter(
                path,
                "not_in_range" if negated else "in_range",
                (period.start, period.end),
            ),
        )
    if period.start:
        return (Filter(path, "lt" if negated else "gte", (period.start,)),)
    return (Filter(path, "gte" if negated else "lt", (period.end,)),)


def _resolved(periods: Sequence[Period], named: str) -> str:
    return f"{named} is {' and '.join(p.days for p in periods)}" if any(p.relative for p in periods) else ""


def said(chunk: Chunk) -> str:
    """The stable key of a chunk's words, for the name of its slot."""
    return " ".join(chunk.stems)
