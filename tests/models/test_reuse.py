"""A model is not asked again for what it said of the same question on the same data; where anything differs, it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from backedge.ask.prompted import mind
from backedge.ask.prompted.wordings import Wording, wording
from backedge.assembling import reusing
from backedge.kernel.run import Run
from tests.models.minds import Scene, scene
from tests.models.test_stories import DATA, PER_REGION, QUESTION, SAID


def _scene(shop: Path, folder: Path) -> Scene:
    return scene(shop, folder, clarifying=[DATA], specifying=[PER_REGION], interpreting=[SAID])


def _calls(world: Scene) -> list[int]:
    return [len(model.prompts) for model in world.models.values()]


def test_the_same_question_twice_is_paid_for_once(shop: Path, tmp_path: Path) -> None:
    world = _scene(shop, tmp_path)
    first, _ = world.asked(QUESTION)
    second, found = world.asked(QUESTION)
    assert (_calls(world), second.trail) == ([1, 1, 1], first.trail)
    assert found["answer"] == SAID["text"]
    assert [a["reused"].partition(":")[0] for a in found["attempts"] if a["stage"] != "Executing"] == [first.id] * 3
    assert found["usage"]["calls"] == 0


def _data(world: Scene, patch: pytest.MonkeyPatch) -> None:
    orders = world.folder / "data" / "orders.csv"
    orders.write_text(f"{orders.read_text()}6,North,paid,1.00,2026-03-06\n")


def _instructions(world: Scene, patch: pytest.MonkeyPatch) -> None:
    agent = world.folder / "shop.agentic.yml"
    agent.write_text(f"{agent.read_text()}instructions: be brief\n")


def _synonym(world: Scene, patch: pytest.MonkeyPatch) -> None:
    (view,) = (path for path in world.folder.rglob("orders.view.yml"))
    view.write_text(f"{view.read_text()}\n# another line\n")


def _wording(world: Scene, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mind, "wording", lambda *of: Wording(f"{wording(*of).text} Be kind.", "another"))


def _program(world: Scene, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reusing, "version", lambda name: "another")


def _unknown_state(world: Scene, patch: pytest.MonkeyPatch) -> None:
    async def fingerprint(_self: object) -> str:
        return ""

    patch.setattr("backedge.adapters.connectors.duckdb.DuckDBConnector.fingerprint", fingerprint)


@pytest.mark.parametrize("change", [_data, _instructions, _synonym, _wording, _program, _unknown_state])
def test_whatever_a_reading_depends_on_changes_and_the_model_is_asked_again(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Scene, pytest.MonkeyPatch], None]
) -> None:
    world = _scene(shop, tmp_path)
    world.asked(QUESTION)
    change(world, monkeypatch)
    world.asked(QUESTION)
    assert _calls(world)[:2] == [2, 2]


def test_somebody_else_is_not_served_what_was_read_for_another(shop: Path, tmp_path: Path) -> None:
    world = _scene(shop, tmp_path)

    async def asked(region: str) -> Run:
        app = world.opened()
        try:
            return await app.driver.drive(await app.ask(QUESTION, by="tester", attributes={"region": [region]}))
        finally:
            await app.close()

    for region in ("North", "South", "South"):
        asyncio.run(asked(region))
    assert _calls(world)[:2] == [2, 2]


def test_a_reading_by_rules_is_read_anew_when_the_data_changed(shop: Path, tmp_path: Path) -> None:
    world = _scene(shop, tmp_path)
    world.asked("total amount in South")
    assert _calls(world)[:2] == [0, 0]
    orders = world.folder / "data" / "orders.csv"
    orders.write_text(orders.read_text().replace("South", "Down"))
    world.asked("total amount in South")  # a word that no rule knows any more
    assert _calls(world)[0] == 1


def test_a_day_later_today_is_another_day(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = _scene(shop, tmp_path)
    world.asked(QUESTION)
    monkeypatch.setattr("backedge.assemble.today_in", lambda now, zone: date(2031, 1, 1))
    world.asked(QUESTION)
    assert _calls(world)[:2] == [2, 2]
