"""A question while it is being read: the cursor over its chunks, the slots so far, and what still waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from backedge.ask.grounding.choices import Chooser, said
from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.periods import Period
from backedge.ask.grounding.slots import KEPT, Choice, Mark, Slot, Unread
from backedge.ask.intent import Role
from backedge.semantic.spec import Comparison, Grain, Value


@dataclass(frozen=True)
class Timed:
    """Periods named together ("in 2010 and 2011"), to be laid on a date dimension once the measures are known."""

    chunks: tuple[Chunk, ...]
    periods: tuple[Period, ...]
    negated: bool
    open_from: bool = False


@dataclass(frozen=True)
class Waiting:
    """A chunk whose part is decided at the end: a bare noun, or what a superlative stands before."""

    slot: int
    chunk: Chunk
    superlative: str = ""


@dataclass
class More:
    """What the words ask beyond totals. `each` are groupings that follow "per" or "in each", `back` is how an earlier
    period is called, `step` the unit of "year over year", `window` and `gaps` are words with their number and grain.
    `sides` are values to be shown side by side.
    """

    share: Chunk | None = None
    of_total: bool = False
    said_is: int | None = None
    compared: Chunk | None = None
    pairs: bool = False
    sides: Chunk | None = None
    changes: bool = False
    back: str = ""
    step: Grain | None = None
    running: Chunk | None = None
    window: tuple[Chunk, int, Grain] | None = None
    gaps: tuple[Chunk, Grain] | None = None
    each_word: bool = False
    each: list[int] = field(default_factory=list)
    per: tuple[int, ...] = ()
    part: int | None = None
    motif: str = ""
    params: tuple[tuple[str, Value], ...] = ()
    compare: Comparison | None = None

    @property
    def asks(self) -> bool:
        """Whether something is asked that needs a measure."""
        return bool(self.share or self.compared or self.running or self.window)


@dataclass
class Draft:
    """The mutable state of one reading. `context` is where the cursor stands: head, by, filter, of, from or tail."""

    chunks: Sequence[Chunk]
    chooser: Chooser
    at: int = 0
    context: str = "head"
    negated: bool = False
    picked: bool = False
    aggregate: tuple[Chunk, str] | None = None
    counting: Chunk | None = None
    distinct: bool = False
    sorting: bool = False
    slots: list[Slot] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    timed: list[Timed] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    bound: list[int] = field(default_factory=list)
    limit: int | None = None
    rank: str = ""
    ranks_next: bool = False
    ranked_by: int | None = None
    direction: str = ""
    superlative: bool = False
    grouped_by: str = ""
    dangling: Chunk | None = None
    notes: list[str] = field(default_factory=list)
    more: More = field(default_factory=More)

    def peek(self, ahead: int = 0) -> Chunk | None:
        """The chunk `ahead` of the cursor, or None at the end."""
        return self.chunks[self.at + ahead] if self.at + ahead < len(self.chunks) else None

    def passing(self, *symbols: str, ahead: int = 1) -> int:
        """How far ahead the next chunk stands whose keyword is not among `symbols`."""
        while (chunk := self.peek(ahead)) and chunk.symbol in symbols:
            ahead += 1
        return ahead

    def take(self, count: int, role: Role, slot: int | None = None, means: str = "") -> None:
        """Mark the next `count` chunks with their part and move past them."""
        for chunk in self.chunks[self.at : self.at + count]:
            self.marks.append(Mark(chunk, role, slot, means))
            if role != "filler" or not chunk.keyword:
                self.dangling = None
        self.at += count

    def add(self, kind: str, chunk: Chunk, role: Role, choices: Sequence[Choice]) -> int:
        """A slot for these choices (the one there is, where the same measures were named before); its index."""
        values = {choice.value for choice in choices}
        if kind == "measure":
            for index, slot in enumerate(self.slots):
                if slot.role == "measure" and {c.value for c in slot.choices} == values and not slot.choices[0].where:
                    return index
        name = f"{kind}:{said(chunk)}"
        taken = sum(slot.name.partition("#")[0] == name for slot in self.slots)
        self.slots.append(
            Slot(
                f"{name}#{taken + 1}" if taken else name,
                chunk.text,
                role,
                tuple(choices),
            )
        )
        return len(self.slots) - 1

    def wait(self, chunk: Chunk, superlative: str = "") -> int:
        """An empty slot whose part is decided at the end."""
        self.slots.append(Slot("", chunk.text, "filler", ()))
        self.waiting.append(Waiting(len(self.slots) - 1, chunk, superlative))
        return len(self.slots) - 1

    def settle(self, waiting: Waiting, kind: str, role: Role, choices: Sequence[Choice]) -> None:
        """Fill the empty slot of a chunk that waited, keeping its place."""
        self.slots[waiting.slot] = Slot(f"{kind}:{said(waiting.chunk)}", waiting.chunk.text, role, tuple(choices))
        self.marks = [
            Mark(m.chunk, role, m.slot) if m.slot == waiting.slot and m.role == "filler" else m for m in self.marks
        ]

    @property
    def follows(self) -> bool:
        """Whether it keeps slots of a question before: they stand first."""
        return bool(self.slots) and self.slots[0].name.startswith(KEPT)

    def with_role(self, role: Role, own: bool = False) -> list[int]:
        """The indexes of the slots of one role; those that are kept of a question before left out, for its `own`."""
        found = [index for index, slot in enumerate(self.slots) if slot.role == role]
        return [index for index in found if not self.slots[index].name.startswith(KEPT)] if own else found

    def measured(self, index: int) -> None:
        """A measure was named: it is what the rows are ranked by, if the words before it said so."""
        if self.ranks_next:
            self.ranked_by, self.ranks_next = index, False

    def no_negation(self, chunk: Chunk) -> None:
        """Refuse to lose a "not" that stands before something that cannot be negated."""
        if self.negated:
            raise Unread(f"it is not clear what 'not {chunk.text}' leaves out; name a value of a dimension")

    def nothing_dangling(self) -> None:
        """Refuse to lose a preposition whose object was not understood ("in the us", read as filler)."""
        if self.dangling:
            raise Unread(f"it is not clear what {self.dangling.text!r} restricts; name a value after it")

    def no_aggregate(self, chunk: Chunk) -> None:
        """Refuse to lose an aggregate word that found nothing to aggregate before `chunk`."""
        pending = self.aggregate[0] if self.aggregate else self.counting
        if pending:
            raise Unread(f"it is not clear what {pending.text!r} is of; name a measure before {chunk.text!r}")

    def remark(self, word: Chunk | None, slot: int) -> None:
        """Let an aggregate word show the slot that it became part of."""
        self.marks = [Mark(m.chunk, "measure", slot) if m.chunk is word else m for m in self.marks]
