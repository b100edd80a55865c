"""Takes a page of a PDF through pdfium: its text as it is, its lines with place and style, what is odd in it."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as c

BREAK = "\r\n"
"""What pdfium writes between lines. At a hyphen at the end of a line it writes U+FFFE instead of hyphen and break."""

# What no font may mean by a glyph: control characters and private use.
_ODD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]|\r(?!\n)|(?<!\r)\n")
_HIDDEN_MODES = frozenset({c.FPDF_TEXTRENDERMODE_INVISIBLE, c.FPDF_TEXTRENDERMODE_CLIP})
_ONE_COLOUR = 250  # of 255: from here on letters are white
_FEW = 200  # characters: on a page with fewer its pictures are measured


@dataclass(frozen=True)
class Box:
    """A rectangle in points, from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From bottom to top."""
        return self.top - self.bottom


@dataclass(frozen=True)
class Line:
    """A line as pdfium tells lines apart. `size` is the height of its first character's font in points.

    `hidden` says that a reader of the page would not see it: invisible letters, white ones, or beside the page.
    """

    page: int
    text: str
    box: Box | None
    size: float
    weight: int
    hidden: bool = False


@dataclass(frozen=True)
class Page:
    """A page read. `unmapped` counts characters that no font tells, of `characters`; `shapes` whatever is drawn.

    `pictured` is the share of the page that its pictures cover, measured where there is little text.
    """

    number: int
    lines: tuple[Line, ...]
    runs: tuple[Box, ...]
    box: Box
    characters: int
    unmapped: int
    pictured: float
    shapes: int


def page_of(document: pdfium.PdfDocument, number: int) -> Page:
    """The page of that number, from 0. Raises `PdfiumError` where it cannot be loaded."""
    page = document[number]
    try:
        textpage = page.get_textpage()
        try:
            return _read(page, textpage, number)
        finally:
            textpage.close()
    finally:
        page.close()


def _read(page: pdfium.PdfPage, textpage: pdfium.PdfTextPage, number: int) -> Page:
    box = Box(*page.get_bbox())
    # UTF-16 units, so that what stands beyond the first plane stays; halves of pairs are told by the builder
    text = textpage.get_text_range(errors="surrogatepass")
    letters = _Letters(textpage, text)
    text = letters.with_nul(text)
    lines = tuple(_lines(text, letters, number, box))
    pictured, shapes = _drawn(page, box) if len(text.strip()) < _FEW else (0.0, 1)
    return Page(number, lines, _runs(textpage), box, letters.count, letters.unmapped(text), pictured, shapes)


@dataclass
class _Letters:
    """Asks pdfium about single characters, by their place in the text."""

    textpage: pdfium.PdfTextPage
    text: str

    def __post_init__(self) -> None:
        self.count: int = self.textpage.count_chars()
        units = len(self.text.encode("utf-16-le", "surrogatepass")) // 2
        self._straight = self.count == len(self.text) == units
        self._wide: bool = units != len(self.text)

    def index(self, place: int) -> int:
        """pdfium's own number of the character at a place; it leaves some out of the text."""
        if self._straight:
            return place
        if self._wide:
            place = len(self.text[:place].encode("utf-16-le", "surrogatepass")) // 2
        return int(c.FPDFText_GetCharIndexFromTextIndex(self.textpage, place))

    def with_nul(self, text: str) -> str:
        """The text, in which pdfium writes U+FFFE for a glyph that means NUL, too, with NUL for that."""
        pieces, at = [], 0
        for match in re.finditer("\ufffe", text):
            if c.FPDFText_IsHyphen(self.textpage, self.index(match.start())) != 1:
                pieces += [text[at : match.start()], "\x00"]
                at = match.end()
        return "".join([*pieces, text[at:]])

    def unmapped(self, text: str) -> int:
        """How many characters no font tells. Where a sample has none, only those that can be no character count."""
        odd = len(_ODD.findall(text))
        if not any(c.FPDFText_HasUnicodeMapError(self.textpage, at) == 1 for at in self._sample(text)):
            return odd
        found: int = sum(c.FPDFText_HasUnicodeMapError(self.textpage, at) == 1 for at in range(self.count))
        return max(odd, found)

    def _sample(self, text: str) -> Iterator[int]:
        """The first of each different character, and the first of each line."""
        for char in dict.fromkeys(text):
            yield self.index(text.index(char))
        for match in re.finditer(r"\r\n(?=.)", text):
            yield self.index(match.end())


def _lines(text: str, letters: _Letters, number: int, page: Box) -> Iterator[Line]:
    at = 0
    for line in text.split(BREAK):
        shown = len(line) - len(line.lstrip())
        if shown < len(line):
            yield _line(line, letters.index(at + shown), letters.textpage, number, page)
        elif line:
            yield Line(number, line, None, 0, 0)
        at += len(line) + len(BREAK)


def _line(text: str, index: int, textpage: pdfium.PdfTextPage, number: int, page: Box) -> Line:
    rect = c.FS_RECTF()
    known = c.FPDFText_GetLooseCharBox(textpage, index, rect)
    box = Box(rect.left, rect.bottom, rect.right, rect.top) if known else None
    hidden = _invisible(textpage, index) or (box is not None and _beside(box, page))
    size = min(box.width, box.height) if box and box.width > 3 * box.height else box.height if box else 0.0
    return Line(number, text, box, round(size, 1), int(c.FPDFText_GetFontWeight(textpage, index)), hidden)


def _invisible(textpage: pdfium.PdfTextPage, index: int) -> bool:
    drawn = c.FPDFText_GetTextObject(textpage, index)
    if not drawn:
        return False
    mode = c.FPDFTextObj_GetTextRenderMode(drawn)
    if mode in _HIDDEN_MODES:
        return True
    rgba = [ctypes.c_uint() for _ in range(4)]
    if mode != c.FPDF_TEXTRENDERMODE_FILL or not c.FPDFText_GetFillColor(textpage, index, *rgba):
        return False
    red, green, blue, alpha = (part.value for part in rgba)
    return alpha == 0 or min(red, green, blue) >= _ONE_COLOUR


def _beside(box: Box, page: Box) -> bool:
    return box.right < page.left or box.left > page.right or box.top < page.bottom or box.bottom > page.top


def _runs(textpage: pdfium.PdfTextPage) -> tuple[Box, ...]:
    """The stretches of text that were drawn at once, in the order of the text."""
    found = []
    edges = [ctypes.c_double() for _ in range(4)]
    for index in range(textpage.count_rects()):
        if c.FPDFText_GetRect(textpage, index, *edges):
            left, top, right, bottom = (edge.value for edge in edges)
            found.append(Box(left, bottom, right, top))
    return tuple(found)


def _drawn(page: pdfium.PdfPage, box: Box) -> tuple[float, int]:
    """The share of the page that pictures cover, and how many things are drawn on it."""
    area, shapes = 0.0, 0
    for drawn in page.get_objects(max_depth=4):
        shapes += 1
        if drawn.type == c.FPDF_PAGEOBJ_IMAGE:
            area += _covered(drawn.get_bounds(), box)
    whole = box.width * box.height
    return (min(1.0, area / whole) if whole > 0 else 0.0), shapes


def _covered(bounds: Sequence[float], page: Box) -> float:
    left, bottom, right, top = bounds
    width = min(right, page.right) - max(left, page.left)
    height = min(top, page.top) - max(bottom, page.bottom)
    return max(0.0, width) * max(0.0, height)
