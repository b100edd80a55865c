"""The sentences of a design's section, each with its place (`D2/endpoints/3`) and the records that it cites."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from backedge.evidence.designs import SECTIONS, Citation, Design, DesignSection, SectionName
from backedge.evidence.sentences import sentences

_PLACE = re.compile(r"[Dd](?P<version>\d{1,6})/(?P<section>[a-z_]+|\d{1,2})/(?P<number>\d{1,6})")


@dataclass(frozen=True)
class ShownSentence:
    """A sentence as it stands, the white space behind it, and the numbers of what it cites, in the order of its end.

    A citation of several sentences is numbered at the last of them.
    """

    number: int
    text: str
    gap: str
    references: tuple[int, ...]


@dataclass(frozen=True)
class CitedSentence:
    """A sentence of a version by its place, with every citation that covers any of it."""

    version: int
    section: SectionName
    number: int
    text: str
    citations: tuple[Citation, ...]

    @property
    def place(self) -> str:
        """What names it: `D2/endpoints/3`."""
        return f"D{self.version}/{self.section}/{self.number}"

    @property
    def records(self) -> tuple[str, ...]:
        """The keys that it cites, each once."""
        return tuple(dict.fromkeys(key for citation in self.citations for key in citation.records))


@dataclass(frozen=True)
class Place:
    """Where a sentence stands: a version, a section, and the number of the sentence in it from 1."""

    version: int
    section: SectionName | None
    number: int


def place_of(words: str) -> Place | None:
    """What `D2/endpoints/3` or `D2/6/3` names; None where the words are no place. Section None: there is none."""
    found = _PLACE.fullmatch(words.strip())
    if found is None:
        return None
    named = found["section"]
    names = [row.name for row in SECTIONS]
    if named.isdigit():
        section = names[int(named) - 1] if 1 <= int(named) <= len(names) else None
    else:
        section = next((name for name in names if name == named), None)
    return Place(int(found["version"]), section, int(found["number"]))


def shown_sentences(section: DesignSection, numbers: Mapping[str, int]) -> tuple[ShownSentence, ...]:
    """The sentences of a section; together with their gaps they are its text without the white space before it."""
    stretches = sentences(section.text)
    ends = [_stretch(section.text, citation)[1] for citation in section.citations]
    found, behind = [], 0
    for number, (start, end) in enumerate(stretches, 1):
        after = stretches[number][0] if number < len(stretches) else len(section.text)
        last = number == len(stretches)
        here = [c for c, at in zip(section.citations, ends, strict=True) if behind < at <= after or (last and at == 0)]
        keys = dict.fromkeys(key for citation in here for key in citation.records)
        found.append(
            ShownSentence(
                number, section.text[start:end], section.text[end:after], tuple(sorted(numbers[key] for key in keys))
            )
        )
        behind = after
    return tuple(found)


def cited_sentences(design: Design) -> tuple[CitedSentence, ...]:
    """Every sentence of a version, in the order of its sections."""
    found = []
    for section in design.sections:
        places = [(citation, _stretch(section.text, citation)) for citation in section.citations]
        for number, (start, end) in enumerate(sentences(section.text), 1):
            covering = tuple(citation for citation, (first, last) in places if first < end and start < last)
            found.append(CitedSentence(design.version, section.name, number, section.text[start:end], covering))
    return tuple(found)


def _stretch(text: str, citation: Citation) -> tuple[int, int]:
    """Where the sentence of a citation stands; (0, 0) where it does not."""
    words = citation.sentence.strip()
    at = text.find(words) if words else -1
    return (at, at + len(words)) if at >= 0 else (0, 0)
