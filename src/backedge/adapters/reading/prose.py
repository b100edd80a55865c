"""Writes mixed content of XML into a reading: paragraphs, lists, scripts and formulas, in the order they are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from backedge.adapters.reading.building import Builder
from backedge.adapters.reading.formulas import math_text, tex_text
from backedge.adapters.reading.markup import local, named_character, named_entity
from backedge.adapters.reading.scripts import SCRIPTS, Scripts

DROPPED = frozenset(
    [
        "alt-text",
        "long-desc",
        "object-id",
        "graphic",
        "inline-graphic",
        "permissions",
        "index-term",
        "target",
        "milestone-start",
        "milestone-end",
        "counts",
        "related-object",
        "elocation-id",
        "title-alternatives",
        "colgroup",
    ]
)
"""Elements that are no text of the article: names of pictures, machine descriptions, permissions of a figure."""

FLOATS = frozenset(
    [
        "fig",
        "fig-group",
        "table-wrap",
        "table-wrap-group",
        "boxed-text",
        "supplementary-material",
        "media",
        "fn",
        "statement-group",
    ]
)
"""Elements that may stand in the middle of a paragraph without being part of it; they are written behind it."""

_PARAGRAPHS = frozenset(
    [
        "p",
        "list",
        "disp-quote",
        "def-list",
        "verse-group",
        "speech",
        "statement",
        "preformat",
        "code",
        "ack",
        "fn-group",
        "glossary",
        "notes",
        "array",
        "question-wrap",
        "answer",
        "disp-formula-group",
        "chem-struct-wrap",
        "table-wrap-foot",
        "attrib",
    ]
)
_LINES = frozenset(
    [
        "list-item",
        "def-item",
        "verse-line",
        "disp-formula",
        "title",
        "subtitle",
        "fn",
        "ref",
        "tr",
        "speaker",
        "trans-title",
        "attrib",
        "sec-meta",
    ]
)
_TIGHT = frozenset(
    ["list-item", "def", "fn", "note", "caption", "disp-quote", "td", "th", "ref", "speech", "statement", "attrib"]
)
_SPACED = frozenset(
    ["element-citation", "nlm-citation", "name", "person-group", "def-item", "address", "citation-alternatives"]
)
_SPACED_IF_BARE = frozenset(["citation", "mixed-citation", "string-name", "product"])
_OF_NOTES = ("fn-group", "table-wrap-foot", "author-notes")
_BEST = ("table", "math", "tex-math", "textual-form")


@dataclass
class Prose:
    """Writes elements into a builder. `floats` gathers what a paragraph holds but is not part of.

    Of the named characters (`&alpha;`) there are `characters`; `unknown` of them stand for nothing known and are kept
    as they are written.
    """

    builder: Builder
    floats: list[etree._Element] = field(default_factory=list)
    unknown: int = 0
    characters: int = 0
    _scripts: Scripts = field(init=False)
    _in_cell: bool = False

    def __post_init__(self) -> None:
        self._scripts = Scripts(self.builder)

    def part(self, element: etree._Element) -> None:
        """Write an element as a block: nothing else stands on its lines."""
        if local(element):
            self.builder.line()
            self._element(element)
            self.builder.line()
        else:
            self._part(element)

    def note(self, element: etree._Element) -> None:
        """Write a footnote on lines of its own."""
        self.builder.line()
        self.inner(element)
        self.builder.line()

    def inner(self, element: etree._Element) -> None:
        """Write what an element holds, within the line that is being written."""
        spaced = local(element) in _SPACED or (local(element) in _SPACED_IF_BARE and _bare(element))
        self._text(element.text)
        for number, part in enumerate(element):
            if spaced and number:
                self.builder.flow(" ")
            self._part(part)
            self._text(part.tail)

    def cell(self, element: etree._Element) -> None:
        """Write a cell of a table: its paragraphs and lines are divided by spaces."""
        was, self._in_cell = self._in_cell, True
        self.inner(element)
        self._in_cell = was

    def text(self, text: str | None) -> None:
        """Write text that stands beside blocks, as a paragraph of its own."""
        if text and text.strip():
            self.builder.paragraph()
            self._text(text)
            self.builder.paragraph()

    def _part(self, part: etree._Element) -> None:
        tag: object = part.tag
        if isinstance(tag, str):
            self._element(part)
        elif tag is etree.Entity:
            known = bool(named_character(str(getattr(part, "name", ""))))
            self.characters += 1
            self.unknown += not known
            self._text(named_entity(part))

    def _element(self, element: etree._Element) -> None:
        name = local(element)
        if name in DROPPED:
            return
        parent = element.getparent()
        if name in FLOATS and (parent is None or local(parent) not in _OF_NOTES):
            self.floats.append(element)
        elif name in SCRIPTS:
            with self._scripts.script(SCRIPTS[name]):
                self.inner(element)
        elif name == "break" or name == "hr":
            self._divide(name)
        elif name in ("math", "tex-math"):
            self._formula(element, name)
        elif name == "alternatives":
            self._element(best(element))
        elif name in ("preformat", "code") and not self._in_cell:
            self.builder.paragraph()
            self.builder.add("".join(str(piece) for piece in element.itertext()).strip("\n"))
            self.builder.paragraph()
        else:
            self._written(element, name)

    def _written(self, element: etree._Element, name: str) -> None:
        """An element whose text is written: on lines of its own, or within the line."""
        divided = self._dividing(element, name)
        if divided:
            self._divide(divided)
        if name in ("td", "th") and element.getprevious() is not None:
            self._divide("tab")
        self.inner(element)
        if name == "label":
            self.builder.flow(" ")
        if divided:
            self._divide(divided)

    def _dividing(self, element: etree._Element, name: str) -> str:
        parent = element.getparent()
        if name == "p" and parent is not None and local(parent) in _TIGHT:
            before = element.getprevious()
            return "" if before is None or local(before) == "label" else "line"
        return "paragraph" if name in _PARAGRAPHS else "line" if name in _LINES else ""

    def _divide(self, how: str) -> None:
        if self._in_cell:
            self.builder.flow(" ")
        elif how == "tab":
            self.builder.tab()
        elif how == "paragraph":
            self.builder.paragraph()
        else:
            self.builder.line()

    def _formula(self, element: etree._Element, name: str) -> None:
        parent = element.getparent()
        if name == "math":
            self._text(math_text(element))
        elif parent is None or all(local(other) != "math" for other in parent):
            self._text(tex_text(element))

    def _text(self, text: str | None) -> None:
        if text:
            self._scripts.flow(text)


def _bare(element: etree._Element) -> bool:
    """Whether only white space stands between the elements of an element."""
    return not any((text or "").strip() for text in (element.text, *(part.tail for part in element)))


def best(alternatives: etree._Element) -> etree._Element:
    """Of several forms of the same thing the one that is text; the others would be read twice."""
    forms = [form for form in alternatives if local(form)]
    for name in _BEST:
        for form in forms:
            if local(form) == name:
                return form
    return next((form for form in forms if local(form) not in DROPPED), forms[0]) if forms else alternatives
