"""Facet review: a reviewer edits, adds, splits and confirms; not before every mandatory facet is settled or flagged."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.deciding import not_a_reviewer
from backedge.evidence.facet_rules import applied, misused, unsettled
from backedge.evidence.facets import FacetCommand
from backedge.evidence.investigate.states import AwaitingFacets, DerivingQuestions, RoundTripping
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Settled, Stage


def facets_by_a_reviewer(_state: AwaitingFacets, command: FacetCommand) -> Defect | None:
    """Only a reviewer whom evidence.yml names changes or confirms facets."""
    return not_a_reviewer(command.by, command.reviewers)


def facets_were_seen(state: AwaitingFacets, command: FacetCommand) -> Defect | None:
    """A command is on the facets as they are now."""
    if command.seen == state.changes:
        return None
    said = f"the command is on the facets after {command.seen} changes, and there are {state.changes} now"
    return Defect("stale_command", said, "seen", "look at the facets again")


def command_fits(state: AwaitingFacets, command: FacetCommand) -> Defect | None:
    """The command names a facet and a value that there are, and the texts that it needs."""
    return misused(state.facets, command)


def mandatory_facets_are_settled(state: AwaitingFacets, command: FacetCommand) -> Defect | None:
    """Confirming needs every mandatory facet confirmed, assumed, or left unresolved and flagged."""
    open_ = unsettled(state.facets) if command.kind == "confirm" else ()
    if not open_:
        return None
    hint = "confirm or assume each, or flag it as left unresolved"
    return Defect("facets_open", f"not settled: {', '.join(open_)}", "facets", hint)


def settle(state: AwaitingFacets, command: FacetCommand) -> Settled[AwaitingFacets | RoundTripping | DerivingQuestions]:
    """The facets with the change, a new round trip, or on to the questions."""
    if command.kind == "confirm":
        confirmed = kinds.Confirmed(state.request.key, state.changes, command.by, command.reason)
        deriving = DerivingQuestions(state.request, state.facets)
        return Settled(deriving, records=(kinds.CONFIRMED.record(confirmed),))
    if command.kind == "round_trip":
        return Settled(RoundTripping(state.request, state.facets, state.changes))
    facets, change = applied(state.facets, command, state.changes + 1)
    key = state.request.key
    records = (
        kinds.CHANGED.record(kinds.Changed(key, change)),
        kinds.FACETS_AT.record(kinds.FacetsAt(key, change.number, facets)),
    )
    return Settled(replace(state, facets=facets, changes=change.number), records=records)


AWAITING_FACETS = Stage(
    state=AwaitingFacets,
    proposal=FacetCommand,
    settle=settle,
    gates=(facets_by_a_reviewer, facets_were_seen, command_fits, mandatory_facets_are_settled),
)
