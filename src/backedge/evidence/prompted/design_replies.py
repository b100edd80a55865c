"""What the design agent replies: approaches rated on eight criteria, and twelve sections made of cited sentences."""

from __future__ import annotations

from pydantic import Field

from backedge.evidence.designs import Rating
from backedge.evidence.prompted.replies import Reason, Shape, Text

MOST_APPROACHES = 6
MOST_ASSUMPTIONS = 12
MOST_CITED = 12
MOST_SENTENCES = 40

Handle = Text


class AssumptionSaid(Shape):
    """Something that is taken for granted."""

    text: Reason
    rests_on: Reason


class RatedSaid(Shape):
    """One criterion: the rationale and its records before the rating."""

    rationale: Reason
    records: tuple[Handle, ...] = Field((), max_length=MOST_CITED)
    rating: Rating


class RatingsSaid(Shape):
    """The eight criteria, each once."""

    evidence_support: RatedSaid
    model_relevance: RatedSaid
    internal_validity: RatedSaid
    sensitivity: RatedSaid
    feasibility: RatedSaid
    ethics_and_welfare: RatedSaid
    time: RatedSaid
    cost: RatedSaid


class ApproachSaid(Shape):
    """One approach."""

    title: Text
    summary: Reason
    records: tuple[Handle, ...] = Field((), max_length=MOST_CITED)
    assumptions: tuple[AssumptionSaid, ...] = Field((), max_length=MOST_ASSUMPTIONS)
    ratings: RatingsSaid


class CandidatesSaid(Shape):
    """Approaches that differ, and in what."""

    approaches: tuple[ApproachSaid, ...] = Field((), max_length=MOST_APPROACHES)
    comparison: Reason


class SentenceSaid(Shape):
    """A sentence, and the handles of the records that say it; none where it plans or explains."""

    text: Reason
    records: tuple[Handle, ...] = Field((), max_length=MOST_CITED)


class SectionSaid(Shape):
    """One section, sentence by sentence."""

    sentences: tuple[SentenceSaid, ...] = Field((), max_length=MOST_SENTENCES)


class FacetsMet(Shape):
    """How the design meets each facet, or why it leaves it open."""

    objective: Reason = ""
    condition: Reason = ""
    model_system: Reason = ""
    intervention: Reason = ""
    comparator: Reason = ""
    endpoint: Reason = ""
    timing: Reason = ""
    constraints: Reason = ""


class DesignSaid(Shape):
    """The twelve sections in their order, and what becomes of the facets."""

    question_and_hypothesis: SectionSaid
    evidence_basis: SectionSaid
    chosen_approach: SectionSaid
    model_system: SectionSaid
    groups_and_intervention: SectionSaid
    endpoints: SectionSaid
    sample_size: SectionSaid
    allocation_and_blinding: SectionSaid
    procedures: SectionSaid
    analysis: SectionSaid
    ethics: SectionSaid
    limitations: SectionSaid
    facets: FacetsMet
