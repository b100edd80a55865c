"""Finds the title, headings, labels of the abstract, captions and tables among the lines of a PDF."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from backedge.adapters.reading.pdf_pages import Line
from backedge.adapters.reading.roles import role_of
from backedge.evidence.reading import Role

Kind = Literal["title", "heading", "label", "caption", "table", "text"]

_CORE = re.compile(
    r"(?:abstract|summary|introduction|background|(?:materials?|patients|subjects) and methods|methods?|"
    r"methods and materials|experimental(?: section| procedures)?|methodology|results?|results and discussion|"
    r"discussion|conclusions?|references|bibliography|literature cited|acknowledge?ments?)[:.]?"
)
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(?=[^\W\d_])")
_SPACED = re.compile(r"(?:\w ){4,}\w")
_ABSTRACT = re.compile(r"(?:abstract|summary)\s*(?:[.:—–-]\s*|\s(?=[A-Z]))(?=\S)", re.IGNORECASE)
_LABEL = re.compile(r"(?P<label>[A-Z][A-Za-z /&]{3,38})[:.]\s")
_CAPTION = re.compile(
    r"(?P<label>(?:supplementa(?:l|ry)\s+|extended data\s+)?(?:fig(?:ure|\.)?|table|scheme|box)\s*S?\d{1,3}[A-Z]?)"
    r"(?P<mark>\s*[.:|—–](?:\s|$)|\s+(?=[A-Z(])|\s*$)",
    re.IGNORECASE,
)
_NO_CHARACTER = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_LIST = re.compile(r"\s*(?:table of )?contents\s*", re.IGNORECASE)
_LONGEST = 80  # characters of a heading
_BOLD = 120  # more weight than the text around
_BODY_SECTIONS = frozenset({"introduction", "methods", "results", "discussion", "references"})


@dataclass(frozen=True)
class Found:
    """What a line begins or goes on with. `level` 1 are the parts of an article; deeper ones stand within."""

    kind: Kind
    role: Role | None = None
    title: str = ""
    label: str = ""
    level: int = 0


@dataclass(frozen=True)
class Style:
    """What most of a document is set in: the height of its letters in points, and their weight."""

    size: float
    weight: int

    def is_larger(self, line: Line) -> bool:
        """Whether a line is set larger."""
        return line.size > self.size * 1.08

    def is_bold(self, line: Line) -> bool:
        """Whether a line is set bolder."""
        return line.weight >= max(500, self.weight + _BOLD)

    def stands_out(self, line: Line) -> bool:
        """Whether a line is set larger, bolder, or all in capitals."""
        return self.is_larger(line) or self.is_bold(line) or _in_capitals(line.text)

    def is_other(self, line: Line) -> bool:
        """Whether a line is set in another size."""
        return abs(line.size - self.size) > self.size * 0.08


def clean(text: str) -> str:
    """A text that may be shown: on one line, U+FFFD for what is no character, a hyphen for the end of a line."""
    return _NO_CHARACTER.sub("\ufffd", " ".join(text.replace("\ufffe", "-").split()))


def style_of(lines: Sequence[Line]) -> Style:
    """The style of most characters."""
    sizes: Counter[tuple[float, int]] = Counter()
    for line in lines:
        sizes[line.size, line.weight] += len(line.text)
    (size, weight), _ = sizes.most_common(1)[0] if sizes else ((0.0, 400), 0)
    return Style(size, weight)


def outlined(lines: Sequence[Line]) -> list[Found]:
    """What each line is, in their order."""
    style = style_of(lines)
    repeated = {text for text, count in Counter(line.text.strip() for line in lines).items() if count > 2}
    headings = [_heading(line, style) if line.text.strip() not in repeated else None for line in lines]
    headings = _consistent(lines, headings, style)
    found = [Found("text") if heading is None else heading for heading in headings]
    for at in _title(lines, found, style):
        found[at] = Found("title", "title", "", "", 1)
    _abstract(lines, found)
    _captions(lines, found, style)
    return found


def _heading(line: Line, style: Style) -> Found | None:
    """What a line would be as a heading, by its words, its number and its style."""
    text = _unspaced(clean(line.text))
    numbered = _NUMBERED.match(text)
    words = text[numbered.end() :] if numbered else text
    if not 2 < len(text) <= _LONGEST or not words[:1].isupper() or "\ufffe" in line.text:
        return None
    role, core = role_of(words), _CORE.fullmatch(words.lower())
    if core or (role and style.stands_out(line)):
        return Found("heading", role, text, "", _level(numbered) or (1 if core else 2))
    named = style.stands_out(line) and not text.endswith((",", ";", "-")) and sum(map(str.isalpha, text)) > 2
    if numbered and named and (style.is_bold(line) or style.is_larger(line)):
        return Found("heading", None, text, "", _level(numbered))
    if named and style.is_bold(line) and style.is_larger(line) and not text.endswith("."):
        return Found("heading", None, text, "", 2)
    return None


def _level(numbered: re.Match[str] | None) -> int:
    return numbered["number"].count(".") + 1 if numbered else 0


def _unspaced(text: str) -> str:
    """A word that is written with spaces between its letters, without them."""
    return text.replace(" ", "").capitalize() if _SPACED.fullmatch(text) else text


def _in_capitals(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return len(letters) > 3 and all(char.isupper() for char in letters)


def _consistent(lines: Sequence[Line], headings: list[Found | None], style: Style) -> list[Found | None]:
    """Without the words that only look like headings where the headings of the document are set apart.

    A heading without a number or a known role that is set like the parts of the article is such a part.
    """
    parts = {
        (round(line.size), style.is_bold(line), _in_capitals(line.text))
        for line, heading in zip(lines, headings, strict=True)
        if heading and heading.level == 1 and heading.role in _BODY_SECTIONS and style.stands_out(line)
    }
    kept: list[Found | None] = []
    for line, heading in zip(lines, headings, strict=True):
        if heading is not None and len(parts) > 0 and not style.stands_out(line):
            heading = None
        elif heading is not None and heading.role is None and heading.level == 2 and not _NUMBERED.match(heading.title):
            look = (round(line.size), style.is_bold(line), _in_capitals(line.text))
            heading = Found("heading", None, heading.title, "", 1 if look in parts else 2)
        kept.append(heading)
    return kept


def _title(lines: Sequence[Line], found: Sequence[Found], style: Style) -> list[int]:
    """The lines of the title: the largest on the first page that stand together before its first heading."""
    first: list[int] = []
    for at, line in enumerate(lines):
        if line.page > 0 or (found[at].kind == "heading" and found[at].role):
            break
        first.append(at)
    shown = [at for at in first if sum(map(str.isalpha, lines[at].text)) > 3 and not _LIST.fullmatch(lines[at].text)]
    largest = max((lines[at].size for at in shown), default=0)
    if largest <= style.size * 1.15:
        return []
    chosen = [at for at in shown if lines[at].size >= largest * 0.97]
    together = [chosen[0]]
    for at in chosen[1:]:
        if at == together[-1] + 1:
            together.append(at)
    return together if sum(len(lines[at].text) for at in together) <= 400 else []


def _abstract(lines: Sequence[Line], found: list[Found]) -> None:
    """Abstracts whose heading runs into their text, and the labels of structured ones."""
    within = False
    for at, line in enumerate(lines):
        if found[at].kind == "heading":
            within = found[at].role == "abstract"
        elif not within and line.page == 0 and found[at].kind == "text" and _ABSTRACT.match(line.text.strip()):
            found[at] = Found("heading", "abstract", "Abstract", "run-in", 1)
            within = True
        elif within and (label := _LABEL.match(line.text)) and role_of(label["label"]):
            found[at] = Found("label", "abstract", label["label"].capitalize(), label["label"].upper(), 2)


def _captions(lines: Sequence[Line], found: list[Found], style: Style) -> None:
    """Captions, and behind those of tables whatever is set in their own size."""
    at = 0
    while at < len(lines):
        match = _CAPTION.match(lines[at].text) if found[at].kind == "text" else None
        if match is None or not _sets_apart(lines, at, style, match):
            at += 1
            continue
        label = " ".join(match["label"].split())
        found[at] = Found("caption", "caption", "", label, 9)
        behind = list(_behind(lines, found, at))
        for inner in behind:
            found[inner] = Found("caption", "caption", "", label, 9)
        at += 1 + len(behind)
        if _is_table(label):
            at = _table(lines, found, at, label, style)


def _sets_apart(lines: Sequence[Line], at: int, style: Style, match: re.Match[str]) -> bool:
    """Whether a line that begins like a caption is set apart as one, or goes on as no sentence would."""
    line, before = lines[at], lines[at - 1] if at else None
    if style.is_other(line) or style.is_bold(line):
        return True
    return bool(match["mark"].strip()) and (before is None or before.page != line.page or _gap(before, line) > 0.6)


def _behind(lines: Sequence[Line], found: Sequence[Found], at: int) -> Iterator[int]:
    """The lines that go on a caption: of its size, each close below the one before, on the same page.

    That of a table ends with its first sentence, since the rows below may be set like it.
    """
    size, is_table = lines[at].size, _is_table(lines[at].text)
    for inner in range(at + 1, min(len(lines), at + 40)):
        line, before = lines[inner], lines[inner - 1]
        if is_table and before.text.rstrip().endswith("."):
            return
        if found[inner].kind != "text" or line.page != before.page or _CAPTION.match(line.text):
            return
        if abs(line.size - size) > 0.06 * size or not -0.5 < _gap(before, line) < 0.6:
            return
        yield inner


def _is_table(text: str) -> bool:
    return bool(re.search(r"\btable\b", text[:40], re.IGNORECASE))


def _gap(before: Line, line: Line) -> float:
    """The white between two lines, in heights of the lower one; large where the lower one is no lower.

    A hyphen swallows the end of its line, so that a line that has one is two.
    """
    if before.box is None or line.box is None:
        return 9.0
    lines = 1 + before.text.count("\ufffe")
    fall = before.box.bottom - line.box.bottom
    return fall / max(line.size, 0.1) / lines - 1.0 if fall > 0 else 9.0


def _table(lines: Sequence[Line], found: list[Found], at: int, label: str, style: Style) -> int:
    """Mark the body of a table; gives the line behind it. What is set like the text cannot be told from it."""
    page = lines[at - 1].page
    while at < len(lines) and found[at].kind == "text" and lines[at].page == page and style.is_other(lines[at]):
        found[at] = Found("table", "table", "", label, 9)
        at += 1
    return at
