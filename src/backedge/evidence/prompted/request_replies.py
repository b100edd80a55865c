"""What the request agent replies: eight facets by their names, the request told again, and questions."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from backedge.evidence.facets import FACET_NAMES, FacetName, Importance, RoundTrip
from backedge.evidence.inquiry import DerivedQuestions, InvestigationQuestion, Wants
from backedge.evidence.investigate.ports import SaidFacet, SaidFacets, SaidValue
from backedge.evidence.prompted.replies import Reason, Shape, Text, Words

MOST_VALUES = 8
MOST_DIFFERENCES = 12
MOST_FIELDS = 8


class ValueSaid(Shape):
    """A value of a facet. That a reviewer said it is nothing a model can say."""

    quote: Words = Field("", description="words of the request, letter by letter, of an explicit value; else empty")
    text: Text = Field(description="the value, shortly")
    origin: Literal["explicit", "inferred", "default"]
    reason: Reason = Field("", description="from what it is inferred, or why it is usual; of an explicit one empty")


class FacetSaid(Shape):
    """One facet."""

    values: tuple[ValueSaid, ...] = Field((), max_length=MOST_VALUES)
    importance: Importance

    def said(self, name: FacetName) -> SaidFacet:
        """As the rest of the program has it."""
        values = tuple(SaidValue(each.text, each.origin, each.quote, each.reason) for each in self.values)
        return SaidFacet(name, self.importance, values)


class FacetsSaid(Shape):
    """The eight, each once."""

    objective: FacetSaid
    condition: FacetSaid
    model_system: FacetSaid
    intervention: FacetSaid
    comparator: FacetSaid
    endpoint: FacetSaid
    timing: FacetSaid
    constraints: FacetSaid

    def facets(self) -> SaidFacets:
        """In the order of their table."""
        named: dict[FacetName, FacetSaid] = {name: getattr(self, name) for name in FACET_NAMES}
        return SaidFacets(tuple(facet.said(name) for name, facet in named.items()))


class ToldAgain(Shape):
    """The round trip: the request told again before what differs."""

    reconstruction: Words
    contradictions: tuple[Reason, ...] = Field((), max_length=MOST_DIFFERENCES)
    omissions: tuple[Reason, ...] = Field((), max_length=MOST_DIFFERENCES)
    additions: tuple[Reason, ...] = Field((), max_length=MOST_DIFFERENCES)

    def round_trip(self) -> RoundTrip:
        """As the rest of the program has it."""
        return RoundTrip(self.reconstruction, self.omissions, self.additions, self.contradictions)


class WantsSaid(Shape):
    """What a record must be about to be direct evidence; empty where the facets leave it open."""

    species: Text = ""
    population: Text = ""
    treatment: Text = ""
    comparator: Text = ""
    endpoint: Text = ""


class QuestionSaid(Shape):
    """One question."""

    text: Reason
    facets: tuple[FacetName, ...] = Field((), max_length=len(FACET_NAMES))
    answer_fields: tuple[Text, ...] = Field((), max_length=MOST_FIELDS)
    decision: Reason = Field("", description="the one decision that the answer serves")
    wants: WantsSaid


class Uninvestigated(Shape):
    """A facet that no question investigates."""

    facet: FacetName
    reason: Reason


class QuestionsSaid(Shape):
    """The questions, and what none of them investigates."""

    questions: tuple[QuestionSaid, ...] = ()
    uninvestigated: tuple[Uninvestigated, ...] = Field((), max_length=len(FACET_NAMES))

    def derived(self) -> DerivedQuestions:
        """As the rest of the program has them, with keys by their order."""
        questions = tuple(
            InvestigationQuestion(
                f"q{number}",
                each.text,
                tuple(dict.fromkeys(each.facets)),
                each.answer_fields,
                each.decision,
                Wants(**each.wants.model_dump()),
            )
            for number, each in enumerate(self.questions, 1)
        )
        return DerivedQuestions(questions, tuple((each.facet, each.reason) for each in self.uninvestigated))
