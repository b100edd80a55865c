"""Places what a model proposed: each quotation in its section, and where it is not, whether it stands elsewhere."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace

from backedge.evidence.library import Library
from backedge.evidence.places import LocatedText
from backedge.evidence.ports import Contents, SearchView
from backedge.evidence.reading import Reading
from backedge.evidence.records import EvidenceRecord, Proposal, Quotation, Span
from backedge.evidence.spans import Other, elsewhere, located
from backedge.evidence.texts import reading_of
from backedge.evidence.versions import Text, Version
from backedge.kernel.codec import adapter
from backedge.kernel.defect import Defect, Permanent

ASKED = 5  # other versions that a quotation which is not found is looked for in
TOLD = 8  # misses that one defect tells of


@dataclass(frozen=True)
class Placed:
    """Records with the spans of their quotations, and a defect for each quotation that has none."""

    records: tuple[EvidenceRecord, ...]
    misses: tuple[Defect, ...]


@dataclass(frozen=True)
class Place:
    """Where records are placed: a version, as it was read, and its part."""

    version: Version
    text: Text
    reading: Reading
    part: int


@dataclass(frozen=True)
class Compared:
    """Other versions that a quotation may stand in; `damaged` names those whose stored text could not be read."""

    texts: tuple[Other, ...]
    damaged: tuple[str, ...] = ()

    def told(self, missing: Defect) -> Defect:
        """The defect, with what it could not be compared with, where it stands nowhere."""
        if not self.damaged or missing.kind != "quote_not_found":
            return missing
        said = f"it was not compared with {' and '.join(self.damaged)}, whose stored text is damaged: add it again"
        return replace(missing, message=f"{missing.message}; {said}")


class Elsewhere:
    """Looks for a quotation that is not where it should be, in the other stored versions."""

    def __init__(self, library: Library, contents: Contents, view: SearchView) -> None:
        self._library = library
        self._contents = contents
        self._view = view

    async def texts(self, quotation: Quotation, version: Version) -> Compared:
        """The versions that hold words like the quotation's, older ones of its own source among them."""
        found = await self._view.lexical(quotation.text, ASKED * 4)
        named = dict.fromkeys(hit.chunk.version for hit in found.hits if hit.chunk.version != version.content)
        texts, damaged = [], []
        for content in list(named)[:ASKED]:
            other, kept = await self._library.version(content), await self._library.text(content)
            older = other.source == version.source
            said = "an older version" if older else other.fetched.metadata.title or other.source
            name = f"{said} ({content[:12]})"
            try:
                texts.append(Other(name, await reading_of(kept, self._contents), older))
            except Permanent:  # another source's damage keeps nobody from reading this one
                damaged.append(name)
        return Compared(tuple(texts), tuple(damaged))


async def place(
    proposals: tuple[Proposal, ...], at: Place, others: Elsewhere, again: EvidenceRecord | None = None
) -> Placed:
    """Each proposal with its spans. `again` is the record that a proposal is another attempt at."""
    text = LocatedText(at.reading)
    records: dict[str, EvidenceRecord] = {}
    misses: list[Defect] = []
    for number, proposal in enumerate(proposals, 1):
        spans: list[tuple[Span, ...]] = []
        for place, quotation in enumerate(proposal.quotations, 1):
            found = located(text, quotation, version=at.version.content, text_hash=at.text.text)
            if isinstance(found, Defect):
                known = await others.texts(quotation, at.version)
                found = known.told(elsewhere(found, quotation, text, known.texts))
                misses.append(replace(found, where=f"record {number}, quotation {place}"))
                spans.append(())
            else:
                spans.append(found)
        record = record_of(proposal, tuple(spans), at, again)
        records[record.key] = record
    return Placed(tuple(records.values()), tuple(misses))


def record_of(
    proposal: Proposal, spans: tuple[tuple[Span, ...], ...], at: Place, again: EvidenceRecord | None = None
) -> EvidenceRecord:
    """The record of a proposal. Its key is made of the version, the proposal and the attempt."""
    attempt, replaces = (again.attempt + 1, again.key) if again else (1, "")
    made = json.dumps(
        [at.version.content, at.part, attempt, replaces, adapter(Proposal).dump_python(proposal, mode="json")],
        sort_keys=True,
    )
    key = f"{at.version.content[:12]}.{hashlib.sha256(made.encode()).hexdigest()[:12]}"
    return EvidenceRecord(key, at.version.content, at.version.source, proposal, spans, at.part, attempt, replaces)


def together(misses: tuple[Defect, ...]) -> Defect | None:
    """Several misses as one defect: the first one's kind, and what all of them say."""
    if not misses:
        return None
    first = misses[0]
    said = "; ".join(f"{miss.where}: {miss.message}" if miss.where else miss.message for miss in misses[:TOLD])
    more = f"; and {len(misses) - TOLD} more" if len(misses) > TOLD else ""
    near = tuple(near for miss in misses for near in miss.near)[:TOLD]
    return Defect(first.kind, said + more, first.where, first.hint, near)
