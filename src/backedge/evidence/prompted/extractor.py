"""Extracting with a model: it proposes findings and claims of the sections it is shown, each with its quotations."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from backedge.agent.blocks import as_json, lesson_text
from backedge.agent.ports import Agent
from backedge.evidence.extract.states import Extracted
from backedge.evidence.ports import Extraction, Shown
from backedge.evidence.prompted.mind import Mind
from backedge.evidence.prompted.replies import Mended, Taken
from backedge.evidence.prompted.showing import fitted, hashed, quoted_text, section_blocks, source_text
from backedge.evidence.prompted.small_replies import FewMended, FewTaken
from backedge.evidence.records import EvidenceRecord
from backedge.evidence.sources import Metadata
from backedge.evidence.verify.states import Reextraction
from backedge.kernel.stage import Lesson, Reply, Unreadable

LONGEST_PREVIOUS = 4_000  # characters of the reply that was refused


class PromptedExtractor:
    """The evidence agent, extracting. What comes of it is judged elsewhere: it finds no quotation itself."""

    def __init__(self, agent: Agent, instructions: str = "") -> None:
        self._first = Mind("extracting", agent, instructions)
        self._again = Mind("reextracting", agent, instructions)

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        return {**self._first.settings, "again": self._again.settings["prompt"]}

    @property
    def room(self) -> int:
        """Characters of sections that one call may show."""
        return self._first.room

    async def extract(
        self, metadata: Metadata, sections: tuple[Shown, ...], lesson: Lesson
    ) -> Reply[Extraction] | Unreadable:
        """See `evidence.ports.Extractor`."""
        shown, cut = fitted(sections, self.room)
        previous = lesson.previous.records if isinstance(lesson.previous, Extracted) else ()
        parts = (
            ("source", source_text(metadata)),
            *section_blocks(shown),
            ("lesson", lesson_text(lesson, _previous(previous))),
        )
        inputs: dict[str, JsonValue] = {"source": source_text(metadata), "sections": _named(shown)}
        form = FewTaken if self._first.small else Taken
        return _extraction(await self._first.ask(parts, inputs, _told(shown, cut), form))

    async def extract_again(
        self, metadata: Metadata, sections: tuple[Shown, ...], record: EvidenceRecord, lesson: Lesson
    ) -> Reply[Extraction] | Unreadable:
        """See `evidence.ports.Extractor`."""
        quoted = [span.exact for spans in record.spans for span in spans]
        shown, cut = fitted(sections, self.room, quoted)
        before = lesson.previous
        previous = (before.record,) if isinstance(before, Reextraction) and before.record else ()
        parts = (
            ("source", source_text(metadata)),
            *section_blocks(shown),
            ("record", quoted_text(record.proposal)),
            ("lesson", lesson_text(lesson, _previous(previous))),
        )
        inputs: dict[str, JsonValue] = {"record": hashed(quoted_text(record.proposal)), "sections": _named(shown)}
        form = FewMended if self._again.small else Mended
        return _extraction(await self._again.ask(parts, inputs, _told(shown, cut), form))


def _extraction(said: Reply[Taken] | Unreadable) -> Reply[Extraction] | Unreadable:
    if isinstance(said, Unreadable):
        return said
    taken = Extraction(tuple(item.proposal() for item in said.proposal.records), said.proposal.nothing)
    return Reply(taken, said.usage, said.details)


def _named(sections: Sequence[Shown]) -> JsonValue:
    return {f"{number} {section.key}": hashed(section.text) for number, section in enumerate(sections, 1)}


def _told(sections: Sequence[Shown], cut: tuple[str, ...]) -> dict[str, JsonValue]:
    told: dict[str, JsonValue] = {
        "sections": [section.key for section in sections],
        "characters": sum(len(section.text) for section in sections),
    }
    return {**told, "cut": [*cut]} if cut else told


def _previous(records: Sequence[EvidenceRecord]) -> str:
    said = as_json([quoted_text(record.proposal) for record in records]) if records else ""
    return said[:LONGEST_PREVIOUS]
