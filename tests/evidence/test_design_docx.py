"""A design as a Word document, opened again with the library: quotations, marks, and the same bytes each time."""

from __future__ import annotations

import io
import sys
import zipfile
from dataclasses import replace
from functools import cache
from typing import Any

import docx
import pytest

from backedge.assembling.design_docx import design_docx
from backedge.evidence.exporting.design_view import PROPOSAL, DesignView, design_view
from backedge.kernel.defect import Permanent
from tests.evidence.investigated import KEY, approved
from tests.evidence.outside import NAUSEA, PAIN
from tests.evidence.shelf import go


def view_of(version: int | None = None) -> DesignView:
    shelf = approved()
    return go(design_view(KEY, shelf.library, shelf.contents, version))


@cache
def opened(view: DesignView) -> Any:
    """The document as the library reads it; made once for each view, for making one is slow."""
    return docx.Document(io.BytesIO(design_docx(view)))


def lines(document: Any) -> list[str]:
    return [paragraph.text for paragraph in document.paragraphs]


def quoting(view: DesignView, *quotations: str) -> DesignView:
    """The view with these quotations under its first reference."""
    first, *others = view.references
    spans = tuple(replace(first.cited.spans[0], exact=exact) for exact in quotations)
    return replace(view, references=(replace(first, cited=replace(first.cited, spans=spans)), *others))


def test_quotations_sections_and_references_are_there() -> None:
    document = opened(view_of())
    found = lines(document)
    assert any(line.startswith(f"“{NAUSEA}” (section s4") for line in found)
    assert any(line.startswith(f"“{PAIN}” (section s4") for line in found)
    assert f"Two studies bear on it. One study says “{NAUSEA}” [1] Pain was lower. [2]" in found
    assert [line for line in found if line.startswith(("1 ", "12 "))] == [
        "1 Question and hypothesis",
        "12 Limitations, assumptions, uninvestigated facets, registration and data",
    ]
    facets, approvals = document.tables
    assert [row.cells[0].text for row in facets.rows][1:3] == ["objective", "condition"]
    assert [row.cells[1].text for row in approvals.rows][1:] == ["changes requested: say how many rats", "approved"]


@pytest.mark.parametrize(("version", "mark"), [(1, PROPOSAL), (2, "Approved by rita on 2026-11-30T12:00:00+00:00")])
def test_the_mark_is_in_the_header_of_every_page_and_in_the_text(version: int, mark: str) -> None:
    document = opened(view_of(version))
    assert document.sections[0].header.paragraphs[0].text.startswith(mark)
    assert not document.sections[0].different_first_page_header_footer
    assert any(line.startswith(mark) for line in lines(document))


def test_quotations_are_intact_and_what_xml_cannot_hold_is_said() -> None:
    intact = ("a  b\tc", "two\nlines", "<w:p>&amp;</w:p> ]]>", " spaces ", "p < 0.05 𝛼 é", "_x000D_")
    found = lines(opened(quoting(view_of(), *intact, "line\ufffeend\x0c of\x00 it", "a\r\nb\rc")))
    for exact in (*intact, "line\ufffdend\ufffd of\ufffd it", "a\nb\nc"):
        assert any(line.startswith(f"“{exact}” (section") for line in found)
    assert found[-1].startswith("3 characters that a Word document cannot hold")
    assert "cannot hold" not in lines(opened(view_of()))[-1]


def test_the_same_design_gives_the_same_bytes_with_no_moment_of_the_export() -> None:
    view = view_of()
    made = design_docx(view)
    assert made == design_docx(view)
    assert {info.date_time for info in zipfile.ZipFile(io.BytesIO(made)).infolist()} == {(1980, 1, 1, 0, 0, 0)}
    written = docx.Document(io.BytesIO(made)).core_properties
    assert (written.author, str(written.created), written.created) == (
        "backedge",
        "2026-11-30 12:00:00+00:00",
        written.modified,
    )


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of()
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(Permanent, match="extra `docx`") as refused:
        design_docx(view)
    assert refused.value.mend == "pip install 'backedge[docx]'"
