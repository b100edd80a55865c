"""From slots to one spec: combinations of choices are compiled; readings that give the same value are one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from backedge.ask.grounding.below import refuse_unclear
from backedge.ask.grounding.counting import counts_in_groups, miscounted
from backedge.ask.grounding.natural import rivals
from backedge.ask.grounding.once import once
from backedge.ask.grounding.slots import EITHER, RANKED_BY, Choice, Parse, Slot, Unread
from backedge.ask.intent import Ambiguous, AskKind, Option
from backedge.kernel.defect import Defect
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model
from backedge.semantic.spec import By, Compiled, Condition, Filter, Order, Spec

MAX_COMBINATIONS, MAX_COMPILED, MAX_OPTIONS = 20_000, 200, 4
Choices = tuple[Choice, ...]
_OTHER = "something else"
_KINDS: dict[str, AskKind] = {"measure": "measure", "dimension": "grouping", "grain": "grouping"}
_PROMPTS = {
    "measure": "Which measure does {!r} mean?",
    "time": "Which date does {!r} go by?",
    "grain": "Which date does {!r} go by?",
    "dimension": "Which grouping does {!r} mean?",
    "value": "What does {!r} restrict?",
}


@dataclass(frozen=True)
class Reading:
    """One way to read every slot, and the spec that it makes."""

    choices: Choices
    spec: Spec


class Resolver:
    """Compiles the combinations of one parse; each spec once."""

    def __init__(self, model: Model, parse: Parse, dialect: str) -> None:
        self._model, self._parse, self._dialect = model, parse, dialect
        self._compiled: dict[Spec, Compiled | tuple[Defect, ...]] = {}
        self._region = _regions(model)
        self._rivals = rivals(model)

    def resolve(self, fixed: Mapping[str, str]) -> Reading | Ambiguous:
        """The one reading, or the first slot whose readings give different values. `fixed` are slots a person decided.

        Raises `Unread` where no combination compiles, or where the data lies outside the period.
        """
        slots = [_decided(slot, fixed) for slot in self._parse.slots]
        readings = self._distinct(self._best(slots))
        if not readings:
            raise Unread(self._why_not(slots), kind="not_together")
        if len(readings) > 1:
            return self._question(slots, readings)
        empty = [choice.empty for choice in readings[0].choices if choice.empty]
        if empty:
            raise Unread(empty[0], kind="no_data")
        refuse_unclear(self._model, readings[0].spec, readings[0].choices)
        return self._doubtful_count(slots, readings[0], fixed) or readings[0]

    def _doubtful_count(self, slots: Sequence[Slot], reading: Reading, fixed: Mapping[str, str]) -> Ambiguous | None:
        """Ask where a count counts another thing than the words say, and no person has chosen it."""
        for slot, choice in zip(slots, reading.choices, strict=True):
            counts = [path for path in choice.measures if slot.name not in fixed or fixed[slot.name] == _OTHER]
            told = next((text for path in counts if (text := miscounted(self._model, path, slot.words))), "")
            if not told or counts_in_groups(self._model, counts[0], slot.words, reading.spec):
                continue
            if slot.name in fixed:
                raise Unread(f"no count of {slot.words!r} themselves fits the question: {told}", kind="not_measured")
            other = Option(_OTHER, f"{slot.words} themselves")
            options = (Option(choice.value, told), other)
            return Ambiguous(slot.name, slot.words, f"Is that what {slot.words!r} means?", options, "count")
        return None

    def _best(self, slots: Sequence[Slot]) -> list[Reading]:
        """The readings that compile and that no other one beats in every slot."""
        kept: list[tuple[tuple[int, ...], Reading]] = []
        tried = 0
        for ranks, choices in sorted(self._combinations(slots), key=lambda c: sum(c[0])):
            kinds = _kinds(slots, choices)
            if any(_beats(better, ranks) and kinds == _kinds(slots, reading.choices) for better, reading in kept):
                continue
            tried += 1
            if tried > MAX_COMPILED:
                raise Unread(
                    "the words fit too many members; name the view with the member, such as 'orders total'",
                    kind="too_many",
                )
            spec = _spec(self._parse, choices)
            if isinstance(self._compile(spec), Compiled):
                kept.append((ranks, Reading(choices, spec)))
        return [reading for _, reading in kept]

    def _combinations(self, slots: Sequence[Slot]) -> Iterator[tuple[tuple[int, ...], Choices]]:
        for choices in _of_one_day(slots):
            regions = {self._region[c.view] for c in choices if c.view}
            alone = all(c.measures and not c.where for c in choices)  # values side by side need no join
            if len(regions) <= 1 or alone:
                yield _ranks(choices, self._rivals), choices

    def _distinct(self, readings: Sequence[Reading]) -> list[Reading]:
        """One reading per value: first those that differ only in which view of the same thing, then equal queries."""
        if len(readings) < 2:
            return list(readings)
        alike: dict[tuple[object, ...], list[Reading]] = {}
        for reading in readings:
            alike.setdefault(tuple(self._sense(c) for c in reading.choices), []).append(reading)
        distinct: dict[str, Reading] = {}
        for group in alike.values():
            fewest = min(map(_spread, group))
            for reading in group:
                compiled = self._compile(reading.spec)
                if _spread(reading) == fewest and isinstance(compiled, Compiled):
                    distinct.setdefault(compiled.canonical, reading)
        return list(distinct.values())

    def _question(self, slots: Sequence[Slot], readings: Sequence[Reading]) -> Ambiguous:
        """Ask about the first slot in which the readings mean different things, measures before all else."""
        for index, slot in sorted(enumerate(slots), key=lambda s: s[1].role != "measure"):
            senses: dict[tuple[object, ...], Choice] = {}
            for choice in sorted(
                {r.choices[index] for r in readings},
                key=lambda c: (c.rank, slot.choices.index(c)),
            ):
                senses.setdefault(self._sense(choice), choice)
            if len(senses) > 1:
                options = tuple(Option(c.value, c.label) for c in senses.values())[:MAX_OPTIONS]
                offered = replace(slot, choices=tuple(senses.values()))
                return Ambiguous(slot.name, slot.words, _prompt(offered), options, _kind(slot))
        raise Unread("the words have readings that give different values; name the view with each member")

    def _sense(self, choice: Choice) -> tuple[object, ...]:
        """What a choice means whatever its member is called: equal for two views that declare the same thing."""
        alone = [Spec(measures=(path,)) for path in choice.measures]
        alone += [Spec(by=(by,)) for by in choice.by]
        conditions = tuple(_flat(choice.where))
        alone += [Spec(by=(By(c.member),)) for c in conditions if c.member not in choice.measures]
        found = [self._compile(spec) for spec in alone]
        queries = tuple(c.canonical if isinstance(c, Compiled) else choice.value for c in found)
        seen = self._model.view(choice.view)
        role = choice.view if seen and seen.role_of else ""  # the same thing in another role is another thing
        return queries, tuple((c.op, c.values) for c in conditions), choice.segments, role

    def _compile(self, spec: Spec) -> Compiled | tuple[Defect, ...]:
        if spec not in self._compiled:
            self._compiled[spec] = compile_spec(self._model, spec, self._dialect)
        return self._compiled[spec]

    def _why_not(self, slots: Sequence[Slot]) -> str:
        """Why the most exact combination does not compile, in the compiler's words."""
        regions = {self._region[c.view] for slot in slots for c in slot.choices if c.measures}
        for slot in slots:
            days = {self._region[choice.view] for choice in slot.choices if choice.day}
            if days and regions and not days & regions:
                return f"what is measured has no date dimension, so {slot.words!r} cannot be applied to it"
        best = tuple(min(slot.choices, key=lambda c: c.rank) for slot in slots)
        within = list(islice(self._combinations(slots), MAX_COMPILED))
        choices = min(within, key=lambda c: sum(c[0]))[1] if within else best
        compiled = self._compile(_spec(self._parse, choices))
        if isinstance(compiled, Compiled):
            return "the words name members that cannot be asked for together"
        return ". ".join(text.rstrip(".") for text in (compiled[0].message, compiled[0].hint) if text)


def _of_one_day(slots: Sequence[Slot]) -> list[Choices]:
    """The combinations that take one date dimension where the words name none: many dates must not multiply."""
    found: list[tuple[str, Choices]] = [("", ())]
    for slot in slots:
        fitting = _by_day(slot.choices, {day for day, _ in found})
        if sum(len(fitting[day]) for day, _ in found) > MAX_COMBINATIONS:
            raise Unread(
                "the words fit too many members; name the view with the member, such as 'orders total'",
                kind="too_many",
            )
        found = [(day or c.day, (*choices, c)) for day, choices in found for c in fitting[day]]
    return [choices for _, choices in found]


def _by_day(choices: Choices, days: Collection[str]) -> dict[str, list[Choice]]:
    """For each of `days` the choices that go with it, in their order; with no day, all do."""
    fitting: dict[str, list[Choice]] = {day: [] for day in days}
    for choice in choices:
        for day in {choice.day, ""} & fitting.keys() if choice.day else fitting:
            fitting[day].append(choice)
    return fitting


def _decided(slot: Slot, fixed: Mapping[str, str]) -> Slot:
    chosen = tuple(choice for choice in slot.choices if choice.value == fixed.get(slot.name))
    return replace(slot, choices=chosen) if chosen else slot


def _ranks(choices: Choices, rivals: Mapping[str, frozenset[str]]) -> tuple[int, ...]:
    """How exact each choice is; a date or a key away from the measures' view is a little less so."""
    measured = {choice.view for choice in choices if choice.measures}
    home = measured or {choice.view for choice in choices if choice.by and not choice.day}
    far = (2 if c.near else int(c.at_home) + int(c.foreign) for c in choices)
    near = home.union(*(rivals.get(view, frozenset()) for view in measured))
    return tuple(
        2 * c.rank + (much if _away(c, measured, near if c.day else home) else 0)
        for c, much in zip(choices, far, strict=True)
    )


def _away(choice: Choice, measured: set[str], home: set[str]) -> bool:
    if measured or choice.day:
        return choice.view not in home
    return choice.foreign


def _kinds(slots: Sequence[Slot], choices: Choices) -> tuple[bool, ...]:
    """What no exactness weighs against each other: a year and a value "2024", rows for each thing and one number."""
    pairs = zip(slots, choices, strict=True)
    return tuple(bool(choice.day) if slot.role == "time" else not choice.view for slot, choice in pairs)


def _beats(better: Sequence[int], other: Sequence[int]) -> bool:
    return better != other and all(a <= b for a, b in zip(better, other, strict=True))


def _spread(reading: Reading) -> int:
    return len({choice.view for choice in reading.choices if choice.view})


def _flat(conditions: Sequence[Condition]) -> Iterator[Filter]:
    for condition in conditions:
        if isinstance(condition, Filter):
            yield condition
        else:
            yield from _flat(condition.of)


def _spec(parse: Parse, choices: Choices) -> Spec:
    order: tuple[Order, ...] = ()
    if parse.ranking:
        ranked = choices[parse.ranking.slot]
        names = [*ranked.measures, *(by.name for by in ranked.by)]
        order = (Order(names[0], parse.ranking.desc),) if names else ()
    over = parse.over
    kept = [c for index, c in enumerate(choices) if index != over.part]
    return Spec(
        measures=tuple(dict.fromkeys(path for c in choices for path in c.measures)),
        by=tuple(dict.fromkeys(by for c in choices for by in c.by)),
        where=tuple(condition for c in kept for condition in c.where),
        segments=tuple(dict.fromkeys(path for c in kept for path in c.segments)),
        order=order,
        limit=parse.limit,
        motif=over.motif or None,
        motif_params=over.params,
        compare=over.compare,
        part=_part(choices[over.part]) if over.part is not None else (),
        per=tuple(by.name for index in over.per for by in choices[index].by),
    )


def _part(choice: Choice) -> tuple[Condition, ...]:
    return (*choice.where, *(Filter(path, "set") for path in choice.segments))


def _kind(slot: Slot) -> AskKind:
    if slot.name == RANKED_BY:
        return "ranking"
    if slot.name.startswith(EITHER):
        return "kept"
    timed = slot.role in ("time", "grain") and all(choice.day for choice in slot.choices)
    return "date" if timed else _KINDS.get(slot.role, "value")


def _prompt(slot: Slot) -> str:
    if slot.name == RANKED_BY:
        return "By which measure are they ranked?"
    if slot.name.startswith(EITHER):
        return f"Does {slot.words!r} still hold?" if slot.role == "value" else f"What does {slot.words!r} ask for?"
    if slot.role == "time" and not all(choice.day for choice in slot.choices):
        return _PROMPTS["value"].format(slot.words)
    if slot.role == "time" and len({choice.day for choice in slot.choices}) == 1:
        return f"Which days does {slot.words!r} mean?"
    return _PROMPTS.get(slot.role, _PROMPTS["value"]).format(slot.words)


@once
def _regions(model: Model) -> dict[str, str]:
    """For each view the name of its region: views joined, over any number of hops, share one."""
    joined: dict[str, str] = {}

    def region(name: str) -> str:
        while joined.setdefault(name, name) != name:
            name = joined[name]
        return name

    for view in model.views:
        for entity in view.entities:
            joined[region(view.name)] = region(f"{entity.name}.")  # no view has a name with a dot
    return {view.name: region(view.name) for view in model.views}
