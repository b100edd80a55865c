"""The open places of a question: slots with ranked choices, and why a question is not read."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.ask.grounding.chunks import Chunk
from backedge.ask.intent import RefusalKind, Role, Unknown
from backedge.semantic.spec import By, Comparison, Condition, Value

RANKED_BY = "ranked by"
EITHER = "follow:"  # how those begin whose words a follow-up leaves open
KEPT = "kept:"  # how the names of slots begin that a follow-up takes over


@dataclass(frozen=True)
class Choice:
    """One way to read a slot: the pieces it adds to the spec, how exactly the words name it (`rank`, 0 is best).

    `value` and `label` are what a person chooses by, `says` its part of the reading, `note` what the answer must say;
    `at_home` prefers the view of the measures, `near` more so; `foreign` is a key that another view owns; `day` is the
    date dimension that was taken where the words name none; `empty` says why no data can match.
    """

    value: str
    label: str
    rank: int
    view: str
    measures: tuple[str, ...] = ()
    by: tuple[By, ...] = ()
    where: tuple[Condition, ...] = ()
    segments: tuple[str, ...] = ()
    says: str = ""
    note: str = ""
    at_home: bool = False
    near: bool = False
    foreign: bool = False
    day: str = ""
    empty: str = ""


@dataclass(frozen=True)
class Slot:
    """Words of the question that one of `choices` explains. `name` stays the same between calls."""

    name: str
    words: str
    role: Role
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Mark:
    """Which part of the question a chunk plays: that of a slot, or a fixed meaning of its own."""

    chunk: Chunk
    role: Role
    slot: int | None = None
    means: str = ""


@dataclass(frozen=True)
class Ranking:
    """Rows are ordered by the measure or grouping that slot `slot` gives."""

    slot: int
    desc: bool


@dataclass(frozen=True)
class Over:
    """What is asked beyond totals: a motif, periods compared, the slot that is a part, groups to rank within."""

    motif: str = ""
    params: tuple[tuple[str, Value], ...] = ()
    compare: Comparison | None = None
    part: int | None = None
    per: tuple[int, ...] = ()


@dataclass(frozen=True)
class Parse:
    """A question of which every word has its place."""

    slots: tuple[Slot, ...]
    marks: tuple[Mark, ...]
    ranking: Ranking | None = None
    limit: int | None = None
    notes: tuple[str, ...] = ()
    over: Over = Over()


class Unread(Exception):
    """The question cannot be read in full: why, and which words are unknown. It never leaves the grounding package."""

    def __init__(self, reason: str, unknown: tuple[Unknown, ...] = (), kind: RefusalKind = "unclear") -> None:
        super().__init__(reason)
        self.reason = reason
        self.unknown = unknown
        self.kind = kind
