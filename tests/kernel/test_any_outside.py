"""Whatever the outside replies or fails with, a run ends, waits or stops within its budgets."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backedge.kernel.budget import Limits
from backedge.kernel.defect import Defect, Permanent, RateLimited, Transient
from backedge.kernel.drive import CannotRetry, NotAsked, OfferRefused
from backedge.kernel.run import fold
from backedge.kernel.stage import Reply, Unreadable
from tests.kernel.letters import LETTERS, Draft, Verdict
from tests.kernel.scenes import GOOD, Scene, go

REPLIES: list[Any] = [
    GOOD,
    Draft("It rains."),
    Draft("damn"),
    Reply(GOOD),
    Unreadable("{", Defect("half_json", "it ends in the middle")),
    Transient("cut"),
    RateLimited("slow", 3),
    RateLimited("slow"),
    Permanent("gone"),
    Permanent("no key", mend="set it"),
]
PEOPLE = [Verdict(True), Verdict(False), Verdict(False, "too wet"), "retry", "cancel"]
BINDINGS = [Draft("torn"), Transient("jam"), None]


Outside = tuple[list[Any], list[Any], list[Any], int]
OUTSIDES = st.tuples(
    st.lists(st.sampled_from(REPLIES), min_size=1, max_size=12),
    st.lists(st.sampled_from(PEOPLE), max_size=8),
    st.lists(st.sampled_from(BINDINGS), min_size=1, max_size=6),
    st.integers(1, 30),
)


@settings(max_examples=80, deadline=None)
@given(OUTSIDES)
def test_every_run_ends_waits_or_stops_within_its_budgets(outside: Outside) -> None:
    live(*outside)


@pytest.mark.slow
@settings(max_examples=1_000, deadline=None)
@given(OUTSIDES)
def test_every_run_ends_waits_or_stops_within_its_budgets_at_length(outside: Outside) -> None:
    live(*outside)


def live(drafts: list[Any], people: list[Any], bindings: list[Any], steps: int) -> None:
    """What must hold of one run, whatever its outside does."""
    bound = iter(bindings * 50)

    def bind(state: Any, lesson: Any) -> Draft:
        reply = next(bound)
        if isinstance(reply, Transient):
            raise reply
        return reply or Draft(" ".join(state.copies))

    scene = Scene(drafts=drafts, bind=bind)
    run_id = scene.start(limits=Limits(steps=steps))
    run = scene.drive(run_id)
    for said in people:
        try:
            if said == "retry":
                go(scene.driver.retry(run_id, by="ann"))
            elif said == "cancel":
                go(scene.driver.cancel(run_id, by="ann"))
            else:
                scene.offer(run_id, said)
        except (CannotRetry, NotAsked, OfferRefused):
            pass
        run = scene.drive(run_id)
        assert run.status in ("waiting", "ended", "stopped")
        assert run.total.steps <= steps + 1
        budget = LETTERS.stages[0].budget
        spent = run.spent_of("Drafting")
        assert spent.transient <= budget.transient + 1
        assert spent.rate_limited <= budget.rate_limited + 1
    again = fold(LETTERS, run_id, scene.journal(run_id))
    assert (again.state, again.asked, again.spent, again.learned) == (run.state, run.asked, run.spent, run.learned)
