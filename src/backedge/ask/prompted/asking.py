"""A model's questions to the person, as the stages ask them: each with its suggestions and the kind of its answer."""

from __future__ import annotations

from collections.abc import Iterable

from backedge.ask.intent import Ambiguous, Option, Questions
from backedge.ask.prompted.replies import OpenQuestion


def asked(questions: Iterable[OpenQuestion]) -> Questions:
    """The questions; a gate judges whether they can be asked."""
    return Questions(tuple(map(_ambiguous, questions)))


def _ambiguous(question: OpenQuestion) -> Ambiguous:
    options = tuple(Option(text, text) for text in question.suggestions)
    slot = " ".join(question.slot.split())
    return Ambiguous(slot, slot, question.prompt, options, answers=question.answers, default=question.default)
