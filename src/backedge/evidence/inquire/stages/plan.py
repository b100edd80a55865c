"""Planning: the search agent says what to look for, where, how to widen it, and when to stop."""

from __future__ import annotations

from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.inquire.states import Executing, Planning
from backedge.evidence.inquiry import VIEW, SearchPlan
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable


async def propose(state: Planning, ports: InquirePorts, lesson: Lesson) -> Reply[SearchPlan] | Unreadable:
    """The plan for one question."""
    if ports.planner is None:
        raise Permanent("planning needs a model for the role `search`, and there is none", mend=ports.mends["search"])
    targets = (VIEW, *sorted(ports.searchable))
    return await ports.planner.plan(state.inquiry.question, targets, lesson)


def both_kinds_of_query(_state: Planning, plan: SearchPlan) -> Defect | None:
    """At least one lexical and one semantic query."""
    missing = [arm for arm in ("lexical", "semantic") if not any(q.arm == arm and q.text.strip() for q in plan.queries)]
    if not missing:
        return None
    hint = "give at least one query of words (lexical) and one sentence of meaning (semantic)"
    return Defect("query_missing", f"the plan has no {' and no '.join(missing)} query", "queries", hint)


def says_where(_state: Planning, plan: SearchPlan) -> Defect | None:
    """At least one target, and the library among them: it is what is verified."""
    if VIEW in plan.targets:
        return None
    return Defect("target_missing", f"the plan does not search the {VIEW}", "targets", f"add {VIEW} to the targets")


def says_when_to_stop(_state: Planning, plan: SearchPlan) -> Defect | None:
    """A stopping criterion."""
    if plan.stopping.strip():
        return None
    return Defect("stopping_missing", "the plan does not say when to stop", "stopping", "say when enough is found")


def settle(state: Planning, plan: SearchPlan) -> Settled[Executing]:
    """The first round is run."""
    return Settled(Executing(state.inquiry, plan))


def inputs(state: Planning) -> object:
    """What a plan depends on."""
    return state.inquiry.question


PLANNING = Stage(
    state=Planning,
    proposal=SearchPlan,
    propose=propose,
    settle=settle,
    gates=(both_kinds_of_query, says_where, says_when_to_stop),
    reuse=True,
    inputs=inputs,
    settings=lambda ports: [ports.planner.settings if ports.planner else None, sorted(ports.searchable)],
    model="search",
    varies=True,
)
