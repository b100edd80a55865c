"""Provenance: every attempt is an activity with what it used, made and led to."""

from __future__ import annotations

from decimal import Decimal

from backedge.kernel.budget import Usage
from backedge.kernel.defect import Transient
from backedge.kernel.provenance import activities
from backedge.kernel.stage import Reply
from tests.kernel.letters import Draft, Verdict
from tests.kernel.scenes import GOOD, Scene


def test_a_life_is_told_as_activities() -> None:
    scene = Scene(
        drafts=[Transient("cut"), Draft("It rains."), Reply(GOOD, Usage(3, 4, Decimal("0.1")), {"model": "pen"})]
    )
    run_id = scene.start()
    scene.drive(run_id)
    scene.offer(run_id, Verdict(True))
    cut, cold, good, yes = activities(scene.journal(run_id))
    assert (cut.outcome, cut.message, cut.made) == ("transient", "cut", None)
    assert (cold.outcome, cold.defects[0].kind, cold.led_to) == ("defects", "impolite", None)
    assert (good.outcome, good.used, good.led_to, good.details) == ("accepted", 0, 5, {"model": "pen"})
    assert good.usage == Usage(3, 4, Decimal("0.1"))
    assert cold.key != good.key  # the lesson is part of what a reply depends on
    assert (yes.stage, yes.by, yes.used, yes.outcome) == ("Approving", "ann", 5, "accepted")


def test_equal_inputs_have_equal_keys_and_a_reused_reply_names_its_origin() -> None:
    scene = Scene()
    first, second = scene.start(), scene.start()
    scene.drive(first)
    scene.drive(second)
    one, two = activities(scene.journal(first))[0], activities(scene.journal(second))[0]
    assert one.key == two.key
    assert two.reused is not None
    assert (two.reused.run_id, two.reused.seq) == (first, one.made)
