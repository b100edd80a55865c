"""The rules of a design without its sources: its twelve sections, and the facets that it must account for."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.evidence.chances import chances_in
from backedge.evidence.designs import SECTIONS, Design
from backedge.evidence.facets import Facet
from backedge.kernel.defect import Defect

EVIDENCE = "evidence_basis"


def sections_missing(design: Design) -> Defect | None:
    """All twelve sections in the order of their table, none empty."""
    wanted = [row.name for row in SECTIONS]
    names = [section.name for section in design.sections]
    missing = [name for name in wanted if names.count(name) != 1]
    if missing:
        return Defect("sections_missing", f"not once: {', '.join(missing)}", "sections", "write each section once")
    if names != wanted:
        return Defect("sections_out_of_order", "the sections are not in their order", "sections", ", ".join(wanted))
    empty = [section.name for section in design.sections if not section.text.strip()]
    if empty:
        hint = "say what is not known, where it is not"
        return Defect("sections_empty", f"empty: {', '.join(empty)}", "sections", hint)
    return None


def nothing_cited(design: Design) -> Defect | None:
    """The section on the evidence cites at least one record: with none there is nothing that was checked."""
    basis = [section for section in design.sections if section.name == EVIDENCE]
    if any(citation.records for section in basis for citation in section.citations):
        return None
    hint = "cite records of the packages, those that contradict among them"
    return Defect("nothing_cited", f"{EVIDENCE} cites no record", f"sections.{EVIDENCE}", hint)


def unaccounted(facets: Sequence[Facet], design: Design) -> Defect | None:
    """Every mandatory facet is named with how the design meets it, or why it stays open; every flagged one too."""
    named = {name for name, how in design.facets if how.strip()}
    missing = [f.name for f in facets if (f.importance == "mandatory" or f.flagged) and f.name not in named]
    if not missing:
        return None
    hint = "say for each how the design meets it, or that it is left open and why"
    return Defect("facets_unaccounted", f"not accounted for: {', '.join(missing)}", "facets", hint)


def chance_stated(design: Design) -> Defect | None:
    """Words of a section that say how likely the design is to succeed; what a study can detect may be said."""
    texts = (*((section.name, section.text) for section in design.sections), *design.facets)
    found = [(where, chance.words) for where, text in texts for chance in chances_in(text)]
    if not found:
        return None
    said = "; ".join(f"{words!r} in {name}" for name, words in found)
    hint = "leave it out; what a study can detect is said as its power, such as: a power of 80%"
    return Defect("chance_of_success", f"a chance of success is stated: {said}", found[0][0], hint)
