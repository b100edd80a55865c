"""Specifying with a model: its request is held to the catalog, to the data's values and to the question's words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backedge.ask.answer import Found
from backedge.kernel.run import Run
from tests.models.minds import FakeModel, Scene, scene

SALES = {"kind": "request", "measures": ["orders.total_amount"]}
PER_REGION = {**SALES, "dimensions": ["orders.region"]}
DATA = {"kind": "data", "intent": "total amount by region", "members": ["orders.total_amount", "orders.region"]}
ANSWERED = ("Clarifying", "Specifying", "Executing", "Interpreting", "Done")


def where(field: str, op: str, *values: Any) -> dict[str, Any]:
    return {"filters": [{"field": field, "op": op, "values": list(values)}]}


class House:
    """The shop with a model in its first stages: what Specifying says, and what it was told."""

    def __init__(self, shop: Path, folder: Path) -> None:
        self.shop, self.folder = shop, folder

    def asked(self, question: str, *requests: Any, clarifying: Any = (DATA,), **more: Any) -> tuple[Run, Found]:
        self.scene: Scene = scene(self.shop, self.folder, clarifying=clarifying, specifying=requests, **more)
        return self.scene.asked(question)

    @property
    def told(self) -> FakeModel:
        return self.scene.models["specifying"]


@pytest.fixture
def house(shop: Path, tmp_path: Path) -> House:
    return House(shop, tmp_path)


def refused(run: Run) -> int:
    return run.spent_of("Specifying").refused


def test_the_model_is_told_what_the_rules_read(house: House) -> None:
    house.asked("wobble of paid area in 2025 over 7", SALES)
    told = house.told.prompts[0].user
    for line in (
        "'area' is orders.region",
        "'paid' is a value: orders.status paid",
        "'2025' is 2025-01-01 to 2025-12-31",
        "'7' is the number 7 (gt)",
        "'wobble' means nothing to the rules",
    ):
        assert line in told


def test_a_value_in_another_spelling_is_respelt_and_said(house: House) -> None:
    run, found = house.asked("turnover of everything bought", {**SALES, **where("orders.status", "equals", "PAID ")})
    assert run.trail == ANSWERED
    assert found["filters"] == ["orders.status = paid"]
    assert "read 'PAID ' of status as 'paid'" in found["notes"]


def test_a_value_that_the_data_do_not_have_comes_back_with_the_nearest(house: House) -> None:
    run, _ = house.asked(
        "turnover of everything bought",
        {**SALES, **where("orders.status", "equals", "payed")},
        {**SALES, **where("orders.status", "equals", "paid")},
    )
    assert run.trail == ANSWERED
    assert refused(run) == 1
    assert "orders.status has no value 'payed'. Nearest: paid" in house.told.prompts[1].user


def test_a_condition_for_words_without_a_meaning_is_said_in_the_answer(house: House) -> None:
    _, found = house.asked("turnover of everything bought", {**SALES, **where("orders.status", "equals", "paid")})
    assert any("orders.status equals paid" in note and "'bought'" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("question", "wrong", "right", "told"),
    [
        ("turnover of the area", SALES, PER_REGION, "orders.region"),
        ("turnover by region", {**PER_REGION, "limit": 3}, PER_REGION, "3 rows"),
    ],
)
def test_what_the_question_says_is_neither_lost_nor_added_to(
    house: House, question: str, wrong: Any, right: Any, told: str
) -> None:
    run, _ = house.asked(question, wrong, right)
    assert run.trail == ANSWERED
    assert refused(run) == 1
    lesson = house.told.prompts[1].user.partition("refused before")[2]
    assert told in lesson


def test_a_request_that_never_agrees_goes_back_for_detail_and_ends_without_a_number(house: House) -> None:
    run, found = house.asked("turnover of the area", SALES)
    assert run.trail[:5] == ("Clarifying", "Specifying", "Diagnosing", "Clarifying", "Specifying")
    assert run.trail[-2:] == ("Diagnosing", "Done")
    assert (found["status"], found["rows"]) == ("cannot_answer", [])


def test_an_unknown_member_goes_back_for_detail_after_its_retries(house: House) -> None:
    asks = {"kind": "unanswerable", "reason": "nothing here is a profit"}
    wrong = {**SALES, "measures": ["orders.profit"]}
    run, found = house.asked("wobble of the area", wrong, clarifying=[DATA, asks])
    assert run.trail == ("Clarifying", "Specifying", "Diagnosing", "Clarifying", "Done")
    assert found["status"] == "cannot_answer"


def test_a_request_that_is_put_in_a_way_that_is_not_served_is_no_reason_to_write_sql(house: House) -> None:
    zoned = {**SALES, **where("orders.ordered", "gte", "2025-01-01T00:00:00+02:00")}
    run, _ = house.asked("turnover lately", zoned, SALES)
    assert "Solving" not in run.trail


def test_a_hidden_members_values_are_near_to_nothing(shop: Path, tmp_path: Path) -> None:
    wrong = {**SALES, **where("orders.region", "equals", "Nort")}
    wrong["filters"] += where("orders.status", "equals", "payed")["filters"]
    world = scene(shop, tmp_path, clarifying=[DATA], specifying=[wrong, SALES])
    agent = world.folder / "shop.agentic.yml"
    agent.write_text(agent.read_text() + "privacy: {hidden: [orders.status]}\n")
    world.asked("wobble of paid things")
    told = world.models["specifying"].prompts
    assert len(told) > 1
    near = told[1].user.partition("Nearest: ")[2].partition(".")[0]
    assert "North" in near
    assert "paid" not in near
    assert "orders.status paid" not in told[0].user


# Without any view


COLUMNS = ["orders.csv.amount", "items.csv.qty"]
JOIN = ["orders.csv.id = items.csv.order_id"]
BEYOND = {"kind": "beyond", "reason": "there are no views", "columns": COLUMNS, "joins": JOIN}
RAW = {"kind": "data", "intent": "pieces by region", "members": COLUMNS}
SQL = {"sql": 'SELECT SUM(i.qty) AS pieces FROM "items.csv" i JOIN "orders.csv" o ON o.id = i.order_id'}


@pytest.fixture
def raw(house: House) -> House:
    """The shop without views, with a second table."""
    asked = house.asked

    def bare(question: str, *requests: Any, **more: Any) -> tuple[Run, Found]:
        world = scene(house.shop, house.folder, specifying=requests, **more)
        house.scene = world
        (world.folder / "semantics" / "orders.view.yml").unlink()
        (world.folder / "data" / "items.csv").write_text("order_id,qty\n1,2\n1,3\n2,1\n")
        return world.asked(question)

    house.asked = bare  # type: ignore[method-assign]
    assert asked is not house.asked
    return house


def test_without_views_columns_and_joins_lead_to_written_sql(raw: House) -> None:
    run, found = raw.asked("how many pieces went out", BEYOND, clarifying=[RAW], solving=[SQL])
    assert run.trail == ("Clarifying", "Specifying", "Solving", "Executing", "Interpreting", "Done")
    assert (found["path"], found["rows"]) == ("written", [[6]])
    told = raw.scene.models["solving"].prompts[0].user
    assert "join orders.csv.id = items.csv.order_id" in told


def test_without_views_a_request_or_a_broken_outline_is_refused(raw: House) -> None:
    wrong = {**BEYOND, "joins": ["orders.csv.id = items.csv.orderid"]}
    run, _ = raw.asked("how many pieces went out", SALES, wrong, BEYOND, clarifying=[RAW], solving=[SQL])
    assert run.trail[-1] == "Done"
    assert refused(run) == 2
    assert "there are no views" in raw.told.prompts[1].user
    assert "Nearest: items.csv.order_id" in raw.told.prompts[2].user
