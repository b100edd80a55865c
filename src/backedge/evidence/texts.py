"""Puts a version's text and its sections together again, as they were read."""

from __future__ import annotations

from backedge.evidence.ports import Contents, Shown
from backedge.evidence.reading import Reading
from backedge.evidence.versions import Text


async def reading_of(kept: Text, contents: Contents) -> Reading:
    """The reading that was kept. Raises `Permanent` where its text is gone or changed."""
    text = (await contents.get(kept.text)).decode("utf-8")
    return Reading(
        text,
        kept.sections,
        kept.reader,
        kept.metadata,
        kept.tables,
        kept.rows,
        kept.issues,
        kept.completeness,
    )


def shown(reading: Reading, key: str, start: int, end: int) -> Shown:
    """Some of a section as a model sees it."""
    section = reading.section(key)
    assert section is not None
    return Shown(key, section.role, section.label or section.title, reading.text[start:end])
