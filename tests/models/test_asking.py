"""Questions of models to a person: several at once, of every kind; the answers go back to the model that asked."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from backedge.ask.intent import Given
from backedge.ask.states import Clarifying, Question, Specifying
from backedge.kernel.drive import OfferRefused
from backedge.kernel.stage import Lesson
from tests.models.minds import Scene, scene

QUESTION = "how did turnover spread over the regions"
DATA = {"kind": "data", "intent": "total amount by region", "members": ["orders.total_amount", "orders.region"]}
PER_REGION = {"kind": "request", "measures": ["orders.total_amount"], "dimensions": ["orders.region"]}
SAID = {"text": "South has the most, 105.00."}
KINDS: list[dict[str, object]] = [
    {"slot": "turnover", "prompt": "Which?", "suggestions": ["all orders", "paid orders"]},
    {"slot": "since", "prompt": "Since when?", "answers": "date", "suggestions": ["2025"]},
    {"slot": "least", "prompt": "At least how much?", "answers": "number"},
    {"slot": "why", "prompt": "For whom?", "answers": "text"},
]
ASKS = {"kind": "data", "questions": KINDS}
ANSWERS = ("2", "March 2025", "1,250", "the board")


def answered(world: Scene, *values: str) -> Any:
    async def work() -> Any:
        app = world.opened()
        try:
            run = await app.driver.drive(await app.ask(QUESTION, by="tester"))
            await app.say(run.id, values, by="tester")
            return await app.driver.drive(run.id)
        finally:
            await app.close()

    return asyncio.run(work())


def test_the_model_that_asked_is_told_every_answer_as_what_it_is(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[ASKS, DATA], specifying=[PER_REGION], interpreting=[SAID])
    answered(world, *ANSWERS)
    told = world.models["clarifying"].prompts[1].user
    for line in ("turnover: paid orders", "since: 2025-03-01 to 2025-03-31", "least: 1250", "why: the board"):
        assert line in told


def test_specifying_asks_too_and_clarifying_is_not_asked_again(shop: Path, tmp_path: Path) -> None:
    asks = {"kind": "ask", "questions": [KINDS[1], KINDS[3]]}
    january = {"dimension": "orders.ordered", "date_range": ["2025-01-01", "2025-01-31"]}
    request, said = {**PER_REGION, "time_dimensions": [january]}, {"text": "North has 30.75."}
    world = scene(shop, tmp_path, clarifying=[DATA], specifying=[asks, request], interpreting=[said])
    run = answered(world, "January 2025", "the board")
    assert run.trail[1:] == ("Specifying", "AwaitingAnswer", "Specifying", "Executing", "Interpreting", "Done")
    assert [len(world.models[stage].prompts) for stage in ("clarifying", "specifying")] == [1, 2]
    assert "since: 2025-01-01 to 2025-01-31" in world.models["specifying"].prompts[1].user


def test_a_wrong_answer_calls_no_model(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[ASKS, DATA])
    with pytest.raises(OfferRefused):
        answered(world, "2", "soon", "1,250", "the board")
    assert len(world.models["clarifying"].prompts) == 1


@pytest.mark.parametrize("wrong", [{"suggestions": ["one"]}, {"answers": "number"}, {"default": "some"}])
def test_a_question_that_cannot_be_asked_is_the_model_s_lesson(
    shop: Path, tmp_path: Path, wrong: dict[str, object]
) -> None:
    bad = {"kind": "data", "questions": [{**KINDS[0], **wrong}]}
    world = scene(shop, tmp_path, clarifying=[bad, DATA], specifying=[PER_REGION], interpreting=[SAID])
    run, _ = world.asked(QUESTION)
    assert "AwaitingAnswer" not in run.trail
    assert "not_a" in world.models["clarifying"].prompts[1].user


def test_an_answer_to_a_model_s_question_goes_to_the_model_and_never_to_rules_alone(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[DATA], specifying=[PER_REGION])
    question = Question("total amount by region", date(2026, 11, 30))
    given = (Given("turnover", "paid orders", by="model"),)

    async def work() -> None:
        app = world.opened()
        try:
            ports = app.driver._workflows["ask"].ports
            plain = await ports.clarifier.clarify(Clarifying(question), Lesson())
            await ports.specifier.specify(Specifying(Clarifying(question), plain.proposal), Lesson())
            assert [len(model.prompts) for model in world.models.values()] == [0, 0]
            await ports.clarifier.clarify(Clarifying(question, given), Lesson())
            await ports.specifier.specify(Specifying(Clarifying(question), plain.proposal, given), Lesson())
            assert [len(model.prompts) for model in world.models.values()] == [1, 1]
        finally:
            await app.close()

    asyncio.run(work())
