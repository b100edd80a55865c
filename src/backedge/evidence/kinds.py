"""The kinds of evidence records, each with its type and with what its key is made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import JsonValue

from backedge.evidence.chunks import Chunk
from backedge.evidence.decisions import Decision
from backedge.evidence.facts import Mark, Notice
from backedge.evidence.records import EvidenceRecord, Judgement, Measurement, Standing, Verification
from backedge.evidence.saved_searches import Look, SavedSearch
from backedge.evidence.sources import Metadata, Relation
from backedge.evidence.versions import Extraction, GivenUp, Returned, SourceEntry, Text, Unread, Version
from backedge.kernel.codec import adapter
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Record

T = TypeVar("T")


@dataclass(frozen=True)
class Named:
    """A source that has an identifier, such as `doi:10.1/x`."""

    identifier: str
    source: str


@dataclass(frozen=True)
class Related:
    """How a source stands to another."""

    source: str
    relation: Relation


@dataclass(frozen=True)
class Noticed:
    """What a source says of another, which it names by this identifier."""

    identifier: str
    notice: Notice


@dataclass(frozen=True)
class RefreshedStatus:
    """What a registry said of a source later. `number` counts from 1, `at` is an ISO day."""

    source: str
    number: int
    by: str
    at: str
    metadata: Metadata


@dataclass(frozen=True)
class Checked:
    """That registries said how a source stands, or that none knows it, on an ISO day; also where it was no news."""

    source: str
    at: str


@dataclass(frozen=True)
class Alike:
    """A record that was found sound, by what it says of its version on which words (`sameness`)."""

    version: str
    sameness: str
    record: str


@dataclass(frozen=True)
class Chunks:
    """The chunks of a version, and the embedder whose vectors they have in the chunk view."""

    version: str
    embedder: str
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True)
class Measurements:
    """The measurements of a version."""

    version: str
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True)
class Validated:
    """What validation found in a record at one of its standings."""

    record: str
    standing: int
    defects: tuple[Defect, ...]


@dataclass(frozen=True)
class Verified:
    """What verification found in a record at one of its standings."""

    record: str
    standing: int
    verification: Verification


@dataclass(frozen=True)
class Decided:
    """A decision on a record. `number` counts those of the record from 1."""

    record: str
    number: int
    decision: Decision


@dataclass(frozen=True)
class LookedAt:
    """What one look of a saved search found."""

    saved: SavedSearch
    look: Look


@dataclass(frozen=True)
class Kind(Generic[T]):
    """One kind of record. Where `many` is set, several values may have what else would be one key: all are kept."""

    name: str
    type: type[T]
    key: Callable[[T], str]
    many: bool = False

    def record(self, value: T) -> Record:
        """The value as the store keeps it."""
        body: dict[str, JsonValue] = adapter(self.type).dump_python(value, mode="json")
        key = self.key(value)
        if self.many:
            key += "-" + hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:12]
        return Record(self.name, key, body)

    def value(self, record: Record) -> T:
        """The value that the store kept."""
        value: T = adapter(self.type).validate_python(record.body)
        return value


def numbered(whole: str, number: int) -> str:
    """A key within a whole, such that keys sort as their numbers do."""
    return f"{whole}/{number:06}"


SOURCE = Kind("source", SourceEntry, lambda s: s.id)
NAMED = Kind("identifier", Named, lambda n: f"{n.identifier}/{n.source}")
VERSION = Kind("version", Version, lambda v: v.content)
VERSION_OF = Kind("source_version", Version, lambda v: numbered(v.source, v.number))
RETURNED = Kind("returned", Returned, lambda r: numbered(r.source, r.number))
RELATED = Kind("relation", Related, lambda r: f"{r.source}/{r.relation.kind}", many=True)
NOTICED = Kind("notice", Noticed, lambda n: f"{n.identifier}/{n.notice.by}", many=True)
REFRESHED = Kind("refreshed", RefreshedStatus, lambda r: numbered(r.source, r.number), many=True)
CHECKED = Kind("checked", Checked, lambda c: f"{c.source}/{c.at}")
MARK = Kind("mark", Mark, lambda m: numbered(m.source, m.number), many=True)
TEXT = Kind("text", Text, lambda t: t.version)
UNREAD = Kind("unread", Unread, lambda u: u.version)
CHUNKS = Kind("chunks", Chunks, lambda c: c.version)
MEASUREMENTS = Kind("measurements", Measurements, lambda m: m.version)
JUDGEMENT = Kind("judgement", Judgement, lambda j: numbered(j.version, j.number), many=True)
RECORD = Kind("record", EvidenceRecord, lambda r: r.key)
ALIKE = Kind("alike", Alike, lambda a: f"{a.version}/{a.sameness}/{a.record}")
STANDING = Kind("standing", Standing, lambda s: numbered(s.record, s.number))
VALIDATED = Kind("validation", Validated, lambda v: numbered(v.record, v.standing))
VERIFIED = Kind("verification", Verified, lambda v: numbered(v.record, v.standing))
DECIDED = Kind("decision", Decided, lambda d: numbered(d.record, d.number))
EXTRACTED = Kind("extraction", Extraction, lambda e: e.version if e.number == 1 else numbered(e.version, e.number))
GIVEN_UP = Kind("given_up", GivenUp, lambda g: f"{g.version}/{g.stage}/{g.part}", many=True)
LOOKED = Kind("saved_search", LookedAt, lambda k: numbered(k.saved.name, k.look.number))
