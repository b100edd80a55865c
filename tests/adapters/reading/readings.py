"""What holds for every reading, whatever it was read from, and short ways to look into one."""

from __future__ import annotations

from collections.abc import Callable

from backedge.evidence.reading import Reading, Section, Unparsed

Read = Callable[[bytes, str], Reading | Unparsed]


def reading_of(read: Read, content: bytes | str, name: str = "x") -> Reading:
    """The reading of a content, checked; fails where there is none."""
    raw = content.encode() if isinstance(content, str) else content
    found = read(raw, name)
    assert isinstance(found, Reading), found
    assert read(raw, name) == found, "read again it is another"
    holds(found)
    covered(found)
    return found


def holds(reading: Reading) -> None:
    """Keys in order, half-open bounds that are as wide as their text, siblings apart, parents around, cells exact."""
    text = reading.text
    assert text.encode("utf-8").decode("utf-8") == text
    assert "\x00" not in text
    assert [section.key for section in reading.sections] == [f"s{n + 1}" for n in range(len(reading.sections))]
    ends: dict[str, int] = {}
    for section in reading.sections:
        exact = text[section.start : section.end]
        assert 0 <= section.start < section.end <= len(text), section
        assert exact.strip() == exact, section
        assert section.start >= ends.get(section.parent, 0), f"{section} stands in a sibling"
        ends[section.parent] = section.end
        if section.parent:
            outer = reading.section(section.parent)
            assert outer is not None
            assert outer.start <= section.start < section.end <= outer.end, section
    for table in reading.tables:
        place = reading.section(table.section)
        assert place is not None
        assert place.role in ("table", "other")
        for cell in [cell for row in (*table.head, *table.rows) for cell in row]:
            assert text[cell.start : cell.end] == cell.text
            assert place.start <= cell.start <= cell.end <= place.end
    for issue in reading.issues:
        assert issue.message.endswith(".")
        assert issue.count > 0
        assert 0 <= issue.start <= len(text)


def covered(reading: Reading) -> None:
    """Text stands in exactly one section without others in it; only the headings of the others stand above."""
    left = list(reading.text)
    for section in leaves(reading):
        left[section.start : section.end] = "\n" * (section.end - section.start)
    above = [_bare(line) for line in "".join(left).splitlines() if line.strip()]
    titles = {_bare(title) for s in reading.sections for title in (s.title, s.label + s.title)}
    assert [line for line in above if not any(line.endswith(title) for title in titles if title)] == []


def _bare(line: str) -> str:
    return "".join(char for char in line if char.isalnum())


def leaves(reading: Reading) -> list[Section]:
    """The sections that hold no others, in their order."""
    holders = {section.parent for section in reading.sections}
    return [section for section in reading.sections if section.key not in holders]


def outline(reading: Reading) -> list[tuple[str, str, str]]:
    """Role, title or label, and text of each section without others in it."""
    return [(s.role, s.label or s.title, reading.text[s.start : s.end]) for s in leaves(reading)]


def unparsed(read: Read, content: bytes | str, name: str = "x") -> Unparsed:
    """Why a content was refused; fails where it was read."""
    found = read(content.encode() if isinstance(content, str) else content, name)
    assert isinstance(found, Unparsed), found
    assert found.reader
    assert found.message
    return found
