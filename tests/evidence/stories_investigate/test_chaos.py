"""A crash at any append of a whole investigation, its inquiries and what they ingest, then resumed: the same end."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.inquiry import VIEW, SearchQuery
from backedge.evidence.kinds import Kind
from tests.evidence.crashes import Dying
from tests.evidence.investigated import KEY
from tests.evidence.outside import PAIN, Lab, article, delivery, doi
from tests.evidence.stories_investigate.desk import Desk, Spoken, again, asking, desk
from tests.kernel.memory import Crash

ALL = [value for module in (kinds, inquiry_kinds) for value in vars(module).values() if isinstance(value, Kind)]


class Planning(Spoken):
    """The first question is also searched for in a registry; the second asks for what that has nothing of."""

    async def plan(self, question: Any, targets: Any, lesson: Any) -> Any:
        reply: Any = await super().plan(question, targets, lesson)
        if question.key == "q1":
            return replace(reply, proposal=replace(reply.proposal, targets=(VIEW, "lab")))
        queries = (SearchQuery("nausea", "lexical"), SearchQuery("nausea", "semantic"))
        return replace(reply, proposal=replace(reply.proposal, queries=queries))


@cache
def _ready() -> Desk:
    return desk()


def begun(**given: Any) -> Desk:
    """A desk with two sources ingested and a third in a registry; nothing is investigated."""
    lab = Lab()
    lab.finds = ["x"]
    made = again(_ready(), scripted=Planning({"questions": [asking(2)]}), searchable={"lab": lab}, **given)
    made.lab = lab
    made.brings("x", delivery(article("Study x", f"{PAIN} That was another."), title="x", identifiers=doi("x")))
    return made


def carried_on(made: Desk) -> None:
    """Whatever is there, on to the approval of the second version, people deciding where it waits."""
    if KEY not in made.store.rows:
        made.investigate()
    while (run := made.drive(KEY)).status != "ended":
        match run.trail[-1]:
            case "AwaitingFacets":
                open_ = [f.name for f in run.state.facets if f.importance == "mandatory" and f.confirmation == "open"]
                made.command("confirm_facet", facet=open_[0]) if open_ else made.command("confirm")
            case "AwaitingInquiries":
                made.stand()
            case "AwaitingDecision":
                made.choose()
            case "AwaitingApproval" if run.state.design.version == 1:
                made.approve(approved=False, changes=("say how many rats",))
            case "AwaitingApproval":
                made.approve()


def left(made: Desk) -> dict[str, Any]:
    """All that it left; a snapshot's revision counts what others ingested in the meantime."""
    bodies = {
        (record.kind, record.key): re.sub(r"'revision': \d+", "", str(record.body))
        for record in made.store.written.values()
    }
    assert {kind for kind, _ in bodies} <= {kind.name for kind in ALL}
    return {
        "records": bodies,
        "runs": {head.id: (head.workflow, head.state, head.status) for head in made.store.rows.values()},
    }


@cache
def undisturbed() -> tuple[dict[str, Any], int]:
    """What a whole investigation leaves, and its appends."""
    made = begun()
    carried_on(made)
    return left(made), made.store.appends


def crashed(at: int, *, after: bool) -> dict[str, Any]:
    """What it leaves where the process died at an append, and another went on."""
    made = begun(store=Dying())
    made.store.crash_at, made.store.crash_after = at, after
    with pytest.raises(Crash):
        carried_on(made)
    made.store.born()
    carried_on(made)
    return left(made)


def test_there_is_something_to_lose() -> None:
    whole, appends = undisturbed()
    ends = sorted(f"{workflow} {state}" for workflow, state, _ in whole["runs"].values())
    assert ends == [
        *["extract PartExtracted"] * 3,
        *["ingest Ingested"] * 3,
        *["inquire Inquired"] * 2,
        "investigate Approved",
        *["verify Accepted"] * 3,
    ]
    assert appends > 60


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_some_appends_changes_nothing(after: bool) -> None:
    whole, appends = undisturbed()
    for at in (2, appends // 3, appends // 2, appends - 1):
        assert crashed(at, after=after) == whole


@pytest.mark.chaos
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_every_append_of_a_whole_investigation_changes_nothing(after: bool) -> None:
    whole, appends = undisturbed()
    assert [at for at in range(1, appends + 1) if crashed(at, after=after) != whole] == []
