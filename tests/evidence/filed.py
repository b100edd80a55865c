"""A library with records that tests write by hand."""

from __future__ import annotations

from typing import TypeVar

from backedge.evidence import kinds
from backedge.evidence.kinds import Kind, Related
from backedge.evidence.library import Library
from backedge.evidence.reading import Completeness, Role, Section
from backedge.evidence.records import Judgement, Reason, Standing, Status
from backedge.evidence.sources import Fetched, Identifiers, Metadata, Relation
from backedge.evidence.versions import Text, Version
from tests.evidence.outside import Shelved
from tests.kernel.memory import MemoryStore

T = TypeVar("T")


class Filed:
    """A store and contents, filled by hand."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.contents = Shelved()
        self.library = Library(self.store)

    def put(self, kind: Kind[T], value: T) -> None:
        """Keep a record."""
        record = kind.record(value)
        self.store.written[(record.kind, record.key)] = record

    def version(self, source: str, content: str, number: int = 1, **identifiers: str) -> None:
        """Keep a version of a source."""
        metadata = Metadata(identifiers=Identifiers(**identifiers))
        fetched = Fetched("lab", source, content, 1, "text/plain", source, metadata)
        version = Version(content, source, number, fetched)
        self.put(kinds.VERSION, version)
        self.put(kinds.VERSION_OF, version)

    async def text(self, content: str, *sections: tuple[Role, str]) -> None:
        """Keep what was read of a version: its sections one behind the other, all within one that holds them."""
        whole = "".join(text for _, text in sections)
        found, at = [Section("s0", "other", "", 0, len(whole))], 0
        for number, (role, text) in enumerate(sections, 1):
            found.append(Section(f"s{number}", role, "", at, at + len(text), parent="s0"))
            at += len(text)
        name = await self.contents.put(whole.encode())
        self.put(kinds.TEXT, Text(content, name, "r", tuple(found), (), (), (), Completeness()))

    def related(self, source: str, relation: Relation) -> None:
        """Keep how a source stands to another."""
        self.put(kinds.RELATED, Related(source, relation))

    def stands(self, record: str, status: Status, number: int = 1) -> None:
        """Keep how a record stands."""
        self.put(kinds.STANDING, Standing(record, number, status, "ann"))

    def judged(self, version: str, *reasons: str, number: int = 1) -> None:
        """Keep a judgement: eligible without reasons."""
        found = tuple(Reason(reason, "registry") for reason in reasons)
        self.put(kinds.JUDGEMENT, Judgement(version, number, not reasons, found, (), "p"))
