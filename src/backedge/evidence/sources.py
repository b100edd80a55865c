"""What is known of a source: its identifiers, how it stands to other sources, and what speaks against using it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Literal

RelationKind = Literal[
    "retraction_of",
    "retracted_by",
    "withdrawal_of",
    "withdrawn_by",
    "concern_about",
    "concern_by",
    "correction_of",
    "corrected_by",
    "published_as",
    "update_of",
    "updated_by",
    "part_of",
    "comment_on",
]
SignalKind = Literal[
    "retracted", "withdrawn", "reinstated", "concern", "corrected", "superseded", "restricted", "notice"
]
Access = Literal["open", "restricted", "unknown"]


@dataclass(frozen=True)
class Identifiers:
    """Names of a work in registries, each normalised (`evidence.identifiers`) or empty. `arxiv` is without version."""

    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    arxiv: str = ""

    def __bool__(self) -> bool:
        """Whether there is any."""
        return any(self.named())

    def named(self) -> tuple[str, ...]:
        """Those that there are, as `doi:10.1/x`, the most telling first."""
        return tuple(f"{f.name}:{value}" for f in fields(self) if (value := getattr(self, f.name)))

    def joined(self, other: Identifiers) -> Identifiers:
        """These, and those of the other that these lack."""
        return replace(self, **{f.name: getattr(other, f.name) for f in fields(self) if not getattr(self, f.name)})


@dataclass(frozen=True)
class Relation:
    """How this source stands to another: `kind` reads as "this is a retraction of that".

    A preprint is `published_as` its article, and the article an `update_of` its preprint. `at` is the day on which that
    came about, in ISO, or only its year or month; empty where nobody says.
    """

    kind: RelationKind
    other: Identifiers = Identifiers()
    note: str = ""
    at: str = ""


@dataclass(frozen=True)
class Signal:
    """Something that speaks about the status of a source. `by` says what speaks, such as `publication type`.

    A `notice` says that the source is itself a notice about another, not research; `reinstated`, that its retraction
    was taken back and stands no more. `detail` quotes what was read; `v2: …` is about that version alone. `at` is the
    day of what it says, in ISO, or only its year or month; empty where nobody says.
    """

    kind: SignalKind
    by: str
    detail: str = ""
    at: str = ""


@dataclass(frozen=True)
class Metadata:
    """What a source says of itself, or a registry of it. `kind` is the article type as it was given; `year` 0: unknown.

    `version_label` is a registry's own name of the version (arXiv `v2`). `species` are headings such as MeSH's.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    journal: str = ""
    year: int = 0
    kind: str = ""
    language: str = ""
    licence: str = ""
    access: Access = "unknown"
    url: str = ""
    version_label: str = ""
    identifiers: Identifiers = Identifiers()
    relations: tuple[Relation, ...] = ()
    signals: tuple[Signal, ...] = ()
    headings: tuple[str, ...] = ()

    def joined(self, other: Metadata) -> Metadata:
        """This, with what it leaves open filled from the other; relations, signals and headings of both."""
        empty = {"", 0, "unknown", ()}
        lacking = {
            f.name: getattr(other, f.name) for f in fields(self) if f.name in _SINGLE and getattr(self, f.name) in empty
        }
        return replace(
            self,
            **lacking,
            identifiers=self.identifiers.joined(other.identifiers),
            relations=tuple(dict.fromkeys((*self.relations, *other.relations))),
            signals=tuple(dict.fromkeys((*self.signals, *other.signals))),
            headings=tuple(dict.fromkeys((*self.headings, *other.headings))),
        )


_SINGLE = frozenset(
    {"title", "authors", "journal", "year", "kind", "language", "licence", "access", "url", "version_label"}
)


@dataclass(frozen=True)
class Delivery:
    """What an adapter brought: the content as bytes, its media type, its name, and what is known of the source.

    `name` is the last part of a path or URL; it is shown and tells a format, and no file is ever opened by it.
    `notes` say what was not to be had: a service that did not answer, a better copy that was not there.
    """

    content: bytes
    media_type: str
    name: str
    metadata: Metadata = field(default_factory=Metadata)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """One source to ingest: an adapter, what it calls the source, and who wants it.

    `token` names the attempt, so that of two that bring the same content only one records it. `restricted` is the
    operator's reason why the source may not be used; `by` set it.
    """

    adapter: str
    identifier: str
    token: str
    by: str = ""
    restricted: str = ""


@dataclass(frozen=True)
class Fetched:
    """What was fetched, its content kept under its SHA-256 (`content`, hex); `size` in bytes, `notes` as delivered."""

    adapter: str
    identifier: str
    content: str
    size: int
    media_type: str
    name: str
    metadata: Metadata = field(default_factory=Metadata)
    notes: tuple[str, ...] = ()
