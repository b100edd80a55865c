"""Planning: the search agent says what to look for, where, how to widen it, and when to stop."""

from __future__ import annotations

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.inquire.states import Executing, InquiryFailed, Planned, Planning
from backedge.evidence.inquiry import VIEW
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable


async def propose(state: Planning, ports: InquirePorts, lesson: Lesson) -> Reply[Planned] | Unreadable:
    """The plan for one question, beside the targets that there are."""
    if ports.planner is None:
        raise Permanent("planning needs a model for the role `search`, and there is none", mend=ports.mends["search"])
    targets = (VIEW, *sorted(ports.searchable))
    reply = await ports.planner.plan(state.inquiry.question, targets, lesson)
    if isinstance(reply, Unreadable):
        return reply
    return Reply(Planned(reply.proposal, targets), reply.usage, reply.details)


def both_kinds_of_query(_state: Planning, planned: Planned) -> Defect | None:
    """At least one lexical and one semantic query, and none that is empty, expansions among them."""
    plan = planned.plan
    missing = [arm for arm in ("lexical", "semantic") if not any(q.arm == arm for q in plan.queries)]
    if missing:
        hint = "give at least one query of words (lexical) and one sentence of meaning (semantic)"
        return Defect("query_missing", f"the plan has no {' and no '.join(missing)} query", "queries", hint)
    if all(query.text.strip() for query in (*plan.queries, *plan.expansions)):
        return None
    return Defect("query_empty", "a query or an expansion is empty", "queries", "say what to look for, or leave it out")


def says_where(_state: Planning, planned: Planned) -> Defect | None:
    """At least one target, the library among them, which is what is verified, and none that cannot be searched."""
    if VIEW not in planned.plan.targets:
        return Defect("target_missing", f"the plan does not search the {VIEW}", "targets", f"add {VIEW} to the targets")
    unknown = [target for target in planned.plan.targets if target not in planned.known]
    if not unknown:
        return None
    said = f"these cannot be searched: {', '.join(unknown)}"
    return Defect("target_unknown", said, "targets", "name targets that there are", near=planned.known)


def says_when_to_stop(_state: Planning, planned: Planned) -> Defect | None:
    """A stopping criterion."""
    if planned.plan.stopping.strip():
        return None
    return Defect("stopping_missing", "the plan does not say when to stop", "stopping", "say when enough is found")


def settle(state: Planning, planned: Planned) -> Settled[Executing]:
    """The plan is recorded with its stopping criterion, and the first round is run."""
    record = kinds.PLAN.record(kinds.PlannedSearch(state.inquiry.key, planned.plan))
    return Settled(Executing(state.inquiry, planned.plan), records=(record,))


def inputs(state: Planning) -> object:
    """What a plan depends on."""
    return state.inquiry.question


PLANNING = Stage(
    state=Planning,
    proposal=Planned,
    propose=propose,
    settle=settle,
    gates=(both_kinds_of_query, says_where, says_when_to_stop),
    otherwise=InquiryFailed,
    reuse=True,
    inputs=inputs,
    settings=lambda ports: [ports.planner.settings if ports.planner else None, sorted(ports.searchable)],
    model="search",
    varies=True,
)
