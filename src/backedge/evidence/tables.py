"""The tables of an investigation as a project has them: their names are fixed, what they ask and are titled is not."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.designs import CRITERIA, SECTIONS, Criterion, CriterionRow, SectionName, SectionRow
from backedge.evidence.facets import FACETS, FacetName, FacetRow, Importance

RANKS: tuple[Importance, ...] = ("optional", "important", "mandatory")


@dataclass(frozen=True)
class Tables:
    """The eight facets, the eight criteria and the twelve sections, each in its fixed order."""

    facets: tuple[FacetRow, ...] = FACETS
    criteria: tuple[CriterionRow, ...] = CRITERIA
    sections: tuple[SectionRow, ...] = SECTIONS

    def facet(self, name: FacetName) -> FacetRow:
        """The row of a facet."""
        return next(row for row in self.facets if row.name == name)

    def criterion(self, name: Criterion) -> CriterionRow:
        """The row of a criterion."""
        return next(row for row in self.criteria if row.name == name)

    def section(self, name: SectionName) -> SectionRow:
        """The row of a section."""
        return next(row for row in self.sections if row.name == name)


USUAL = Tables()


def is_lower(importance: Importance, than: Importance) -> bool:
    """Whether an importance ranks below another."""
    return RANKS.index(importance) < RANKS.index(than)
