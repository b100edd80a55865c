"""Short names of records in a prompt: a model names `rec_1`, and what it says is of the record again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from backedge.agent.blocks import lesson_text
from backedge.kernel.stage import Lesson, Unreadable

_HANDLE = re.compile(r"\brec_\d+\b")
_NAMED = re.compile(r"(?:\brecord )?\b(rec_\d+)\b")
_CITED = re.compile(r"\s*[(\[](?:rec_\d+(?:\s*(?:,|;|and)\s*|\s+)?)+[)\]]")


class Handles:
    """The handles of some records, counted in their order. A handle that there is none of stays as it is said."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._by_key = {key: f"rec_{number}" for number, key in enumerate(dict.fromkeys(keys), 1)}
        self._keys = {handle: key for key, handle in self._by_key.items()}
        longest_first = sorted(self._by_key, key=len, reverse=True)
        self._any = re.compile("|".join(rf"(?<!\w){re.escape(key)}(?!\w)" for key in longest_first) or r"(?!)")

    @property
    def named(self) -> dict[str, str]:
        """The records by their handles."""
        return dict(self._keys)

    def of(self, key: str) -> str:
        """The handle of a record; the key itself where it has none."""
        return self._by_key.get(key, key)

    def key(self, said: str) -> str:
        """The record that a handle names, or what was said where it names none: gates refuse that by its name."""
        return self._keys.get(said.strip(), said)

    def keys(self, said: Iterable[str]) -> tuple[str, ...]:
        """The records that handles name, each once."""
        return tuple(dict.fromkeys(map(self.key, said)))

    def hidden(self, text: str) -> str:
        """The text with handles for the keys in it, as a model knows the records."""
        return self._any.sub(lambda found: self.of(found.group()), text)

    def strange(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Handles in these texts that name no record."""
        named = (found.group() for text in texts for found in _HANDLE.finditer(text))
        return tuple(dict.fromkeys(handle for handle in named if handle not in self._keys))

    def told(self, text: str) -> str:
        """The text for a reader, who knows records by their keys."""
        return _NAMED.sub(lambda found: f"record {self.key(found[1])}", text) if self._keys else text

    def cited(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The text without handles in brackets, and those handles: they cite, though they stand in the wrong place."""
        named = [handle for found in _CITED.finditer(text) for handle in _HANDLE.findall(found.group())]
        return self.told(_CITED.sub("", text)).strip(), tuple(named)

    def lesson(self, lesson: Lesson, previous: str, longest: int) -> str:
        """What earlier attempts taught, in handles, with the reply that was refused: at most `longest` of its text."""
        defects = tuple(
            replace(
                defect,
                where=self.hidden(defect.where),
                message=self.hidden(defect.message),
                hint=self.hidden(defect.hint),
                near=tuple(map(self.hidden, defect.near)),
            )
            for defect in lesson.defects
        )
        return refused_text(replace(lesson, defects=defects), previous, longest)


def refused_text(lesson: Lesson, previous: str, longest: int) -> str:
    """What earlier attempts taught, with the reply that was refused, be it one that could not be read."""
    before = lesson.previous
    return lesson_text(lesson, (before.text if isinstance(before, Unreadable) else previous)[:longest])
