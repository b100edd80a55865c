"""Builds a reading: collects text, cleaned before any offset exists, and the sections, tables and issues of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from backedge.evidence.reading import (
    Cell,
    Completeness,
    Issue,
    IssueKind,
    Part,
    Reading,
    Role,
    Section,
    Table,
    Unparsed,
)
from backedge.evidence.sources import Metadata

Extent = tuple[int, int]
"""A stretch of the text, half-open, in code points."""

NO_TEXT = "There is no text in it: nothing could be quoted. Give the full text as PDF, XML, HTML or plain text."
_UNCLEAN = re.compile("[\x00\ud800-\udfff\ufffd]")
_SPACES = re.compile(r"[ \t\r\n\f]+")  # what markup collapses; a no-break space is text
_MESSAGES: dict[IssueKind, str] = {
    "nul_replaced": "NUL characters stand in the text; each was replaced by U+FFFD.",
    "surrogate_replaced": "Halves of surrogate pairs stand in the text; each was replaced by U+FFFD.",
    "replacement_character": "The content has U+FFFD where a character was lost before it came here.",
}


@dataclass
class Draft:
    """A section while it is built. `label`, `title` and `order` may be set until the reading is finished."""

    role: Role
    title: str
    label: str
    start: int
    parent: Draft | None
    end: int = -1
    order: Literal["sure", "uncertain"] = "sure"
    key: str = ""


@dataclass(frozen=True)
class _DraftTable:
    section: Draft
    label: str
    caption: str
    head: tuple[tuple[Extent, ...], ...]
    rows: tuple[tuple[Extent, ...], ...]


@dataclass
class _Dirt:
    first: int
    count: int = 0


@dataclass
class Builder:
    """Collects text in its order. `reader` names the reader and its version.

    `add` takes text as it is; `flow` takes text of a markup, whose white space is one space or, at the beginning of a
    line, nothing. `line` and `paragraph` end a line; no white space is written before text follows it. A `verbatim`
    builder writes no white space of its own: its text is what `add` was given.
    """

    reader: str
    verbatim: bool = False
    _pieces: list[str] = field(default_factory=list)
    _pending: str = ""
    _drafts: list[Draft] = field(default_factory=list)
    _open: list[Draft] = field(default_factory=list)
    _headings: list[Extent] = field(default_factory=list)
    _tables: list[_DraftTable] = field(default_factory=list)
    _issues: list[Issue] = field(default_factory=list)
    _dirt: dict[IssueKind, _Dirt] = field(default_factory=dict)
    length: int = 0
    """Characters so far; white space that waits for text is not counted."""

    def add(self, text: str) -> Extent:
        """Add text as it is, NUL and lone surrogates replaced; gives its stretch."""
        if not text:
            return self.length, self.length
        if self._pending:
            self._append(self._pending)
            self._pending = ""
        start = self.length
        self._append(self._cleaned(text))
        return start, self.length

    def flow(self, text: str) -> None:
        """Add text whose white space is markup's."""
        collapsed = _SPACES.sub(" ", text)
        if collapsed[:1] == " " and not self._pending and self._pieces and self._pieces[-1][-1] not in " \t\n":
            self._pending = " "
        if inner := collapsed.strip(" "):
            self.add(inner)
            if collapsed[-1] == " ":
                self._pending = " "

    def line(self) -> None:
        """End the line: what follows stands on the next."""
        if self.length and self._pending != "\n\n" and not self.verbatim:
            self._pending = "\n"

    def paragraph(self) -> None:
        """End the paragraph: an empty line follows."""
        if self.length and not self.verbatim:
            self._pending = "\n\n"

    def tab(self) -> None:
        """Separate two cells of a row; unlike other white space it is written even where a cell is empty."""
        if self._pending == " ":
            self._pending = ""
        self.add("\t")

    def here(self) -> int:
        """The place where the next text will stand; white space that waits is written first."""
        if self._pending:
            self._append(self._pending)
            self._pending = ""
        return self.length

    def last(self) -> str:
        """The character that the next text would touch; empty where white space or nothing stands between."""
        return "" if self._pending or not self._pieces else self._pieces[-1][-1]

    def heading(self, text: str) -> None:
        """Add a heading: a line of its own that alone does not make a section."""
        with self.headed():
            self.flow(text)

    @contextmanager
    def headed(self) -> Iterator[int]:
        """What is added within is a heading; gives its beginning."""
        self.line()
        start = self.here()
        yield start
        self._headings.append((start, self.length))
        self.line()

    def since(self, start: int) -> str:
        """The text from `start` on."""
        pieces, at = [], self.length
        for piece in reversed(self._pieces):
            if at <= start:
                break
            pieces.append(piece)
            at -= len(piece)
        return "".join(reversed(pieces))[max(0, start - at) :]

    @contextmanager
    def section(self, role: Role, title: str = "", label: str = "") -> Iterator[Draft]:
        """A section of all text added within; inside another it has that as its parent. Without text it is dropped."""
        draft = self.opened(role, title, label)
        try:
            yield draft
        finally:
            self.closed(draft)

    def opened(self, role: Role, title: str = "", label: str = "") -> Draft:
        """Open a section where `with` does not fit; `closed` must be called for it."""
        self.paragraph()
        draft = Draft(role, title, label, self.length, self._open[-1] if self._open else None)
        self._drafts.append(draft)
        self._open.append(draft)
        return draft

    def closed(self, draft: Draft) -> None:
        """Close the section, and those that are still open in it; one that is closed stays as it is."""
        while draft.end < 0:
            self._open.pop().end = self.length
        self.paragraph()

    def table(
        self,
        section: Draft,
        label: str,
        caption: str,
        head: Sequence[Sequence[Extent]],
        rows: Sequence[Sequence[Extent]],
    ) -> None:
        """A table whose cells are given by their stretches; a cell that spans several places is given at each."""
        frozen = (tuple(tuple(row) for row in part) for part in (head, rows))
        self._tables.append(_DraftTable(section, label, caption, *frozen))

    def issue(self, kind: IssueKind, message: str, start: int | None = None, count: int = 1) -> None:
        """Something that could not be read well, here or at `start`."""
        self._issues.append(Issue(kind, message, self.length if start is None else start, count))

    def finish(self, metadata: Metadata | None = None, parts: Sequence[Part] = ()) -> Reading | Unparsed:
        """The reading; without any text `Unparsed`. All open sections are closed.

        Text in no section, or in a section beside its sub-sections, gets a section of its own with the role and title
        of what holds it, so that all text but headings stands in exactly one section that has no others.
        """
        while self._open:
            self.closed(self._open[-1])
        text = "".join(self._pieces)
        metadata = metadata or Metadata()
        if not text.strip():
            return Unparsed("no_text", NO_TEXT, self.reader, metadata)
        drafts = self._with_gaps(text, [draft for draft in self._drafts if _trimmed(draft, text)])
        for number, draft in enumerate(drafts, start=1):
            draft.key = f"s{number}"
        sections = tuple(
            Section(d.key, d.role, d.title, d.start, d.end, d.label, d.parent.key if d.parent else "", d.order)
            for d in drafts
        )
        tables = tuple(_table(table, text) for table in self._tables if table.section.key)
        issues = (*self._issues, *self._found_dirt())
        return Reading(text, sections, self.reader, metadata, tables, (), issues, Completeness(tuple(parts)))

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self.length += len(text)

    def _cleaned(self, text: str) -> str:
        if not _UNCLEAN.search(text):
            return text
        for match in _UNCLEAN.finditer(text):
            self._dirt.setdefault(_dirt(match[0]), _Dirt(self.length + match.start())).count += 1
        return _UNCLEAN.sub("\ufffd", text)

    def _found_dirt(self) -> Iterator[Issue]:
        for kind, dirt in self._dirt.items():
            yield Issue(kind, _MESSAGES[kind], dirt.first, dirt.count)

    def _with_gaps(self, text: str, drafts: list[Draft]) -> list[Draft]:
        """All sections in the order of the text, those that hold others first, with those that fill gaps."""
        children: dict[int, list[Draft]] = {}
        for draft in drafts:
            children.setdefault(id(draft.parent), []).append(draft)
        bare = _without(text, self._headings)
        root = Draft("other", "", "", 0, None, len(text))
        filled = list(drafts)
        for holder in (root, *drafts):
            inner = children.get(id(None if holder is root else holder), [])
            if inner or holder is root:
                filled += _gaps(holder, inner, text, bare, None if holder is root else holder)
        return sorted(filled, key=lambda draft: (draft.start, -draft.end, _depth(draft)))


def _dirt(char: str) -> IssueKind:
    """What a character that may not stand in a text is called."""
    if char == "\x00":
        return "nul_replaced"
    return "replacement_character" if char == "\ufffd" else "surrogate_replaced"


def _gaps(holder: Draft, inner: list[Draft], text: str, bare: str, parent: Draft | None) -> Iterator[Draft]:
    """Sections for the text of `holder` that stands in none of its sub-sections; `bare` is the text sans headings."""
    at = holder.start
    for start, end in [*((draft.start, draft.end) for draft in inner), (holder.end, holder.end)]:
        if bare[at:start].strip():
            gap = Draft(holder.role, holder.title, "", at, parent, start, holder.order)
            _trimmed(gap, text)
            yield gap
        at = end


def _without(text: str, headings: list[Extent]) -> str:
    """The text with white space where the headings stand, which were added in their order."""
    pieces, at = [], 0
    for start, end in headings:
        pieces += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])


def _trimmed(draft: Draft, text: str) -> bool:
    """Take white space off the ends of a section; whether any text is left."""
    draft.start, draft.end = _within_white_space(text, draft.start, draft.end)
    return draft.start < draft.end


def _within_white_space(text: str, start: int, end: int) -> Extent:
    """A stretch without the white space at its ends."""
    exact = text[start:end]
    start += len(exact) - len(exact.lstrip())
    return start, max(start, end - len(exact) + len(exact.rstrip()))


def _depth(draft: Draft) -> int:
    return 0 if draft.parent is None else 1 + _depth(draft.parent)


def _table(table: _DraftTable, text: str) -> Table:
    low, high = table.section.start, table.section.end

    def cell(start: int, end: int) -> Cell:
        start, end = _within_white_space(text, start, end)
        if start == end:  # an empty cell may stand in the white space that was taken off its section
            start = end = min(max(start, low), high)
        return Cell(text[start:end], start, end)

    head, rows = (tuple(tuple(cell(*extent) for extent in row) for row in part) for part in (table.head, table.rows))
    return Table(table.section.key, table.label, table.caption, head, rows)
