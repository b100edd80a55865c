"""The watch workflow: one look of a saved search."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.evidence.saved_searches import SavedSearch
from backedge.evidence.watch.stages.look import LOOKING
from backedge.evidence.watch.states import Looking, Seen
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow


def begin(saved: SavedSearch, context: Context) -> Looking:
    """The search is run today."""
    return Looking(saved, context.today.isoformat())


def outcome(end: Seen) -> dict[str, JsonValue]:
    """What a parent is told."""
    return {"search": end.saved.name, "new": sum(len(found.ids) for found in end.new)}


WATCH = Workflow(
    name="watch",
    start=Looking,
    edges={Looking: (Seen,)},
    stages=(LOOKING,),
    begin=begin,
    outcome=outcome,
)
