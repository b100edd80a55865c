"""The states of an ingest: one source, from what somebody typed to the records that are verified next."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.chunks import Chunk
from backedge.evidence.facts import Mark
from backedge.evidence.reading import Unfit
from backedge.evidence.records import Judgement, Measurement
from backedge.evidence.sources import Fetched, Wanted
from backedge.evidence.versions import Returned, SourceEntry, Stretch, Text, Unread, Version

# ---------------------------------------------------------------- proposals


@dataclass(frozen=True)
class Recorded:
    """What a content is among those that are stored: a version to add, or one that is there already.

    `source` is there where the source is new too.
    `duplicate_of` is that one's source, or the run (`run:ID`) that is recording it now. `why` says what made it a
    version of its source, or of a new one. `again`: the version is there, could not be used, and now may be.
    `mark` is the operator's mark that goes with it. `returned`: the version is there and counts again, where its source
    had another content in between; `judgements` are those that change by it.
    """

    version: Version | None
    source: SourceEntry | None
    duplicate_of: str = ""
    why: str = ""
    again: bool = False
    mark: Mark | None = None
    returned: Returned | None = None
    judgements: tuple[Judgement, ...] = ()


@dataclass(frozen=True)
class Parsed:
    """The version read, or why it cannot be; exactly one of the two is there."""

    text: Text | None
    unread: Unread | None


@dataclass(frozen=True)
class Chunked:
    """The chunks that went into the chunk view, by which embedder, and the view's index and revision then."""

    chunks: tuple[Chunk, ...]
    embedder: str
    index: str
    revision: int


@dataclass(frozen=True)
class Measured:
    """The measurements of a version."""

    measurements: tuple[Measurement, ...]


@dataclass(frozen=True)
class Judged:
    """The judgement of this version, and those of other versions that it changes (a notice arrives).

    `quotable` tells whether it has a text to take findings from; rows of values have none.
    """

    judgement: Judgement
    others: tuple[Judgement, ...] = ()
    quotable: bool = True


@dataclass(frozen=True)
class Divided:
    """The version in parts, each of which a model is shown by itself; `forbidden` is the judgement for which it is not.

    `number` counts the extractions of the version from 1.
    """

    parts: tuple[tuple[Stretch, ...], ...]
    forbidden: Judgement | None = None
    number: int = 1


# ------------------------------------------------------------------- states


@dataclass(frozen=True)
class Again:
    """A version whose extraction failed, in whole or in part, and that is to be extracted once more."""

    wanted: Wanted
    version: Version


@dataclass(frozen=True)
class Fetching:
    """A source is wanted; nothing of it is here yet."""

    wanted: Wanted


@dataclass(frozen=True)
class Recording:
    """The content is here; whether it is a new version is to be found out."""

    wanted: Wanted
    fetched: Fetched


@dataclass(frozen=True)
class Parsing:
    """A new version is recorded; it is to be read."""

    wanted: Wanted
    version: Version


@dataclass(frozen=True)
class Chunking:
    """The version is read; its chunks are to go into the chunk view."""

    wanted: Wanted
    version: Version


@dataclass(frozen=True)
class Measuring:
    """Measurements are to be taken from rows and tables."""

    wanted: Wanted
    version: Version


@dataclass(frozen=True)
class Judging:
    """Whether the version may be used is to be judged; `unread` says where it could not be read."""

    wanted: Wanted
    version: Version
    unread: Unread | None = None


@dataclass(frozen=True)
class Extracting:
    """The version may be used; it is to be divided into parts, of which each is extracted by a run of its own."""

    wanted: Wanted
    version: Version


@dataclass(frozen=True)
class AwaitingParts:
    """Parts are being extracted; of those that are through, `proposed` counts records and `failed` parts.

    `forbidden` is the judgement for which a part was not extracted. `number` is that of the extraction.
    """

    version: Version
    parts: int
    done: int = 0
    proposed: int = 0
    failed: int = 0
    forbidden: Judgement | None = None
    number: int = 1


@dataclass(frozen=True)
class Ingested:
    """The end: `proposed` records are in runs of their own; of `parts`, `failed` could not be extracted."""

    source: str
    version: str
    proposed: int
    parts: int
    failed: int


@dataclass(frozen=True)
class Duplicate:
    """The end: the content is a version already; nothing was added."""

    content: str
    source: str


@dataclass(frozen=True)
class Quarantined:
    """The end: the version cannot be read; its content is kept and it is judged."""

    source: str
    version: str
    why: Unfit
    message: str


@dataclass(frozen=True)
class Ineligible:
    """The end: the version may not be used, for these reasons; it is kept, and nothing more is extracted from it."""

    source: str
    version: str
    judgement: Judgement


@dataclass(frozen=True)
class ExtractionFailed:
    """The end: no part of the version could be extracted."""

    source: str
    version: str
    parts: int
