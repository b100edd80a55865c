"""Threads with models: a follow-up that rules cannot read is read with the question before, and says what it keeps."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

from backedge.ask.answer import Found
from backedge.ask.inheriting import inherited
from backedge.ask.intent import Before
from backedge.ask.prompted.earlier import told_before
from backedge.ask.prompted.hiding import Hiding
from backedge.ask.states import Question
from backedge.kernel.run import Run
from backedge.semantic.spec import AnyOf, By, Filter, Spec
from tests.models.minds import Scene, scene
from tests.models.test_stories import DATA, PER_REGION, QUESTION, SAID

BY_STATUS = {"kind": "data", "intent": "total amount by status", "members": ["orders.total_amount", "orders.status"]}
PER_STATUS = {**PER_REGION, "dimensions": ["orders.status"], "assumptions": []}
PAID = {"text": "Paid orders have the most, 138.50."}


def _thread(world: Scene, *texts: str) -> list[tuple[Run, Found]]:
    """Each text asked after the one before."""

    async def asked() -> list[tuple[Run, Found]]:
        app, found, after = world.opened(), [], ""
        try:
            for text in texts:
                run = await app.driver.drive(await app.ask(text, by="tester", after=after))
                found.append((run, await app.answer(run)))
                after = run.id
            return found
        finally:
            await app.close()

    return asyncio.run(asked())


def test_the_model_is_told_the_question_before_and_the_answer_says_what_is_kept(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[BY_STATUS], specifying=[PER_STATUS], interpreting=[SAID, PAID])
    _, (run, found) = _thread(world, "total amount by region", "please slice that along the status instead")
    assert (run.trail[-1], found["reading"]) == ("Done", "total amount by status")
    for stage in ("clarifying", "specifying"):
        told = world.models[stage].prompts[0].user
        assert "question before" in told
        assert '"question": "total amount by region"' in told
        assert "orders.region" in told
    assert "kept from the question before: total amount" in found["notes"]


def test_what_a_model_specified_can_be_followed_by_rules(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[DATA], specifying=[PER_REGION], interpreting=[SAID, PAID])
    (_, first), (run, found) = _thread(world, QUESTION, "and by status?")
    assert first["keeps"]
    assert (run.trail[-1], found["reading"]) == ("Done", "total_amount by status")
    assert [len(world.models[stage].prompts) for stage in ("clarifying", "specifying")] == [1, 1]


def test_hidden_values_of_the_question_before_are_withheld_unless_the_person_typed_them() -> None:
    spec = Spec(("o.total",), where=(Filter("o.region", "in", ("South", "North")),))
    before = Before("r", "r", "total of the north", "total; region is South or North", spec)
    told = told_before(Question("and by month?", date(2025, 1, 1), before=before), Hiding(frozenset({"o.region"})))
    assert "South" not in told
    assert "North" in told


def test_what_only_the_question_before_had_is_no_longer_asked_and_that_is_said() -> None:
    region, status = Filter("o.region", "equals", ("North",)), Filter("o.status", "in", ("paid", "open"))
    either = AnyOf((region, status))
    before = Spec(("o.total_amount",), (By("o.ordered", "month"),), (region, status, either), limit=5)
    now = Spec(("o.total_amount",), (By("o.ordered", "month"),), (Filter("o.status", "equals", ("paid",)),))
    assert inherited(Before("r", "r", "q", "q", before), now) == (
        "kept from the question before: total amount; by month of ordered",
        "no longer only where region equals North",
        "no longer only the first 5",
    )
    assert inherited(Before("r", "r", "q", "q", None), now) == ()
