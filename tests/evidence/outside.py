"""The outside of a shelf: sources, contents, a reader, a view and models, each scripted by the test."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import JsonValue

from backedge.adapters.reading.child import read
from backedge.evidence.chunks import Chunk, Found, Hit, Snapshot
from backedge.evidence.ports import External, ExternalFound, Extraction, Passage, Shown, Verdict
from backedge.evidence.reading import Reading, Unparsed
from backedge.evidence.records import CHECKS, Check, EvidenceRecord, Label, Outcome, Proposal, Quotation
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Lesson, Reply, Unreadable

NAUSEA = "Nausea did not differ between ketorolac and placebo (p = 0.62)."
PAIN = "Pain at 24 h was lower with ketorolac than with placebo (2.1 vs 4.0, p < 0.001)."
INTRODUCTION = "Others have shown that ketorolac lowers pain in dogs."


def article(title: str = "Ketorolac in rats", results: str = f"{PAIN}\n{NAUSEA}") -> bytes:
    """A short article as plain text: title, introduction, methods, results."""
    methods = "Sixty male Wistar rats were given ketorolac 10 mg/kg or placebo by injection."
    return (f"{title}\n\nINTRODUCTION\n\n{INTRODUCTION}\n\nMETHODS\n\n{methods}\n\nRESULTS\n\n{results}\n").encode()


def delivery(
    content: bytes | None = None, name: str = "a.txt", media_type: str = "text/plain", **known: Any
) -> Delivery:
    """A delivery; `known` are fields of its metadata."""
    return Delivery(article() if content is None else content, media_type, name, Metadata(**known))


def doi(name: str) -> Identifiers:
    """A DOI."""
    return Identifiers(doi=f"10.1/{name}")


class Shelved:
    """Fulfils `Contents`."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.claims: dict[str, str] = {}

    async def put(self, content: bytes) -> str:
        name = hashlib.sha256(content).hexdigest()
        self.kept[name] = content
        return name

    async def get(self, content: str) -> bytes:
        if content not in self.kept:
            raise Permanent(f"the content {content[:12]} is gone", mend="add the source again")
        return self.kept[content]

    async def claim(self, content: str, token: str) -> str:
        return self.claims.setdefault(content, token)

    async def release(self, content: str, token: str) -> None:
        if self.claims.get(content) == token:
            del self.claims[content]


class Lab:
    """A source adapter: for each identifier deliveries or failures in order, the last one for ever."""

    name = "lab"

    def __init__(self) -> None:
        self.brings: dict[str, list[Delivery | Exception]] = {}
        self.asked: Counter[str] = Counter()
        self.finds: list[str] = []

    async def fetch(self, identifier: str) -> Delivery:
        await asyncio.sleep(0)
        script = self.brings[identifier]
        said = script[min(self.asked[identifier], len(script) - 1)]
        self.asked[identifier] += 1
        if isinstance(said, Exception):
            raise said
        return said

    async def search(self, query: str, limit: int) -> ExternalFound:
        hits = tuple(External(each, Metadata()) for each in self.finds[:limit])
        return ExternalFound(query, len(self.finds), hits)


class Reads:
    """Fulfils `Reader` in this process."""

    version = "in process/1"

    async def read(self, content: bytes, media_type: str, name: str) -> Reading | Unparsed:
        return read(content, media_type, name)


class Counts:
    """An embedder: how many letters of some kinds a text has."""

    name, dimensions = "test:counts", 4

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, *(float(text.lower().count(letter)) for letter in "aen")] for text in texts]


class View:
    """Fulfils `SearchView`: chunks by their keys, found by words that they share with the query."""

    embedder = Counts.name

    def __init__(self) -> None:
        self.chunks: dict[str, tuple[Chunk, str]] = {}
        self.revision = 0

    async def add(self, chunks: Sequence[Chunk], texts: Sequence[str], vectors: Sequence[Sequence[float]]) -> Snapshot:
        told = {chunk.key: (chunk, text) for chunk, text, _ in zip(chunks, texts, vectors, strict=True)}
        new = {key: value for key, value in told.items() if key not in self.chunks}
        self.chunks |= new
        self.revision += bool(new)
        return await self.snapshot()

    async def snapshot(self) -> Snapshot:
        return Snapshot("memory", self.revision)

    async def lexical(self, query: str, limit: int, at: Snapshot | None = None) -> Found:
        asked = set(re.findall(r"\w{4,}", query.lower()))
        scored = [
            (len(asked & set(re.findall(r"\w{4,}", text.lower()))), chunk) for chunk, text in self.chunks.values()
        ]
        best = sorted((each for each in scored if each[0]), key=lambda each: (-each[0], each[1].key))[:limit]
        hits = tuple(Hit(chunk, rank, float(score)) for rank, (score, chunk) in enumerate(best, 1))
        return Found(query, "lexical", at or await self.snapshot(), hits)

    async def semantic(self, query: str, vector: Sequence[float], limit: int, at: Snapshot | None = None) -> Found:
        return replace(await self.lexical(query, limit, at), arm="semantic")


def quoting(sections: Sequence[Shown], text: str, **fields: Any) -> Proposal:
    """A finding that quotes a text, by the key of the section that holds it (else of the last one)."""
    key = next((section.key for section in sections if text in section.text), sections[-1].key)
    told: dict[str, Any] = {
        "kind": "finding",
        "statement": "In rats, nausea did not differ between ketorolac and placebo (p = 0.62).",
        "species": "rat",
        "population": "male Wistar rats",
        "treatment": "ketorolac",
        "comparator": "placebo",
        "endpoint": "nausea",
        "direction": "no_difference",
        "effect": "p = 0.62",
        "units": "",
        "n": "Sixty",
        "quotations": (Quotation(key, text),),
    }
    return Proposal(**{**told, **fields})


Extracts = Callable[[Sequence[Shown], Lesson], Extraction | Unreadable]


def taking(*texts: str, **fields: Any) -> Extracts:
    """Replies with one finding for each text, whether it stands there or not."""
    return lambda sections, lesson: Extraction(tuple(quoting(sections, text, **fields) for text in texts))


def nausea(sections: Sequence[Shown], lesson: Lesson) -> Extraction:
    """Replies with the finding about nausea where its words are shown, else with why there is nothing."""
    if any(NAUSEA in section.text for section in sections):
        return Extraction((quoting(sections, NAUSEA),))
    return Extraction((), "nothing is said of nausea")


@dataclass
class Agent:
    """Fulfils `Extractor`: replies in order, the last one for ever; an exception is raised."""

    replies: Sequence[Extracts | Exception] = field(default_factory=lambda: [nausea])
    again: Sequence[Extracts | Exception] = field(default_factory=lambda: [nausea])
    lessons: list[Lesson] = field(default_factory=list)
    lessons_again: list[Lesson] = field(default_factory=list)
    shown: list[tuple[Shown, ...]] = field(default_factory=list)
    settings: JsonValue = "scripted extractor"
    room: int = 100_000

    async def extract(
        self, metadata: Metadata, sections: tuple[Shown, ...], lesson: Lesson
    ) -> Reply[Extraction] | Unreadable:
        await asyncio.sleep(0)
        self.lessons.append(lesson)
        self.shown.append(sections)
        return _said(self.replies, len(self.lessons), sections, lesson)

    async def extract_again(
        self, metadata: Metadata, sections: tuple[Shown, ...], record: EvidenceRecord, lesson: Lesson
    ) -> Reply[Extraction] | Unreadable:
        self.lessons_again.append(lesson)
        return _said(self.again, len(self.lessons_again), sections, lesson)


def _said(
    script: Sequence[Extracts | Exception], call: int, sections: tuple[Shown, ...], lesson: Lesson
) -> Reply[Extraction] | Unreadable:
    said = script[min(call, len(script)) - 1]
    if isinstance(said, Exception):
        raise said
    made = said(sections, lesson)
    return made if isinstance(made, Unreadable) else Reply(made)


def verdict(label: Label = "entailed", **outcomes: Outcome) -> Verdict:
    """A verdict whose checks passed, but for those that are named."""
    checks = tuple(Check(name, outcomes.get(name, "passed"), f"because of {name}") for name in CHECKS)
    return Verdict(label, checks, "this is why")


Verifies = Verdict | Unreadable | Exception | Callable[[Proposal], Verdict]


@dataclass
class Judge:
    """Fulfils `Verifier`: verdicts in order, the last one for ever; an exception is raised."""

    replies: Sequence[Verifies] = field(default_factory=lambda: [verdict()])
    lessons: list[Lesson] = field(default_factory=list)
    saw: list[tuple[Proposal, tuple[Passage, ...], tuple[Shown, ...]]] = field(default_factory=list)
    settings: JsonValue = "scripted verifier"
    small: bool = False

    async def verify(
        self, proposal: Proposal, passages: tuple[Passage, ...], around: tuple[Shown, ...], lesson: Lesson
    ) -> Reply[Verdict] | Unreadable:
        self.lessons.append(lesson)
        self.saw.append((proposal, passages, around))
        said = self.replies[min(len(self.lessons), len(self.replies)) - 1]
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Unreadable):
            return said
        return Reply(said(proposal) if callable(said) else said)


class Registry:
    """Fulfils `StatusSource`: what it says by DOI; an exception is raised."""

    def __init__(self, name: str, says: dict[str, Metadata] | None = None, fails: Exception | None = None) -> None:
        self.name = name
        self.says = says or {}
        self.fails = fails
        self.asked: list[str] = []

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        self.asked += [each.doi for each in sources]
        if self.fails:
            raise self.fails
        return tuple(self.says.get(each.doi) for each in sources)
