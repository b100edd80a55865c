"""Whether questions cover the facets: every mandatory one is investigated, or named as uninvestigated with why."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.evidence.facets import Facet
from backedge.evidence.inquiry import DerivedQuestions
from backedge.kernel.defect import Defect

MOST_QUESTIONS = 200


def uncovered(facets: Sequence[Facet], derived: DerivedQuestions) -> tuple[str, ...]:
    """Mandatory facets that no question investigates and that are not named as uninvestigated with a reason."""
    asked = {name for question in derived.questions for name in question.facets}
    named = {name for name, reason in derived.uninvestigated if reason.strip()}
    return tuple(f.name for f in facets if f.importance == "mandatory" and f.name not in asked | named)


def ill_formed(facets: Sequence[Facet], derived: DerivedQuestions) -> Defect | None:
    """What is wrong with a question by itself: no text, no facet, no answer field, no decision, or a key twice."""
    names = {facet.name for facet in facets}
    keys = [question.key for question in derived.questions]
    if not derived.questions:
        return Defect("no_questions", "no question is derived", "questions", "ask at least one")
    if len(derived.questions) > MOST_QUESTIONS:
        said = f"{len(derived.questions)} questions; at most {MOST_QUESTIONS} are inquired"
        return Defect("too_many_questions", said, "questions", "put questions together")
    for question in derived.questions:
        wrong = [
            what
            for what, missing in (
                ("a text", not question.text.strip()),
                ("facets", not question.facets),
                ("answer fields", not any(field.strip() for field in question.answer_fields)),
                ("the decision that it serves", not question.decision.strip()),
                ("a key of its own", keys.count(question.key) != 1 or "/" in question.key or not question.key),
            )
            if missing
        ]
        strange = [name for name in question.facets if name not in names]
        if wrong or strange:
            said = f"question {question.key!r} lacks {', '.join(wrong)}" if wrong else f"no facets: {strange}"
            return Defect("question_not_whole", said, f"questions.{question.key}", "give each question all its fields")
    return None
