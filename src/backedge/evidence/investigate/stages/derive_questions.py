"""Deriving questions: every mandatory facet is investigated by one, or named as uninvestigated with the reason."""

from __future__ import annotations

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.coverage import ill_formed, uncovered
from backedge.evidence.inquire.states import Inquiry
from backedge.evidence.inquiry import DerivedQuestions
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.investigate.states import AwaitingInquiries, DerivingQuestions
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Child, Lesson, Reply, Settled, Stage, Unreadable

INQUIRE = "inquire"


async def propose(
    state: DerivingQuestions, ports: InvestigatePorts, lesson: Lesson
) -> Reply[DerivedQuestions] | Unreadable:
    """Questions linked to facets, with the fields of an answer."""
    if ports.requests is None:
        raise Permanent("questions need a model for the role `request`", mend=ports.mends["request"])
    return await ports.requests.questions(state.facets, lesson)


def mandatory_facets_are_covered(state: DerivingQuestions, derived: DerivedQuestions) -> Defect | None:
    """A mandatory facet that no question investigates, and that is not named as uninvestigated, is a coverage gap."""
    missing = uncovered(state.facets, derived)
    if not missing:
        return None
    hint = "ask a question that investigates each, or name it under `uninvestigated` with the reason"
    return Defect("coverage_gap", f"not investigated: {', '.join(missing)}", "questions", hint)


def questions_are_whole(state: DerivingQuestions, derived: DerivedQuestions) -> Defect | None:
    """Each question has a text, facets that there are, answer fields, and the one decision that it serves."""
    return ill_formed(state.facets, derived)


def settle(state: DerivingQuestions, derived: DerivedQuestions) -> Settled[AwaitingInquiries]:
    """Each question is inquired by a run of its own."""
    request = state.request
    record = kinds.QUESTIONS.record(kinds.Questions(request.key, derived.questions, derived.uninvestigated))
    children = tuple(
        Child(INQUIRE, Inquiry(f"{request.key}/{q.key}", q, request.by), {"asked": q.text[:200], "question": q.key})
        for q in derived.questions
    )
    return Settled(AwaitingInquiries(request, state, derived), records=(record,), children=children)


def inputs(state: DerivingQuestions) -> object:
    """What the questions depend on."""
    return state.facets


DERIVING_QUESTIONS = Stage(
    state=DerivingQuestions,
    proposal=DerivedQuestions,
    propose=propose,
    settle=settle,
    gates=(questions_are_whole, mandatory_facets_are_covered),
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.requests.settings if ports.requests else None,
    model="request",
    varies=True,
)
