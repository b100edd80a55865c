"""What changed between two versions of a design: sentences, citations and facets, section by section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from backedge.evidence.designs import Design, SectionName
from backedge.evidence.sentences import sentences
from backedge.evidence.tables import USUAL, Tables

Change = Literal["same", "added", "removed"]
_MARKS: dict[Change, str] = {"same": " ", "added": "+", "removed": "-"}


@dataclass(frozen=True)
class DiffLine:
    """A sentence, and whether it was added, removed or left as it was."""

    change: Change
    text: str


@dataclass(frozen=True)
class CitationChange:
    """That a sentence cites a record, or no longer does."""

    change: Change
    sentence: str
    record: str


@dataclass(frozen=True)
class SectionDiff:
    """What changed in one section: all its sentences, and the citations that came and went."""

    name: SectionName
    title: str
    lines: tuple[DiffLine, ...]
    citations: tuple[CitationChange, ...]

    @property
    def changed(self) -> bool:
        """Whether anything did."""
        return bool(self.citations) or any(line.change != "same" for line in self.lines)


@dataclass(frozen=True)
class DesignDiff:
    """What changed from one version to another; `facets` are lines `NAME: how the design meets it`."""

    old: int
    new: int
    sections: tuple[SectionDiff, ...]
    facets: tuple[DiffLine, ...]

    @property
    def changed(self) -> bool:
        """Whether anything did."""
        return any(section.changed for section in self.sections) or any(line.change != "same" for line in self.facets)


def changes_between(old: Design, new: Design, tables: Tables = USUAL) -> DesignDiff:
    """What one version says that the other does not. Sentences count as changed where any of their letters is."""
    sections = tuple(_section(old, new, row.name, row.title) for row in tables.sections)
    facets = _lines([f"{name}: {how}" for name, how in old.facets], [f"{name}: {how}" for name, how in new.facets])
    return DesignDiff(old.version, new.version, sections, facets)


def diff_text(diff: DesignDiff) -> str:
    """The diff as lines: `+` added, `-` removed, `@` for citations; sections in which nothing changed are left out."""
    head = f"version {diff.old} → version {diff.new}"
    if not diff.changed:
        return f"{head}: nothing changed\n"
    return "\n".join([head, *_told(diff)]) + "\n"


def _told(diff: DesignDiff) -> Iterator[str]:
    for section in diff.sections:
        if section.changed:
            yield f"\n{section.title}"
            yield from (f"  {_MARKS[line.change]} {_flat(line.text)}" for line in section.lines)
        for each in section.citations:
            now = "is cited by" if each.change == "added" else "is no longer cited by"
            yield f"  @ {_MARKS[each.change]} {each.record} {now}: {_flat(each.sentence)}"
    if any(line.change != "same" for line in diff.facets):
        yield "\nFacets accounted for"
        yield from (f"  {_MARKS[line.change]} {_flat(line.text)}" for line in diff.facets)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _section(old: Design, new: Design, name: SectionName, title: str) -> SectionDiff:
    lines = _lines(_sentences(old, name), _sentences(new, name))
    before, after = _citations(old, name), _citations(new, name)
    gone = (CitationChange("removed", *each) for each in before if each not in after)
    come = (CitationChange("added", *each) for each in after if each not in before)
    return SectionDiff(name, title, lines, (*gone, *come))


def _sentences(design: Design, name: SectionName) -> list[str]:
    texts = (section.text for section in design.sections if section.name == name)
    return [text[start:end] for text in texts for start, end in sentences(text)]


def _citations(design: Design, name: SectionName) -> dict[tuple[str, str], None]:
    """(sentence, record) of a section, each once, in their order."""
    cited = (citation for section in design.sections if section.name == name for citation in section.citations)
    return dict.fromkeys((each.sentence.strip(), key) for each in cited for key in each.records)


def _lines(old: list[str], new: list[str]) -> tuple[DiffLine, ...]:
    found: list[DiffLine] = []
    for what, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            found += [DiffLine("same", text) for text in old[first:last]]
        else:
            found += [DiffLine("removed", text) for text in old[first:last]]
            found += [DiffLine("added", text) for text in new[start:end]]
    return tuple(found)
