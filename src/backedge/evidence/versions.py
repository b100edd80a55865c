"""Sources and their versions: what was fetched, how it was read, and what of it could not be done."""

from __future__ import annotations

from dataclasses import dataclass, field

from backedge.evidence.reading import Completeness, Issue, Row, Section, Table, Unfit
from backedge.evidence.sources import Fetched, Metadata
from backedge.kernel.defect import Defect


@dataclass(frozen=True)
class SourceEntry:
    """A source as it is kept. Its id is made of `named`: its most telling identifier, or what an adapter calls it."""

    id: str
    named: str


@dataclass(frozen=True)
class Version:
    """A version of a source: a content by its hash, and what was known of it when it was fetched.

    `number` counts the versions of the source from 1; `supersedes` is the content of the one before.
    """

    content: str
    source: str
    number: int
    fetched: Fetched
    supersedes: str = ""


@dataclass(frozen=True)
class Returned:
    """That a source has an older content again: that version counts, as long as `newest` is its newest one.

    `number` counts from 1 what came back to the source; `fetched` is how it came.
    """

    source: str
    number: int
    content: str
    newest: int
    fetched: Fetched


@dataclass(frozen=True)
class Text:
    """A version as it was read: the hash of its text, and where what stands. Its text is kept by that hash.

    `metadata` is what the content says of itself.
    """

    version: str
    text: str
    reader: str
    sections: tuple[Section, ...]
    tables: tuple[Table, ...]
    rows: tuple[Row, ...]
    issues: tuple[Issue, ...]
    completeness: Completeness
    metadata: Metadata = field(default_factory=Metadata)


@dataclass(frozen=True)
class Unread:
    """A version that nothing can be quoted from; its content is kept. `metadata` is what could be told all the same."""

    version: str
    why: Unfit
    message: str
    reader: str
    metadata: Metadata = field(default_factory=Metadata)


@dataclass(frozen=True)
class Extraction:
    """That a version was extracted: in how many parts, how many of them failed, and how many records were proposed.

    `number` counts the extractions of the version from 1: one that failed can be done over.
    """

    version: str
    parts: int
    proposed: int
    failed: int
    number: int = 1


@dataclass(frozen=True)
class GivenUp:
    """A stage that was given up, recorded: what failed, for which version and part, and why."""

    stage: str
    version: str
    part: int
    defects: tuple[Defect, ...]
    attempts: int


@dataclass(frozen=True)
class Stretch:
    """Some of a section, half-open, in code points of the version's text."""

    section: str
    start: int
    end: int
