"""Design: twelve sections; every cited claim verified, every span resolves, every mandatory facet accounted for."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.design_rules import chance_stated, nothing_cited, sections_missing, unaccounted
from backedge.evidence.investigate.checking import problems_of
from backedge.evidence.investigate.packing import told_of
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.investigate.states import AwaitingApproval, Designed, Designing
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable

MOST_PROBLEMS = 8


async def propose(state: Designing, ports: InvestigatePorts, lesson: Lesson) -> Reply[Designed] | Unreadable:
    """The design, and what is wrong with what it cites and quotes."""
    if ports.designs is None:
        raise Permanent("a design needs a model for the role `design`", mend=ports.mends["design"])
    packages = await told_of(state.request.key, state.packages, ports.library)
    reply = await ports.designs.design(state.facets, packages, state.candidates, state.decision, state.version, lesson)
    if isinstance(reply, Unreadable):
        return reply
    design = replace(reply.proposal, version=state.version)  # which version it is, no model says
    return Reply(Designed(design, await problems_of(design, packages, ports)), reply.usage, reply.details)


def twelve_sections(_state: Designing, designed: Designed) -> Defect | None:
    """All twelve, in their order, none empty."""
    return sections_missing(designed.design)


def citations_stand(_state: Designing, designed: Designed) -> Defect | None:
    """Every cited record is verified, may be used, and its spans resolve; every quoted string is one of a span."""
    if not designed.problems:
        return None
    said = "; ".join(designed.problems[:MOST_PROBLEMS])
    more = len(designed.problems) - MOST_PROBLEMS
    told = f"{said}; and {more} more" if more > 0 else said
    return Defect("citations_do_not_stand", told, "sections", "cite records of the packages, and quote their spans")


def something_is_cited(_state: Designing, designed: Designed) -> Defect | None:
    """A design that cites nothing rests on nothing that was checked."""
    return nothing_cited(designed.design)


def design_states_no_chance(_state: Designing, designed: Designed) -> Defect | None:
    """A design says what is to be done, and not how likely it is to succeed."""
    return chance_stated(designed.design)


def facets_are_accounted_for(state: Designing, designed: Designed) -> Defect | None:
    """Every mandatory facet is met by a section, or named as open."""
    return unaccounted(state.facets, designed.design)


def settle(state: Designing, designed: Designed) -> Settled[AwaitingApproval]:
    """A proposal, until somebody approves it."""
    record = kinds.DESIGN.record(kinds.DesignVersion(state.request.key, designed.design))
    return Settled(AwaitingApproval(state, designed.design), records=(record,))


DESIGNING = Stage(
    state=Designing,
    proposal=Designed,
    propose=propose,
    settle=settle,
    gates=(
        twelve_sections,
        something_is_cited,
        citations_stand,
        design_states_no_chance,
        facets_are_accounted_for,
    ),
    settings=lambda ports: ports.designs.settings if ports.designs else None,
    model="design",
    varies=True,
)
