"""A design as a Word document (DOCX): the same view as the page's, its proposal mark in the header of every page."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from backedge.evidence.exporting.cited import Cited
from backedge.evidence.exporting.design_markdown import FACET_TITLES, about, numbered, place, question_lines
from backedge.evidence.exporting.design_view import DesignView, ShownApproach, ShownSection
from backedge.kernel.defect import Permanent

FIXED = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip can hold: that of the export would make every file another
_LINE_ENDS = re.compile(r"\r\n?")
_NO_XML = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
REPLACED = "\ufffd"


def design_docx(view: DesignView) -> bytes:
    """The document, the same bytes for the same view.

    Characters that XML cannot hold become U+FFFD, and the document says so; line ends of all kinds are line breaks.
    Raises `Permanent` where the library is missing.
    """
    try:
        import docx
    except ImportError as missing:
        said = f"a Word document needs the extra `docx` ({missing.name} is not installed)"
        raise Permanent(said, mend="pip install 'backedge[docx]'") from missing
    written = _Document(docx.Document())
    written.fill(view)
    out = io.BytesIO()
    written.document.save(out)
    return _dated(out.getvalue())


def _dated(content: bytes) -> bytes:
    """The same zip with one fixed moment for all of its members."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            member = zipfile.ZipInfo(name, FIXED)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o600 << 16
            new.writestr(member, old.read(name))
    return out.getvalue()


class _Document:
    """A document in the making. Every text of it goes through `_text`, which counts what XML cannot hold."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self._replaced = 0

    def fill(self, view: DesignView) -> None:
        """All of the view, what speaks against it first."""
        self._about(view)
        self.document.add_heading(self._text(view.title), 0)
        self._line(("", view.mark, True))
        self._warnings("What changed since under what this design cites:", view.stale)
        self._warnings("Links that do not hold:", view.problems)
        newest = "" if view.version == view.newest else f"; the newest is {view.newest}"
        written = f", written {view.at}" if view.at else ""
        self._line(("", f"Version {view.version}{written}{newest}. Investigation {view.investigation}.", False))
        if view.request:
            self._line((f"Request by {view.by}: ", view.request, False))
        for number, section in enumerate(view.sections, 1):
            self._section(number, section)
        self._facets(view)
        self._approaches(view)
        self._questions(view)
        self._heading("References")
        for each in view.references:
            self._reference(each.number, each.cited)
        self._approvals(view)
        if self._replaced:
            said = f"{self._replaced} characters that a Word document cannot hold are shown as {REPLACED}; "
            self._line(("", f"{said}the Markdown and the JSON of this design have them.", False))

    def _about(self, view: DesignView) -> None:
        properties = self.document.core_properties
        properties.title, properties.author, properties.comments = self._text(view.title)[:255], "backedge", ""
        made = datetime.fromisoformat(view.at).astimezone(UTC) if view.at else datetime(*FIXED, tzinfo=UTC)
        properties.created = properties.modified = made.replace(tzinfo=None)
        self.document.sections[0].header.paragraphs[0].text = self._text(f"{view.mark} · version {view.version}")

    def _section(self, number: int, section: ShownSection) -> None:
        self._heading(f"{number} {section.title}")
        text = "".join(f"{each.text}{numbered(each.references)}{each.gap}" for each in section.sentences)
        for paragraph in re.split(r"\n\s*\n", text.strip()):
            self._line(("", paragraph, False))

    def _facets(self, view: DesignView) -> None:
        self._heading("Facets accounted for")
        rows = [("Facet", "Value", "Standing", "How the design meets it")]
        rows += [
            (
                FACET_TITLES[facet.name],
                "; ".join(facet.values) or "not stated",
                f"{facet.importance}, {facet.confirmation}{', left open on purpose' if facet.flagged else ''}",
                facet.how or "not named by the design",
            )
            for facet in view.facets
        ]
        self._table(rows)
        for name, why in view.uninvestigated:
            self._line((f"Not investigated, {name}: ", why, False), "List Bullet")

    def _approaches(self, view: DesignView) -> None:
        if view.chosen is None:
            return
        self._heading("Approaches")
        self._approach(f"Chosen by {view.decided_by}: ", view.chosen, "Why: ")
        for each in view.rejected:
            self._approach("Rejected: ", each, "Because: ")
        self._line(("", view.comparison, False))

    def _approach(self, what: str, approach: ShownApproach, why: str) -> None:
        self._line((f"{what}{approach.title}. ", approach.summary, False))
        if approach.reason:
            self._line((why, approach.reason, False), "List Bullet")
        for text, on in approach.assumptions:
            self._line(("Assumes: ", f"{text} (rests on {on})", False), "List Bullet")

    def _questions(self, view: DesignView) -> None:
        if view.questions:
            self._heading("Whether the evidence suffices")
        for question in view.questions:
            self._line(("", question.text, True))
            for name, text in question_lines(question):
                self._line((f"{name}: ", text, False), "List Bullet")

    def _reference(self, number: int, cited: Cited) -> None:
        self._line((f"[{number}] ", cited.statement, False))
        self._line(("", about(cited), False))
        for span in cited.spans:
            wrong = f" [{span.problem}]" if span.problem else ""
            self._line(("", f"“{span.exact}”{wrong} ({place(span)})", False), "List Bullet")

    def _approvals(self, view: DesignView) -> None:
        self._heading("Approvals")
        rows = [("Version", "Decision", "By", "When", "Why")]
        for each in view.approvals:
            what = "approved" if each.approved else f"changes requested: {'; '.join(each.changes)}"
            rows.append((str(each.version), what, each.by, each.at, each.rationale))
        if len(rows) == 1:
            self._line(("", "Nothing was decided on it.", False))
        else:
            self._table(rows)

    def _warnings(self, title: str, sentences: tuple[str, ...]) -> None:
        if sentences:
            self._line(("", title, True))
        for sentence in sentences:
            self._line(("", sentence, False), "List Bullet")

    def _heading(self, text: str) -> None:
        self.document.add_heading(self._text(text), 1)

    def _line(self, parts: tuple[str, str, bool], style: str | None = None) -> None:
        """A paragraph: what it is (bold), its text, and whether that is bold too."""
        what, text, strong = parts
        paragraph = self.document.add_paragraph(style=style)
        if what:
            paragraph.add_run(self._text(what)).bold = True
        paragraph.add_run(self._text(text)).bold = strong or None

    def _table(self, rows: Iterable[tuple[str, ...]]) -> None:
        listed = list(rows)
        table = self.document.add_table(len(listed), len(listed[0]), "Table Grid")
        for row, cells in zip(listed, table.rows, strict=True):
            for text, cell in zip(row, cells.cells, strict=True):
                cell.text = self._text(text)

    def _text(self, text: str) -> str:
        found, replaced = _NO_XML.subn(REPLACED, _LINE_ENDS.sub("\n", text))
        self._replaced += replaced
        return found
