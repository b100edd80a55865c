"""Verified records beside their passages, as a model holds them against a question."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.inquire.ports import Held, InquirePorts
from backedge.evidence.passages import passages_of
from backedge.evidence.reading import Reading
from backedge.evidence.texts import reading_of


async def held_of(keys: tuple[str, ...], ports: InquirePorts) -> tuple[Held, ...]:
    """The records of these keys, in their order."""
    readings: dict[str, Reading] = {}
    found = []
    for key in keys:
        record = await ports.library.one(kinds.RECORD, key)
        assert record is not None
        if record.version not in readings:
            readings[record.version] = await reading_of(await ports.library.text(record.version), ports.contents)
        version = await ports.library.version(record.version)
        title = (await ports.library.metadata(version)).title
        found.append(Held(record, passages_of(record, readings[record.version]), title))
    return tuple(found)
