"""Ask with a model in its stages: what it proposes is held to the catalog, the data and the rows, or goes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.models.minds import scene

PER_REGION = {
    "kind": "request",
    "measures": ["orders.total_amount"],
    "dimensions": ["orders.region"],
    "assumptions": ["turnover is total_amount"],
}
DATA = {"kind": "data", "intent": "total amount by region", "members": ["orders.total_amount", "orders.region"]}
QUESTION = "how did turnover spread over the regions"
SAID = {"text": "South has the most, 105.00."}


def test_what_rules_cannot_read_a_model_reads_and_the_compile_answers(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[DATA], specifying=[PER_REGION], interpreting=[SAID])
    run, found = world.asked(QUESTION)
    assert run.trail == ("Clarifying", "Specifying", "Executing", "Interpreting", "Done")
    assert found["answer"] == "South has the most, 105.00."
    assert found["path"] == "semantic"
    assert "turnover is total_amount" in str(found)
    assert found["usage"]["calls"] >= 3


def test_what_rules_read_whole_costs_no_call_before_the_words(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[DATA], specifying=[PER_REGION], interpreting=[SAID])
    run, _ = world.asked("total amount by region")
    assert run.trail[-1] == "Done"
    assert [len(model.prompts) for model in world.models.values()] == [0, 0, 1]


def test_an_invented_member_comes_back_with_the_nearest_names(shop: Path, tmp_path: Path) -> None:
    invented = {**DATA, "members": ["orders.totl_amount", "orders.region"]}
    wrong = {**PER_REGION, "measures": ["orders.total_amt"]}
    world = scene(shop, tmp_path, clarifying=[invented, DATA], specifying=[wrong, PER_REGION], interpreting=[SAID])
    run, _ = world.asked(QUESTION)
    assert run.trail[-1] == "Done"
    assert "orders.total_amount" in world.models["clarifying"].prompts[1].user
    assert "orders.total_amount" in world.models["specifying"].prompts[1].user
    assert run.spent_of("Clarifying").refused == 1
    assert run.spent_of("Specifying").refused == 1


def test_what_the_semantic_model_cannot_express_is_solved_and_marked_as_written(shop: Path, tmp_path: Path) -> None:
    beyond = {"kind": "beyond", "reason": "the middle value of the amounts is no measure"}
    sql = {"sql": 'SELECT MEDIAN(amount) AS middle_amount FROM "orders.csv"'}
    world = scene(
        shop, tmp_path, clarifying=[DATA], specifying=[beyond], solving=[sql], interpreting=[{"text": "It is 10.50."}]
    )
    run, found = world.asked("what is the middle value of the total amounts")
    assert run.trail == ("Clarifying", "Specifying", "Solving", "Executing", "Interpreting", "Done")
    assert found["path"] == "written"


def test_sql_that_the_guard_refuses_is_mended_before_it_runs(shop: Path, tmp_path: Path) -> None:
    beyond = {"kind": "beyond", "reason": "no measure"}
    drop, good = {"sql": "DROP TABLE x"}, {"sql": 'SELECT COUNT(*) AS n FROM "orders.csv"'}
    world = scene(
        shop, tmp_path, clarifying=[DATA], specifying=[beyond], solving=[drop, good], interpreting=[{"text": "5 rows."}]
    )
    run, _ = world.asked(QUESTION)
    assert run.trail.count("Solving") == 1
    assert run.spent_of("Solving").refused == 1
    assert "sql_not_read_only" in world.models["solving"].prompts[1].user


def test_a_wrong_number_is_refused_until_the_template_speaks(shop: Path, tmp_path: Path) -> None:
    wrong = {"text": "South has the most, 106.00."}
    world = scene(shop, tmp_path, interpreting=[wrong])
    run, found = world.asked("total amount by region")
    assert run.trail.count("Interpreting") == 2
    assert "106" not in found["answer"]


def test_a_question_to_the_person_is_answered_and_goes_on_without_asking_earlier_models(
    shop: Path, tmp_path: Path
) -> None:
    asks: Any = {
        "kind": "data",
        "questions": [{"slot": "turnover", "prompt": "Which?", "suggestions": ["all orders", "paid orders"]}],
    }
    paid = {**PER_REGION, "filters": [{"field": "orders.status", "op": "equals", "values": ["paid"]}]}
    world = scene(shop, tmp_path, clarifying=[asks, DATA], specifying=[PER_REGION, paid])
    run, found = world.asked(QUESTION, "paid orders")
    assert found["filters"] == ["orders.status = paid"]
    assert run.trail == (
        "Clarifying",
        "AwaitingAnswer",
        "Clarifying",
        "Specifying",
        "Executing",
        "Interpreting",
        "Done",
    )
    assert "turnover: paid orders" in world.models["clarifying"].prompts[1].user


def test_an_inquiry_is_answered_from_the_catalog_without_sql(shop: Path, tmp_path: Path) -> None:
    said = {"kind": "inquiry", "answer": "`orders.region` is the region of an order."}
    run, found = scene(shop, tmp_path, clarifying=[said]).asked("please explain wherever regions come from")
    assert run.trail == ("Clarifying", "Done")
    assert (found["answer"], found["sql"]) == (said["answer"], None)
