"""The question before, as a model is told it: its words, its reading and its request, as far as they may be seen."""

from __future__ import annotations

from dataclasses import asdict

from backedge.agent.blocks import as_json
from backedge.ask.prompted.hiding import Hiding
from backedge.ask.states import Question


def told_before(question: Question, hiding: Hiding) -> str:
    """What a follow-up may keep; nothing where a question follows none."""
    before = question.before
    if before is None:
        return ""
    typed = f"{question.text} {before.question}"
    spec = hiding.spec(before.spec, typed) if before.spec else None
    given = {name: value for name, value in asdict(spec).items() if value} if spec else {}
    reading = hiding.text(before.reading, before.spec, typed)
    return as_json({"question": before.question, "reading": reading, "request": given})
