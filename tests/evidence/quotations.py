"""A text of one section (or more) and its quotations, for the tests of the one matcher."""

from __future__ import annotations

from backedge.evidence.places import LocatedText
from backedge.evidence.reading import Reading, Role, Section
from backedge.evidence.records import Quotation, Span
from backedge.evidence.spans import located
from backedge.kernel.defect import Defect


def reading(*parts: str, roles: tuple[Role, ...] = ()) -> Reading:
    """A text of these parts, one section each: s1, s2, …"""
    sections, at = [], 0
    for number, part in enumerate(parts):
        role = roles[number] if roles else "results"
        sections.append(Section(f"s{number + 1}", role, "", at, at + len(part)))
        at += len(part) + 1
    return Reading("\n".join(parts), tuple(sections), "test/1")


def locate(text: str, quote: str, prefix: str = "", suffix: str = "") -> tuple[Span, ...] | Defect:
    """The quotation in a text of one section."""
    return located(LocatedText(reading(text)), Quotation("s1", quote, prefix, suffix), version="v", text_hash="t")


def exact(text: str, quote: str, prefix: str = "", suffix: str = "") -> list[str] | str:
    """The exact words of its spans, or the kind of the defect."""
    found = locate(text, quote, prefix, suffix)
    if isinstance(found, Defect):
        return found.kind
    for span in found:
        assert text[span.start : span.end] == span.exact
    return [span.exact for span in found]
