"""Assessing: how each verified record stands to the question; rules and model both say, and the stricter counts."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.applicability import ruled, stricter
from backedge.evidence.inquire.held import held_of
from backedge.evidence.inquire.ports import Held, InquirePorts
from backedge.evidence.inquire.states import Assessed, Assessing, InquiryFailed, Weighing
from backedge.evidence.inquiry import Assessment, InvestigationQuestion
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable


async def propose(state: Assessing, ports: InquirePorts, lesson: Lesson) -> Assessed | Reply[Assessed] | Unreadable:
    """An assessment of each record; without records nothing is asked."""
    if not state.found.records:
        return Assessed(())
    if ports.assessor is None:
        raise Permanent("assessing needs a model for the role `evidence`", mend=ports.mends["evidence"])
    held = await held_of(state.found.records, ports)
    reply = await ports.assessor.assess(state.inquiry.question, held, lesson)
    if isinstance(reply, Unreadable):
        return reply
    by_key = {each.record.key: each for each in held}
    made = tuple(
        _ruled(said, by_key[said.record], state.inquiry.question) if said.record in by_key else said
        for said in reply.proposal.assessments
    )
    return Reply(Assessed(made), reply.usage, reply.details)


def _ruled(said: Assessment, held: Held, question: InvestigationQuestion) -> Assessment:
    rule, reason = ruled(question.wants, held.record.proposal)
    counts = stricter(said.said, rule)
    return replace(said, source=held.record.source, applicability=counts, ruled=rule, rule_reason=reason)


def every_record_is_assessed(state: Assessing, assessed: Assessed) -> Defect | None:
    """Each record once, and no other."""
    said = [assessment.record for assessment in assessed.assessments]
    missing = [key for key in state.found.records if said.count(key) != 1]
    strange = [key for key in said if key not in state.found.records]
    if not missing and not strange:
        return None
    told = "; ".join(
        f"{what}: {', '.join(keys)}" for what, keys in (("not once", missing), ("not asked for", strange)) if keys
    )
    return Defect("records_not_assessed", f"each record must be assessed once ({told})", "assessments")


def assessment_has_a_reason(_state: Assessing, assessed: Assessed) -> Defect | None:
    """Each assessment says why."""
    silent = [assessment.record for assessment in assessed.assessments if not assessment.reason.strip()]
    if not silent:
        return None
    return Defect("assessment_without_reason", f"no reason is given for {', '.join(silent)}", "assessments")


def settle(state: Assessing, assessed: Assessed) -> Settled[Weighing]:
    """The assessments are recorded; whether they suffice comes next."""
    records = tuple(kinds.ASSESSMENT.record(kinds.Assessing(state.inquiry.key, a)) for a in assessed.assessments)
    weighing = Weighing(state.inquiry, state.found, assessed.assessments, state.gaps)
    return Settled(weighing, records=records)


def inputs(state: Assessing) -> object:
    """What an assessment depends on."""
    return (state.inquiry.question, state.found.records)


ASSESSING = Stage(
    state=Assessing,
    proposal=Assessed,
    propose=propose,
    settle=settle,
    gates=(every_record_is_assessed, assessment_has_a_reason),
    otherwise=InquiryFailed,
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.assessor.settings if ports.assessor else None,
    model="evidence",
    varies=True,
)
