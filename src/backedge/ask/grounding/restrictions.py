"""What a chunk may restrict in a slot: values, yes-or-no dimensions, segments and periods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from backedge.ask.grounding.chunks import Chunk, Sources
from backedge.ask.grounding.lexicon import DERIVED, NAME, Entry
from backedge.ask.grounding.periods import Period
from backedge.ask.grounding.slots import Choice
from backedge.ask.grounding.values import Held
from backedge.ask.grounding.vocabulary import KEYWORDS, Keyword
from backedge.ask.grounding.words import fold, in_words, tokenise
from backedge.semantic.spec import AnyOf, Condition, Filter, Operator

MEANINGS = 4
_STEERS = ("not", "and", "or", "comma")
_NO_KEYWORD = Keyword("stop")


def name_of(path: str) -> str:
    """The member's own name of a path."""
    return path.partition(".")[2]


def dimensions(chunk: Chunk) -> tuple[Entry, ...]:
    """The dimensions that a chunk names."""
    return tuple(e for e in chunk.entries if e.kind == "dimension")


class Restrictions:
    """Makes the choices that restrict, from one model, its values and today."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.lexicon = sources.lexicon

    def keyed(self, choice: Choice) -> Choice:
        """A key stands for the same thing in every view that has it: the measures' own is taken, or its owner's."""
        view, name = self.lexicon.model.view(choice.view), name_of(choice.value)
        types = {e.type for e in (view.entities if view else ()) if name in e.keys}
        return replace(choice, at_home=bool(types), foreign=types == {"foreign"})

    def is_dimension(self, path: str) -> bool:
        """Whether a path is that of a dimension."""
        view, _, name = path.partition(".")
        owner = self.lexicon.model.view(view)
        return owner is not None and owner.dimension(name) is not None

    def date_dimensions(self) -> list[str]:
        """The paths of all date and datetime dimensions that can be asked for."""
        return [
            f"{view.name}.{dimension.name}"
            for view in self.lexicon.model.views
            for dimension in view.dimensions
            if dimension.type in ("date", "datetime") and not dimension.unsupported
        ]

    def held(self, chunks: Sequence[Chunk], within: frozenset[str], negated: bool) -> list[Choice]:
        """Filters on the dimensions that hold the values of all `chunks` (of those `within`, where it is not empty)."""
        found: list[Choice] = []
        for member in dict.fromkeys(h.member for h in chunks[0].held):
            holders = [next((h for h in chunk.held if h.member == member), None) for chunk in chunks]
            if (within and member not in within) or None in holders:
                continue
            spelt = [_as_written(chunk, h) for chunk, h in zip(chunks, holders, strict=True) if h]
            values = tuple(dict.fromkeys(v for found_values, _ in spelt for v in found_values))
            rank = NAME if all(exact for _, exact in spelt) else DERIVED
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
        listed = ", ".join(map(_shown, values))
        sign = ("is not" if negated else "is") if one else ("not in" if negated else "in")
        view, _, name = path.partition(".")
        says, where = f"{name} {sign} {listed}", (Filter(path, operator, values),)
        label = f"{in_words(name)} {sign} {listed}, in {view}"
        return self.keyed(Choice(path, label, rank, view, where=where, says=says))

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
        """Each date dimension restricted to the periods (any of them), in each of their meanings."""
        found: list[Choice] = []
        for path in paths:
            meanings = self._meanings(path, periods)
            for meant, note in meanings:
                choice = self._within_periods(path, meant, negated, note)
                if len(meanings) > 1:
                    said = f"{path} {meant[0].text.replace(' ', '_')}"
                    choice = replace(choice, value=said, label=f"{choice.says}, in {choice.view}")
                found.append(replace(choice, at_home=implied, day=path if implied else ""))
        return found

    def _meanings(self, path: str, periods: Sequence[Period]) -> list[tuple[tuple[Period, ...], str]]:
        """The meanings of the periods' words, each with what must be said of it; of years, those that have data."""
        first = periods[0]
        if len(periods) > 1 or not first.others:
            return [(tuple(periods), "")]
        known = self.sources.values.ranges.get(path)
        held = [p for p in first.others if known and p.meets(*known)] if first.yearless else []
        meant = (held or list(first.others))[:MEANINGS]
        alone = f"read {first.text!r} as {meant[0].text}: there is data of no other" if len(meant) == 1 else ""
        return [((p,), alone) for p in meant]

    def _within_periods(self, path: str, periods: Sequence[Period], negated: bool, said: str) -> Choice:
        named = " or ".join(p.text for p in periods)
        sign = "not in" if negated else "in" if periods[0].start and periods[0].end else ""
        conditions = tuple(c for p in periods for c in _within(path, p, negated))
        where = conditions if negated or len(periods) == 1 else (AnyOf(conditions),)
        name, view = name_of(path), path.partition(".")[0]
        says = " ".join(part for part in (name, sign, named) if part)
        empty = "" if negated else self._out_of_range(path, periods, named)
        missing = "" if empty else self._without_data(path, periods)
        note = "; ".join(filter(None, (said, _resolved(periods, named), missing)))
        label = f"{in_words(name)}, in {view}"
        return Choice(path, label, NAME, view, where=where, says=says, note=note, empty=empty)

    def _without_data(self, path: str, periods: Sequence[Period]) -> str:
        """Which of several periods adds nothing, for the data does not reach it."""
        known = self.sources.values.ranges.get(path)
        missing = [p.text for p in periods if known and not p.meets(*known)]
        return f"there is no data for {' and '.join(missing)}" if missing else ""

    def _out_of_range(self, path: str, periods: Sequence[Period], named: str) -> str:
        known = self.sources.values.ranges.get(path)
        if known is None or any(p.meets(*known) for p in periods):
            return ""
        return f"there is no data for {named}: {name_of(path)} runs from {known[0]} to {known[1]}"


def _as_written(chunk: Chunk, held: Held) -> tuple[tuple[str, ...], bool]:
    """The values that a chunk spells, and whether it leaves no doubt: "Williams" is not William."""
    written = " ".join(word.text for word in chunk.words)
    for said in (str.casefold, fold):
        spelt = tuple(v for v in held.values if said(_plain_words(v)) == said(_plain_words(written)))
        if spelt:
            return spelt, held.whole
    return held.values, held.whole and len({fold(_plain_words(v)) for v in held.values}) == 1


def _plain_words(text: str) -> str:
    return " ".join(word.text for word in tokenise(text.replace('"', " ")))


def _shown(value: str | int | float | bool) -> str:
    """A value in a label; in quotes where its own words could be taken for those of the condition."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    words = [word.folded for word in tokenise(text) if word.kind == "word"]
    steering = any(KEYWORDS.get((word,), _NO_KEYWORD).symbol in _STEERS for word in words)
    return f'"{text}"' if steering and isinstance(value, str) else text


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
    """The days of periods whose words do not show them, and how they were chosen."""
    how = " and ".join(dict.fromkeys(p.how for p in periods if p.how))
    if not how and not any(p.relative for p in periods):
        return ""
    return f"{named} is {' and '.join(p.days for p in periods)}" + (f" ({how})" if how else "")
