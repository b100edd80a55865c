"""Sufficiency: whether the evidence suffices for the one decision; what rests on one record alone goes to a person."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.inquire.held import held_of
from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.inquire.states import AwaitingSufficiency, Inquired, InquiryFailed, Weighing
from backedge.evidence.inquiry import Sufficiency
from backedge.evidence.sufficiency import only_affirmative, overstated
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable


async def propose(
    state: Weighing, ports: InquirePorts, lesson: Lesson
) -> Sufficiency | Reply[Sufficiency] | Unreadable:
    """The judgement. Without any record it is made without a model: nothing is there to weigh."""
    if not state.assessments:
        gaps = tuple(gap.why for gap in state.gaps) or ("no verified record bears on the question",)
        return Sufficiency("insufficient", (), gaps, "no verified record was found")
    if ports.assessor is None:
        raise Permanent("weighing needs a model for the role `evidence`", mend=ports.mends["evidence"])
    held = await held_of(tuple(assessment.record for assessment in state.assessments), ports)
    return await ports.assessor.weigh(state.inquiry.question, state.assessments, held, state.gaps, lesson)


def not_overstated(state: Weighing, said: Sufficiency) -> Defect | None:
    """Sufficient needs a direct record that supports; what contradicts must be said; open gaps are no coverage."""
    return overstated(state.assessments, state.gaps, said)


def settle(state: Weighing, said: Sufficiency) -> Settled[AwaitingSufficiency | Inquired]:
    """A judgement that one record alone carries waits for a reviewer. Which record that is, no model says."""
    found = state.found
    only = only_affirmative(state.assessments, dict(found.studies))
    weighed = replace(said, only_affirmative=only, reviewed_by="", review_reason="")
    weighed = replace(weighed, beyond=found.beyond, hits_beyond=found.hits_beyond)
    if only:
        return Settled(AwaitingSufficiency(state.inquiry, state.assessments, state.gaps, weighed))
    end = Inquired(state.inquiry, state.assessments, state.gaps, weighed)
    return Settled(end, records=(kinds.SUFFICIENCY.record(kinds.Weighed(state.inquiry.key, weighed)),))


def inputs(state: Weighing) -> object:
    """What a judgement depends on."""
    return (state.inquiry.question, state.assessments, state.gaps)


WEIGHING = Stage(
    state=Weighing,
    proposal=Sufficiency,
    propose=propose,
    settle=settle,
    gates=(not_overstated,),
    otherwise=InquiryFailed,
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.assessor.settings if ports.assessor else None,
    model="evidence",
    varies=True,
)
