"""Writes the sections of a JATS article with their roles: prose, captions, tables, boxes, supplements, references."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from backedge.adapters.reading.building import Builder, Draft
from backedge.adapters.reading.grids import Grid
from backedge.adapters.reading.markup import child, children, local, plain
from backedge.adapters.reading.prose import DROPPED, FLOATS, Prose, best
from backedge.adapters.reading.roles import role_within
from backedge.evidence.reading import Role

_SECTIONS = frozenset(["sec", "app", "app-group", "ack", "ref-list", "fn-group", "glossary", "notes", "bio"])
_ROLES: dict[str, Role] = {
    "ref-list": "references",
    "ack": "other",
    "app": "other",
    "app-group": "other",
    "fn-group": "other",
    "glossary": "other",
    "notes": "other",
    "bio": "other",
    "supplementary-material": "caption",
    "media": "caption",
}
_OF_ANY_ARTICLE = ("other", "references")


@dataclass
class Body:
    """Writes what holds blocks. `apart`: within a sub-article, such as a review: nothing there is a result of this."""

    prose: Prose
    apart: bool = False

    @property
    def builder(self) -> Builder:
        """What all is written to."""
        return self.prose.builder

    def role(self, role: Role | None) -> Role:
        """A role as it counts here."""
        return "other" if role is None or (self.apart and role not in _OF_ANY_ARTICLE) else role

    def blocks(
        self, holder: etree._Element | None, role: Role | None, written: tuple[str, ...] = (), lead: Role | None = None
    ) -> None:
        """The blocks within `holder` but for those `written` already. Floats stand behind the paragraphs around them.

        So no float divides what was written as one text; sub-sections come behind both. `lead` is the role of what
        stands before the first sub-section, where that is a section of its own.
        """
        if holder is None:
            return
        before = self.builder.opened(self.role(lead)) if lead else None
        self.prose.text(holder.text)
        for part in holder:
            if before and local(part) in _SECTIONS:
                self.floats(lead)
                self.builder.closed(before)
            if local(part) not in written:
                self.part(part, role)
            self.prose.text(part.tail)
        self.floats(role)
        if before:
            self.builder.closed(before)

    def floats(self, role: Role | None) -> None:
        """Write the floats that wait, and those that they hold."""
        while self.prose.floats:
            waiting, self.prose.floats = self.prose.floats, []
            for part in waiting:
                if local(part) in ("table-wrap", "table-wrap-group"):
                    self._table_wrap(part, role)
                elif local(part) in ("fig", "fig-group"):
                    self._figure(part, role)
                elif local(part) == "fn":
                    self.prose.note(part)
                else:
                    self._held(part, role)

    def part(self, part: etree._Element, role: Role | None) -> None:
        """Write one block; floats are put off."""
        name = local(part)
        if name == "fn":
            self.prose.note(part)
        elif name in FLOATS:
            self.prose.floats.append(part)
        elif name in _SECTIONS:
            self.floats(role)
            self._held(part, role)
        elif name == "table":
            self._rows(part)
        elif name not in DROPPED:
            between, self.prose.floats = self.prose.floats, []
            self.prose.part(part)
            self.floats(role)
            self.prose.floats = between

    def _held(self, part: etree._Element, role: Role | None) -> None:
        """A section of its own, whose role its name, its type, its heading or what holds it tells."""
        name = local(part)
        title, label = _title_of(part), plain(child(part, "label"))
        told = _ROLES.get(name) or role_within(title, part.get("sec-type") or "", role)
        inner = self.role(told)
        with self.builder.section(inner, title, "" if name == "sec" else label):
            self.headed(part)
            self.blocks(child(part, "caption"), inner, ("title",))
            self.blocks(part, inner, ("title", "label", "caption"))

    def headed(self, part: etree._Element) -> None:
        """The heading of a section: its label and its title, or that of its caption."""
        pieces = [child(part, "label"), _heading(part)]
        if any(piece is not None for piece in pieces):
            with self.builder.headed():
                for piece in pieces:
                    if piece is not None:
                        self.prose.inner(piece)
                        self.builder.flow(" ")

    def _figure(self, part: etree._Element, role: Role | None) -> None:
        with self.builder.section(self.role("caption"), _title_of(part), plain(child(part, "label"))):
            self._caption(part)
            self.blocks(part, role, ("label", "caption"))

    def _table_wrap(self, part: etree._Element, role: Role | None) -> None:
        """The caption is a section within that of the table, so that its rows and notes stand by themselves."""
        title, label = _title_of(part), plain(child(part, "label"))
        with self.builder.section(self.role("table"), title, label) as draft:
            with self.builder.section(self.role("caption"), title, label) as caption:
                self._caption(part)
            said = self.builder.since(caption.start).strip()
            for inner in part:
                table = best(inner) if local(inner) == "alternatives" else inner
                if local(table) == "table":
                    self._rows(table, draft, label, said)
                elif local(table) not in ("label", "caption"):
                    self.part(table, role)
                self.prose.text(inner.tail)
            self.floats(role)

    def _caption(self, part: etree._Element) -> None:
        self.headed(part)
        self.blocks(child(part, "caption"), "caption", ("title",))

    def _rows(self, table: etree._Element, section: Draft | None = None, label: str = "", caption: str = "") -> None:
        """The rows of a table as lines; what holds no rows of its own, such as columns, is dropped."""
        grid = Grid(self.builder)
        self.builder.paragraph()
        for in_head, row in _rows_of(table):
            cells = children(row, "td", "th")
            grid.begin_row()
            for cell in cells:
                start = grid.begin_cell()
                self.prose.cell(cell)
                grid.end_cell(start, cell.get("colspan"), cell.get("rowspan"))
            grid.end_row(heading=in_head or all(local(cell) == "th" for cell in cells))
        self.builder.paragraph()
        if section is not None and not self.apart and (grid.head or grid.body):
            self.builder.table(section, label, caption, grid.head, grid.body)


def _rows_of(table: etree._Element) -> list[tuple[bool, etree._Element]]:
    """The rows of a table, each with whether it stands in `thead`."""
    rows = []
    for part in table:
        if local(part) == "tr":
            rows.append((False, part))
        elif local(part) in ("thead", "tbody", "tfoot"):
            rows += [(local(part) == "thead", row) for row in children(part, "tr")]
    return rows


def _heading(part: etree._Element) -> etree._Element | None:
    title = child(part, "title")
    return title if title is not None else child(part, "caption", "title")


def _title_of(part: etree._Element) -> str:
    return plain(_heading(part))
