"""Round trip: the request is told again from its facets, by a separate prompt; what differs is shown, not gated."""

from __future__ import annotations

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.facets import RoundTrip
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.investigate.states import AwaitingFacets, RoundTripping
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable


async def propose(state: RoundTripping, ports: InvestigatePorts, lesson: Lesson) -> Reply[RoundTrip] | Unreadable:
    """The reconstruction with omissions, additions and contradictions."""
    if ports.requests is None:
        raise Permanent("the round trip needs a model for the role `request`", mend=ports.mends["request"])
    return await ports.requests.round_trip(state.request.text, state.facets, lesson)


def settle(state: RoundTripping, told: RoundTrip) -> Settled[AwaitingFacets]:
    """A reviewer sees it beside the facets."""
    record = kinds.TOLD.record(kinds.Told(state.request.key, state.changes, told))
    return Settled(AwaitingFacets(state.request, state.facets, told, state.changes), records=(record,))


def inputs(state: RoundTripping) -> object:
    """What it depends on."""
    return (state.request.text, state.facets)


ROUND_TRIPPING = Stage(
    state=RoundTripping,
    proposal=RoundTrip,
    propose=propose,
    settle=settle,
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.requests.settings if ports.requests else None,
    model="request",
    varies=True,
)
