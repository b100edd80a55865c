"""The investigate workflow: a request, until a design is approved."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.evidence.investigate.stages.await_approval import AWAITING_APPROVAL
from backedge.evidence.investigate.stages.await_decision import AWAITING_DECISION
from backedge.evidence.investigate.stages.await_facets import AWAITING_FACETS
from backedge.evidence.investigate.stages.await_inquiries import AWAITING_INQUIRIES
from backedge.evidence.investigate.stages.derive_questions import DERIVING_QUESTIONS
from backedge.evidence.investigate.stages.design import DESIGNING
from backedge.evidence.investigate.stages.extract_facets import EXTRACTING_FACETS
from backedge.evidence.investigate.stages.package import PACKAGING
from backedge.evidence.investigate.stages.propose_candidates import PROPOSING
from backedge.evidence.investigate.stages.round_trip import ROUND_TRIPPING
from backedge.evidence.investigate.states import (
    Approved,
    AwaitingApproval,
    AwaitingDecision,
    AwaitingFacets,
    AwaitingInquiries,
    DerivingQuestions,
    Designing,
    ExtractingFacets,
    Packaging,
    Proposing,
    Request,
    RoundTripping,
)
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow


def begin(request: Request, context: Context) -> ExtractingFacets:
    """Every investigation starts with its request."""
    return ExtractingFacets(request)


def outcome(end: Approved) -> dict[str, JsonValue]:
    """What a parent is told."""
    return {"investigation": end.request.key, "version": end.design.version}


INVESTIGATE = Workflow(
    name="investigate",
    start=ExtractingFacets,
    edges={
        ExtractingFacets: (RoundTripping,),
        RoundTripping: (AwaitingFacets,),
        AwaitingFacets: (AwaitingFacets, RoundTripping, DerivingQuestions),
        DerivingQuestions: (AwaitingInquiries,),
        AwaitingInquiries: (AwaitingInquiries, Packaging),
        Packaging: (Proposing,),
        Proposing: (AwaitingDecision,),
        AwaitingDecision: (Designing,),
        Designing: (AwaitingApproval,),
        AwaitingApproval: (Approved, Designing),
    },
    stages=(
        EXTRACTING_FACETS,
        ROUND_TRIPPING,
        AWAITING_FACETS,
        DERIVING_QUESTIONS,
        AWAITING_INQUIRIES,
        PACKAGING,
        PROPOSING,
        AWAITING_DECISION,
        DESIGNING,
        AWAITING_APPROVAL,
    ),
    begin=begin,
    outcome=outcome,
)
