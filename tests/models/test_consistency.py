"""`consistency`: several replies of a stage's model, of which more than half must say the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from backedge.ask.prompted.agreeing import AgreeingSpecifier
from backedge.ask.prompted.sampling import _sum
from backedge.ask.proposals import Compilation
from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Permanent, RateLimited, Transient
from backedge.query.sqlsame import canonical_sql
from backedge.semantic.model import Model
from backedge.semantic.spec import By, Order, Spec
from tests.models.minds import AGENT, Scene, scene
from tests.models.test_stories import DATA, PER_REGION, QUESTION, SAID

COUNTED = {**DATA, "intent": "number of orders by region", "members": ["orders.order_count", "orders.region"]}
PER_COUNT = {**PER_REGION, "measures": ["orders.order_count"], "assumptions": []}
BEYOND = {"kind": "beyond", "reason": "no measure"}


def _scene(shop: Path, folder: Path, stage: str, count: int = 3, **replies: list[Any]) -> Scene:
    said: dict[str, list[Any]] = {"clarifying": [DATA], "specifying": [PER_REGION], "interpreting": [SAID], **replies}
    world = scene(shop, folder, **said)
    (world.folder / "shop.agentic.yml").write_text(f"{AGENT}states: {{{stage}: {{consistency: {count}}}}}\n")
    return world


def test_more_than_half_of_the_readings_decide_and_all_calls_are_counted(shop: Path, tmp_path: Path) -> None:
    world = _scene(shop, tmp_path, "clarifying", clarifying=[COUNTED, DATA, DATA])
    run, found = world.asked(QUESTION)
    assert (run.status, found["reading"]) == ("ended", DATA["intent"])
    attempt = next(a for a in found["attempts"] if a["stage"] == "Clarifying")
    assert (attempt["usage"]["calls"], attempt["usage"]["input_tokens"]) == (3, 30)
    assert [said["intent"] for said in attempt["details"]["samples"]] == [COUNTED["intent"], *[DATA["intent"]] * 2]


def test_half_is_not_more_than_half_and_the_person_decides(shop: Path, tmp_path: Path) -> None:
    world = _scene(shop, tmp_path, "clarifying", 2, clarifying=[COUNTED, DATA, DATA, DATA])
    run, found = world.asked(QUESTION)
    assert found["status"] == "needs_input"
    assert [option["label"].partition(" (")[0] for option in found["question"]["options"]] == [
        COUNTED["intent"],
        DATA["intent"],
    ]
    run, found = Scene(world.folder, world.models).asked(QUESTION, "2")
    assert run.trail[:4] == ("Clarifying", "AwaitingAnswer", "Clarifying", "Specifying")


def test_who_has_chosen_a_reading_is_not_asked_for_it_again(shop: Path, tmp_path: Path) -> None:
    world = _scene(shop, tmp_path, "clarifying", 2, clarifying=[COUNTED, DATA] * 5)
    run, found = world.asked(QUESTION, "1")
    assert run.trail.count("AwaitingAnswer") == 1
    assert run.spent_of("Clarifying").refused == 3
    assert "samples_disagree" in str(found["attempts"])


def test_requests_that_compile_to_the_same_query_agree_in_whatever_order(shop: Path, tmp_path: Path) -> None:
    two = {**PER_REGION, "measures": ["orders.total_amount", "orders.order_count"]}
    turned = {**two, "measures": two["measures"][::-1]}
    world = _scene(shop, tmp_path, "specifying", 2, specifying=[two, turned])
    run, _ = world.asked(QUESTION)
    assert (run.trail[-1], len(world.models["specifying"].prompts)) == ("Done", 2)
    assert run.spent_of("Specifying").refused == 0


def test_requests_that_differ_are_a_question(shop: Path, tmp_path: Path) -> None:
    world = _scene(shop, tmp_path, "specifying", 2, specifying=[PER_REGION, PER_COUNT])
    _, found = world.asked(QUESTION)
    labels = [option["label"] for option in found["question"]["options"]]
    assert labels == ["total amount of orders by region of orders", "order count of orders by region of orders"]


def test_the_first_rows_are_another_request_than_all_rows() -> None:
    every = Spec(("o.a", "o.b"), (By("o.x"),), order=(Order("o.a", desc=True),))
    agreeing = AgreeingSpecifier(cast(Any, None), 2, Model(()))
    keys = [agreeing._same(Compilation(spec, None), {}) for spec in (every, replace(every, limit=3))]
    turned = agreeing._same(Compilation(replace(every, measures=("o.b", "o.a")), None), {})
    assert keys[0] == turned != keys[1]


def test_what_rules_read_whole_is_not_asked_of_any_model(shop: Path, tmp_path: Path) -> None:
    world = _scene(shop, tmp_path, "clarifying")
    world.asked("total amount by region")
    assert world.models["clarifying"].prompts == []


def test_written_sql_must_agree_and_what_does_not_is_refused_with_every_reading(shop: Path, tmp_path: Path) -> None:
    one, other = ({"sql": f"SELECT COUNT(*) AS n FROM \"orders.csv\" WHERE region = '{r}'"} for r in ("North", "South"))
    again = {"sql": "select count(*) as many from \"orders.csv\" as o where o.region = 'South'"}
    world = _scene(shop, tmp_path, "solving", 2, specifying=[BEYOND], solving=[one, other, again, other])
    run, _ = world.asked(QUESTION)
    assert run.spent_of("Solving").refused == 1
    assert run.trail[:5] == ("Clarifying", "Specifying", "Solving", "Executing", "Interpreting")
    lesson = world.models["solving"].prompts[2].user
    assert all(told in lesson for told in ("samples_disagree", "'North'", "'South'"))


@pytest.mark.parametrize(
    ("failure", "purse"), [(Transient("cut"), "transient"), (RateLimited("slow", 0.0), "rate_limited")]
)
def test_a_lost_sample_fails_the_attempt_which_is_charged_for_those_that_came(
    shop: Path, tmp_path: Path, failure: Any, purse: str
) -> None:
    failure.retry_after = 0.0
    world = _scene(shop, tmp_path, "clarifying", clarifying=[DATA, failure, DATA, DATA])
    run, found = world.asked(QUESTION)
    assert run.trail[-1] == "Done"
    lost, kept = (a for a in found["attempts"] if a["stage"] == "Clarifying")
    assert (lost["usage"]["calls"], kept["usage"]["calls"]) == (2, 3)
    assert getattr(run.spent_of("Clarifying"), purse) == 1


def test_the_gravest_of_several_failures_decides(shop: Path, tmp_path: Path) -> None:
    world = _scene(
        shop, tmp_path, "clarifying", clarifying=[DATA, Transient("cut"), Permanent("no key", mend="set it")]
    )
    run, _ = world.asked(QUESTION)
    assert run.stopped is not None
    assert run.stopped.reason == "no key"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("interpreting: {consistency: 3}", "words differ each time"),
        ("executing: {consistency: 3}", "`consistency` is for `clarifying`"),
        ("clarifying: {consistency: 10}", "consistency"),
        ("solving: {consistency: 0}", "consistency"),
    ],
)
def test_a_file_may_not_ask_for_what_cannot_agree(shop: Path, tmp_path: Path, text: str, said: str) -> None:
    world = scene(shop, tmp_path)
    (world.folder / "shop.agentic.yml").write_text(f"{AGENT}states:\n  {text}\n")
    with pytest.raises(ConfigError, match=said):
        load_project(world.folder)


def test_without_a_model_nothing_can_differ(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path)
    (world.folder / "shop.agentic.yml").write_text("states:\n  clarifying: {consistency: 3}\n")
    with pytest.raises(ConfigError, match="has no model whose replies could differ"):
        load_project(world.folder)


SAME = [
    (
        "SELECT MEDIAN(o.amount) AS mid FROM t AS o WHERE o.a = 1 AND o.b > 3 ORDER BY mid",
        "select median(amount) m from t where b > 3 and a = 1 order by m",
    ),
    (
        "select p.x, sum(q.y) from t p join u q on p.id = q.id group by 1",
        "select a.x, sum(b.y) as s from t a join u b on a.id = b.id group by a.x",
    ),
]
OTHER = [
    ("select sum(x) as a, sum(y) as b from t having a > 3", "select sum(x) as b, sum(y) as a from t having a > 3"),
    ("select a, b from t order by a", "select a, b from t order by b"),
    ("select a from t where b = 1 or c = 2", "select a from t where b = 1 and c = 2"),
    ("select a, b from t", "select b, a from t"),
    ("select count(x) from t", "select count(distinct x) from t"),
    ("select x from t limit 3", "select x from t limit 4"),
    ("select a.x from t a join u b on a.id = b.id", "select b.x from t a join u b on a.id = b.id"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_statements_that_differ_in_writing_are_the_same(one: str, other: str) -> None:
    assert canonical_sql(one, "duckdb") == canonical_sql(other, "duckdb")


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_statements_that_may_give_other_rows_are_not(one: str, other: str) -> None:
    assert canonical_sql(one, "duckdb") != canonical_sql(other, "duckdb")


def test_a_sum_of_unknown_prices_is_unknown() -> None:
    assert _sum((Usage(1, 1, None), Usage(1, 1))) == Usage(2, 2, None, 0, 2)
