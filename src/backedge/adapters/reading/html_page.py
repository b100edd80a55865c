"""Writes what is seen of a web page into a reading: blocks, headings, captions, tables; counts what is hidden."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial

from selectolax.lexbor import LexborNode

from backedge.adapters.reading.building import Builder, Draft
from backedge.adapters.reading.grids import Grid
from backedge.adapters.reading.roles import role_within
from backedge.adapters.reading.scripts import SCRIPTS, Scripts
from backedge.evidence.reading import Role

_UNSEEN = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "iframe",
        "object",
        "embed",
        "canvas",
        "svg",
        "audio",
        "video",
        "head",
        "nav",
        "button",
        "select",
        "input",
        "textarea",
        "datalist",
        "dialog",
        "annotation",
        "annotation-xml",
    ]
)
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "mtext",
        "mstyle",
        "msub",
        "msup",
        "msubsup",
        "mfrac",
        "semantics",
        "img",
    ]
)
_LINES = frozenset(["li", "dt", "dd", "br", "hr", "tr", "address"])
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_BETWEEN = {"msup": "^", "msub": "_", "mfrac": "/"}
_HIDING = re.compile(r"display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0+)?(?:;|$)|font-size:0[a-z%]*(?:;|$)")
_LONGEST_TITLE = 200


@dataclass
class Page:
    """Writes the nodes of a page in their order, without recursion. `hidden` counts hidden elements that have text."""

    builder: Builder
    hidden: int = 0
    first_hidden: int = 0
    _headings: list[tuple[int, Draft]] = field(default_factory=list)
    _grids: list[Grid] = field(default_factory=list)
    _held: int = 0  # captions and tables that hold what is written now: headings there make no sections
    _titled: bool = False
    _todo: list[Callable[[], object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._scripts = Scripts(self.builder)

    def write(self, root: LexborNode) -> None:
        """Write all that is seen of an element."""
        self._todo.append(partial(self._node, root))
        while self._todo:
            self._todo.pop()()

    def _node(self, node: LexborNode) -> None:
        name = (node.tag or "").lower()
        if node.is_text_node:
            self._scripts.flow(node.text_content or "")
        elif not node.is_element_node or name in _UNSEEN:
            return
        elif _is_hidden(node):
            if node.text(deep=True).strip():
                self.first_hidden = self.first_hidden if self.hidden else self.builder.length
                self.hidden += 1
        elif name == "pre" and not self._grids:
            self.builder.paragraph()
            self.builder.add(node.text(deep=True).strip("\n"))
            self.builder.paragraph()
        else:
            self._element(node, name)

    def _element(self, node: LexborNode, name: str) -> None:
        """Write an element: what begins it, what it holds, and what ends it, each when its turn comes."""
        parent = node.parent.tag if node.parent is not None else ""
        if parent in _BETWEEN and node.prev is not None:
            self.builder.flow(_BETWEEN[parent])
        if name in _LEVELS and not self._held:
            self._heading(node, name)
        elif name in SCRIPTS:
            self._within(node, self._scripts.script(SCRIPTS[name]))
        elif name == "table" and not self._grids and _holds_data(node):
            self._table(node)
        elif self._grids and name == "tr":
            self._row(node)
        elif self._grids and name in ("td", "th"):
            self._cell(node)
        elif name in ("figcaption", "caption") and not (self._held and name == "figcaption"):
            self._holding(node, self.builder.section("caption", _text(node)[:_LONGEST_TITLE]))
        elif name in _INLINE:
            self._within(node)
        else:
            self._block(node, name)

    def _within(self, node: LexborNode, *around: AbstractContextManager[object]) -> None:
        """Write what an element holds, in these contexts."""
        ended = ExitStack()
        for context in around:
            ended.enter_context(context)
        self._todo.append(ended.close)
        inner, part = [], node.first_child
        while part is not None:
            inner.append(partial(self._node, part))
            part = part.next
        self._todo += reversed(inner)

    def _holding(self, node: LexborNode, *around: AbstractContextManager[object]) -> None:
        """Write what a caption or table holds."""
        self._held += 1
        self._todo.append(self._let_go)
        self._within(node, *around)

    def _let_go(self) -> None:
        self._held -= 1

    def _block(self, node: LexborNode, name: str) -> None:
        end = partial(self.builder.flow, " ") if self._grids else self.builder.line if name in _LINES else None
        divide = end or self.builder.paragraph
        divide()
        self._todo.append(divide)
        self._within(node)

    def _heading(self, node: LexborNode, name: str) -> None:
        """Begin the section of a heading. The first `h1` is the title of the page, unless it names a role itself."""
        level, title = _LEVELS[name], _text(node)
        if not title:
            return
        while self._headings and self._headings[-1][0] >= level:
            self.builder.closed(self._headings.pop()[1])
        outer = self._headings[-1][1].role if self._headings else None
        told = role_within(title, "", outer)
        is_title = level == 1 and not self._titled and told in (None, "other")
        role: Role = "title" if is_title else told or "other"
        draft = self.builder.opened(role, "" if is_title else title[:_LONGEST_TITLE])
        if is_title:
            self._titled = True
            self._todo.append(partial(self.builder.closed, draft))
        else:
            self._headings.append((level, draft))
        self._within(node, self.builder.headed())

    def _table(self, node: LexborNode) -> None:
        """A table of data: its caption is a section within its own, its cells are divided by tabs."""
        caption = next((_text(part) for part in node.css("caption")), "")
        draft = self.builder.opened("table", caption[:_LONGEST_TITLE])
        grid = Grid(self.builder)
        self._grids.append(grid)
        self._todo.append(partial(self._table_ended, grid, draft, caption))
        self._holding(node)

    def _table_ended(self, grid: Grid, draft: Draft, caption: str) -> None:
        self._grids.pop()
        self.builder.closed(draft)
        if grid.head or grid.body:
            self.builder.table(draft, "", caption, grid.head, grid.body)

    def _row(self, node: LexborNode) -> None:
        grid = self._grids[-1]
        grid.begin_row()
        cells = [part.tag for part in node.iter() if part.tag in ("td", "th")]
        in_head = node.parent is not None and node.parent.tag == "thead"
        heading = in_head or (bool(cells) and all(tag == "th" for tag in cells))
        self._todo.append(partial(grid.end_row, heading=heading))
        self._within(node)

    def _cell(self, node: LexborNode) -> None:
        grid = self._grids[-1]
        start = grid.begin_cell()
        attributes = node.attributes
        self._todo.append(partial(grid.end_cell, start, attributes.get("colspan"), attributes.get("rowspan")))
        self._within(node)


def _text(node: LexborNode) -> str:
    """The text of an element on one line."""
    return " ".join(node.text(deep=True).split())


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if "hidden" in attributes:
        return True
    style = "".join((attributes.get("style") or "").lower().split())
    return bool(style and _HIDING.search(style))


def _holds_data(table: LexborNode) -> bool:
    """Whether a table is one of data, not one that lays out a page: no table in it, and no headings in its cells."""
    inner = any(other.mem_id != table.mem_id for other in table.css("table"))
    headed = table.css("td h1, td h2, td h3, td h4, td h5, td h6")
    return not inner and not headed and table.attributes.get("role") != "presentation"
