"""What reading a content gives: its text, the sections of it, tables, what went wrong, and how much is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from backedge.evidence.sources import Metadata

Role = Literal[
    "title",
    "abstract",
    "introduction",
    "methods",
    "results",
    "discussion",
    "table",
    "caption",
    "references",
    "other",
]
IssueKind = Literal[
    "nul_replaced",
    "surrogate_replaced",
    "unmapped_glyphs",
    "replacement_character",
    "lost_spaces",
    "uncertain_order",
    "truncated",
    "unknown_section",
    "encoding",
    "damaged",
    "hidden_text",
    "no_text_on_page",
]
Unfit = Literal["corrupt", "encrypted", "image_only", "no_text", "hostile", "too_large", "too_slow", "unknown_format"]


@dataclass(frozen=True)
class Section:
    """A stretch of the text, half-open, in code points. `key` names it within its reading (`s1`, `s2`, …).

    `label` is that of a structured abstract ("METHODS") or of a table or figure ("Table 1"). `parent` is the key of
    the section that holds it; stretches of siblings do not overlap. `order` tells whether its lines are in order.
    """

    key: str
    role: Role
    title: str
    start: int
    end: int
    label: str = ""
    parent: str = ""
    order: Literal["sure", "uncertain"] = "sure"


@dataclass(frozen=True)
class Issue:
    """Something that reading could not do well. `start` is the place in the text, `count` how often it happened."""

    kind: IssueKind
    message: str
    start: int = 0
    count: int = 1


@dataclass(frozen=True)
class Part:
    """One part of the completeness: a share between 0 and 1, such as pages with text."""

    name: str
    share: float


@dataclass(frozen=True)
class Completeness:
    """How much of the content was read, 0 to 1: the product of its parts."""

    parts: tuple[Part, ...] = ()

    @property
    def value(self) -> float:
        """The product, rounded to three places."""
        product = 1.0
        for part in self.parts:
            product *= part.share
        return round(product, 3)


@dataclass(frozen=True)
class Cell:
    """A cell of a table with its stretch of the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Table:
    """A table: the key of its section, its label and caption, the cells of its head and of its body, row by row."""

    section: str
    label: str
    caption: str
    head: tuple[tuple[Cell, ...], ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Row:
    """A row of measurements as a file or a query gives it: names and texts in the order of its columns."""

    number: int
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Reading:
    """A content read: `text` is what offsets are into. `reader` names the reader and its version (`jats/1`).

    `metadata` is what the content says of itself. `rows` are there instead of sections where it is rows of values.
    """

    text: str
    sections: tuple[Section, ...]
    reader: str
    metadata: Metadata = field(default_factory=Metadata)
    tables: tuple[Table, ...] = ()
    rows: tuple[Row, ...] = ()
    issues: tuple[Issue, ...] = ()
    completeness: Completeness = Completeness()

    def section(self, key: str) -> Section | None:
        """The section of that key."""
        return next((section for section in self.sections if section.key == key), None)


@dataclass(frozen=True)
class Unparsed:
    """A content that nothing can be quoted from, and why; `metadata` is what could be told of it all the same."""

    why: Unfit
    message: str
    reader: str = ""
    metadata: Metadata = field(default_factory=Metadata)
