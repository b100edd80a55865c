"""The workflows by which what is known of sources changes: registries are asked, or an operator marks a source."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.evidence.refresh.stages.check import CHECKING
from backedge.evidence.refresh.stages.rejudge import REJUDGING
from backedge.evidence.refresh.stages.restrict import RESTRICTING
from backedge.evidence.refresh.states import Checking, Marking, Refresh, Refreshed, Rejudging, Restricting
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow


def begin(asked: Refresh, context: Context) -> Checking | Rejudging:
    """Registries are asked today, or nobody is: then the sources are only judged anew."""
    if asked.judge_only:
        return Rejudging(asked.sources, 0)
    return Checking(asked, context.today.isoformat())


def begin_marking(asked: Marking, context: Context) -> Restricting:
    """A mark is to be recorded."""
    return Restricting(asked)


def outcome(end: Refreshed) -> dict[str, JsonValue]:
    """What a parent is told."""
    return {"checked": end.checked, "news": list(end.news), "changed": len(end.judgements)}


REFRESH = Workflow(
    name="refresh",
    start=Checking,
    edges={Checking: (Checking, Rejudging), Rejudging: (Refreshed,)},
    stages=(CHECKING, REJUDGING),
    begin=begin,
    outcome=outcome,
)

RESTRICT = Workflow(
    name="restrict",
    start=Restricting,
    edges={Restricting: (Rejudging,), Rejudging: (Refreshed,)},
    stages=(RESTRICTING, REJUDGING),
    begin=begin_marking,
    outcome=outcome,
)
