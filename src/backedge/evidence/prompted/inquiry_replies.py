"""What is replied in an inquiry: a search plan, assessments of records by their handles, and what they come to."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from backedge.evidence.inquiry import (
    Applicability,
    Relationship,
    SearchPlan,
    SearchQuery,
    Sufficiency,
    SufficiencyStatus,
)
from backedge.evidence.prompted.replies import Reason, Shape, Text

MOST_QUERIES = 4
MOST_TARGETS = 8
MOST_ASSESSED = 40
MOST_NAMED = 8


class Planned(Shape):
    """A search plan: queries of words and of meaning, the same for later rounds, where, and when to stop."""

    lexical: tuple[Text, ...] = Field((), max_length=MOST_QUERIES, description="queries of a few words")
    semantic: tuple[Text, ...] = Field((), max_length=MOST_QUERIES, description="sentences, as a result is told")
    wider_lexical: tuple[Text, ...] = Field((), max_length=MOST_QUERIES)
    wider_semantic: tuple[Text, ...] = Field((), max_length=MOST_QUERIES)
    targets: tuple[Text, ...] = Field((), max_length=MOST_TARGETS)
    stopping: Text = Field("", description="when enough is found, in one sentence")

    def plan(self) -> SearchPlan:
        """As the rest of the program has it; the same query twice is one."""
        queries = (*_queries(self.lexical, "lexical"), *_queries(self.semantic, "semantic"))
        wider = (*_queries(self.wider_lexical, "lexical"), *_queries(self.wider_semantic, "semantic"))
        expansions = tuple(query for query in wider if query not in queries)
        return SearchPlan(queries, tuple(dict.fromkeys(self.targets)), expansions, self.stopping)


def _queries(texts: tuple[str, ...], arm: Literal["lexical", "semantic"]) -> tuple[SearchQuery, ...]:
    return tuple(SearchQuery(text, arm) for text in dict.fromkeys(texts) if text)


Short = Annotated[Text, Field(max_length=120)]


class ShortPlanned(Planned):
    """The same for a small model, which repeats itself where nothing bounds it."""

    lexical: tuple[Short, ...] = Field((), max_length=MOST_QUERIES)
    semantic: tuple[Short, ...] = Field((), max_length=MOST_QUERIES)
    wider_lexical: tuple[Short, ...] = Field((), max_length=MOST_QUERIES)
    wider_semantic: tuple[Short, ...] = Field((), max_length=MOST_QUERIES)
    targets: tuple[Short, ...] = Field((), max_length=MOST_TARGETS)
    stopping: Short = ""


class AssessedSaid(Shape):
    """One record: the reason before what follows from it."""

    record: Text = Field(description="its handle, such as rec_1")
    reason: Reason
    relationship: Relationship
    applicability: Applicability


class AssessmentsSaid(Shape):
    """One for each record that is shown."""

    assessments: tuple[AssessedSaid, ...] = Field((), max_length=MOST_ASSESSED)


class Weighed(Shape):
    """What the records come to: what they cover, what is taken for granted, what is missing, and at last the status."""

    coverage: Reason
    assumptions: tuple[Reason, ...] = Field((), max_length=MOST_NAMED)
    critical_gaps: tuple[Reason, ...] = Field((), max_length=MOST_NAMED)
    status: SufficiencyStatus

    def sufficiency(self) -> Sufficiency:
        """As the rest of the program has it. What rests on one record is no model's to say."""
        return Sufficiency(self.status, self.assumptions, self.critical_gaps, self.coverage)
