"""The inquire workflow: one question, from its search plan to what its evidence comes to."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.evidence.inquire.stages.assess import ASSESSING
from backedge.evidence.inquire.stages.await_ingests import AWAITING_INGESTS
from backedge.evidence.inquire.stages.await_sufficiency import AWAITING_SUFFICIENCY
from backedge.evidence.inquire.stages.execute import EXECUTING
from backedge.evidence.inquire.stages.plan import PLANNING
from backedge.evidence.inquire.stages.resolve import RESOLVING
from backedge.evidence.inquire.stages.sort import SORTING
from backedge.evidence.inquire.stages.supplement import SUPPLEMENTING
from backedge.evidence.inquire.stages.weigh import WEIGHING
from backedge.evidence.inquire.states import (
    Assessing,
    AwaitingIngests,
    AwaitingSufficiency,
    Executing,
    Inquired,
    Inquiry,
    InquiryFailed,
    Planning,
    Resolving,
    Sorting,
    Supplementing,
    Weighing,
)
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow


def begin(inquiry: Inquiry, context: Context) -> Planning:
    """Every inquiry starts with a plan."""
    return Planning(inquiry)


def outcome(end: Inquired | InquiryFailed) -> dict[str, JsonValue]:
    """What the investigation is told: what the evidence comes to, or why that was not found out."""
    if isinstance(end, Inquired):
        return {"question": end.inquiry.question.key, "status": end.sufficiency.status}
    why = "; ".join(defect.message for defect in end.refusal.defects)
    said = f"{type(end.came_from).__name__} was refused {end.refusal.attempts} times: {why}"
    return {"question": end.came_from.inquiry.question.key, "failed": said}


INQUIRE = Workflow(
    name="inquire",
    start=Planning,
    edges={
        Planning: (Executing, InquiryFailed),
        Executing: (Sorting,),
        Sorting: (AwaitingIngests, Resolving, Supplementing),
        AwaitingIngests: (AwaitingIngests, Executing),
        Supplementing: (Executing, Resolving),
        Resolving: (Assessing,),
        Assessing: (Weighing, InquiryFailed),
        Weighing: (AwaitingSufficiency, Inquired, InquiryFailed),
        AwaitingSufficiency: (Inquired,),
    },
    stages=(
        PLANNING,
        EXECUTING,
        SORTING,
        AWAITING_INGESTS,
        SUPPLEMENTING,
        RESOLVING,
        ASSESSING,
        WEIGHING,
        AWAITING_SUFFICIENCY,
    ),
    begin=begin,
    outcome=outcome,
)
