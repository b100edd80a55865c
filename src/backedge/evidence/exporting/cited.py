"""Reads records that a design cites, each link to the characters of its source checked as it is walked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from backedge.evidence import kinds
from backedge.evidence.inquiry import Package, PackagedRecord
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents
from backedge.evidence.reading import Reading, Role
from backedge.evidence.records import EvidenceRecord, Span, Standing
from backedge.evidence.spans import resolve
from backedge.evidence.texts import reading_of
from backedge.evidence.versions import Text
from backedge.kernel.defect import Permanent

AROUND = 240  # characters of context before and behind a span


@dataclass(frozen=True)
class CitedSpan:
    """Characters that a record rests on, with what stands around them in the text as it is stored now.

    `problem` says why they are not what the record says, and is empty where they are.
    """

    section: str
    title: str
    role: Role
    start: int
    end: int
    exact: str
    before: str = ""
    after: str = ""
    problem: str = ""


@dataclass(frozen=True)
class CitedSource:
    """A source by one of its versions: what it is called, both hashes, and whether it may be used now.

    `newer` is the hash of a newer version of it, or empty; `problems` say what of it is not what its hash says.
    """

    source: str
    version: str
    text: str
    title: str
    identifiers: tuple[str, ...]
    may_be_used: bool
    reasons: tuple[str, ...]
    newer: str = ""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cited:
    """A record that is cited: what it states, how it stands now, its spans and its source; `problems` of its own."""

    key: str
    kind: str
    statement: str
    standing: str
    why: str
    spans: tuple[CitedSpan, ...]
    source: CitedSource | None
    problems: tuple[str, ...] = ()

    @property
    def broken(self) -> tuple[str, ...]:
        """Every link from the record to the characters that does not hold, one sentence each."""
        spans = (f"{self.key}: {span.problem}" for span in self.spans if span.problem)
        own = (f"{self.key}: {problem}" for problem in self.problems)
        return (*own, *spans, *(self.source.problems if self.source else ()))

    @property
    def stale(self) -> tuple[str, ...]:
        """What speaks against citing it now: its own standing, and that of its source."""
        found: tuple[str, ...] = () if self.standing == "accepted" else (f"record {self.key} is {self.standing} now",)
        source = self.source
        if source is not None and not source.may_be_used:
            found += (f"source {source.source} may not be used now: {', '.join(source.reasons)}",)
        if source is not None and source.newer:
            found += (f"source {source.source} has a newer version, {source.newer[:12]}",)
        return found


@dataclass(frozen=True)
class _Read:
    """A version as it is stored now."""

    source: CitedSource
    kept: Text | None
    reading: Reading | None


class Citations:
    """Cited records, each version of theirs read once. `packages` are those that they were cited from."""

    def __init__(self, library: Library, contents: Contents, packages: tuple[Package, ...] = ()) -> None:
        self._library = library
        self._contents = contents
        self._held = {record.record: record for package in packages for record in package.records}
        self._read: dict[str, _Read] = {}

    async def of(self, key: str) -> Cited:
        """The record of that key; one that is nowhere is a record with that problem."""
        record, held = await self._library.one(kinds.RECORD, key), self._held.get(key)
        standing = await self._library.standing(key)
        problems = _differences(record, held)
        if record is None and held is None:
            return Cited(key, "", "", *_stands(standing), (), None, problems)
        version = record.version if record else held.version if held else ""
        spans = _spans(record, held)
        read = await self._version(version)
        found = tuple(_walked(span, version, read) for span in spans)
        if not found:
            problems += ("it has no span",)
        kind = record.proposal.kind if record else held.kind if held else ""
        statement = record.proposal.statement if record else held.statement if held else ""
        return Cited(key, kind, statement, *_stands(standing), found, read.source, problems)

    async def _version(self, content: str) -> _Read:
        if content not in self._read:
            self._read[content] = await self._read_now(content)
        return self._read[content]

    async def _read_now(self, content: str) -> _Read:
        library = self._library
        version = await library.one(kinds.VERSION, content)
        if version is None:
            gone = (f"there is no version {content[:12]}",)
            return _Read(CitedSource("", content, "", "", (), False, (), "", gone), None, None)
        metadata, judgement = await library.metadata(version), await library.judgement(content)
        kept = await library.one(kinds.TEXT, content)
        problems = await intact(content, self._contents)
        reading: Reading | None = None
        if kept is None:
            problems += (f"version {content[:12]} has no text",)
        else:
            changed = await intact(kept.text, self._contents)
            problems += changed
            reading = None if changed else await reading_of(kept, self._contents)
        current = await library.current(version.source)
        found = CitedSource(
            version.source,
            content,
            kept.text if kept else "",
            " ".join(metadata.title.split()) or version.fetched.name or version.fetched.identifier,
            metadata.identifiers.named(),
            judgement is not None and judgement.eligible,
            tuple(f"{reason.kind} ({reason.by})" for reason in judgement.reasons) if judgement else ("not judged",),
            current.content if current and current.content != content else "",
            problems,
        )
        return _Read(found, kept, reading)


async def intact(content: str, contents: Contents) -> tuple[str, ...]:
    """Why a content is not what its hash says: gone or changed; nothing where it is."""
    try:
        kept = await contents.get(content)
    except Permanent as gone:
        return (str(gone),)
    if hashlib.sha256(kept).hexdigest() != content:
        return (f"the content {content[:12]} is not what its hash says",)
    return ()


def _stands(standing: Standing | None) -> tuple[str, str]:
    return (standing.status, standing.reason) if standing else ("unknown", "")


def _spans(record: EvidenceRecord | None, held: PackagedRecord | None) -> tuple[Span, ...]:
    if record is not None:
        return tuple(span for found in record.spans for span in found)
    return held.spans if held else ()


def _differences(record: EvidenceRecord | None, held: PackagedRecord | None) -> tuple[str, ...]:
    """What a package says of a record that the record does not, or the other way round."""
    if record is None:
        return ("there is no such record",)
    if held is None:
        return ()
    pairs = (
        ("version", held.version, record.version),
        ("source", held.source, record.source),
        ("kind", held.kind, record.proposal.kind),
        ("statement", held.statement, record.proposal.statement),
        ("spans", held.spans, _spans(record, None)),
    )
    wrong = [name for name, packaged, stored in pairs if packaged != stored]
    return (f"it is not what its package says: {', '.join(wrong)}",) if wrong else ()


def _walked(span: Span, version: str, read: _Read) -> CitedSpan:
    """A span with what stands there now."""
    reading, kept = read.reading, read.kept
    section = reading.section(span.section) if reading else None
    title = (section.label or section.title) if section else ""
    plain = CitedSpan(span.section, title, span.role, span.start, span.end, span.exact)
    if reading is None or kept is None:
        return _with(plain, "its text cannot be read")
    if span.version != version:
        return _with(plain, f"the span is of version {span.version[:12]}, the record of {version[:12]}")
    if (defect := resolve(span, reading.text, kept.text)) is not None:
        return _with(plain, defect.message)
    if section is None or not section.start <= span.start < span.end <= section.end:
        return _with(plain, f"the span does not lie in section {span.section}")
    before = reading.text[max(section.start, span.start - AROUND) : span.start]
    after = reading.text[span.end : min(section.end, span.end + AROUND)]
    return _with(plain, "", before, after)


def _with(span: CitedSpan, problem: str, before: str = "", after: str = "") -> CitedSpan:
    return CitedSpan(span.section, span.title, span.role, span.start, span.end, span.exact, before, after, problem)
