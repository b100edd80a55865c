"""Extracting facets: the request agent reads the eight facets; an explicit one cites a span of the request."""

from __future__ import annotations

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.facet_rules import placed_facets
from backedge.evidence.facets import FACET_NAMES
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.investigate.states import ExtractingFacets, ProposedFacets, RoundTripping
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable


async def propose(
    state: ExtractingFacets, ports: InvestigatePorts, lesson: Lesson
) -> Reply[ProposedFacets] | Unreadable:
    """The facets, with the spans of the words that explicit ones cite."""
    if ports.requests is None:
        raise Permanent("facets need a model for the role `request`", mend=ports.mends["request"])
    reply = await ports.requests.facets(state.request.text, lesson)
    if isinstance(reply, Unreadable):
        return reply
    facets = placed_facets(state.request.text, reply.proposal.facets, ports.tables)
    return Reply(ProposedFacets(facets), reply.usage, reply.details)


def eight_facets(_state: ExtractingFacets, proposed: ProposedFacets) -> Defect | None:
    """Exactly the eight of the table, each once."""
    names = [facet.name for facet in proposed.facets]
    wrong = [name for name in FACET_NAMES if names.count(name) != 1]
    if not wrong and len(names) == len(FACET_NAMES):
        return None
    hint = f"give each of these once: {', '.join(FACET_NAMES)}"
    return Defect("facets_not_eight", f"not once: {', '.join(wrong) or 'names that are none'}", "facets", hint)


def explicit_facets_resolve(state: ExtractingFacets, proposed: ProposedFacets) -> Defect | None:
    """An explicit value cites words that stand in the request."""
    loose = [
        f"{facet.name}: {value.text!r}"
        for facet in proposed.facets
        for value in facet.values
        if value.origin == "explicit"
        and not (value.spans and all(state.request.text[s.start : s.end] == s.exact for s in value.spans))
    ]
    if not loose:
        return None
    hint = "quote the request verbatim, or call the value inferred and say why"
    return Defect("facet_not_in_request", f"no words of the request say {'; '.join(loose)}", "facets", hint)


def no_model_is_a_reviewer(_state: ExtractingFacets, proposed: ProposedFacets) -> Defect | None:
    """That a value comes from a reviewer is said by reviewers alone."""
    said = [facet.name for facet in proposed.facets if any(value.origin == "reviewer" for value in facet.values)]
    if not said:
        return None
    hint = "call each value explicit, inferred or default"
    return Defect("origin_claimed", f"no reviewer has seen {', '.join(said)} yet", "facets", hint)


def inferred_facets_have_reasons(_state: ExtractingFacets, proposed: ProposedFacets) -> Defect | None:
    """An inferred value says what it is inferred from, and a default why it is one."""
    silent = [
        f"{facet.name}: {value.text!r}"
        for facet in proposed.facets
        for value in facet.values
        if value.origin in ("inferred", "default") and not value.reason.strip()
    ]
    if not silent:
        return None
    return Defect("inferred_without_reason", f"no reason is given for {'; '.join(silent)}", "facets", "say why")


def settle(state: ExtractingFacets, proposed: ProposedFacets) -> Settled[RoundTripping]:
    """The facets are recorded as they were proposed."""
    at = kinds.FacetsAt(state.request.key, 0, proposed.facets)
    return Settled(RoundTripping(state.request, proposed.facets), records=(kinds.FACETS_AT.record(at),))


def inputs(state: ExtractingFacets) -> object:
    """What the facets depend on."""
    return state.request.text


EXTRACTING_FACETS = Stage(
    state=ExtractingFacets,
    proposal=ProposedFacets,
    propose=propose,
    settle=settle,
    gates=(eight_facets, explicit_facets_resolve, no_model_is_a_reviewer, inferred_facets_have_reasons),
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.requests.settings if ports.requests else None,
    model="request",
    varies=True,
)
