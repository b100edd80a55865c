"""What the evidence workflows need of the outside: sources, contents, readers, the search view, and models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from backedge.evidence.chunks import Chunk, Found, Snapshot
from backedge.evidence.reading import Reading, Role, Unparsed
from backedge.evidence.records import Check, EvidenceRecord, Label, Proposal, Span
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.stage import Lesson, Reply, Unreadable


class SourceAdapter(Protocol):
    """Brings sources of one kind. Every method raises `Transient`, `RateLimited` or `Permanent` and nothing else."""

    @property
    def name(self) -> str:
        """What it is called in commands and records, such as `pubmed`."""
        ...

    async def fetch(self, identifier: str) -> Delivery:
        """The content and metadata of one source, full text where it may be had, else what there is (an abstract)."""
        ...


@dataclass(frozen=True)
class External:
    """Something that a registry found for a query, in its order: what `fetch` takes, and what is known of it."""

    identifier: str
    metadata: Metadata


@dataclass(frozen=True)
class ExternalFound:
    """What a registry found. `total` is how many it says there are, None where it does not say."""

    query: str
    total: int | None
    hits: tuple[External, ...]


class SearchableSource(SourceAdapter, Protocol):
    """A source that can be searched."""

    async def search(self, query: str, limit: int) -> ExternalFound:
        """The first `limit` sources that it finds."""
        ...


class StatusSource(Protocol):
    """A registry that says how sources stand now: retractions, corrections, newer versions."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """What is known of each now, in their order; None where the registry does not know it."""
        ...


class Contents(Protocol):
    """Keeps contents by their SHA-256 (hex): what was fetched, and the texts read from it."""

    async def put(self, content: bytes) -> str:
        """Keep a content; gives its hash. The same content again changes nothing."""
        ...

    async def get(self, content: str) -> bytes:
        """The content of a hash. Raises `Permanent` where it is gone or is no longer what it was."""
        ...

    async def claim(self, content: str, token: str) -> str:
        """Who records this content: the first token that claims it, whoever asks, in whatever process."""
        ...

    async def release(self, content: str, token: str) -> None:
        """Give a claim back that came to nothing."""
        ...


class Reader(Protocol):
    """Reads contents: the same content gives the same reading, to the byte."""

    @property
    def version(self) -> str:
        """Its name and version; another version may read otherwise."""
        ...

    async def read(self, content: bytes, media_type: str, name: str) -> Reading | Unparsed:
        """The text with its sections, or why there is nothing to quote."""
        ...


class SearchView(Protocol):
    """The chunk view: which chunks there are, and what is found in them at a snapshot."""

    @property
    def embedder(self) -> str:
        """The embedder whose vectors it holds, by name and weights."""
        ...

    async def add(self, chunks: Sequence[Chunk], texts: Sequence[str], vectors: Sequence[Sequence[float]]) -> Snapshot:
        """Add the chunks of one version; those that are there already change nothing. The snapshot then."""
        ...

    async def snapshot(self) -> Snapshot:
        """The snapshot now."""
        ...

    async def lexical(self, query: str, limit: int, at: Snapshot | None = None) -> Found:
        """The best chunks by their words (BM25). Raises `Permanent` where the snapshot is none of this index."""
        ...

    async def semantic(self, query: str, vector: Sequence[float], limit: int, at: Snapshot | None = None) -> Found:
        """The best chunks by meaning (cosine)."""
        ...


@dataclass(frozen=True)
class Shown:
    """A section as a model sees it."""

    key: str
    role: Role
    title: str
    text: str


@dataclass(frozen=True)
class Extraction:
    """What a model took from sections of a source; with no records, `nothing` says why there are none."""

    records: tuple[Proposal, ...]
    nothing: str = ""


class Extractor(Protocol):
    """The evidence agent, extracting."""

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown: model, settings, wording."""
        ...

    @property
    def room(self) -> int:
        """Characters of sections that one call may show; of more, only a part is shown."""
        ...

    async def extract(
        self, metadata: Metadata, sections: tuple[Shown, ...], lesson: Lesson
    ) -> Reply[Extraction] | Unreadable:
        """Findings and claims of these sections."""
        ...

    async def extract_again(
        self, metadata: Metadata, sections: tuple[Shown, ...], record: EvidenceRecord, lesson: Lesson
    ) -> Reply[Extraction] | Unreadable:
        """One record anew, mended; the lesson says what was wrong with it. No record: it cannot be mended."""
        ...


@dataclass(frozen=True)
class Passage:
    """A span with what stands around it: its section's title and the text before and behind it in that section."""

    span: Span
    title: str
    before: str
    after: str


@dataclass(frozen=True)
class Verdict:
    """What a model says of a record beside its passages."""

    label: Label
    checks: tuple[Check, ...]
    reason: str


class Verifier(Protocol):
    """The evidence agent, verifying, by a prompt of its own: it never sees what it said when extracting."""

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        ...

    @property
    def small(self) -> bool:
        """Whether the model is so small that nothing it calls entailed is accepted without a person."""
        ...

    async def verify(
        self, proposal: Proposal, passages: tuple[Passage, ...], around: tuple[Shown, ...], lesson: Lesson
    ) -> Reply[Verdict] | Unreadable:
        """The record's label and five checks. `around` holds definitions of groups and species (methods, abstract)."""
        ...
