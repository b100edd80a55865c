"""A crash before and after every append, then resumed: the same end, no kept reply paid twice, no record twice."""

from __future__ import annotations

from collections import Counter

import pytest

from backedge.kernel.drive import NotAsked
from backedge.kernel.journal import Proposed
from tests.kernel.letters import Draft, Posted, Verdict
from tests.kernel.memory import Crash
from tests.kernel.scenes import GOOD, Scene, go

END = Posted("0:Dear Bo, it rains. 1:Dear Bo, it rains.")
REPLIES = [lambda lesson: Draft("It rains.") if lesson.attempt == 1 else GOOD]


def live(scene: Scene, run_id: str) -> None:
    """Drive, answer, drive: what a user does, once."""
    run = scene.drive(run_id)
    if run.status == "waiting":
        scene.offer(run_id, Verdict(True))
        scene.drive(run_id)


def appends_of_a_whole_life() -> int:
    scene = Scene(drafts=REPLIES)
    run_id = scene.start()
    live(scene, run_id)
    assert go(scene.driver.load(run_id)).state == END
    return scene.store.appends


WHOLE = appends_of_a_whole_life()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, WHOLE + 1))
def test_a_crash_at_any_append_changes_nothing_but_time(at: int, after: bool) -> None:
    scene = Scene(drafts=REPLIES)
    run_id = scene.start()
    scene.store.crash_at, scene.store.crash_after = at, after
    crashed = 0
    for _ in range(4):
        try:
            live(scene, run_id)
        except Crash:
            crashed += 1
        except NotAsked:
            pass
    assert crashed == 1
    run = go(scene.driver.load(run_id))
    assert run.state == END
    kept = [s.entry for s in scene.journal(run_id) if isinstance(s.entry, Proposed) and s.entry.stage == "Drafting"]
    assert len(kept) == 2
    repeated_one = 1 if not after and at in (1, 3) else 0
    assert scene.calls == 2 + repeated_one
    offers = Counter(s.entry.by for s in scene.journal(run_id) if isinstance(s.entry, Proposed) and s.entry.by)
    assert set(offers.values()) == {1}
    assert len(scene.store.rows) == 3


def test_there_are_appends_to_crash_at() -> None:
    assert WHOLE >= 10
