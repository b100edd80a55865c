"""The port of the value index: one shelf of found values for each asker and each state of the data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from backedge.ask.grounding.spans import Span
from backedge.ask.grounding.values import Gathered, Values
from backedge.kernel.defect import Defect


@dataclass(frozen=True)
class Label:
    """What a shelf was made of: the state of the data (`stamp`, empty where it is not known) and when, in seconds."""

    stamp: str
    made: float


class Shelf(Protocol):
    """What one asker may see. `open_ended` are the dimensions with more values than it holds."""

    label: Label
    refused: Defect | None
    open_ended: frozenset[str]

    def find(self, spans: Collection[Span]) -> Values:
        """The index of one question: what its stretches name, and nothing else."""
        ...

    def names(self) -> tuple[str, ...]:
        """Values that an unknown word may be near to: at most some thousands, a sample where there are more."""
        ...

    def unasked(self, path: str, spans: Sequence[Span]) -> tuple[Span, ...]:
        """The stretches that the database was not asked for yet."""
        ...

    def learn(self, path: str, spans: Iterable[Span], values: Iterable[str]) -> None:
        """Keep what the database gave for stretches that it was asked for: `values`, and no other."""
        ...

    def close(self) -> None:
        """Release its file."""
        ...


class Shelves(Protocol):
    """Where shelves are kept from one process to the next. `owner` tells askers and models apart."""

    def find(self, owner: str, is_current: Callable[[Label], bool]) -> Shelf | None:
        """The newest shelf of an owner, if it is current."""
        ...

    def make(self, owner: str, label: Label, found: Gathered, refused: Defect | None, *, keep: bool) -> Shelf:
        """A new shelf; without `keep` it is gone when this process ends."""
        ...
