"""Reads PDF files: text as pdfium gives it, sections by headings, and what of the file could not be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version

import pypdfium2 as pdfium
import pypdfium2.raw as c

from backedge.adapters.reading.building import Builder, Draft
from backedge.adapters.reading.pdf_metadata import INFO, metadata_of
from backedge.adapters.reading.pdf_order import is_right_to_left, is_spliced
from backedge.adapters.reading.pdf_outline import Found, outlined
from backedge.adapters.reading.pdf_pages import BREAK, Line, Page, page_of
from backedge.adapters.reading.roles import role_within
from backedge.evidence.reading import IssueKind, Part, Reading, Role, Unparsed
from backedge.evidence.sources import Metadata

READER = f"pdf/1 pdfium/{version('pypdfium2')}"
"""The text is pdfium's, so that its version is part of the reader's."""

PAGE_BREAK = "\f"

_AGAIN = "Fetch the file again, or give the article as XML, HTML or plain text."
_LITTLE = 25  # letters on a page that is a picture: a stamp or a page number
_PICTURE = 0.4  # of a page: pictures that cover more are what it shows
_LONG = 5000  # characters: an article, of which some heading should be known
_BODY: frozenset[Role] = frozenset({"introduction", "methods", "results", "discussion"})
_INNER = 9  # the level of captions and tables
_FRONT = Found("text", "other", "", "", 8)  # what stands before the first heading; every heading ends it
_HEADER = re.compile(rb"%PDF-\d")
_START = re.compile(rb"startxref\s+(\d+)")
_TAIL = 2048  # bytes in which a whole file says its end
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-z0-9\u00c0-\u017f.,;:()'\"%<>=+/\u2013\u2019-]")
_VOWEL = re.compile(
    r"[AEIOUYaeiouy\u00c0-\u00c6\u00c8-\u00cf\u00d2-\u00d6\u00d9-\u00dd\u00e0-\u00e6\u00e8-\u00ef\u00f2-\u00fd]"
)


def read(content: bytes, name: str) -> Reading | Unparsed:
    """The text of a PDF, page by page, as pdfium reads it; `name` tells nothing here, the content tells all.

    Lines end with CR LF, a page with a form feed behind it; a hyphen at the end of a line is U+FFFE, without its line
    end, as pdfium writes it. Encrypted, damaged and text-less files are `Unparsed`.
    """
    with _opened(content) as file:
        return file.refusal or file.reading(content)


def describe(content: bytes, name: str) -> Metadata:
    """What a PDF says of itself, by its first page alone."""
    with _opened(content) as file:
        return file.metadata(content, list(file.pages(1)))


def _opened(content: bytes) -> _File:
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        return _File(None, _refused(error))
    return _File(document, None if len(document) else Unparsed("corrupt", f"It has no pages. {_AGAIN}", READER))


def _refused(error: pdfium.PdfiumError) -> Unparsed:
    if error.err_code == c.FPDF_ERR_PASSWORD:
        message = "It is locked with a password. Save a copy without one, and add that."
        return Unparsed("encrypted", message, READER)
    if error.err_code == c.FPDF_ERR_SECURITY:
        message = "It is encrypted in a way that is not known here. Print it to a new PDF, and add that."
        return Unparsed("encrypted", message, READER)
    return Unparsed("corrupt", f"It is no PDF that can be opened: it is damaged or cut off. {_AGAIN}", READER)


@dataclass
class _File:
    document: pdfium.PdfDocument | None
    refusal: Unparsed | None
    unread: list[int] = field(default_factory=list)

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        if self.document is not None:
            self.document.close()

    def pages(self, most: int | None = None) -> Iterator[Page]:
        """The pages that can be loaded; the numbers of the others are kept."""
        if self.document is None:
            return
        count = len(self.document)
        for number in range(count if most is None else min(count, most)):
            try:
                yield page_of(self.document, number)
            except pdfium.PdfiumError:
                self.unread.append(number)

    def metadata(self, content: bytes, pages: Sequence[Page]) -> Metadata:
        """What the file says of itself."""
        lines = [line for page in pages[:1] for line in page.lines]
        title = " ".join(line.text for line, found in zip(lines, outlined(lines), strict=True) if found.kind == "title")
        return metadata_of(content, self._info(), title, [page.lines for page in pages])

    def _info(self) -> dict[str, str]:
        told = {}
        for name in INFO:
            with suppress(UnicodeDecodeError):
                told[name] = self.document.get_metadata_value(name) if self.document else ""
        return told

    def reading(self, content: bytes) -> Reading | Unparsed:
        """The whole file."""
        pages = list(self.pages())
        metadata = self.metadata(content, pages)
        if not pages:
            return Unparsed("corrupt", f"None of its pages can be opened. {_AGAIN}", READER, metadata)
        if nothing := _nothing(pages):
            return Unparsed(nothing.why, nothing.message, READER, metadata)
        builder, doubts = Builder(READER, verbatim=True), _doubts(pages)
        starts, roles = _written(pages, builder, doubts)
        if builder.length >= _LONG and not roles & _BODY:
            message = "No heading in it is known: nothing tells methods, results and background apart."
            builder.issue("unknown_section", message, 0)
        for issue in _issues(pages, doubts, content):
            builder.issue(issue.kind, issue.message, starts.get(issue.page, 0), issue.count)
        if self.unread:
            message = f"{len(self.unread)} pages cannot be opened, the first of them page {self.unread[0] + 1}."
            builder.issue("damaged", message, 0, len(self.unread))
        return builder.finish(metadata, _parts(pages, doubts, len(self.unread)))


def _nothing(pages: Sequence[Page]) -> Unparsed | None:
    """Why there is nothing to quote, where that is so."""
    text = "".join(line.text for page in pages for line in page.lines)
    pictured = [page for page in pages if page.pictured >= _PICTURE]
    letters = len(_LETTER.findall(text))
    if (not letters and any(page.pictured for page in pages)) or (
        len(pictured) == len(pages) and letters < _LITTLE * len(pages)
    ):
        message = "Its pages are pictures without a layer of text. Run character recognition (OCR) on it first."
        return Unparsed("image_only", message, READER)
    if not text.strip():
        drawn = any(page.shapes for page in pages)
        message = "Its letters are drawn as shapes." if drawn else "Its pages are empty."
        return Unparsed("no_text", f"{message} There is no text that could be quoted. {_AGAIN}", READER)
    unmapped, characters = sum(page.unmapped for page in pages), sum(page.characters for page in pages)
    if unmapped * 2 > characters and not _is_prose(text):
        message = "Its fonts do not say which characters their glyphs are: what can be read is not what it shows."
        return Unparsed("no_text", f"{message} {_AGAIN}", READER)
    return None


def _is_prose(text: str) -> bool:
    """Whether letters that no font tells were probably taken right: Latin words with vowels among their letters."""
    shown = "".join(text.split())
    letters = _LETTER.findall(shown)
    latin = len(_LATIN.findall(shown)) >= 0.95 * len(shown)
    words = {word for word in text.split() if len(word) > 2}
    return latin and len(words) > 2 and 0.25 <= len(_VOWEL.findall(shown)) / max(1, len(letters)) <= 0.65


@dataclass(frozen=True)
class _Doubts:
    """Pages whose lines may be in a wrong order."""

    spliced: tuple[Page, ...]
    backwards: tuple[Page, ...]

    @property
    def pages(self) -> set[int]:
        return {page.number for page in (*self.spliced, *self.backwards)}


def _doubts(pages: Sequence[Page]) -> _Doubts:
    return _Doubts(tuple(filter(is_spliced, pages)), tuple(filter(is_right_to_left, pages)))


def _written(pages: Sequence[Page], builder: Builder, doubts: _Doubts) -> tuple[dict[int, int], set[Role]]:
    """Write all lines into their sections; gives where each page begins, and the roles that there are."""
    lines = [line for page in pages for line in page.lines]
    last_of = {id(page.lines[-1]): page.number for page in pages if page.lines}
    writer, starts = _Writer(builder, doubts.pages), dict[int, int]()
    for line, found in zip(lines, outlined(lines), strict=True):
        starts.setdefault(line.page, builder.length)
        writer.write(line, found)
        builder.add(BREAK + PAGE_BREAK if id(line) in last_of else BREAK)
    return starts, writer.roles


@dataclass
class _Writer:
    builder: Builder
    doubtful: set[int]
    stack: list[tuple[int, Found, Draft]] = field(default_factory=list)
    roles: set[Role] = field(default_factory=set)

    def write(self, line: Line, found: Found) -> None:
        """One line, in the section that it begins or goes on."""
        top = self.stack[-1][1] if self.stack else None
        if found.kind == "text":
            self._close(1 if top and top.kind == "title" else _INNER)
            if not self.stack:
                self._begin(line, _FRONT)
            else:
                self.builder.add(line.text)
        elif found.kind in ("title", "caption", "table") and top == found:
            self.builder.add(line.text)
        else:
            self._begin(line, found)
        if line.page in self.doubtful:
            for _, _, draft in self.stack:
                draft.order = "uncertain"

    def _begin(self, line: Line, found: Found) -> None:
        self._close(found.level)
        outer = self.stack[-1][2].role if self.stack else None
        role = found.role if found.level in (1, _FRONT.level, _INNER) or found.kind == "label" else None
        role = role or role_within(found.title, "", outer) or "other"
        label = "" if found.label == "run-in" else found.label
        self.roles.add(role)
        draft = self.builder.opened(role, found.title, label)
        self.stack.append((found.level, found, draft))
        if found.kind == "heading" and found.label != "run-in":
            with self.builder.headed():
                self.builder.add(line.text)
        else:
            self.builder.add(line.text)

    def _close(self, level: int) -> None:
        """Close the sections of that level and deeper ones."""
        while self.stack and self.stack[-1][0] >= level:
            self.builder.closed(self.stack.pop()[2])


@dataclass(frozen=True)
class _Told:
    kind: IssueKind
    message: str
    page: int
    count: int


def _issues(pages: Sequence[Page], doubts: _Doubts, content: bytes) -> Iterator[_Told]:
    """What could not be read well, each kind once, with the first page that has it."""
    unmapped = [page for page in pages if page.unmapped]
    if unmapped:
        message = "Glyphs whose fonts do not say which characters they are; what stands for them may be wrong."
        yield _Told("unmapped_glyphs", message, unmapped[0].number, sum(page.unmapped for page in unmapped))
    told: tuple[tuple[IssueKind, str, Iterable[Page]], ...] = (
        ("uncertain_order", "Lines of two columns were probably read across.", doubts.spliced),
        (
            "uncertain_order",
            "Text that runs from right to left may be read backwards.",
            doubts.backwards,
        ),
        ("lost_spaces", "Words run together: spaces between them were lost.", filter(_runs_together, pages)),
        ("no_text_on_page", "Pages that show something have no text.", filter(_is_silent, pages)),
        ("hidden_text", "Text that a reader of the page does not see was read, too.", filter(_hides, pages)),
    )
    for kind, message, found in told:
        if listed := list(found):
            yield _Told(kind, f"{message} {_named(listed)}", listed[0].number, len(listed))
    yield from _damage(content)


def _named(pages: Sequence[Page]) -> str:
    numbers = ", ".join(str(page.number + 1) for page in pages[:5])
    return f"Page {numbers}." if len(pages) == 1 else f"Pages {numbers}{', …' if len(pages) > 5 else ''}."


def _damage(content: bytes) -> Iterator[_Told]:
    """Whether the file ends before its end, or its own index is wrong and pdfium had to make one."""
    tail = content.rstrip(b"\0\r\n \t")[-_TAIL:]
    start = _START.findall(tail)
    if b"%%EOF" not in tail and not start:
        yield _Told("truncated", "The file stops before its end: something may be lost. Fetch it again.", 0, 1)
        return
    header = _HEADER.search(content)
    at = int(start[-1]) + (header.start() if header else 0) if start else len(content)
    if header is None or not re.match(rb"\s*(?:xref|\d+\s+\d+\s+obj)", content[at : at + 40]):
        yield _Told("damaged", "The file's own index is wrong; its parts were looked for. Some may be lost.", 0, 1)


def _runs_together(page: Page) -> bool:
    text = " ".join(line.text for line in page.lines)
    latin = len(re.findall(r"[A-Za-z]", text))
    return latin >= 200 and latin * 2 > len(text) and latin > 14 * len(re.findall(r"[A-Za-z]+", text))


def _is_silent(page: Page) -> bool:
    return page.shapes > 0 and not any(line.text.strip() for line in page.lines)


def _hides(page: Page) -> bool:
    return any(line.hidden for line in page.lines)


def _parts(pages: Sequence[Page], doubts: _Doubts, unread: int) -> tuple[Part, ...]:
    """Shares of the pages that were read, of those with text, and of the characters that are sure."""
    characters = sum(page.characters for page in pages)
    unmapped = min(characters, sum(page.unmapped for page in pages))
    return (
        Part("pages read", round(len(pages) / (len(pages) + unread), 3)),
        Part("pages with text", round(1 - sum(map(_is_silent, pages)) / len(pages), 3)),
        Part("characters mapped", round(1 - unmapped / characters, 3) if characters else 1.0),
        Part("pages in order", round(1 - len(doubts.pages) / len(pages), 3)),
    )
